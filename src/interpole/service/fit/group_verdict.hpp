// What a comparison of groups may say aloud: whether they differ, in what, and what shakes it.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/learn/groups/groups.hpp"

namespace interpole::service {

// Evidence speaks from three to one on.
inline const double kSpeaks = std::log(3.0);

enum class GroupVerdict { kDifference, kNone, kUndecided, kWithheld };
std::string name_of(GroupVerdict verdict);
std::string name_of(learn::GroupCause cause);  // patients, picture, policy

struct GroupJudgement {
  GroupVerdict verdict = GroupVerdict::kUndecided;
  // patients, picture, policy, none or undecided. Where several differ, the last of the first three: the
  // others are then not enough to explain the decisions.
  std::string cause = "undecided";
  // All that the evidence speaks for: picture and policy from three to one on, patients from even odds on.
  std::vector<learn::GroupCause> differ;
  std::array<double, learn::kGroupCauses> chances{};  // of each cause
  double log_bayes_factor = 0.0;                      // any difference, over none
  std::vector<std::string> reasons;                   // why it is withheld, or undecided, in sentences
  // Groups whose decisions are those of people who see something that is not recorded.
  std::vector<std::string> unrecorded;

  bool differs_in(learn::GroupCause what) const;
  bool says_policies_differ() const;
};

// `names` and `trees`: of the groups. Every group is checked by itself, against the model of its own.
GroupJudgement judge_groups(const learn::GroupFit& fit, const std::vector<std::string>& names,
                            const std::vector<HistoryTree>& trees, int threads);

}  // namespace interpole::service
