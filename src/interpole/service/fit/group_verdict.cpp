#include "interpole/service/fit/group_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/learn/result/fit_result.hpp"
#include "interpole/model_checks.hpp"

namespace interpole::service {
namespace {

const double kSpeaksOfSign = std::log(20.0);

double log_odds_for(double chance) {
  return std::log(chance) - std::log1p(-chance);
}

// What a group's own model does not reproduce.
void check_group(const FitResult& own, const std::string& name, const HistoryTree& tree,
                 const ModelCheckOptions& options, GroupJudgement& judgement) {
  const ModelChecks checks = check_model(own, tree, options);
  const auto failed = checks.failed();
  if (failed.empty()) return;
  for (const ModelCheck* check : failed) {
    judgement.reasons.push_back(fmt::format("In \"{}\": {}", name, check->sentence));
  }
}

}  // namespace

std::string name_of(GroupVerdict verdict) {
  switch (verdict) {
    case GroupVerdict::kDifference:
      return "difference";
    case GroupVerdict::kNone:
      return "none";
    case GroupVerdict::kUndecided:
      return "undecided";
    default:
      return "withheld";
  }
}

std::string name_of(learn::GroupCause cause) {
  switch (cause) {
    case learn::GroupCause::kPatients:
      return "patients";
    case learn::GroupCause::kPicture:
      return "picture";
    default:
      return "policy";
  }
}

bool GroupJudgement::differs_in(learn::GroupCause what) const {
  return std::find(differ.begin(), differ.end(), what) != differ.end();
}

bool GroupJudgement::says_policies_differ() const {
  return verdict == GroupVerdict::kDifference && differs_in(learn::GroupCause::kPolicy);
}

GroupJudgement judge_groups(const learn::GroupFit& fit, const std::vector<std::string>& names,
                            const std::vector<HistoryTree>& trees, int threads) {
  GroupJudgement judgement;
  judgement.log_bayes_factor = fit.log_bayes_factor();
  for (int c = 0; c < learn::kGroupCauses; ++c) {
    const auto cause = static_cast<learn::GroupCause>(c);
    judgement.chances[c] = fit.chance_of(cause);
    // Of patients that differ it is enough to be likelier than not: nobody's judgement is called another.
    const double enough = cause == learn::GroupCause::kPatients ? 0.0 : kSpeaks;
    if (log_odds_for(judgement.chances[c]) >= enough) judgement.differ.push_back(cause);
  }
  if (judgement.log_bayes_factor >= kSpeaks) {
    judgement.verdict = GroupVerdict::kDifference;
    if (!judgement.differ.empty()) judgement.cause = name_of(judgement.differ.back());
  } else if (judgement.log_bayes_factor <= -kSpeaks) {
    judgement.verdict = GroupVerdict::kNone;
    judgement.cause = "none";
  }
  if (fit.policy_alone && judgement.verdict == GroupVerdict::kDifference) {
    judgement.verdict = GroupVerdict::kWithheld;
    judgement.cause = "undecided";
    judgement.differ.clear();
    judgement.reasons.push_back(fmt::format(
        "Decisions differ, but {} groups are too many to tell whether patients, what is believed of them, or "
        "policies do: compare fewer of them.",
        names.size()));
    return judgement;
  }
  ModelCheckOptions options;
  options.threads = threads;
  options.hidden_information = false;  // signs are weighed group by group
  options.false_alarms /= static_cast<double>(names.size());
  for (std::size_t g = 0; g < fit.own.size(); ++g) {
    check_group(learn::result_of(fit.own[g], "{}"), names[g], trees[g], options, judgement);
  }
  for (std::size_t g = 0; g < fit.signs.size(); ++g) {
    if (!(fit.signs[g].log_ratio >= kSpeaksOfSign)) continue;
    judgement.unrecorded.push_back(names[g]);
    judgement.reasons.insert(
        judgement.reasons.begin(),
        fmt::format(
            "Those who decide in \"{}\" may see something that the table does not hold: a sign that is "
            "right in about {:.0f}% of cases explains their decisions better than what is recorded.",
            names[g], 100.0 * fit.signs[g].right));
  }
  if (!judgement.reasons.empty()) {
    judgement.verdict = GroupVerdict::kWithheld;
    judgement.cause = "undecided";
  }
  return judgement;
}

}  // namespace interpole::service
