#include "interpole/data/records/data_summary.hpp"

#include <cmath>

namespace interpole::data {

void DataSummary::add(const Structure& structure, std::span<const Step> record) {
  ++patients;
  ++lengths[record.size()];
  decisions += static_cast<std::int64_t>(record.size());
  for (const Step& step : record) {
    ++actions[step.action];
    if (step.observation != kMissing && structure.measured()) {
      const auto outcome = structure.outcomes.table->at(step.observation);
      for (std::size_t f = 0; f < outcome.size(); ++f) values[f] += std::isnan(outcome[f]) ? 0 : 1;
    } else if (step.observation != kMissing) {
      ++observations[step.observation];
    } else if (!structure.is_terminal(step.action)) {
      ++without_outcome;
    }
  }
}

}  // namespace interpole::data
