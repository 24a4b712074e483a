#include "interpole/learn/draws/draws_csv.hpp"

#include <fmt/format.h>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/csv.hpp"

namespace interpole::learn {

void write_draws_csv(const std::string& path, const Structure& structure, const SampleSummary& summary) {
  base::AtomicFile file(path);
  std::string line = "chain,iteration";
  for (const auto& name : draw_columns(structure, summary)) line += "," + base::csv_cell(name);
  file.write(line + "\n");
  for (std::size_t c = 0; c < summary.chains.size(); ++c) {
    const auto& draws = summary.chains[c].draws;
    for (std::size_t i = 0; i < draws.size(); ++i) {
      line = fmt::format("{},{}", c + 1, i + 1);
      for (const double value : draw_values(summary, draws[i])) {
        fmt::format_to(std::back_inserter(line), ",{}", value);
      }
      file.write(line + "\n");
    }
  }
  file.commit();
}

}  // namespace interpole::learn
