// The densities of many values at once are those of single values.

#include "interpole/model/measured/density_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "interpole/base/random.hpp"
#include "interpole/model/measured/draw_outcome.hpp"

namespace interpole::model {
namespace {

std::vector<MeasuredFactor> factors_in_rows() {
  std::vector<std::string> many;
  many.reserve(12);
  for (int k = 0; k < 12; ++k) many.push_back("level " + std::to_string(k));
  MeasuredFactor limited{"x", Family::kNormal};
  limited.lower = -0.5;
  limited.upper = 0.75;
  MeasuredFactor detected{"x", Family::kLogNormal};
  detected.lower = 0.6;
  MeasuredFactor beyond{"x", Family::kNormal};  // every value of most samples
  beyond.lower = 50.0;
  return {{"x", Family::kCategorical, {"a", "b", "c"}},
          {"x", Family::kOrdinal, many},
          {"x", Family::kNormal},
          {"x", Family::kLogNormal},
          {"x", Family::kStudent},
          {"x", Family::kPoisson},
          {"x", Family::kNegativeBinomial},
          limited,
          detected,
          beyond};
}

TEST(DensityRows, AreThoseOfSingleValuesInEveryFamily) {
  constexpr std::size_t kStates = 3;
  base::RandomStream random(71);
  for (const MeasuredFactor& factor : factors_in_rows()) {
    const auto forms = forms_of(factor);
    const std::size_t columns = forms.size() + 2;  // of other factors
    std::vector<double> parameters(kStates * columns, NAN);
    FactorValues of;
    for (std::size_t s = 0; s < kStates; ++s) {
      const auto levels = random.dirichlet(static_cast<int>(forms.size()), 1.0);
      const bool chances = factor.family == Family::kCategorical;
      for (std::size_t i = 0; i < forms.size(); ++i)
        parameters[s * columns + i] = chances ? levels[i] : forms[i].at(random.normal());
      for (int i = 0; i < 40; ++i) of.values.push_back(draw_value(factor, &parameters[s * columns], random));
    }
    const std::vector<double> met = of.values;
    const auto places = of.finish(factor);
    for (std::size_t i = 0; i < met.size(); ++i) EXPECT_EQ(of.values[places[i]], met[i]);
    const std::set<double> distinct(met.begin(), met.end());
    EXPECT_EQ(of.values.size(), distinct.size());
    const std::size_t count = of.values.size();
    std::vector<double> found(count * kStates, NAN), weights(count * kStates);
    log_densities(factor, of, parameters.data(), columns, kStates, found.data());
    for (double& w : weights) w = random.uniform() < 0.1 ? 0.0 : random.normal();
    std::vector<double> gradient(parameters.size(), 1.0), expected(parameters.size(), 1.0);
    pull_back_densities(factor, of, parameters.data(), columns, kStates, weights.data(), gradient.data());
    std::vector<double> of_value(forms.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t first = i % kStates * columns;
      const double one = log_density(factor, of.values[i / kStates], &parameters[first], of_value.data());
      EXPECT_NEAR(found[i], one, 1e-13 * (1.0 + std::abs(one))) << name_of(factor.family);
      for (std::size_t k = 0; k < forms.size(); ++k) expected[first + k] += weights[i] * of_value[k];
    }
    double scale = 1.0;
    for (const double x : expected) scale = std::max(scale, std::abs(x));
    for (std::size_t i = 0; i < gradient.size(); ++i)
      EXPECT_NEAR(gradient[i], expected[i], 1e-12 * scale) << name_of(factor.family) << " " << i;
  }
}

TEST(DensityRows, OfNoValuesAreNone) {
  const MeasuredFactor factor{"x", Family::kNormal};
  FactorValues of;
  of.finish(factor);
  const std::vector<double> parameters = {0.0, 1.0};
  std::vector<double> gradient(2, 0.0);
  log_densities(factor, of, parameters.data(), 2, 1, nullptr);
  pull_back_densities(factor, of, parameters.data(), 2, 1, nullptr, gradient.data());
  EXPECT_EQ(gradient, (std::vector<double>{0.0, 0.0}));
}

}  // namespace
}  // namespace interpole::model
