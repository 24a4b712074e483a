#include "interpole/service/explain/shares_task.hpp"

#include <fmt/format.h>

#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/folds.hpp"
#include "interpole/explain/policy/share_words.hpp"
#include "interpole/learn/result/fitted_again.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"

namespace interpole::service {
namespace {

// Records go to halves as to two folds.
std::array<HistoryTree, 2> halves_of(const SharesRequest& request, const Study& study,
                                     const std::vector<PolicyCovariate>& covariates,
                                     const std::vector<StartTerm>& start) {
  evaluate::FoldBuilder builder(study.structure.action_count(), 2, request.seed, data::start_places(start));
  if (request.data.counts) builder.forget_order();
  data::for_each_record_in_context(study, request.data, covariates,
                                   [&](const data::RecordView& record, std::span<const double> values) {
                                     builder.add(record.steps, values, record.count);
                                   });
  evaluate::FoldTrees trees = builder.build();
  return {std::move(trees.train[0]), std::move(trees.train[1])};
}

}  // namespace

std::string why_no_shares(const FitResult& fit) {
  if (!fit.model.world) {
    return "the model has no world beside its agent, so a distorted picture cannot be told from belief; fit "
           "it with option dynamics coupled";
  }
  if (!fit.has_uncertainty()) {
    return "the model does not say what was learned, so nothing can be fitted again without a part of it; "
           "fit it again";
  }
  return "";
}

learn::Shares shares_on_files(const SharesRequest& request, const FitResult& fit, const Study& study,
                              Sink& sink) {
  const std::string why_not = why_no_shares(fit);
  if (!why_not.empty()) throw input_error(fmt::format("{}: {}", request.model, why_not));
  const DecisionProblem problem = learn::problem_of(fit, study.priors);
  const PolicyTerms& terms = fit.model.agent.policy.terms;
  const std::vector<StartTerm>& start = fit.model.agent.dynamics.start;
  const AgentWorld at{fit.model.agent, fit.model.world};
  const auto& first = fit.uncertainty->uncertainty.components.front();
  return learn::shares_of(halves_of(request, study, terms.covariates, start), {problem, at, first.scales}, {},
                          request.threads, sink);
}

nlohmann::ordered_json shares_json(const learn::Shares& shares) {
  using Json = nlohmann::ordered_json;
  const bool nothing = explain::nothing_to_share(shares);
  Json parts = Json::object();
  for (const learn::IngredientShare& part : shares.parts) {
    parts[part.name] = {{"nats_per_decision", part.nats},
                        {"share", nothing ? Json(nullptr) : Json(part.nats / shares.gained)}};
  }
  return {{"gained_nats_per_decision", shares.gained},     {"log_loss_of_frequencies", shares.frequencies},
          {"foreseen", explain::foreseen_part(shares)},    {"parts", parts},
          {"sentences", explain::share_sentences(shares)}, {"fits", shares.fits}};
}

}  // namespace interpole::service
