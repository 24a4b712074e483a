#include "interpole/service/explorer/explorer_beside.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/data/record_contexts.hpp"
#include "interpole/evaluate/paired.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/learners/interpole/fitted_model.hpp"
#include "interpole/service/checked_records.hpp"
#include "interpole/service/explorer/explorer_check.hpp"
#include "interpole/service/explorer/explorer_terms.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_notes.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {
namespace {

using Json = ExplorerJson;
using Covariates = std::vector<PolicyCovariate>;

Covariates joined(Covariates first, const Covariates& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// The same histories with the first `front` covariates of every class behind the others: each model looks for
// its own covariates in front.
HistoryTree with_covariates_turned(HistoryTree tree, std::size_t front) {
  if (tree.root_covariates.empty()) return tree;
  const std::size_t each = tree.root_covariates.size() / static_cast<std::size_t>(tree.root_count);
  for (auto row = tree.root_covariates.begin(); row != tree.root_covariates.end();
       row += static_cast<std::ptrdiff_t>(each)) {
    std::rotate(row, row + static_cast<std::ptrdiff_t>(front), row + static_cast<std::ptrdiff_t>(each));
  }
  return tree;
}

std::vector<double> policies_of(const Model& model, const HistoryTree& tree) {
  return learners::FittedModel(model, "", true).policies(tree);
}

Json beside_difference_json(const evaluate::Difference& difference) {
  if (!difference.mean) return nullptr;
  const auto& interval = difference.interval;
  return {{"middle", finite_json(*difference.mean)},
          {"low", interval ? finite_json(interval->low) : Json(nullptr)},
          {"high", interval ? finite_json(interval->high) : Json(nullptr)}};
}

// What tells the two models apart, in a word each.
Json names_json(const FitResult& first, const FitResult& second) {
  const std::string& one = first.provenance.dynamics;
  const std::string& other = second.provenance.dynamics;
  if (one.empty() || other.empty() || one == other) return {"first", "second"};
  return {one, other};
}

// On the same records as the first, told apart by the covariates of both.
struct Records {
  Covariates of_first, of_second;
  HistoryTree for_first, for_second;
};

Records read_records(const ExplorerRequest& request, const Model& first, const Model& second,
                     const Study& study, Sink& sink) {
  Records records;
  records.of_first = data::followed_covariates(first.agent);
  records.of_second = covariates_of(second.agent, study, request.data, sink);
  records.for_first = data::read_tree_in_context(
      study, request.data, joined(records.of_first, records.of_second), RecordClasses::kApart);
  records.for_second = with_covariates_turned(records.for_first, records.of_first.size());
  return records;
}

}  // namespace

Json explorer_beside_json(const ExplorerRequest& request, const FitResult& first, const FitResult& second,
                          const Study& study, Sink& sink) {
  const Model& model = second.model;
  const Structure& structure = model.structure;
  const Records records = read_records(request, first.model, model, study, sink);
  evaluate::EvaluationOptions options;
  options.bootstrap = {kExplorerReplicates, kExplorerLevel, request.seed, request.threads};
  const evaluate::Evaluation evaluation =
      evaluate::evaluate_model(records.for_second, model, nullptr, options, sink);
  if (evaluation.impossible) {
    throw impossible_outcome(study, request.data, records.for_second, evaluation.impossible->node,
                             request.beside, "correct the table, or compare with a model that allows it");
  }
  const std::vector<evaluate::FoldPolicies> both = {{"first", {policies_of(first.model, records.for_first)}},
                                                    {"second", {policies_of(model, records.for_second)}}};
  const evaluate::PairedComparison paired =
      evaluate::compare_in_pairs({&records.for_first, 1}, structure, both, "first", options.bootstrap);
  ModelCheckOptions checking;
  checking.threads = request.threads;
  const Covariates told_apart = joined(records.of_second, records.of_first);
  if (data::any_followed(told_apart)) checking.covariates = told_apart;
  checking.hidden_information = false;  // takes longer than all the rest of this
  const ModelChecks checks = check_on_files(second, records.for_second, checking, request.data);
  const learn::PosteriorDraws posterior = learn::posterior_draws_if_any(second, "", request.seed);
  const Policy& policy = model.agent.policy;
  Json json = {
      {"names", names_json(first, second)},
      {"facts", facts_of(second, request.allow_individual)},
      {"warnings", second.quality.warnings},
      {"model", explorer_model_json(model, request.allow_individual)},
      {"draws", posterior.draws.empty()
                    ? Json(nullptr)
                    : explorer_draws_json(posterior.draws, posterior.source, request.allow_individual)},
      {"boundaries", explorer_boundaries_json(structure, policy, posterior.draws,
                                              explorer_boundaries(structure, policy, posterior.draws))},
      {"check", explorer_check_json(second, checks, evaluation, request.min_cell, request.allow_individual)},
      {"paired",
       {{"log_loss", beside_difference_json(paired.rows.front().log_loss)},
        {"auroc", beside_difference_json(paired.rows.front().auroc)}}}};
  if (!policy.terms.none() || !policy.other_kinds.empty() || !model.agent.dynamics.start.empty()) {
    json["terms"] = explorer_terms_json(structure, model.agent, posterior.draws, request.allow_individual);
  }
  return json;
}

}  // namespace interpole::service
