#include "interpole/model/measured/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "interpole/model/measured/special_functions.hpp"

namespace interpole::model {
namespace {

using Kind = ParameterForm::Kind;

constexpr std::array<std::pair<Family, const char*>, 7> kFamilies = {
    {{Family::kCategorical, "categorical"},
     {Family::kOrdinal, "ordinal"},
     {Family::kNormal, "normal"},
     {Family::kLogNormal, "lognormal"},
     {Family::kStudent, "student"},
     {Family::kPoisson, "poisson"},
     {Family::kNegativeBinomial, "negative-binomial"}}};

constexpr double kUsualDegrees = 8.0;         // of freedom
constexpr double kUsualSize = 4.0;            // of negative binomials
constexpr double kLogitSpread = 2.0;          // of ordinal locations and cuts
constexpr double kLeastProbability = 1e-300;  // whose gradient must stay finite
constexpr double kMostCount = 9e15;           // beyond it not every whole number is a double
const double kHalfLogTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);

double logit(double p) {
  return std::log(p / (1.0 - p));
}

double logistic(double x) {
  return x < 0.0 ? std::exp(x) / (1.0 + std::exp(x)) : 1.0 / (1.0 + std::exp(-x));
}

double log_logistic(double x) {
  return x < 0.0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x));
}

// Of a standardised value t = (x − m)/σ, or of all beyond a limit; d: by m and σ, where d t/d m = −1/σ.
double log_normal_of(double t, double spread, int beyond, double* d) {
  if (beyond == 0) {
    if (d != nullptr) d[0] = t / spread, d[1] = (t * t - 1.0) / spread;
    return -0.5 * t * t - std::log(spread) - kHalfLogTwoPi;
  }
  const double signed_t = beyond < 0 ? t : -t;
  if (d != nullptr) {
    const double hazard = normal_hazard(signed_t) * (beyond < 0 ? 1.0 : -1.0);
    d[0] = -hazard / spread;
    d[1] = -hazard * t / spread;
  }
  return log_normal_probability(signed_t);
}

// −1 and 1: the value says "there or beyond", below and above.
int beyond_limit(const MeasuredFactor& factor, double value) {
  return value <= factor.lower ? -1 : value >= factor.upper ? 1 : 0;
}

double log_student(double x, const double* p, double* d) {
  const double scale = p[1];
  const double df = p[2];
  const double t = (x - p[0]) / scale;
  const double squares = t * t;
  const double excess = std::log1p(squares / df);
  if (d != nullptr) {
    const double pull = (df + 1.0) / (df + squares);
    d[0] = pull * t / scale;
    d[1] = (pull * squares - 1.0) / scale;
    d[2] = 0.5 * (digamma(0.5 * (df + 1.0)) - digamma(0.5 * df) - 1.0 / df - excess + pull * squares / df);
  }
  return std::lgamma(0.5 * (df + 1.0)) - std::lgamma(0.5 * df) - 0.5 * std::log(df * std::numbers::pi) -
         std::log(scale) - 0.5 * (df + 1.0) * excess;
}

double log_negative_binomial(double x, const double* p, double* d) {
  const double mean = p[0];
  const double size = p[1];
  const double both = mean + size;
  if (d != nullptr) {
    d[0] = x / mean - (x + size) / both;
    d[1] = digamma(x + size) - digamma(size) + std::log(size / both) + 1.0 - (x + size) / both;
  }
  return std::lgamma(x + size) - std::lgamma(size) - std::lgamma(x + 1.0) + size * std::log(size / both) +
         x * std::log(mean / both);
}

// log(F(high) − F(low)) with F logistic, where high is the cut above the level and low the one below.
double log_ordinal(const MeasuredFactor& factor, double value, const double* p, double* d) {
  const auto levels = static_cast<int>(factor.levels.size());
  const auto level = static_cast<int>(value);
  double cut = p[1];
  double high = INFINITY;
  double low = -INFINITY;
  for (int k = 0; k + 1 < levels; ++k) {
    if (k > 0) cut += p[1 + k];
    if (k == level) high = cut - p[0];
    if (k + 1 == level) low = cut - p[0];
  }
  double log_p = 0.0;
  double d_high = 0.0;
  double d_low = 0.0;
  if (level + 1 < levels) log_p += log_logistic(high), d_high += logistic(-high);
  if (level > 0) log_p += log_logistic(-low), d_low -= logistic(low);
  if (level > 0 && level + 1 < levels) {
    log_p += std::log(-std::expm1(low - high));
    const double apart = 1.0 / std::expm1(high - low);
    d_high += apart;
    d_low -= apart;
  }
  if (d == nullptr) return log_p;
  d[0] = -(d_high + d_low);
  // Cut k moves with the first one and with all gaps up to its own.
  for (int k = 0; k + 1 < levels; ++k) {
    d[1 + k] = (level >= k && level + 1 < levels ? d_high : 0.0) + (level > k ? d_low : 0.0);
  }
  return log_p;
}

double log_categorical(const MeasuredFactor& factor, double value, const double* p, double* d) {
  const auto level = static_cast<std::size_t>(value);
  if (d != nullptr) {
    std::fill_n(d, factor.levels.size(), 0.0);
    d[level] = 1.0 / std::max(p[level], kLeastProbability);
  }
  return std::log(p[level]);
}

}  // namespace

std::string name_of(Family family) {
  for (const auto& [known, name] : kFamilies) {
    if (known == family) return name;
  }
  return {};
}

std::optional<Family> family_named(const std::string& name) {
  for (const auto& [family, known] : kFamilies) {
    if (known == name) return family;
  }
  return {};
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  names.reserve(kFamilies.size());
  for (const auto& family : kFamilies) names.emplace_back(family.second);
  return names;
}

double ParameterForm::at(double y) const {
  return kind == Kind::kLog ? centre * std::exp(scale * y) : centre + scale * y;
}

double ParameterForm::coordinate(double value) const {
  return kind == Kind::kLog ? std::log(value / centre) / scale : (value - centre) / scale;
}

double ParameterForm::slope(double value) const {
  return kind == Kind::kLog ? scale * value : scale;
}

std::vector<ParameterForm> forms_of(const MeasuredFactor& factor) {
  const double scale = factor.scale.value_or(1.0);
  const double centre = factor.centre.value_or(0.0);
  const double positive = factor.centre.value_or(1.0);
  std::vector<ParameterForm> forms;
  switch (factor.family) {
    case Family::kCategorical:
      for (const std::string& level : factor.levels) forms.push_back({level, Kind::kProbability});
      break;
    case Family::kOrdinal: {
      const auto levels = static_cast<double>(factor.levels.size());
      forms.push_back({"location", Kind::kLinear, 0.0, kLogitSpread});
      forms.push_back({"first cut", Kind::kLinear, logit(1.0 / levels), kLogitSpread, true});
      for (std::size_t k = 2; k < factor.levels.size(); ++k) {
        const auto at = static_cast<double>(k);
        forms.push_back({fmt::format("gap {}", k), Kind::kLog,
                         logit(at / levels) - logit((at - 1.0) / levels), 1.0, true});
      }
      break;
    }
    case Family::kNormal:
      forms = {{"mean", Kind::kLinear, centre, scale}, {"sd", Kind::kLog, scale, 1.0}};
      break;
    case Family::kLogNormal:
      forms = {{"median", Kind::kLog, positive, scale}, {"log sd", Kind::kLog, scale, 1.0}};
      break;
    case Family::kStudent:
      forms = {{"location", Kind::kLinear, centre, scale},
               {"scale", Kind::kLog, scale, 1.0},
               {"df", Kind::kLog, kUsualDegrees, 1.0, true}};
      break;
    case Family::kPoisson:
      forms = {{"mean", Kind::kLog, positive, scale}};
      break;
    case Family::kNegativeBinomial:
      forms = {{"mean", Kind::kLog, positive, scale}, {"size", Kind::kLog, kUsualSize, 1.0}};
      break;
  }
  forms[0].locates = factor.family != Family::kCategorical;
  return forms;
}

int parameter_count(const MeasuredFactor& factor) {
  switch (factor.family) {
    case Family::kCategorical:
    case Family::kOrdinal:
      return static_cast<int>(factor.levels.size());
    case Family::kStudent:
      return 3;
    case Family::kPoisson:
      return 1;
    default:
      return 2;
  }
}

std::vector<int> factor_offsets(std::span<const MeasuredFactor> factors) {
  std::vector<int> offsets = {0};
  for (const MeasuredFactor& factor : factors) offsets.push_back(offsets.back() + parameter_count(factor));
  return offsets;
}

double log_density(const MeasuredFactor& factor, double x, const double* p, double* d) {
  switch (factor.family) {
    case Family::kCategorical:
      return log_categorical(factor, x, p, d);
    case Family::kOrdinal:
      return log_ordinal(factor, x, p, d);
    case Family::kNormal: {
      const int beyond = beyond_limit(factor, x);
      return log_normal_of((x - p[0]) / p[1], p[1], beyond, d);
    }
    case Family::kLogNormal: {
      const int beyond = beyond_limit(factor, x);
      const double log_p = log_normal_of(std::log(x / p[0]) / p[1], p[1], beyond, d);
      if (d != nullptr) d[0] /= p[0];
      return beyond == 0 ? log_p - std::log(x) : log_p;
    }
    case Family::kStudent:
      return log_student(x, p, d);
    case Family::kPoisson:
      if (d != nullptr) d[0] = x / p[0] - 1.0;
      return x * std::log(p[0]) - p[0] - std::lgamma(x + 1.0);
    case Family::kNegativeBinomial:
      return log_negative_binomial(x, p, d);
  }
  return 0.0;
}

std::string complaint_about(const MeasuredFactor& factor, double value) {
  if (!std::isfinite(value)) {
    return fmt::format("{} is not a finite number; correct the cell, or leave it empty", value);
  }
  switch (factor.family) {
    case Family::kCategorical:
    case Family::kOrdinal:
      if (value != std::floor(value) || value < 0.0 || value >= static_cast<double>(factor.levels.size()))
        return fmt::format("{} is not the index of one of {} levels", value, factor.levels.size());
      return {};
    case Family::kLogNormal:
      if (value > 0.0) return {};
      return fmt::format(
          "{} is not above 0, as family = \"lognormal\" needs it; correct the cell, leave it empty, or "
          "choose "
          "family = \"normal\" or \"student\"",
          value);
    case Family::kPoisson:
    case Family::kNegativeBinomial:
      if (value >= 0.0 && value == std::floor(value) && value <= kMostCount) return {};
      return fmt::format(
          "{} is not a count (a whole number from 0 on), as family = \"{}\" needs it; correct the cell, or "
          "choose family = \"normal\"",
          value, name_of(factor.family));
    default:
      return {};
  }
}

double recorded(const MeasuredFactor& factor, double value) {
  return std::clamp(value, factor.lower, factor.upper) + 0.0;  // −0 is 0
}

std::string complaint_about_parameters(const MeasuredFactor& factor, std::span<double> parameters) {
  const auto forms = forms_of(factor);
  double sum = 0.0;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const double value = parameters[i];
    if (!std::isfinite(value)) return fmt::format("{}: {} is not a finite number", forms[i].name, value);
    if (forms[i].kind == Kind::kLog && value <= 0.0)
      return fmt::format("{}: {} is not above 0", forms[i].name, value);
    if (forms[i].kind != Kind::kProbability) continue;
    if (value < 0.0) return fmt::format("{}: {} is negative; it is a probability", forms[i].name, value);
    sum += value;
  }
  if (factor.family != Family::kCategorical) return {};
  if (std::abs(sum - 1.0) > 1e-8)
    return fmt::format("the probabilities of its levels sum to {}, not to 1", sum);
  const double rounding = 4.0 * static_cast<double>(forms.size()) * 0x1.0p-52;
  if (std::abs(sum - 1.0) > rounding) {
    for (double& p : parameters) p /= sum;
  }
  return {};
}

std::string complaint_about(const MeasuredFactor& factor) {
  const bool limited = std::isfinite(factor.lower) || std::isfinite(factor.upper);
  if (factor.has_levels() && factor.levels.size() < 2)
    return "it has fewer than two levels; name at least two, or leave the factor out";
  if (!factor.has_levels() && !factor.levels.empty()) {
    return fmt::format("levels beside family = \"{}\"; remove them, or make it categorical or ordinal",
                       name_of(factor.family));
  }
  if (limited && factor.family != Family::kNormal && factor.family != Family::kLogNormal) {
    return fmt::format(
        "limits of detection beside family = \"{}\"; they are known for normal and lognormal alone",
        name_of(factor.family));
  }
  if (!(factor.lower < factor.upper)) {
    return fmt::format("the limit below, {}, is not less than the limit above, {}; exchange them",
                       factor.lower, factor.upper);
  }
  if (factor.family == Family::kLogNormal && std::isfinite(factor.lower) && factor.lower <= 0.0)
    return fmt::format("the limit below, {}, is not above 0, as all values are", factor.lower);
  const bool positive = factor.family == Family::kLogNormal || factor.family == Family::kPoisson ||
                        factor.family == Family::kNegativeBinomial;
  if (factor.centre && (!std::isfinite(*factor.centre) || (positive && *factor.centre <= 0.0)))
    return fmt::format("its centre, {}, is not a {}", *factor.centre,
                       positive ? "number above 0" : "finite number");
  if (factor.scale && !(std::isfinite(*factor.scale) && *factor.scale > 0.0))
    return fmt::format("its scale, {}, is not a number above 0", *factor.scale);
  return {};
}

}  // namespace interpole::model
