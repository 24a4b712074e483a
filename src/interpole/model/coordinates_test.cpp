#include "interpole/model/coordinates.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/error.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/model/pull_back_testing.hpp"

namespace interpole::model {
namespace {

using Complex = std::complex<double>;

std::vector<double> random_vector(int size, base::RandomStream& random, double scale = 1.0) {
  std::vector<double> x(size);
  for (double& v : x) v = scale * random.normal();
  return x;
}

TEST(Helmert, BasisIsOrthonormalAndOrthogonalToOnes) {
  for (const std::size_t n : {2u, 3u, 7u}) {
    std::vector<std::vector<double>> columns;
    for (std::size_t k = 0; k + 1 < n; ++k) {
      std::vector<double> y(n - 1, 0.0);
      y[k] = 1.0;
      std::vector<double> x(n);
      helmert_apply<double>(y, x);
      columns.push_back(x);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      double sum = 0.0;
      for (const double v : columns[i]) sum += v;
      EXPECT_NEAR(sum, 0.0, 1e-14);
      for (std::size_t j = 0; j < columns.size(); ++j) {
        double dot = 0.0;
        for (std::size_t k = 0; k < n; ++k) dot += columns[i][k] * columns[j][k];
        EXPECT_NEAR(dot, i == j ? 1.0 : 0.0, 1e-14);
      }
    }
  }
}

TEST(Helmert, TransposeUndoesApply) {
  base::RandomStream random(1);
  const auto y = random_vector(6, random);
  std::vector<double> x(7);
  std::vector<double> back(6);
  helmert_apply<double>(y, x);
  helmert_transpose<double>(x, back);
  for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(back[k], y[k], 1e-14);
}

TEST(Simplex, PointAndCoordinatesAreInverse) {
  base::RandomStream random(2);
  for (const double mass : {1.0, 0.3}) {
    const auto y = random_vector(4, random, 2.0);
    std::vector<double> theta(5);
    std::vector<double> back(4);
    simplex_point<double>(y, mass, theta);
    double sum = 0.0;
    for (const double p : theta) sum += p;
    EXPECT_NEAR(sum, mass, 1e-15);
    simplex_coordinates(theta, back);
    for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(back[k], y[k], 1e-12);
  }
}

TEST(Simplex, PullBackMatchesComplexStepAlsoNearTheEdge) {
  for (const double scale : {1.0, 15.0}) {
    base::RandomStream random(3);
    const auto y = random_vector(4, random, scale);
    const auto weights = random_vector(5, random);
    std::vector<double> theta(5);
    simplex_point<double>(y, 0.8, theta);
    std::vector<double> d_y(4, 0.0);
    simplex_pull_back(theta, 0.8, weights, d_y);
    for (std::size_t k = 0; k < 4; ++k) {
      std::vector<Complex> z(y.begin(), y.end());
      z[k] += Complex(0.0, 1e-200);
      std::vector<Complex> point(5);
      simplex_point<Complex>(z, 0.8, point);
      Complex value = 0.0;
      for (std::size_t i = 0; i < 5; ++i) value += weights[i] * point[i];
      EXPECT_NEAR(d_y[k], value.imag() / 1e-200, 1e-13);
    }
  }
}

TEST(Simplex, LogJacobianMatchesTheDeterminantOfDerivatives) {
  base::RandomStream random(4);
  const auto y = random_vector(2, random);
  std::vector<double> theta(3);
  simplex_point<double>(y, 0.6, theta);
  double jacobian[2][2];
  for (int k = 0; k < 2; ++k) {
    std::vector<Complex> z(y.begin(), y.end());
    z[k] += Complex(0.0, 1e-200);
    std::vector<Complex> point(3);
    simplex_point<Complex>(z, 0.6, point);
    for (int i = 0; i < 2; ++i) jacobian[i][k] = point[i].imag() / 1e-200;
  }
  const double determinant = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
  std::vector<double> gradient(2, 0.0);
  EXPECT_NEAR(simplex_log_jacobian(theta, 0.6, gradient), std::log(std::abs(determinant)), 1e-12);
  for (int k = 0; k < 2; ++k) {
    auto moved = y;
    const double h = 1e-5;
    std::vector<double> up(3);
    std::vector<double> down(3);
    moved[k] = y[k] + h;
    simplex_point<double>(moved, 0.6, up);
    moved[k] = y[k] - h;
    simplex_point<double>(moved, 0.6, down);
    const double numeric =
        (simplex_log_jacobian(up, 0.6, {}) - simplex_log_jacobian(down, 0.6, {})) / (2.0 * h);
    EXPECT_NEAR(gradient[k], numeric, 1e-8);
  }
}

TEST(ParameterSpace, SkipsWhatIsKnownMaskedOrTerminal) {
  auto structure = Structure::unrestricted({"x", "y"}, {"look", "stop"}, {"0", "1", "2"});
  structure.make_terminal(1);
  structure.allowed[2] = 0;
  Parameters known = Parameters::filled(structure, NAN);
  known.dynamics.initial = {0.3, NAN};  // settles the other
  known.policy.inverse_temperature = 2.0;
  const DynamicsSpace space(structure, known.dynamics);
  // T(look): two rows of one coordinate; O(look): two rows of two allowed outcomes.
  EXPECT_EQ(space.size(), 4);
  const Dynamics point = space.point(std::vector<double>(4, 0.0));
  EXPECT_DOUBLE_EQ(point.initial[1], 0.7);
  EXPECT_EQ(point.observation[2], 0.0);
  EXPECT_DOUBLE_EQ(point.observation[0], 0.5);
  EXPECT_EQ(point.transition[4], 1.0);  // after the end nothing moves
  EXPECT_EQ(PolicySpace(structure, known.policy).size(), 2);
}

TEST(ParameterSpace, RoundTripsMeansOffTheSimplex) {
  auto structure = Structure::unrestricted({"x", "y", "z"}, {"a", "b"}, {"0"});
  Parameters known = Parameters::filled(structure, NAN);
  known.policy.means[0] = 0.25;
  const PolicySpace space(structure, known.policy);
  const Policy policy{3.0, {0.25, 2.0, -1.25, 1.3, -0.5, 0.2}};
  std::vector<double> y(space.size());
  space.coordinates(policy, y);
  const Policy back = space.point(y);
  EXPECT_NEAR(back.inverse_temperature, 3.0, 1e-14);
  for (std::size_t i = 0; i < back.means.size(); ++i) EXPECT_NEAR(back.means[i], policy.means[i], 1e-14);
}

TEST(Ties, MakeOneRowOfManyAndAddTheirDerivatives) {
  Structure structure = Structure::unrestricted({"a", "b", "c"}, {"x", "y", "stop"}, {"u", "v"});
  structure.make_terminal(2);
  const Dynamics open = Dynamics::filled(structure, NAN);
  const DynamicsSpace space(structure, open, {.transition = true, .observation = true});
  EXPECT_EQ(space.size(), 2 + 3 * 2 + 3 * 1);
  EXPECT_EQ(DynamicsSpace(structure, open).size(), 2 + 2 * 3 * 2 + 2 * 3 * 1);
  base::RandomStream random(9, 0);
  std::vector<double> y(space.size());
  for (double& x : y) x = random.normal();
  const Dynamics at = space.point(y);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(at.transition[i], at.transition[9 + i]);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(at.observation[i], at.observation[6 + i]);
  Dynamics slope = Dynamics::filled(structure, 0.0);
  for (auto* field : {&slope.initial, &slope.transition, &slope.observation}) {
    for (double& x : *field) x = random.normal();
  }
  const auto value = [&](const std::vector<double>& point) {
    const Dynamics there = space.point(point);
    double sum = 0.0;
    for (std::size_t i = 0; i < slope.initial.size(); ++i) sum += slope.initial[i] * there.initial[i];
    for (std::size_t i = 0; i < slope.transition.size(); ++i)
      sum += slope.transition[i] * there.transition[i];
    for (std::size_t i = 0; i < slope.observation.size(); ++i)
      sum += slope.observation[i] * there.observation[i];
    return sum;
  };
  std::vector<double> gradient(space.size(), 0.0);
  space.pull_back(at, slope, gradient);
  expect_slopes(gradient, y, value);
}

TEST(Ties, AreRefusedBetweenRowsThatKnowDifferentThings) {
  const Structure structure = Structure::unrestricted({"a", "b"}, {"x", "y"}, {"u", "v", "w"});
  Dynamics known = Dynamics::filled(structure, NAN);
  known.transition[4] = 0.25;  // after y, from a
  EXPECT_THROW(DynamicsSpace(structure, known, {.transition = true}), Error);
  Structure masked = structure;
  masked.allowed[2] = 0;  // x never yields w
  const Dynamics open = Dynamics::filled(structure, NAN);
  EXPECT_THROW(DynamicsSpace(masked, open, {.observation = true}), Error);
  EXPECT_NO_THROW(DynamicsSpace(masked, open, {.transition = true}));
}

}  // namespace
}  // namespace interpole::model
