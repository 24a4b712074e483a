#include "interpole/environments/write_visits.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/csv.hpp"

namespace interpole::environments {
namespace {

std::vector<std::string> csv_cells(const std::vector<std::string>& names) {
  std::vector<std::string> fields;
  fields.reserve(names.size());
  for (const std::string& name : names) fields.push_back(base::csv_cell(name));
  return fields;
}

std::string header_of(const PolicyTerms& terms) {
  std::string header = "patient,step,action,observation";
  for (const PolicyCovariate& covariate : terms.covariates) header += "," + base::csv_cell(covariate.name);
  return header + "\n";
}

// ",north,63": the same in every row of a record.
std::string covariate_cells(const PolicyTerms& terms, const std::vector<double>& values) {
  std::string cells;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& categories = terms.covariates[i].categories;
    cells += "," + (categories.empty() ? fmt::format("{}", values[i])
                                       : base::csv_cell(categories[static_cast<std::size_t>(values[i])]));
  }
  return cells;
}

}  // namespace

std::int64_t write_visits(const std::string& path, const Environment& environment,
                          const SimulateOptions& options, Sink& sink) {
  const std::vector<std::string> actions = csv_cells(environment.truth.structure.actions);
  const std::vector<std::string> observations = csv_cells(environment.truth.structure.observations);
  base::AtomicFile file(path);
  const PolicyTerms& terms = environment.truth.agent.policy.terms;
  file.write(header_of(terms));
  fmt::memory_buffer lines;
  std::int64_t decisions = 0;
  simulate(
      environment, options,
      [&](const Record& record) {
        lines.clear();
        const std::string covariates = covariate_cells(terms, record.covariates);
        int number = 0;
        for (const Step& step : record.steps) {
          fmt::format_to(
              fmt::appender(lines), "{},{},{},{}{}\n", record.patient, ++number, actions[step.action],
              step.observation == kMissing ? std::string_view() : observations[step.observation], covariates);
        }
        decisions += number;
        file.write({lines.data(), lines.size()});
      },
      sink);
  file.commit();
  return decisions;
}

}  // namespace interpole::environments
