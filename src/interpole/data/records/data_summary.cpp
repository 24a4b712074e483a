#include "interpole/data/records/data_summary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace interpole::data {
namespace {

using Met = std::vector<std::pair<double, std::int64_t>>;  // values, and how often

// What 5%, half and 95% of them lie below.
std::vector<double> quantiles_of(Met met) {
  std::sort(met.begin(), met.end());
  std::int64_t all = 0;
  for (const auto& of_value : met) all += of_value.second;
  std::vector<double> found;
  for (const double share : {0.05, 0.5, 0.95}) {
    double left = share * static_cast<double>(all);
    for (const auto& [value, count] : met) {
      left -= static_cast<double>(count);
      if (left > 0.0 && value != met.back().first) continue;
      found.push_back(value);
      break;
    }
  }
  return found;
}

}  // namespace

void DataSummary::add(const Structure& structure, std::span<const Step> record) {
  ++patients;
  ++lengths[record.size()];
  decisions += static_cast<std::int64_t>(record.size());
  for (const Step& step : record) {
    ++actions[step.action];
    if (step.gap != kNoGap) {
      if (gaps.size() <= static_cast<std::size_t>(step.gap)) gaps.resize(step.gap + 1);
      ++gaps[step.gap];
    }
    if (structure.measured() && !structure.is_terminal(step.action)) {
      for (std::size_t f = 0; f < values.size(); ++f) {
        const bool none =
            step.observation == kMissing || std::isnan(structure.outcomes.table->at(step.observation)[f]);
        if (none && structure.factors[f].yielded(step.action))
          ++empty[static_cast<std::size_t>(step.action) * values.size() + f];
      }
    }
    if (step.observation != kMissing && structure.measured()) {
      const auto outcome = structure.outcomes.table->at(step.observation);
      if (outcomes.size() <= static_cast<std::size_t>(step.observation))
        outcomes.resize(step.observation + 1);
      ++outcomes[step.observation];
      for (std::size_t f = 0; f < outcome.size(); ++f) values[f] += std::isnan(outcome[f]) ? 0 : 1;
    } else if (step.observation != kMissing) {
      ++observations[step.observation];
    } else if (!structure.is_terminal(step.action)) {
      ++without_outcome;
    }
  }
}

void DataSummary::find_quantiles(const Structure& structure) {
  quantiles.assign(structure.factors.size(), {});
  for (std::size_t f = 0; f < structure.factors.size(); ++f) {
    Met met;
    for (std::size_t place = 0; place < outcomes.size(); ++place) {
      const double value = structure.outcomes.table->at(static_cast<int>(place))[f];
      if (!std::isnan(value) && outcomes[place] > 0) met.emplace_back(value, outcomes[place]);
    }
    quantiles[f] = quantiles_of(std::move(met));
  }
  Met between;
  for (std::size_t place = 0; place < gaps.size(); ++place) {
    if (gaps[place] > 0) between.emplace_back(structure.gaps.table->at(static_cast<int>(place)), gaps[place]);
  }
  gap_quantiles = quantiles_of(std::move(between));
}

}  // namespace interpole::data
