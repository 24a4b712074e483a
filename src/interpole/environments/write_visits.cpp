#include "interpole/environments/write_visits.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "interpole/base/files/csv.hpp"
#include "interpole/environments/parted_table.hpp"

namespace interpole::environments {
namespace {

std::vector<std::string> csv_cells(const std::vector<std::string>& names) {
  std::vector<std::string> fields;
  fields.reserve(names.size());
  for (const std::string& name : names) fields.push_back(base::csv_cell(name));
  return fields;
}

std::string header_of(const Structure& structure, const PolicyTerms& terms) {
  std::string header = structure.timed() ? "patient,step,time,action" : "patient,step,action";
  if (!structure.measured()) header += ",observation";
  for (const MeasuredFactor& factor : structure.factors) header += "," + base::csv_cell(factor.name);
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

// ",62.5,,17": a cell for each measured factor.
std::string factor_cells(const Structure& structure, int outcome) {
  if (outcome == kMissing) return std::string(structure.factors.size(), ',');
  const auto values = structure.outcomes.table->at(outcome);
  std::string cells;
  for (std::size_t f = 0; f < values.size(); ++f) {
    const MeasuredFactor& factor = structure.factors[f];
    cells += ',';
    if (std::isnan(values[f])) continue;
    cells += factor.has_levels() ? base::csv_cell(factor.levels[static_cast<std::size_t>(values[f])])
                                 : fmt::format("{}", values[f]);
  }
  return cells;
}

}  // namespace

std::int64_t write_visits(const std::string& path, const Environment& environment,
                          const SimulateOptions& options, Sink& sink, std::int64_t rows_per_file) {
  const std::vector<std::string> actions = csv_cells(environment.truth.structure.actions);
  const std::vector<std::string> observations = csv_cells(environment.truth.structure.observations);
  const Structure& structure = environment.truth.structure;
  const PolicyTerms& terms = environment.truth.agent.policy.terms;
  PartedTable file(path, header_of(structure, terms), rows_per_file);
  fmt::memory_buffer lines;
  std::int64_t decisions = 0;
  simulate(
      environment, options,
      [&](const Record& record) {
        lines.clear();
        const std::string covariates = covariate_cells(terms, record.covariates);
        int number = 0;
        double time = 0.0;
        for (const Step& step : record.steps) {
          const std::string when = structure.timed() ? fmt::format(",{}", time) : "";
          if (step.gap != kNoGap) time += structure.gaps.table->at(step.gap);
          if (structure.measured()) {
            fmt::format_to(fmt::appender(lines), "{},{}{},{}{}{}\n", record.patient, ++number, when,
                           actions[step.action], factor_cells(structure, step.observation), covariates);
            continue;
          }
          fmt::format_to(
              fmt::appender(lines), "{},{}{},{},{}{}\n", record.patient, ++number, when, actions[step.action],
              step.observation == kMissing ? std::string_view() : observations[step.observation], covariates);
        }
        decisions += number;
        file.write({lines.data(), lines.size()}, number);
      },
      sink);
  file.commit();
  return decisions;
}

}  // namespace interpole::environments
