#include "interpole/service/explorer/shown_outcomes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "interpole/model/measured/families.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

bool comes_before(double x, double y) {
  return std::isnan(x) ? !std::isnan(y) : x < y;
}

Json limit_json(double limit) {
  return std::isfinite(limit) ? Json(limit) : Json(nullptr);
}

// The largest of 1, 2 and 5 times a power of ten that is not above x.
double round_below(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x) + 1e-9));
  const double times = x / power * (1.0 + 1e-9);
  return power * (times >= 5.0 ? 5.0 : times >= 2.0 ? 2.0 : 1.0);
}

// To a whole number of `unit` (a round number), in decimals as people write them.
double rounded_to(double x, double unit) {
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(unit) + 1e-9)));
  const double rounded = std::max(1.0, std::round(x / unit)) * unit;
  return decimals > 300 ? rounded : std::strtod(fmt::format("{:.{}f}", rounded, decimals).c_str(), nullptr);
}

// A unit in which x has two digits.
double two_digits_of(double x) {
  return std::pow(10.0, std::floor(std::log10(x) + 1e-9) - 1.0);
}

}  // namespace

std::vector<int> outcome_ranks(const OutcomeTable& outcomes) {
  std::vector<int> order(static_cast<std::size_t>(outcomes.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int x, int y) {
    const auto a = outcomes.at(x);
    const auto b = outcomes.at(y);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), comes_before);
  });
  std::vector<int> ranks(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<int>(i);
  return ranks;
}

double shown_value(const MeasuredFactor& factor, double value) {
  const bool logged = factor.family == Family::kLogNormal;
  const bool rounded = logged || factor.family == Family::kNormal || factor.family == Family::kStudent;
  const double spread = logged ? std::abs(value) : factor.scale.value_or(0.0);
  if (!rounded || !(spread > 0.0) || !std::isfinite(value)) return value;
  // As a decimal fraction, so that it is written with few digits.
  const int decimals = (logged ? 4 : 3) - static_cast<int>(std::floor(std::log10(spread)));
  if (decimals < -300 || decimals > 300) return value;
  const double shown = std::strtod(fmt::format("{:.{}f}", value, std::max(decimals, 0)).c_str(), nullptr);
  const bool at_limit = shown <= factor.lower || shown >= factor.upper;
  return at_limit || (logged && !(shown > 0.0)) ? value : shown;
}

double shown_gap(const VisitTime& time, double gap) {
  if (time.rule == TimeRule::kSteps) {
    const double steps = std::round(gap / time.typical_gap());
    return rounded_to(steps, std::max(1.0, two_digits_of(steps))) * time.typical_gap();
  }
  return rounded_to(gap, std::max(round_below(time.typical_gap() / 20.0), two_digits_of(gap)));
}

Json measured_values_json(const Structure& structure, std::span<const int> outcomes, bool exact) {
  Json values = Json::array();
  for (std::size_t f = 0; f < structure.factors.size(); ++f) {
    Json of_factor = Json::array();
    for (const int outcome : outcomes) {
      const double value = structure.outcomes.table->at(outcome)[f];
      if (std::isnan(value)) {
        of_factor.push_back(nullptr);
        continue;
      }
      const double shown = exact ? value : shown_value(structure.factors[f], value);
      // A whole number is written as one.
      const bool whole = shown == std::floor(shown) && std::abs(shown) < 1e15;
      of_factor.push_back(whole ? Json(static_cast<std::int64_t>(shown)) : Json(shown));
    }
    values.push_back(of_factor);
  }
  return values;
}

Json explorer_measured_json(const Structure& structure) {
  Json factors = Json::array();
  for (const MeasuredFactor& factor : structure.factors) {
    Json parameters = Json::array();
    for (const model::ParameterForm& form : model::forms_of(factor)) parameters.push_back(form.name);
    Json yielded = Json::array();
    for (int a = 0; a < structure.action_count(); ++a)
      yielded.push_back(!structure.is_terminal(a) && factor.yielded(a));
    factors.push_back({{"name", factor.name},
                       {"family", model::name_of(factor.family)},
                       {"levels", factor.levels},
                       {"unit", factor.unit},
                       {"lower", limit_json(factor.lower)},
                       {"upper", limit_json(factor.upper)},
                       {"yielded", yielded},
                       {"parameters", parameters}});
  }
  return {{"factors", factors}};
}

}  // namespace interpole::service
