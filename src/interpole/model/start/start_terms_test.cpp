#include "interpole/model/start/start_terms.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/model/parameter_space.hpp"

namespace interpole::model {
namespace {

using ::testing::HasSubstr;

const std::vector<PolicyCovariate> kCovariates = {{"sex", {"f", "m"}}, {"age", {}, 60.0, 10.0}};

Structure start_structure() {
  return Structure::unrestricted({"well", "ill"}, {"wait", "test"}, {"low", "high"});
}

Dynamics start_dynamics() {
  Dynamics dynamics = Dynamics::filled(start_structure(), 0.5);
  dynamics.initial = {0.8, 0.2};
  dynamics.start = {{0, kCovariates[0], {-0.5, 0.5, 0.5, -0.5}}, {1, kCovariates[1], {-0.25, 0.25}}};
  return dynamics;
}

double start_log_odds(const std::vector<double>& belief) {
  return std::log(belief[1] / belief[0]);
}

TEST(StartBelief, MovesTheLogOddsByTheWeights) {
  const Dynamics dynamics = start_dynamics();
  const double base = std::log(0.2 / 0.8);
  EXPECT_NEAR(start_log_odds(start_belief(dynamics, std::vector{0.0, 60.0})), base + 1.0, 1e-12);
  EXPECT_NEAR(start_log_odds(start_belief(dynamics, std::vector{1.0, 60.0})), base - 1.0, 1e-12);
  EXPECT_NEAR(start_log_odds(start_belief(dynamics, std::vector{0.0, 80.0})), base + 2.0, 1e-12);
}

TEST(StartBelief, IsTheCommonOneWhereNothingIsKnown) {
  const Dynamics dynamics = start_dynamics();
  EXPECT_NEAR(start_belief(dynamics, std::vector<double>{NAN, NAN})[1], 0.2, 1e-15);
  EXPECT_NEAR(start_belief(dynamics, {})[1], 0.2, 1e-15);
  EXPECT_NEAR(start_belief(dynamics, std::vector<double>{2.0, NAN})[1], 0.2,
              1e-15);  // a category nobody has met
}

TEST(StartBelief, StaysAProbabilityAtAnyAgeAndWhereAStateCannotBe) {
  Dynamics dynamics = start_dynamics();
  for (const double age : {-1e6, 1e6}) {
    const auto belief = start_belief(dynamics, std::vector{0.0, age});
    EXPECT_NEAR(belief[0] + belief[1], 1.0, 1e-15);
  }
  dynamics.initial = {1.0, 0.0};
  EXPECT_EQ(start_belief(dynamics, std::vector{0.0, 1e6})[0], 1.0);
}

TEST(StartTerms, PermuteWithTheStates) {
  const Dynamics dynamics = start_dynamics();
  const Dynamics other = permute_states(start_structure(), dynamics, {1, 0});
  const std::vector<double> covariates = {1.0, 72.0};
  EXPECT_DOUBLE_EQ(start_belief(dynamics, covariates)[0], start_belief(other, covariates)[1]);
  EXPECT_EQ(permute_states(start_structure(), other, {1, 0}), dynamics);
}

TEST(StartTerms, HaveCoordinatesAnIsometryAway) {
  Dynamics known = start_dynamics();
  for (StartTerm& term : known.start) std::fill(term.weights.begin(), term.weights.end(), NAN);
  const DynamicsSpace space(start_structure(), known);
  EXPECT_EQ(space.start_size(), 2);
  EXPECT_EQ(space.size(), 2);  // all else is known
  std::vector<double> y(space.size());
  space.coordinates(start_dynamics(), y);
  EXPECT_EQ(space.point(y).start[0].weights.size(), 4u);
  for (std::size_t k = 0; k < 2; ++k) {
    double squares = 0.0;
    for (std::size_t i = 0; i < start_dynamics().start[k].weights.size(); ++i) {
      const double w = start_dynamics().start[k].weights[i];
      EXPECT_NEAR(space.point(y).start[k].weights[i], w, 1e-15);
      squares += w * w;
    }
    EXPECT_NEAR(y[k] * y[k], squares, 1e-15);
  }
}

TEST(StartTerms, AreRefusedWithWhatIsWrong) {
  const auto complaint = [](const auto& change) {
    Dynamics dynamics = start_dynamics();
    change(dynamics.start);
    return base::complaint_of([&] { check_start(start_structure(), kCovariates, dynamics, "m: policy."); });
  };
  EXPECT_THAT(complaint([](auto& start) { start[1].covariate = 5; }),
              HasSubstr("m: policy.start[1]: it names no covariate"));
  EXPECT_THAT(complaint([](auto& start) { start[1] = start[0]; }),
              HasSubstr("m: policy.start[1]: starting beliefs differ by \"sex\" already; keep one"));
  EXPECT_THAT(complaint([](auto& start) { start[0].weights.pop_back(); }),
              HasSubstr("m: policy.start[0]: 3 weights where 4 belong"));
  EXPECT_THAT(complaint([](auto& start) { start[0].weights[3] = NAN; }),
              HasSubstr("m: policy.start[0].weights[1][1]: nan is not a number"));
}

}  // namespace
}  // namespace interpole::model
