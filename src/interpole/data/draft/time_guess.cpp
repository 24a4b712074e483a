#include "interpole/data/draft/time_guess.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "interpole/data/draft/table_shape.hpp"

namespace interpole::data {
namespace {

constexpr double kFewGaps = 20.0;
constexpr double kIrregular = 0.2;  // most gaps differ by more than this part of the usual one

// What a column of numbers counts, if its name says so, in English and German.
std::optional<std::string> unit_named(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  constexpr std::array<std::pair<std::string_view, const char*>, 13> kWords = {{{"second", "seconds"},
                                                                                {"minute", "minutes"},
                                                                                {"hour", "hours"},
                                                                                {"stunde", "hours"},
                                                                                {"day", "days"},
                                                                                {"tag", "days"},
                                                                                {"week", "weeks"},
                                                                                {"woche", "weeks"},
                                                                                {"month", "months"},
                                                                                {"monat", "months"},
                                                                                {"year", "years"},
                                                                                {"jahr", "years"},
                                                                                {"age", "years"}}};
  for (const auto& [word, unit] : kWords) {
    if (name.find(word) != std::string::npos) return unit;
  }
  return {};
}

bool counts_visits(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name.find("visit") != std::string::npos || name.find("step") != std::string::npos ||
         name.find("row") != std::string::npos || name.find("besuch") != std::string::npos;
}

// Of seconds between visits.
std::pair<std::string, double> unit_for(double seconds) {
  if (seconds >= 2.0 * 86400.0) return {"days", 86400.0};
  if (seconds >= 2.0 * 3600.0) return {"hours", 3600.0};
  return {"minutes", 60.0};
}

}  // namespace

std::optional<TimeGuess> guess_time(const ProfiledTable& table, const std::string& id,
                                    const OrderGuess& order) {
  const bool dates = order.kind == OrderKind::kDate;
  if (order.kind == OrderKind::kCodes || order.column == kRowColumn ||
      (!dates && counts_visits(order.column)))
    return {};
  const std::string value = dates ? "epoch(TRY_CAST({} AS TIMESTAMP))" : "TRY_CAST({} AS DOUBLE)";
  const auto gaps = table.gaps(id, order.column, value, {0.1, 0.5, 0.9});
  if (gaps.count < kFewGaps || !(gaps.quantiles[1] > 0.0)) return {};
  TimeGuess guess;
  double scale = 1.0;
  if (dates) {
    std::tie(guess.unit, scale) = unit_for(gaps.quantiles[1]);
  } else {
    const auto named = unit_named(order.column);
    guess.unit = named.value_or("days");
    guess.unit_known = named.has_value();
  }
  guess.low = gaps.quantiles[0] / scale;
  guess.median = gaps.quantiles[1] / scale;
  guess.high = gaps.quantiles[2] / scale;
  guess.irregular = guess.high - guess.low > kIrregular * guess.median;
  return guess;
}

}  // namespace interpole::data
