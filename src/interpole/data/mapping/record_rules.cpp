#include "interpole/data/mapping/record_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/messages.hpp"

namespace interpole::data {
namespace {

int add_stage(Attrition& attrition, const std::string& reason) {
  attrition.dropped.push_back({reason});
  return static_cast<int>(attrition.dropped.size()) - 1;
}

std::string first_visit(const RecordRule& rule) {
  return rule.kind == OrderKind::kCodes ? base::shown(rule.codes[static_cast<std::size_t>(*rule.first)])
                                        : fmt::format("{}", *rule.first);
}

}  // namespace

double gap_slack(double distance) {
  return 1e-9 * std::max(1.0, std::abs(distance));
}

RecordRules::RecordRules(const TableMapping& mapping, Attrition& attrition)
    : rule_(mapping.record), minimum_visits_(static_cast<std::size_t>(mapping.filters.minimum_visits)) {
  if (rule_.first) {
    no_first_ = add_stage(attrition, fmt::format("record without first visit {}", first_visit(rule_)));
    before_first_ = add_stage(attrition, fmt::format("before first visit {}", first_visit(rule_)));
  }
  if (rule_.spacing && rule_.gaps != GapRule::kKeep) {
    gap_ = add_stage(attrition, rule_.gaps == GapRule::kCut ? "after a gap" : "record with a gap");
  }
  if (minimum_visits_ > 1) {
    short_ = add_stage(attrition, fmt::format("record with fewer than {} visits", minimum_visits_));
  }
  if (!mapping.filters.drop_if_last.empty())
    ending_ = add_stage(attrition, "record with an ambiguous ending");
}

bool RecordRules::is_gap(double from, double to) const {
  if (!rule_.spacing) return false;
  const double most = *rule_.spacing + rule_.tolerance;
  return to - from > most + gap_slack(most);
}

bool RecordRules::is_crowded(double from, double to) const {
  if (!rule_.spacing) return false;
  const double least = *rule_.spacing - rule_.tolerance;
  return to - from < least - gap_slack(least);
}

KeptVisits RecordRules::apply(std::span<const double> places, std::span<const char> ends_badly,
                              Attrition& attrition) const {
  KeptVisits kept{0, places.size(), -1};
  const auto drop = [&](int stage, std::size_t rows) {
    attrition.dropped[stage].rows += static_cast<std::int64_t>(rows);
  };
  const auto drop_all = [&](int stage) {
    drop(stage, kept.end - kept.begin);
    return KeptVisits{0, 0, stage};
  };
  if (no_first_ >= 0) {
    const auto it = std::find(places.begin(), places.end(), *rule_.first);
    if (it == places.end()) return drop_all(no_first_);
    kept.begin = static_cast<std::size_t>(it - places.begin());
    drop(before_first_, kept.begin);
  }
  for (std::size_t i = kept.begin + 1; gap_ >= 0 && i < kept.end; ++i) {
    if (!is_gap(places[i - 1], places[i])) continue;
    if (rule_.gaps == GapRule::kDrop) return drop_all(gap_);
    drop(gap_, kept.end - i);
    kept.end = i;
  }
  if (short_ >= 0 && kept.end - kept.begin < minimum_visits_) return drop_all(short_);
  if (ending_ >= 0 && ends_badly[kept.end - 1] != 0) return drop_all(ending_);
  return kept;
}

}  // namespace interpole::data
