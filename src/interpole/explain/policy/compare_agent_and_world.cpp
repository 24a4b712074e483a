#include "interpole/bias_audit.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/checks/record_spread.hpp"
#include "interpole/explain/policy/bias_words.hpp"

namespace interpole {
namespace {

// Why the model is not one to believe.
std::vector<std::string> doubts_of(const FitResult& fit, const HistoryTree* tree) {
  std::vector<std::string> doubts;
  if (!fit.quality.converged.value_or(true)) {
    doubts.emplace_back("the search for the best explanation did not end");
  }
  if (!fit.quality.curvature_of_a_maximum.value_or(true)) {
    doubts.emplace_back(
        "the best explanation is not a proper peak, so that its odds and intervals mean little");
  }
  if (tree != nullptr && tree->decisions > 0) {
    const auto spread = explain::record_spread(*tree, fit.model.structure, fit.model.agent);
    if (spread.more_than_chance()) doubts.push_back(explain::sentence_of(fit.model.structure, spread));
  }
  return doubts;
}

}  // namespace

std::string name_of(BiasVerdict verdict) {
  switch (verdict) {
    case BiasVerdict::kDifference:
      return "difference";
    case BiasVerdict::kNone:
      return "none";
    case BiasVerdict::kUndecided:
      return "undecided";
    case BiasVerdict::kWithheld:
      break;
  }
  return "withheld";
}

AgentWorldComparison compare_agent_and_world(const FitResult& fit, const std::vector<AgentWorld>& draws,
                                             const HistoryTree* tree, const BiasOptions& options) {
  const Structure& structure = fit.model.structure;
  AgentWorldComparison result;
  result.audit = audit_bias(structure, draws, tree, options);
  result.verdict = explain::verdict_by(fit.quality.log_bayes_factor);
  result.reasons = doubts_of(fit, tree);
  if (!result.reasons.empty()) result.verdict = BiasVerdict::kWithheld;
  if (result.verdict != BiasVerdict::kDifference) {
    for (BiasFinding& finding : result.audit.findings) finding.flagged = false;
  }
  result.sentences = explain::bias_sentences(structure, result, fit.quality.log_bayes_factor);
  return result;
}

AgentWorldComparison compare_agent_and_world(const FitResult& fit, std::span<const Record> records,
                                             const BiasOptions& options, std::uint64_t seed) {
  options.validate();
  if (!fit.model.world) {
    throw input_error(
        "the model has no world beside its agent, so there is nothing to compare; fit it with coupled "
        "dynamics");
  }
  const HistoryTree tree = tree_of_records(fit.model.structure, records, RecordClasses::kApart);
  return compare_agent_and_world(fit, fit.draws(kUsualDraws, seed), &tree, options);
}

}  // namespace interpole
