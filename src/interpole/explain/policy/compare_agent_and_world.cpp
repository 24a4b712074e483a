#include <fmt/format.h>

#include <algorithm>

#include "interpole/bias_audit.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/policy/bias_cost.hpp"
#include "interpole/explain/policy/bias_words.hpp"

namespace interpole {
namespace {

constexpr double kLikelyWrong = 0.5;

// Why the model is not one to believe.
std::vector<std::string> doubts_of(const FitResult& fit, const ModelChecks& checks) {
  std::vector<std::string> doubts;
  if (!fit.quality.converged.value_or(true)) {
    doubts.emplace_back("the search for the best explanation did not end");
  }
  if (!fit.quality.curvature_of_a_maximum.value_or(true)) {
    doubts.emplace_back(
        "the best explanation is not a proper peak, so that its odds and intervals mean little");
  }
  for (const ModelCheck* check : checks.failed()) {
    std::string sentence = check->sentence;
    sentence.pop_back();  // its full stop
    doubts.push_back(fmt::format("the model fails the check \"{}\". {}", check->name, sentence));
  }
  return doubts;
}

// Results that are missing more often of some patients than of others look like another picture of the world.
// Where decisions change with a missing result, nothing in the records tells the two apart.
bool follows_missing_results(const FitResult& fit) {
  return std::ranges::any_of(fit.model.agent.policy.terms.additive,
                             [](const PolicyTerm& term) { return term.kind == TermKind::kResultMissing; });
}

// As parameter spaces call it.
std::string row_of(const Structure& structure, const BiasFinding& finding) {
  if (finding.field == Field::kInitial) return "initial_belief";
  std::string row =
      fmt::format("{}[{},{}]", finding.field == Field::kObservation ? "observation" : "transition",
                  structure.actions[finding.action], structure.states[finding.state]);
  if (finding.field != Field::kObservation || !structure.measured()) return row;
  for (const MeasuredFactor& factor : structure.factors) {
    if (factor.family != Family::kCategorical) continue;
    for (const std::string& level : factor.levels) {
      if (structure.column_name(finding.outcome) == factor.name + " " + level) return row + " " + factor.name;
    }
  }
  return row + " " + structure.column_name(finding.outcome);
}

// Numbers of a row that is more likely the world's than not do not stand out.
void weigh_rows(const FitResult& fit, std::vector<BiasFinding>& findings) {
  for (BiasFinding& finding : findings) {
    const std::string name = row_of(fit.model.structure, finding);
    for (const FitQuality::WrongRow& row : fit.quality.wrong_rows) {
      if (row.row == name) finding.row_probability = row.probability;
    }
    if (finding.row_probability.value_or(1.0) < kLikelyWrong) finding.flagged = false;
  }
}

// Rows of which the evidence, small as it is, says rather wrong than right. That agent and world are one is
// said only if there are none.
int rows_in_doubt(const FitQuality& quality) {
  return static_cast<int>(std::ranges::count_if(
      quality.wrong_rows, [](const FitQuality::WrongRow& row) { return row.log_evidence_ratio > 0.0; }));
}

// By which unrecorded sign the verdict and each flagged number would go: the evidence for them, less what the
// sign gains, is then no longer one to speak of.
void weigh_against_signs(const FitResult& fit, AgentWorldComparison& result) {
  if (!result.checks.sign || result.verdict != BiasVerdict::kDifference) return;
  const SignProfile& sign = *result.checks.sign;
  result.removable_by = sign.least_right(*result.log_odds - explain::kSpeaks);
  for (BiasFinding& finding : result.audit.findings) {
    if (!finding.flagged) continue;
    finding.removable_by = result.removable_by;
    const std::string name = row_of(fit.model.structure, finding);
    for (const FitQuality::WrongRow& row : fit.quality.wrong_rows) {
      if (row.row != name) continue;
      const auto of_row = sign.least_right(
          std::max(0.0, result.checks.tempering() * row.log_evidence_ratio - explain::kSpeaks));
      if (of_row) finding.removable_by = std::min(*of_row, finding.removable_by.value_or(1.0));
    }
  }
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

namespace explain {

DifferenceVerdict judge_difference(const FitResult& fit, const ModelChecks& checks) {
  DifferenceVerdict result;
  if (fit.quality.log_bayes_factor) {
    result.log_odds = checks.tempering() * *fit.quality.log_bayes_factor;
    result.tempered = checks.misfit > 0.0;
  }
  result.verdict = verdict_by(result.log_odds);
  const int in_doubt = rows_in_doubt(fit.quality);
  if (result.verdict == BiasVerdict::kNone && in_doubt > 0) result.verdict = BiasVerdict::kUndecided;
  result.reasons = doubts_of(fit, checks);
  // Explanations that agree on no difference may differ in what they make of beliefs.
  const std::string disagreement = disagreement_of(fit.quality);
  if (!disagreement.empty() && result.verdict == BiasVerdict::kDifference)
    result.reasons.push_back(disagreement);
  if (follows_missing_results(fit) && result.verdict == BiasVerdict::kDifference) {
    result.reasons.emplace_back(
        "decisions change where a result is missing, so it may be known to those who decide, or be missing "
        "because of how the patient was; record it, or make a missing result an outcome of its own in the "
        "study");
  }
  if (!result.reasons.empty()) result.verdict = BiasVerdict::kWithheld;
  if (result.verdict == BiasVerdict::kUndecided && in_doubt > 0) {
    result.reasons.push_back(fmt::format("{} of {} rows of the agent's dynamics are rather wrong than right",
                                         in_doubt, fit.quality.wrong_rows.size()));
  }
  return result;
}

}  // namespace explain

AgentWorldComparison compare_agent_and_world(const FitResult& fit, const std::vector<AgentWorld>& draws,
                                             const HistoryTree* tree, const BiasOptions& options,
                                             const ModelChecks* checks) {
  const Structure& structure = fit.model.structure;
  AgentWorldComparison result;
  result.audit = audit_bias(structure, draws, nullptr, options);
  weigh_rows(fit, result.audit.findings);
  if (checks != nullptr) {
    result.checks = *checks;
  } else if (tree != nullptr) {
    result.checks = check_model(fit, *tree, checks_for_verdict(fit));
  } else {
    result.checks.not_checked.emplace_back("there are no records, so the model could not be checked");
  }
  explain::DifferenceVerdict judged = explain::judge_difference(fit, result.checks);
  result.verdict = judged.verdict;
  result.log_odds = judged.log_odds;
  result.reasons = std::move(judged.reasons);
  if (result.verdict != BiasVerdict::kDifference) {
    for (BiasFinding& finding : result.audit.findings) finding.flagged = false;
  } else if (tree != nullptr && tree->decisions > 0) {
    result.audit.cost = explain::bias_cost(structure, *tree, draws, options);
  }
  weigh_against_signs(fit, result);
  result.sentences = explain::bias_sentences(structure, result);
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
  const ModelChecks checks = check_model(fit, tree, checks_for_verdict(fit));
  return compare_agent_and_world(fit, widened_by_misfit(fit, checks).draws(kUsualDraws, seed), &tree, options,
                                 &checks);
}

}  // namespace interpole
