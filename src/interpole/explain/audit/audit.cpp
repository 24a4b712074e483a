#include "interpole/explain/audit/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/explain/checks/unrecorded_sign.hpp"

namespace interpole {

bool RecordAudit::any_uninformative() const {
  return std::any_of(tests.begin(), tests.end(), [](const Test& test) { return test.uninformative; });
}

namespace explain {

void withhold_belated(const FitResult& fit, const HistoryTree& tree, const AuditOptions& options,
                      AuditRules& rules) {
  if (!options.hidden_information || !rules.no_belated.empty()) return;
  const auto check = check_hidden_information(fit, tree, options.threads);
  if (check && check->failed) withhold_belated(ModelChecks{{*check}, {}, {}}, rules);
}

void withhold_belated(const ModelChecks& checks, AuditRules& rules) {
  if (!rules.no_belated.empty()) return;
  for (const ModelCheck* check : checks.failed()) {
    if (check->name != kHiddenInformation) continue;
    rules.no_belated = fmt::format(
        "decisions seem to follow a sign that the table does not hold (right in about {:.0f} of 100 cases), "
        "so "
        "that leaving a test out may have been right",
        100.0 * check->most.observed);
  }
}

Audit::Audit(const HistoryTree& tree, const Model& model, const std::vector<AgentWorld>& draws,
             const AuditRules& rules, const AuditOptions& options)
    : tree_(tree),
      structure_(model.structure),
      rules_(rules),
      certainty_(options.certainty),
      flags_(node_flags(tree, model.structure, model.agent, rules, options, true)) {
  options.validate();
  if (flags_.impossible) return;
  probabilities_ = flag_probabilities(tree, model.structure, draws, rules, options);
  unlikely_.emplace(tree, model, options);
}

RecordAudit Audit::of(std::span<const Step> record, std::span<const double> covariates) const {
  const RecordEnd end = end_of(tree_, record, covariates);
  std::vector<std::int32_t> path = tree_.path_of(record, covariates);
  path.push_back(end.action < 0 ? end.node : -1);
  RecordAudit result;
  const auto probability = [&](const std::vector<float>& shares, int node) -> std::optional<double> {
    if (shares.empty()) return std::nullopt;
    return shares[node];
  };
  for (int t = 0; t < static_cast<int>(record.size()); ++t) {
    const int after = path[t + 1];
    if (!rules_.is_test(record[t].action)) {
      if (flags_.wanted[path[t]] != 0 && result.confirmed < 0) result.left_out.push_back(t);
      continue;
    }
    if (!rules_.has_result(structure_, record[t])) continue;
    const auto sure = probability(probabilities_.uninformative, after);
    result.tests.push_back({t, flags_.uninformative[after] != 0 && sure.value_or(1.0) >= certainty_, sure});
    if (result.confirmed < 0 && flags_.confirmed[after] != 0 && !result.left_out.empty())
      result.confirmed = t;
  }
  result.belated_probability = probability(probabilities_.belated, end.node);
  result.belated = rules_.no_belated.empty() && flags_.belated[end.node] != 0 &&
                   result.belated_probability.value_or(1.0) >= certainty_;
  if (!result.belated) {
    result.left_out.clear();
    result.confirmed = -1;
  }
  double strongest = 0.0;  // every visit at which a test was left out needs a sign of its own
  for (const int t : result.left_out) {
    const auto right = static_cast<double>(flags_.unwanted_with[path[t]]);
    strongest = std::isnan(right) ? NAN : std::max(strongest, right);
    if (std::isnan(strongest)) break;
  }
  if (result.belated && !std::isnan(strongest)) result.removable_by = strongest;
  result.excess = unlikely_->excess(end);
  result.tail = unlikely_->tail(end);
  result.unlikely = unlikely_->is_unlikely(end);
  return result;
}

ImputedFlags Audit::imputed(std::span<const Step> record, std::span<const double> covariates) const {
  ImputedFlags result;
  result.uninformative.assign(probabilities_.imputed, 0);
  if (probabilities_.imputed == 0) return result;
  const RecordEnd end = end_of(tree_, record, covariates);
  std::vector<std::int32_t> path = tree_.path_of(record, covariates);
  path.push_back(end.action < 0 ? end.node : -1);
  result.belated = probabilities_.belated_in[end.node];
  for (std::size_t t = 0; t < record.size(); ++t) {
    if (!rules_.has_result(structure_, record[t])) continue;
    const std::uint32_t in = probabilities_.uninformative_in[path[t + 1]];
    for (int k = 0; k < probabilities_.imputed; ++k) {
      result.uninformative[k] = static_cast<std::uint16_t>(result.uninformative[k] + (in >> k & 1U));
    }
  }
  return result;
}

}  // namespace explain
}  // namespace interpole
