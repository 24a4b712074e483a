#include "interpole/service/explain/explain_table.hpp"

#include <fmt/compile.h>

#include <cmath>

#include "interpole/base/files/csv.hpp"
#include "interpole/error.hpp"
#include "interpole/fit.hpp"
#include "interpole/service/explain/explain_task.hpp"
#include "interpole/service/known_patient.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/run_files.hpp"

namespace interpole::service {
namespace {

void put(fmt::memory_buffer& line, double x) {
  line.push_back(',');
  if (std::isfinite(x)) fmt::format_to(fmt::appender(line), FMT_COMPILE("{:.6g}"), x);
}

void put(fmt::memory_buffer& line, const std::vector<double>& values) {
  for (const double x : values) put(line, x);
}

void put_name(fmt::memory_buffer& line, const std::string& name) {
  line.push_back(',');
  line.append(base::shown_csv_cell(name));
}

std::string header_of(const Structure& structure, const OutcomeFactors& factors) {
  std::string header =
      "patient,step,visit,action,observation,likeliest_action,probability,surprise_bits,tail,boundary_action,"
      "boundary_distance";
  const auto columns = [&](const std::string& what, const std::vector<std::string>& names) {
    for (const auto& name : names)
      header.append(",").append(base::shown_csv_cell(fmt::format("{}:{}", what, name)));
  };
  columns("belief", structure.states);
  columns("policy", structure.actions);
  columns("time", structure.states);
  columns("evidence", structure.states);
  columns("time_log_odds", structure.states);
  for (const auto& factor : factors.names) columns(factor + "_log_odds", structure.states);
  return header;
}

}  // namespace

ExplainTable::ExplainTable(const std::string& path, const Structure& structure, const OutcomeFactors& factors,
                           const Parameters& agent)
    : structure_(structure),
      factors_(factors),
      policy_(agent.policy),
      explainer_(structure, factors, agent),
      rows_(path, header_of(structure, factors), structure, row_start(agent),
            [this](std::span<const double> belief, Step step, const DecisionContext& context) {
              return make_entry(belief, step, context);
            },
            {.name_visits = true}) {}

HistoryRows::Entry ExplainTable::make_entry(std::span<const double> carried, Step step,
                                            const DecisionContext& context) const {
  const RowPlace place = row_place(carried, structure_.states.size(), context);
  const DecisionExplanation decision = explainer_.explain(place.belief, step, place.context);
  const std::size_t S = structure_.states.size();
  const std::vector<double> none(S, NAN);
  fmt::memory_buffer line;
  put_name(line, structure_.actions[step.action]);
  put_name(line, step.observation == kMissing ? std::string() : structure_.outcome_name(step.observation));
  put_name(line, structure_.actions[decision.region]);
  put(line, std::vector{decision.probability, decision.surprise, decision.tail});
  put_name(line, decision.boundary ? structure_.actions[decision.boundary->action] : std::string());
  put(line, decision.boundary ? decision.boundary->distance : NAN);
  put(line, decision.belief);
  put(line, decision.policy);
  const bool moves = decision.move && decision.move->chance > 0.0;
  put(line, moves ? decision.move->time.belief : none);
  put(line, moves ? decision.move->evidence.belief : none);
  put(line, moves ? decision.move->time.log_odds : none);
  std::vector<std::vector<double>> shares(factors_.names.size(), none);
  if (moves) {
    for (const auto& share : decision.move->factors) shares[share.factor] = share.shift.log_odds;
  }
  for (const auto& share : shares) put(line, share);
  line.push_back('\n');
  HistoryRows::Entry entry{fmt::to_string(line), {}, decision.move && !moves};
  if (moves) {
    entry.after = decision.move->after;
    carry_kinds(structure_, policy_, place, step.action, entry.after);
  }
  return entry;
}

ExplainTableOutcome run_explain_table(const ExplainRequest& request, const std::string& output, Sink& sink) {
  require_separate_files(
      {{"option csv", output}},
      with_data({{"option model", request.model}, {"option study", request.study}}, request.data));
  const Model model = read_fit(request.model).model;
  const Study study = study_of_model(request.study, request.model, model.structure);
  const OutcomeFactors factors = outcome_factors(study);
  ExplainTable table(output, model.structure, factors, model.agent);
  const auto covariates = covariates_of(model.agent, study, request.data, sink);
  const RowCounts counts = add_records(table.rows(), study, request.data, covariates, request.patient, sink);
  if (counts.patients == 0 && !request.patient.empty()) {
    throw unknown_patient(study, request.data, request.patient);
  }
  table.rows().commit();
  return {counts.patients, counts.decisions};
}

}  // namespace interpole::service
