#include "interpole/learn/result/fit_result.hpp"

#include <fmt/format.h>

#include "interpole/base/messages.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/result/fit_quality.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"

namespace interpole {
namespace {

learn::FitOptions internal_options(const FitOptions& options) {
  learn::FitOptions result;
  result.dynamics = options.dynamics;
  if (options.coupling) result.scales = learn::CouplingScales::all(*options.coupling);
  result.restarts = options.restarts;
  result.seed = options.seed;
  result.threads = options.threads;
  result.lbfgs.most_iterations = options.most_iterations;
  result.policy = options.policy;
  result.uncertainty = options.uncertainty;
  return result;
}

// Why a step cannot be one of this structure; empty: it can.
std::string step_problem(const Structure& structure, Step step, bool last) {
  if (step.action < 0 || step.action >= structure.action_count()) {
    return fmt::format("there is no action {}; there are {}, from 0", step.action, structure.action_count());
  }
  const std::string action = base::shown(structure.actions[step.action]);
  if (structure.is_terminal(step.action) && !last) return action + " ends a record, but more steps follow";
  if (step.gap != kNoGap && (!structure.timed() || step.gap < 0 || step.gap >= structure.gaps.table->size()))
    return fmt::format("there is no gap {}; enter it in the gaps of the structure", step.gap);
  if (structure.timed() && step.gap == kNoGap && !last)
    return "it has no gap to the next step; enter one in the gaps of the structure";
  if (step.observation == kMissing) return {};
  const int outcomes =
      structure.measured() ? structure.outcomes.table->size() : structure.observation_count();
  if (step.observation < 0 || step.observation >= outcomes) {
    return fmt::format("there is no outcome {}; there are {}, from 0", step.observation, outcomes);
  }
  if (structure.measured()) return {};
  if (structure.can_yield(step.action, step.observation)) return {};
  return fmt::format("{} cannot yield {}", action, base::shown(structure.observations[step.observation]));
}

}  // namespace

void FitOptions::validate() const {
  if (coupling && !(*coupling >= 0.0)) throw usage_error(fmt::format("coupling: {} is negative", *coupling));
  internal_options(*this).validate();
}

std::vector<AgentWorld> FitResult::draws(int count, std::uint64_t seed) const {
  if (!uncertainty) {
    throw input_error("the model does not say how sure it is; fit it again, with its uncertainty");
  }
  return learn::draw_agent_worlds(uncertainty->problem, uncertainty->uncertainty, count, seed);
}

HistoryTree tree_of_records(const Structure& structure, std::span<const Record> records,
                            RecordClasses classes, const std::vector<int>& start_by) {
  HistoryTreeBuilder builder(structure.action_count(), true, classes, start_by);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::vector<Step>& steps = records[i].steps;
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const std::string problem = step_problem(structure, steps[t], t + 1 == steps.size());
      if (problem.empty()) continue;
      throw input_error(fmt::format("record {} (patient {}), step {}: {}", i, base::shown(records[i].patient),
                                    t + 1, problem));
    }
    builder.set_covariates(records[i].covariates);
    builder.add(steps);
  }
  return builder.build();
}

FitResult fit(const DecisionProblem& problem, std::span<const Record> records, const FitOptions& options,
              Sink& sink) {
  const auto start_by = data::start_places(problem.starts, problem.known.policy.terms.covariates);
  const auto tree = tree_of_records(problem.structure, records, RecordClasses::kTogether, start_by);
  return fit(problem, tree, options, sink);
}

FitResult fit(const DecisionProblem& problem, const HistoryTree& tree, const FitOptions& options,
              Sink& sink) {
  options.validate();
  problem.structure.validate("the problem");
  if (tree.decisions == 0) throw input_error("there are no decisions; nothing to learn from");
  const learn::FitOptions used = internal_options(options);
  const learn::FitSummary summary = learn::fit(tree, problem, used, sink);
  if (summary.impossible_node) {
    throw input_error(fmt::format(
        "the problem's known values call an outcome of record {} impossible (probability 0); correct the "
        "record, or free the zero in what is known",
        tree.first_record[*summary.impossible_node]));
  }
  return learn::result_of(summary,
                          learn::format_provenance(learn::counts_json(tree), learn::options_json(used)));
}

namespace learn {

FitResult result_of(const FitSummary& summary, const std::string& provenance) {
  const DecisionProblem& problem = summary.problem;
  FitResult result;
  result.model = {problem.structure, summary.parameters, summary.world};
  result.quality = parse_quality(format_quality(problem.structure, summary));
  result.provenance = parse_provenance(provenance);
  if (summary.uncertainty) {
    result.uncertainty =
        std::make_shared<const StoredUncertainty>(stored_uncertainty(problem, *summary.uncertainty));
  }
  return result;
}

}  // namespace learn
}  // namespace interpole
