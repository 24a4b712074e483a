// Every family's log-density and gradient at random points against another implementation
// (flat_density_testing.hpp) and its complex step.

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/model/measured/draw_outcome.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/measured/flat_density_testing.hpp"

namespace interpole::model {
namespace {

using Complex = std::complex<double>;

std::vector<MeasuredFactor> factors_of_every_family() {
  MeasuredFactor limited{"limited normal", Family::kNormal};
  limited.lower = -0.5;
  limited.upper = 0.75;
  MeasuredFactor detected{"limited lognormal", Family::kLogNormal};
  detected.lower = 0.6;
  detected.upper = 1.5;
  return {{"categorical", Family::kCategorical, {"a", "b", "c"}},
          {"two levels", Family::kOrdinal, {"a", "b"}},
          {"ordinal", Family::kOrdinal, {"a", "b", "c", "d", "e"}},
          {"normal", Family::kNormal},
          {"lognormal", Family::kLogNormal},
          {"student", Family::kStudent},
          {"poisson", Family::kPoisson},
          {"negative binomial", Family::kNegativeBinomial},
          limited,
          detected};
}

std::vector<double> random_point(const MeasuredFactor& factor, base::RandomStream& random) {
  const auto forms = forms_of(factor);
  if (factor.family == Family::kCategorical) return random.dirichlet(static_cast<int>(forms.size()), 1.0);
  std::vector<double> point;
  point.reserve(forms.size());
  for (const ParameterForm& form : forms) point.push_back(form.at(random.normal()));
  return point;
}

std::vector<double> gradient_of(const MeasuredFactor& factor, double value, const std::vector<double>& p) {
  std::vector<double> gradient(p.size());
  log_density(factor, value, p.data(), gradient.data());
  return gradient;
}

// The largest difference between a gradient and the complex step, relative to what is above 1.
double worst_of(const MeasuredFactor& factor, double value, const std::vector<double>& p,
                const std::vector<double>& gradient) {
  constexpr double kStep = 1e-30;
  double worst = 0.0;
  std::vector<Complex> point(p.begin(), p.end());
  for (std::size_t i = 0; i < p.size(); ++i) {
    point[i] = {p[i], kStep};
    const double expected = flat_log_density(factor, value, point.data()).imag() / kStep;
    point[i] = p[i];
    worst = std::max(worst, std::abs(gradient[i] - expected) / std::max(1.0, std::abs(expected)));
  }
  return worst;
}

TEST(Families, ValuesAndGradientsMatchTheComplexStep) {
  base::RandomStream random(51);
  for (const MeasuredFactor& factor : factors_of_every_family()) {
    for (int trial = 0; trial < 400; ++trial) {
      const auto p = random_point(factor, random);
      // From other parameters, so that values lie far out too.
      const double value = draw_value(factor, random_point(factor, random).data(), random);
      const double expected = flat_log_density(factor, value, p.data());
      ASSERT_NEAR(log_density(factor, value, p.data(), nullptr), expected, 1e-11 * (1.0 + std::abs(expected)))
          << factor.name << " at " << value;
      ASSERT_LE(worst_of(factor, value, p, gradient_of(factor, value, p)), 1e-10)
          << factor.name << " at " << value;
    }
  }
}

TEST(Families, TheComplexStepNoticesAGradientThatIsSlightlyWrong) {
  base::RandomStream random(52);
  for (const MeasuredFactor& factor : factors_of_every_family()) {
    const auto p = random_point(factor, random);
    const double value = draw_value(factor, p.data(), random);
    auto gradient = gradient_of(factor, value, p);
    gradient[0] += 1e-8 * std::max(1.0, std::abs(gradient[0]));
    EXPECT_GT(worst_of(factor, value, p, gradient), 5e-9) << factor.name;
  }
}

}  // namespace
}  // namespace interpole::model
