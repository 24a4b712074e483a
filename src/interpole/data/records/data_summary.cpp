#include "interpole/data/records/data_summary.hpp"

namespace interpole::data {

void DataSummary::add(const Structure& structure, std::span<const Step> record) {
  ++patients;
  ++lengths[record.size()];
  decisions += static_cast<std::int64_t>(record.size());
  for (const Step& step : record) {
    ++actions[step.action];
    if (step.observation != kMissing) {
      ++observations[step.observation];
    } else if (!structure.is_terminal(step.action)) {
      ++without_outcome;
    }
  }
}

}  // namespace interpole::data
