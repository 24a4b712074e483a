#include "interpole/model/time/visit_gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "interpole/base/number_text.hpp"

namespace interpole {

int GapTable::place_of(double gap) {
  constexpr double kDigits = 1e9;
  const double scale = std::pow(10.0, std::ceil(std::log10(gap)));
  const double whole = std::round(gap / scale * kDigits);
  // Both are whole numbers where a gap is short in decimals: their quotient is the double nearest to it.
  const double shared = scale >= 1.0 ? whole * scale / kDigits : whole / (kDigits / scale);
  const auto [found, is_new] = places_.try_emplace(shared, size());
  if (is_new) gaps_.push_back(shared);
  return found->second;
}

void Structure::set_time(const VisitTime& visit_time) {
  time = visit_time;
  gaps.table = std::make_shared<GapTable>();
}

namespace model {
namespace {

constexpr std::array<std::pair<const char*, double>, 7> kUnits = {{{"seconds", 1.0},
                                                                   {"minutes", 60.0},
                                                                   {"hours", 3600.0},
                                                                   {"days", 86400.0},
                                                                   {"weeks", 604800.0},
                                                                   {"months", 2629800.0},
                                                                   {"years", 31557600.0}}};
constexpr double kSlack = 1e-6;  // of a step
constexpr double kMostSteps = 10'000;

}  // namespace

std::optional<double> seconds_of(const std::string& unit) {
  for (const auto& [name, seconds] : kUnits) {
    if (unit == name) return seconds;
  }
  return {};
}

const std::vector<std::string>& unit_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    list.reserve(kUnits.size());
    for (const auto& [name, seconds] : kUnits) list.emplace_back(name);
    return list;
  }();
  return names;
}

std::string gap_words(const VisitTime& time) {
  const bool one = time.typical_gap() == 1.0 && time.unit.ends_with('s');
  return fmt::format("{} {}", base::short_number(time.typical_gap()),
                     one ? time.unit.substr(0, time.unit.size() - 1) : time.unit);
}

std::string complaint_about_times(const VisitTime& time, double before, double after) {
  const std::string later = base::short_number(after);
  if (after < before) {
    return fmt::format(
        "time {} comes after {}: time goes backwards; correct the cell, or the order of visits", later,
        base::short_number(before));
  }
  if (after == before) {
    return fmt::format(
        "time {} is that of the visit before: no time passes between them; correct the cell, or "
        "make one visit of the two",
        later);
  }
  if (time.rule != TimeRule::kSteps) return {};
  const double steps = (after - before) / time.typical_gap();
  if (std::abs(steps - std::round(steps)) > kSlack || std::round(steps) < 1.0) {
    return fmt::format(
        "{} {} after the visit before, which is no whole multiple of {}; correct the cell, or remove "
        "steps from the study, so that any gap is possible",
        base::short_number(after - before), time.unit, base::short_number(time.typical_gap()));
  }
  if (steps > kMostSteps) {
    return fmt::format(
        "{} {} after the visit before, more than {} steps; correct the cell, or choose longer steps",
        base::short_number(after - before), time.unit, kMostSteps);
  }
  return {};
}

}  // namespace model
}  // namespace interpole
