#include "interpole/service/explain/beliefs_task.hpp"

#include <fmt/format.h>

#include "interpole/base/files/csv.hpp"
#include "interpole/belief.hpp"
#include "interpole/fit.hpp"
#include "interpole/service/explain/beliefs_between.hpp"
#include "interpole/service/explain/history_rows.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/run_files.hpp"

namespace interpole::service {
namespace {

std::string header_of(const Structure& structure) {
  std::string header = "patient,step";
  for (const auto& name : structure.states) header += "," + base::shown_csv_cell("belief:" + name);
  for (const auto& name : structure.actions) header += "," + base::shown_csv_cell("policy:" + name);
  return header;
}

HistoryRows::Entry entry_of(const Model& model, std::span<const double> carried, Step step,
                            const DecisionContext& history) {
  const RowPlace place = row_place(carried, model.structure.states.size(), history);
  const auto& [belief, context] = place;
  fmt::memory_buffer text;
  const auto out = fmt::appender(text);
  for (const double b : belief) fmt::format_to(out, ",{}", b);
  for (const double p : action_probabilities(model.structure, model.agent.policy, belief, context)) {
    fmt::format_to(out, ",{}", p);
  }
  text.push_back('\n');
  HistoryRows::Entry entry{fmt::to_string(text), {}, false};
  if (model.structure.is_terminal(step.action)) return entry;
  entry.after.resize(belief.size());
  entry.impossible = !(update_belief(model.structure, model.agent.dynamics, step, belief, entry.after) > 0.0);
  carry_kinds(model.structure, model.agent.policy, place, step.action, entry.after);
  return entry;
}

}  // namespace

BeliefsOutcome run_beliefs(const BeliefsRequest& request, Sink& sink) {
  require_separate_files(
      {{"option output", request.output}},
      with_data({{"option model", request.model}, {"option study", request.study}}, request.data));
  const Model model = read_fit(request.model).model;
  const Study study = study_of_model(request.study, request.model, model.structure);
  if (!request.at.empty()) {
    const BeliefsBetween written =
        write_beliefs_between(model, study, request.data, request.at, request.output, sink);
    return {written.patients, 0, written.rows};
  }
  HistoryRows rows(request.output, header_of(model.structure), model.structure, row_start(model.agent),
                   [&model](std::span<const double> belief, Step step, const DecisionContext& context) {
                     return entry_of(model, belief, step, context);
                   },
                   {});
  const auto covariates = covariates_of(model.agent, study, request.data, sink);
  const RowCounts counts = add_records(rows, study, request.data, covariates, "", sink);
  rows.commit();
  return {counts.patients, counts.decisions};
}

}  // namespace interpole::service
