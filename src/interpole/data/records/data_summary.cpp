#include "interpole/data/records/data_summary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace interpole::data {

void DataSummary::add(const Structure& structure, std::span<const Step> record) {
  ++patients;
  ++lengths[record.size()];
  decisions += static_cast<std::int64_t>(record.size());
  for (const Step& step : record) {
    ++actions[step.action];
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
    std::vector<std::pair<double, std::int64_t>> met;  // values, and how often
    for (std::size_t place = 0; place < outcomes.size(); ++place) {
      const double value = structure.outcomes.table->at(static_cast<int>(place))[f];
      if (!std::isnan(value) && outcomes[place] > 0) met.emplace_back(value, outcomes[place]);
    }
    std::sort(met.begin(), met.end());
    for (const double share : {0.05, 0.5, 0.95}) {
      double left = share * static_cast<double>(values[f]);
      for (const auto& [value, count] : met) {
        left -= static_cast<double>(count);
        if (left > 0.0 && value != met.back().first) continue;
        quantiles[f].push_back(value);
        break;
      }
    }
  }
}

}  // namespace interpole::data
