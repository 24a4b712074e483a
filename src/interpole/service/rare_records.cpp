#include "interpole/service/rare_records.hpp"

#include <fmt/format.h>

#include "interpole/data/counts/counts_table.hpp"
#include "interpole/data/study_data.hpp"

namespace interpole::service {

void warn_of_rare_records(const Study& study, const DataFiles& data, Sink& sink) {
  if (!data.counts) return;
  const data::CountsTable counts(data::counts_path(data), study);
  if (counts.rare_records() == 0) return;
  sink.warn(fmt::format(
      "{}: {} records ({:.1f}%) of {} rare sequences were left out of the counts. Long records and unlikely "
      "outcomes are missing, so what is learned of the world is wrong, and a difference between agent and "
      "world "
      "may come of that alone (docs/warehouse.md)",
      data.shown(), counts.rare_records(),
      100.0 * static_cast<double>(counts.rare_records()) / static_cast<double>(counts.total()),
      counts.rare_sequences()));
}

}  // namespace interpole::service
