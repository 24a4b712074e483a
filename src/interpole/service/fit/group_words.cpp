#include "interpole/service/fit/group_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace interpole::service {
namespace {

using learn::GroupCause;

constexpr std::size_t kMostNumbers = 2;  // of a cause, in sentences

std::string odds(double log_odds) {
  const double ratio = std::exp(std::abs(log_odds));
  return ratio > 1e6 ? "more than a million to one"
                     : fmt::format("{:.{}f} to one", ratio, ratio < 10.0 ? 1 : 0);
}

double log_odds_of(double chance) {
  return std::log(std::max(chance, 1e-300)) - std::log(std::max(1.0 - chance, 1e-300));
}

// How likely it is that patients differ and nothing else does.
double chance_of_patients_alone(const learn::GroupFit& fit) {
  double sum = 0.0;
  for (std::size_t h = 0; h < fit.hypotheses.size(); ++h) {
    const auto& what = fit.hypotheses[h].what;
    if (what.patients && what.causes() == 1) sum += fit.chances()[h];
  }
  return sum;
}

std::string verdict_on_cause(const GroupsOutcome& outcome) {
  const GroupJudgement& found = outcome.judgement;
  const auto chance = [&](GroupCause cause) {
    return odds(log_odds_of(found.chances[static_cast<int>(cause)]));
  };
  if (found.cause == "patients") {
    return fmt::format("Patients differ between groups ({}); given that, decisions are taken alike ({}).",
                       chance(GroupCause::kPatients),
                       odds(log_odds_of(chance_of_patients_alone(outcome.fit))));
  }
  if (found.cause == "picture") {
    return fmt::format(
        "What those who decide believe of their patients differs between groups ({}): they act as if tests, "
        "courses or frequencies were others than in the other groups.",
        chance(GroupCause::kPicture));
  }
  if (found.cause == "policy") {
    return fmt::format("Policies differ between groups ({}): with the same belief, decisions are others.",
                       chance(GroupCause::kPolicy));
  }
  return fmt::format(
      "Groups differ ({}), but the records cannot tell in what: in their patients with {:.0f}%, in what is "
      "believed of them with {:.0f}%, in the policy with {:.0f}%.",
      odds(found.log_bayes_factor), 100.0 * found.chances[0], 100.0 * found.chances[1],
      100.0 * found.chances[2]);
}

std::string verdict(const GroupsOutcome& outcome) {
  const GroupJudgement& found = outcome.judgement;
  const double x = found.log_bayes_factor;
  switch (found.verdict) {
    case GroupVerdict::kDifference:
      return verdict_on_cause(outcome);
    case GroupVerdict::kNone:
      return fmt::format("The records favour no difference between groups ({}).", odds(x));
    case GroupVerdict::kUndecided:
      return fmt::format("The records cannot tell whether groups differ ({} {}).", odds(x),
                         x >= 0.0 ? "for" : "against");
    default:
      return fmt::format(
          "Whether and in what groups differ cannot be said, for {}.",
          found.reasons.size() == 1 ? "one reason" : fmt::format("{} reasons", found.reasons.size()));
  }
}

}  // namespace

std::vector<std::string> sentences_of(const GroupsOutcome& outcome) {
  const GroupJudgement& found = outcome.judgement;
  std::vector<std::string> result = {verdict(outcome)};
  if (found.verdict == GroupVerdict::kWithheld) {
    result.insert(result.end(), found.reasons.begin(), found.reasons.end());
    return result;
  }
  if (found.verdict != GroupVerdict::kDifference) return result;
  for (const GroupCause cause : {GroupCause::kPolicy, GroupCause::kPicture, GroupCause::kPatients}) {
    if (!found.differs_in(cause)) continue;
    if (cause == GroupCause::kPatients && found.cause != "patients") {
      result.push_back(fmt::format("Patients differ too ({}).", odds(log_odds_of(found.chances[0]))));
    }
    if (cause == GroupCause::kPicture && found.cause == "policy") {
      result.push_back(
          fmt::format("What is believed of patients differs too ({}).", odds(log_odds_of(found.chances[1]))));
    }
    if (cause == GroupCause::kPolicy) {
      for (const BoundaryByGroup& boundary : outcome.boundaries)
        result.push_back(sentence_of(outcome, boundary));
      continue;
    }
    std::size_t said = 0;
    for (const NumberByGroup& number : outcome.numbers) {
      if (number.cause != cause || said == kMostNumbers) continue;
      result.push_back(sentence_of(outcome.structure, outcome.groups, number));
      ++said;
    }
  }
  return result;
}

std::string name_of(const learn::GroupHypothesis& what) {
  if (what.none()) return "nothing";
  std::vector<std::string> parts;
  if (what.patients)
    parts.emplace_back(what.patients_known ? "patients" : "patients, unknown to those who decide");
  if (what.picture) parts.emplace_back("picture");
  if (what.policy) parts.emplace_back("policy");
  std::string result = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i)
    result += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return result;
}

std::string sentence_of(const GroupsOutcome& outcome, const BoundaryByGroup& boundary) {
  const explain::SideBoundary& b = boundary.boundary;
  const std::string change = fmt::format("\"{}\" gives way to \"{}\"", outcome.structure.actions[b.before],
                                         outcome.structure.actions[b.after]);
  const std::string& state = outcome.structure.states[b.to];
  if (!boundary.differs()) {
    return fmt::format("No two groups surely differ in where {} between \"{}\" and \"{}\".", change,
                       outcome.structure.states[b.from], state);
  }
  return fmt::format(
      "{} at {} \"{}\" in \"{}\", at {} in \"{}\".", change,
      explain::shown_position(boundary.positions[boundary.lowest]), state, outcome.groups[boundary.lowest],
      explain::shown_position(boundary.positions[boundary.highest]), outcome.groups[boundary.highest]);
}

}  // namespace interpole::service
