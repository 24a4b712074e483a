#include "interpole/model/time/gap_transition.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/model/time/visit_gaps.hpp"
#include "interpole/parameters.hpp"

namespace interpole::model {
namespace {

using ::testing::HasSubstr;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> random_generator(std::size_t states, double fastest, base::RandomStream& random) {
  std::vector<double> Q(states * states, 0.0);
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t to = 0; to < states; ++to) {
      if (to != s) Q[s * states + s] -= Q[s * states + to] = fastest * random.uniform();
    }
  }
  return Q;
}

std::vector<double> exponential(const std::vector<double>& Q, std::size_t states, double t) {
  std::vector<double> result(Q.size());
  GeneratorExponential(states).evaluate(Q, t, result);
  return result;
}

Matrix matrix(const std::vector<double>& x, std::size_t states) {
  return Eigen::Map<const Matrix>(x.data(), static_cast<int>(states), static_cast<int>(states));
}

// Padé approximation, and for the derivative the exponential of [[A, E], [0, A]]: neither shares anything
// with ours.
TEST(GeneratorExponential, AgreesWithPade) {
  base::RandomStream random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t S = 1 + trial % 6;
    const auto Q = random_generator(S, std::pow(10.0, 3.0 * random.uniform() - 2.0), random);
    const double t = std::pow(10.0, 2.0 * random.uniform() - 1.0);
    const Matrix expected = (matrix(Q, S) * t).exp();
    EXPECT_LT((matrix(exponential(Q, S, t), S) - expected).cwiseAbs().maxCoeff(), 2e-12) << trial;
  }
}

TEST(GeneratorExponential, HasTheDerivativeOfTheBlockMatrix) {
  base::RandomStream random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t S = 2 + trial % 4;
    const auto n = static_cast<Eigen::Index>(S);
    const auto Q = random_generator(S, 2.0, random);
    const double t = std::pow(10.0, 2.0 * random.uniform() - 1.0);
    // A direction among generators: rates move, rows go on summing to zero.
    const auto direction = random_generator(S, 1.0, random);
    std::vector<double> weights(S * S), gradient(S * S, 0.0), result(S * S);
    for (double& w : weights) w = random.normal();
    GeneratorExponential ours(S);
    ours.evaluate(Q, t, result);
    ours.pull_back(weights, gradient);
    double derivative = 0.0;
    for (std::size_t i = 0; i < S * S; ++i) derivative += gradient[i] * direction[i];
    Matrix block = Matrix::Zero(2 * n, 2 * n);
    block.topLeftCorner(n, n) = block.bottomRightCorner(n, n) = matrix(Q, S) * t;
    block.topRightCorner(n, n) = matrix(direction, S) * t;
    const Matrix whole = block.exp();
    const double expected = whole.topRightCorner(n, n).cwiseProduct(matrix(weights, S)).sum();
    EXPECT_NEAR(derivative, expected, 1e-11 * (1.0 + std::abs(expected))) << trial;
    // The check can fail: the derivative of the first-order step I + Qt is another one.
    const double of_one_step = t * matrix(direction, S).cwiseProduct(matrix(weights, S)).sum();
    EXPECT_GT(std::abs(of_one_step - expected), 1e-9) << trial;
  }
}

TEST(GeneratorExponential, TwoHalvesMakeAWhole) {
  base::RandomStream random(7);
  const auto Q = random_generator(4, 1.0, random);
  for (const double t : {1e-9, 1e-3, 1.0, 30.0, 1e4}) {
    const Matrix half = matrix(exponential(Q, 4, t / 2), 4);
    EXPECT_LT((half * half - matrix(exponential(Q, 4, t), 4)).cwiseAbs().maxCoeff(), 1e-14) << t;
  }
}

TEST(GeneratorExponential, StaysAtProbabilitiesForTinyAndHugeTimes) {
  const std::vector<double> chain = {-0.5, 0.5, 0.0, 0.0, -0.2, 0.2, 0.0, 0.0, 0.0};  // ends in the third
  for (const double t : {0.0, 1e-300, 1e-12, 1.0, 1e6, 1e15, 1e300}) {
    const auto T = exponential(chain, 3, t);
    for (std::size_t s = 0; s < 3; ++s) {
      double sum = 0.0;
      for (std::size_t to = 0; to < 3; ++to) {
        EXPECT_GE(T[s * 3 + to], 0.0);
        if (to < s) {
          EXPECT_EQ(T[s * 3 + to], 0.0);  // no way back, exactly
        }
        sum += T[s * 3 + to];
      }
      EXPECT_NEAR(sum, 1.0, 1e-14) << t;
    }
  }
  EXPECT_EQ(exponential(chain, 3, 0.0), (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_NEAR(exponential(chain, 3, 1e15)[2], 1.0, 1e-12);
  // Tiny probabilities keep their digits: two jumps in 10⁻⁶ units.
  EXPECT_NEAR(exponential(chain, 3, 1e-6)[2] / (0.5 * 0.5 * 0.2 * 1e-12), 1.0, 1e-6);
  // One rate far above the others: still what it tends to.
  const std::vector<double> fast = {-1e12, 1e12, 1e-3, -1e-3};
  EXPECT_NEAR(exponential(fast, 2, 5.0)[1], 1.0, 1e-9);
}

Structure timed(TimeRule rule, double typical) {
  Structure structure = Structure::unrestricted({"x", "y", "z"}, {"wait", "act"}, {"o"});
  structure.set_time({"days", rule, typical, rule == TimeRule::kSteps ? 0 : -1});
  return structure;
}

Dynamics random_rows(const Structure& structure, base::RandomStream& random) {
  Dynamics dynamics = Dynamics::filled(structure, 0.0);
  for (std::size_t row = 0; row < 6; ++row) {
    const auto shares = random.dirichlet(3, 1.0);
    std::copy(shares.begin(), shares.end(), dynamics.transition.begin() + static_cast<int>(3 * row));
  }
  return dynamics;
}

TEST(GapTransition, HasTheGradientOfDifferences) {
  base::RandomStream random(8);
  for (const TimeRule rule : {TimeRule::kGenerators, TimeRule::kSteps}) {
    const Structure structure = timed(rule, 7.0);
    Dynamics dynamics = random_rows(structure, random);
    for (const double gap : {7.0, 21.0}) {
      GapTransition transition(structure);
      std::vector<double> T(9), weights(9);
      for (double& w : weights) w = random.normal();
      Dynamics gradient = Dynamics::filled(structure, 0.0);
      transition.evaluate(dynamics, 1, gap, T);
      transition.pull_back(dynamics, weights, gradient);
      for (std::size_t i = 0; i < dynamics.transition.size(); ++i) {
        constexpr double kStep = 1e-6;
        const double here = dynamics.transition[i];
        double change = 0.0;
        for (const double sign : {1.0, -1.0}) {
          dynamics.transition[i] = here + sign * kStep;
          transition.evaluate(dynamics, 1, gap, T);
          for (std::size_t k = 0; k < 9; ++k) change += sign * weights[k] * T[k] / (2.0 * kStep);
        }
        dynamics.transition[i] = here;
        EXPECT_NEAR(gradient.transition[i], change, 1e-7 * (1.0 + std::abs(change))) << i << " " << gap;
      }
    }
  }
}

TEST(GapTransition, TakesWholeStepsOneByOne) {
  base::RandomStream random(9);
  const Structure structure = timed(TimeRule::kSteps, 7.0);
  const Dynamics dynamics = random_rows(structure, random);
  const Matrix wait = Eigen::Map<const Matrix>(&dynamics.transition[0], 3, 3);
  const Matrix act = Eigen::Map<const Matrix>(&dynamics.transition[9], 3, 3);
  EXPECT_LT(
      (matrix(transition_over(structure, dynamics, 1, 21.0), 3) - act * wait * wait).cwiseAbs().maxCoeff(),
      1e-15);
  EXPECT_EQ(transition_over(structure, dynamics, 1, 0.0), (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST(Rates, AreReadAsTheyWereSetWhateverTheTypicalGap) {
  for (const double typical : {1.0, 7.0, 0.01}) {
    const Structure structure = timed(TimeRule::kGenerators, typical);
    const std::vector<double> rates = {-0.3, 0.3, 0.0, 0.1, -0.15, 0.05, 0.0, 0.0, 0.0};
    Dynamics dynamics = Dynamics::filled(structure, 0.0);
    set_rates(structure, 1, rates, dynamics);
    const auto read = rates_of(structure, dynamics, 1);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(read[i], rates[i], 1e-15) << i;
    EXPECT_EQ(dynamics.transition[9 + 2], 0.0);
  }
}

TEST(Gaps, AreSharedUpToRounding) {
  GapTable gaps;
  const int tenth = gaps.place_of(0.1);
  EXPECT_EQ(gaps.place_of(0.3 - 0.2), tenth);
  EXPECT_EQ(gaps.at(tenth), 0.1);
  EXPECT_EQ(gaps.at(gaps.place_of(7.0)), 7.0);
  EXPECT_EQ(gaps.at(gaps.place_of(0.25)), 0.25);
  EXPECT_NE(gaps.place_of(1.0), gaps.place_of(1.000001));
  EXPECT_EQ(gaps.size(), 5);
}

TEST(Gaps, SayWhichTimesCannotFollowEachOther) {
  const VisitTime free{"days"};
  EXPECT_EQ(complaint_about_times(free, 3.0, 3.5), "");
  EXPECT_THAT(complaint_about_times(free, 3.0, 2.0), HasSubstr("time 2 comes after 3: time goes backwards"));
  EXPECT_THAT(complaint_about_times(free, 3.0, 3.0), HasSubstr("no time passes between them"));
  const VisitTime weekly{"days", TimeRule::kSteps, 7.0, 0};
  EXPECT_EQ(complaint_about_times(weekly, 3.0, 24.0), "");
  EXPECT_THAT(complaint_about_times(weekly, 3.0, 11.0),
              HasSubstr("8 days after the visit before, which is no whole multiple of 7"));
  EXPECT_THAT(complaint_about_times(weekly, 0.0, 7e6), HasSubstr("more than 10000 steps"));
}

}  // namespace
}  // namespace interpole::model
