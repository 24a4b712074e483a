#include "interpole/explain/policy/bias_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "interpole/base/number_text.hpp"

namespace interpole::explain {
namespace {

const double kSpeaksClearly = std::log(20.0);

std::string odds(double log_ratio) {
  const double ratio = std::exp(std::abs(log_ratio));
  return ratio > 1e6 ? "more than a million to one"
                     : fmt::format("{:.{}f} to one", ratio, ratio < 10.0 ? 1 : 0);
}

// Beyond what the uncertainty of the numbers alone would seem to change.
std::string cost_sentence(const BiasCost& cost) {
  const std::string had = "Had the beliefs followed the world instead, on the same records, ";
  if (!(cost.excess.low > 0.0)) {
    return had +
           "it cannot be said that more decisions would have come out otherwise than chance alone gives";
  }
  return fmt::format(
      "{}at least {} of decisions would have come out otherwise, beyond what chance alone gives ({}); in {} "
      "another action would have been the most likely",
      had, shown_percent(cost.excess), base::percent_words(cost.by_chance.middle),
      shown_percent(cost.other_choice_excess));
}

std::string by_evidence(std::optional<double> log_bayes_factor) {
  if (!log_bayes_factor) return "Whether agent and world differ at all was not tested";
  const double x = *log_bayes_factor;
  if (x >= kSpeaksClearly)
    return fmt::format("The records speak clearly for a difference between agent and world ({})", odds(x));
  if (x >= kSpeaks)
    return fmt::format("The records speak for a difference between agent and world ({})", odds(x));
  if (x > -kSpeaks)
    return fmt::format("The records cannot tell whether agent and world differ ({} {})", odds(x),
                       x >= 0.0 ? "for" : "against");
  return fmt::format("The records speak against a difference between agent and world ({})", odds(x));
}

std::vector<std::string> why_withheld(const std::vector<std::string>& reasons) {
  std::vector<std::string> sentences = {"Whether agent and world differ cannot be said"};
  for (std::string reason : reasons) {
    reason.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reason.front())));
    sentences.push_back(reason);
  }
  return sentences;
}

}  // namespace

std::string sentence_of(const Structure& structure, const BiasFinding& finding) {
  const std::string state = structure.states[finding.state];
  switch (finding.field) {
    case Field::kInitial:
      return fmt::format("starts as if {} of patients were \"{}\"; {} are", shown_percent(finding.agent),
                         structure.states[finding.outcome], shown_percent(finding.world));
    case Field::kTransition:
      return finding.state == finding.outcome
                 ? fmt::format(
                       "acts as if \"{}\" lasted from one \"{}\" to the next visit in {} of cases; it does "
                       "in {}",
                       state, structure.actions[finding.action], shown_percent(finding.agent),
                       shown_percent(finding.world))
                 : fmt::format(
                       "acts as if \"{}\" turned into \"{}\" after \"{}\" in {} of cases; it does in {}",
                       state, structure.states[finding.outcome], structure.actions[finding.action],
                       shown_percent(finding.agent), shown_percent(finding.world));
    default:
      return fmt::format("acts as if \"{}\" gave \"{}\" for {} of \"{}\" patients; it does for {}",
                         structure.actions[finding.action], structure.observations[finding.outcome],
                         shown_percent(finding.agent), state, shown_percent(finding.world));
  }
}

std::vector<std::string> verdict_words(const DifferenceVerdict& verdict,
                                       std::optional<double> log_bayes_factor) {
  if (verdict.verdict == BiasVerdict::kWithheld) return why_withheld(verdict.reasons);
  const bool against = log_bayes_factor && *log_bayes_factor <= -kSpeaks;
  if (verdict.verdict == BiasVerdict::kUndecided && against && !verdict.reasons.empty()) {
    return {fmt::format("The records cannot tell whether agent and world differ ({} against): {}",
                        odds(*log_bayes_factor), verdict.reasons.front())};
  }
  return {by_evidence(log_bayes_factor)};
}

std::string sign_sentence(std::optional<double> removable_by) {
  if (!removable_by) {
    return "No sign that those who decide see and the table does not hold would explain the records as well, "
           "if "
           "it were right in up to 95 of 100 cases";
  }
  return fmt::format(
      "A sign that those who decide see and the table does not hold, right in {:.0f} of 100 cases, would "
      "explain "
      "the records as well",
      100.0 * *removable_by);
}

BiasVerdict verdict_by(std::optional<double> log_bayes_factor) {
  if (!log_bayes_factor || std::abs(*log_bayes_factor) < kSpeaks) return BiasVerdict::kUndecided;
  return *log_bayes_factor > 0.0 ? BiasVerdict::kDifference : BiasVerdict::kNone;
}

std::vector<std::string> bias_sentences(const Structure& structure, const AgentWorldComparison& comparison,
                                        std::optional<double> log_bayes_factor, int most) {
  const BiasAudit& audit = comparison.audit;
  std::vector<std::string> sentences =
      verdict_words({comparison.verdict, comparison.reasons}, log_bayes_factor);
  if (comparison.verdict == BiasVerdict::kWithheld) {
    for (std::string& sentence : sentences) sentence += ".";
    return sentences;
  }
  std::vector<const BiasFinding*> flagged;
  for (const BiasFinding& finding : audit.findings) {
    if (finding.flagged) flagged.push_back(&finding);
  }
  std::stable_sort(flagged.begin(), flagged.end(), [](const BiasFinding* x, const BiasFinding* y) {
    return std::abs(x->difference.middle) > std::abs(y->difference.middle);
  });
  for (std::size_t i = 0; i < flagged.size() && i < static_cast<std::size_t>(most); ++i) {
    sentences.push_back("The decision-maker " + sentence_of(structure, *flagged[i]));
  }
  if (flagged.empty()) sentences.push_back("No single number stands out by more than the margin");
  if (flagged.size() > static_cast<std::size_t>(most)) {
    sentences.push_back(
        fmt::format("{} further numbers stand out; the table has them", flagged.size() - most));
  }
  if (comparison.verdict == BiasVerdict::kDifference && comparison.checks.sign) {
    sentences.push_back(sign_sentence(comparison.removable_by));
  }
  if (audit.cost) sentences.push_back(cost_sentence(*audit.cost));
  if (comparison.checks.checks.empty()) {
    for (const std::string& why : comparison.checks.not_checked) {
      sentences.push_back("Read it with care: " + why);
    }
  }
  for (std::string& sentence : sentences) sentence += ".";
  return sentences;
}

}  // namespace interpole::explain
