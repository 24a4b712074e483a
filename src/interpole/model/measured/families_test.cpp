#include "interpole/model/measured/families.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/model/measured/draw_outcome.hpp"
#include "interpole/model/measured/special_functions.hpp"

namespace interpole::model {
namespace {

using ::testing::HasSubstr;

struct Case {
  MeasuredFactor factor;
  std::vector<double> parameters;
  std::vector<double> values;
};

std::vector<Case> cases() {
  std::vector<Case> result = {
      {{"level", Family::kCategorical, {"a", "b", "c"}}, {0.2, 0.5, 0.3}, {0, 1, 2}},
      {{"grade", Family::kOrdinal, {"a", "b", "c", "d"}}, {0.7, -1.1, 0.9, 1.6}, {0, 1, 2, 3}},
      {{"x", Family::kNormal}, {62.0, 7.5}, {40.0, 62.0, 99.5}},
      {{"x", Family::kLogNormal}, {2.1, 0.6}, {0.3, 2.1, 17.0}},
      {{"x", Family::kStudent}, {37.2, 0.8, 3.5}, {30.0, 37.2, 41.0}},
      {{"n", Family::kPoisson}, {3.4}, {0, 3, 25}},
      {{"n", Family::kNegativeBinomial}, {6.2, 1.7}, {0, 5, 60}},
  };
  MeasuredFactor limited{"x", Family::kNormal};
  limited.lower = 50.0;
  limited.upper = 80.0;
  result.push_back({limited, {62.0, 7.5}, {50.0, 55.0, 80.0}});
  MeasuredFactor detected{"x", Family::kLogNormal};
  detected.lower = 0.5;
  detected.upper = 20.0;
  result.push_back({detected, {2.1, 0.6}, {0.5, 3.0, 20.0}});
  return result;
}

// By differences of sixth order.
double derivative(const MeasuredFactor& factor, double value, std::vector<double> p, std::size_t i) {
  const double h = 1e-3 * std::abs(p[i]);
  const double at = p[i];
  const auto f = [&](double x) {
    p[i] = at + x;
    return log_density(factor, value, p.data(), nullptr);
  };
  return (45.0 * (f(h) - f(-h)) - 9.0 * (f(2 * h) - f(-2 * h)) + f(3 * h) - f(-3 * h)) / (60.0 * h);
}

TEST(Families, GradientsMatchDifferences) {
  for (const Case& c : cases()) {
    std::vector<double> gradient(c.parameters.size());
    for (const double value : c.values) {
      log_density(c.factor, value, c.parameters.data(), gradient.data());
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        const double expected = derivative(c.factor, value, c.parameters, i);
        EXPECT_NEAR(gradient[i], expected, 1e-9 * std::max(1.0, std::abs(expected)))
            << name_of(c.factor.family) << " at " << value << ", parameter " << i;
      }
    }
  }
}

TEST(Families, AWrongGradientWouldBeNoticed) {
  const Case c = cases()[2];
  std::vector<double> gradient(2);
  log_density(c.factor, 99.5, c.parameters.data(), gradient.data());
  EXPECT_GT(std::abs(gradient[1] * 1.001 - derivative(c.factor, 99.5, c.parameters, 1)), 1e-4);
}

TEST(Families, ProbabilitiesOfLevelsAndCountsSumToOne) {
  for (const Case& c : cases()) {
    const bool counts = c.factor.family == Family::kPoisson || c.factor.family == Family::kNegativeBinomial;
    if (!counts && !c.factor.has_levels()) continue;
    const int most = counts ? 3000 : static_cast<int>(c.factor.levels.size());
    double sum = 0.0;
    for (int k = 0; k < most; ++k) sum += std::exp(log_density(c.factor, k, c.parameters.data(), nullptr));
    EXPECT_NEAR(sum, 1.0, 1e-12) << name_of(c.factor.family);
  }
}

// Simpson's rule between the limits, in the logarithm for what is positive; beyond them the censored values.
TEST(Families, DensitiesIntegrateToOneWithWhatLiesBeyondTheLimits) {
  for (const Case& c : cases()) {
    const Family family = c.factor.family;
    if (family != Family::kNormal && family != Family::kLogNormal && family != Family::kStudent) continue;
    const bool logs = family == Family::kLogNormal;
    const double centre = logs ? std::log(c.parameters[0]) : c.parameters[0];
    const double reach = family == Family::kStudent ? 4000.0 : 12.0;
    const auto end = [&](double limit, double sign) {
      if (!std::isfinite(limit)) return centre + sign * reach * c.parameters[1];
      return logs ? std::log(limit) : limit;
    };
    const double low = end(c.factor.lower, -1.0);
    const double high = end(c.factor.upper, 1.0);
    const int steps = 4'000'000;
    const double h = (high - low) / steps;
    double sum = 0.0;
    for (int i = 1; i < steps; ++i) {
      const double u = low + i * h;
      const double x = logs ? std::exp(u) : u;
      sum += (i % 2 == 1 ? 4.0 : 2.0) * std::exp(log_density(c.factor, x, c.parameters.data(), nullptr)) *
             (logs ? x : 1.0);
    }
    // Their ends, which the density itself has, without the limits.
    MeasuredFactor open = c.factor;
    open.lower = -INFINITY;
    open.upper = INFINITY;
    for (const double u : {low, high}) {
      const double x = logs ? std::exp(u) : u;
      sum += std::exp(log_density(open, x, c.parameters.data(), nullptr)) * (logs ? x : 1.0);
    }
    double total = sum * h / 3.0;
    for (const double limit : {c.factor.lower, c.factor.upper}) {
      if (std::isfinite(limit)) total += std::exp(log_density(c.factor, limit, c.parameters.data(), nullptr));
    }
    EXPECT_NEAR(total, 1.0, family == Family::kStudent ? 1e-9 : 1e-10) << name_of(family);
  }
}

TEST(Families, DrawsHaveTheMeansOfTheirFamilies) {
  const std::vector<std::pair<Case, double>> means = {
      {cases()[2], 62.0}, {cases()[3], 2.1 * std::exp(0.5 * 0.36)}, {cases()[5], 3.4}, {cases()[6], 6.2}};
  for (const auto& [c, mean] : means) {
    base::RandomStream random(5);
    double sum = 0.0;
    double squares = 0.0;
    const int draws = 20'000;
    for (int i = 0; i < draws; ++i) {
      const double x = draw_value(c.factor, c.parameters.data(), random);
      sum += x;
      squares += x * x;
    }
    const double sd = std::sqrt(squares / draws - sum * sum / draws / draws);
    EXPECT_NEAR(sum / draws, mean, 4.0 * sd / std::sqrt(draws)) << name_of(c.factor.family);
  }
}

TEST(Families, CoordinatesGoThereAndBack) {
  for (const Case& c : cases()) {
    const auto forms = forms_of(c.factor);
    ASSERT_EQ(static_cast<int>(forms.size()), parameter_count(c.factor));
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if (forms[i].kind == ParameterForm::Kind::kProbability) continue;
      const double y = forms[i].coordinate(c.parameters[i]);
      EXPECT_NEAR(forms[i].at(y), c.parameters[i], 1e-12 * std::abs(c.parameters[i]));
      const double h = 1e-6;
      EXPECT_NEAR(forms[i].slope(c.parameters[i]), (forms[i].at(y + h) - forms[i].at(y - h)) / (2 * h),
                  1e-6 * std::abs(c.parameters[i]));
    }
  }
}

TEST(Families, RefusesValuesThatCannotBe) {
  EXPECT_THAT(complaint_about({"x", Family::kLogNormal}, -1.0), HasSubstr("-1 is not above 0"));
  EXPECT_THAT(complaint_about({"x", Family::kPoisson}, 2.5), HasSubstr("not a count"));
  EXPECT_THAT(complaint_about({"x", Family::kNormal}, INFINITY), HasSubstr("not a finite number"));
  EXPECT_EQ(complaint_about({"x", Family::kNormal}, -1.0), "");
  MeasuredFactor reversed{"x", Family::kNormal};
  reversed.lower = 5.0;
  reversed.upper = 2.0;
  EXPECT_THAT(complaint_about(reversed), HasSubstr("exchange them"));
  MeasuredFactor limited{"n", Family::kPoisson};
  limited.upper = 9.0;
  EXPECT_THAT(complaint_about(limited), HasSubstr("limits of detection"));
}

TEST(SpecialFunctions, HaveKnownValues) {
  EXPECT_NEAR(digamma(1.0), -0.57721566490153286, 1e-14);
  EXPECT_NEAR(digamma(0.5), -1.9635100260214235, 1e-14);
  EXPECT_NEAR(digamma(10.25), 2.2777047906867236, 1e-13);
  EXPECT_NEAR(log_normal_probability(0.0), std::log(0.5), 1e-15);
  EXPECT_NEAR(log_normal_probability(-38.0), -726.5572160188202, 1e-9);
  EXPECT_NEAR(log_normal_probability(-10.0 - 1e-9), log_normal_probability(-10.0), 1e-7);
  EXPECT_NEAR(normal_hazard(-30.0), 30.033259667433, 1e-10);
}

}  // namespace
}  // namespace interpole::model
