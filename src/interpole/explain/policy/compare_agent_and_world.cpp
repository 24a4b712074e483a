#include "interpole/bias_audit.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/policy/bias_words.hpp"

namespace interpole {

AgentWorldComparison compare_agent_and_world(const FitResult& fit, const std::vector<AgentWorld>& draws,
                                             const HistoryTree* tree, const BiasOptions& options) {
  const Structure& structure = fit.model.structure;
  AgentWorldComparison result{audit_bias(structure, draws, tree, options), {}};
  result.sentences = explain::bias_sentences(structure, result.audit, fit.quality.log_bayes_factor);
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
  const HistoryTree tree = tree_of_records(fit.model.structure, records);
  return compare_agent_and_world(fit, fit.draws(kUsualDraws, seed), &tree, options);
}

}  // namespace interpole
