// Do groups (sites, clinicians) differ, and in what: their patients, the picture that decision-makers have of
// them, or their policy? Partially pooled: groups with few records borrow from the others, as much as the
// data say they are alike.
#pragma once

#include <string>
#include <vector>

#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/groups/group_hypotheses.hpp"
#include "interpole/learn/groups/group_signs.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

struct GroupOptions {
  FitOptions fit;    // of all records together, first
  int draws = 2000;  // of the posterior
};

struct GroupFit {
  FitSummary common;  // all records, no difference between groups
  // There are too many groups to ask of more than their policies: why these seem to differ is then not known.
  bool policy_alone = false;
  std::vector<FitSummary> own;  // [group]: by itself, to be checked against its records; none: too many
  std::vector<WeighedHypothesis> hypotheses;  // the first: nothing differs
  std::vector<GroupSign> signs;               // [group]; empty where surely no more than patients differ
  // Of the likeliest hypothesis that has the policy in it: the policies at its mode [group], and
  // [draw][group].
  std::vector<Policy> policies;
  std::vector<std::vector<Policy>> policy_draws;
  // Of the likeliest hypothesis: agents and worlds [draw][group].
  std::vector<std::vector<AgentWorld>> draws;
  bool proper = true;  // every expansion was one around a maximum

  // log of the evidence that groups differ in any way, over that of no difference.
  double log_bayes_factor() const;
  // How likely it is that groups differ so, alone or beside other causes; even odds that they differ at all.
  double chance_of(GroupCause cause) const;
  // … that they differ in nothing or in their patients alone.
  double chance_of_patients_or_nothing() const;
  // How likely each hypothesis is. Sums to one.
  std::vector<double> chances() const;
  // The likeliest hypothesis, or the likeliest of those that have the cause in it.
  const WeighedHypothesis& likeliest() const;
  const WeighedHypothesis& likeliest_with(GroupCause cause) const;
};

// Trees: one for each group, at least two. Kinds of decision-makers and terms of groups are not weighed: they
// would explain away what is asked for. Throws Error(kInterrupted) if asked to stop.
GroupFit fit_groups(const HistoryTree& all, const std::vector<HistoryTree>& groups,
                    const DecisionProblem& problem, const GroupOptions& options, Sink& sink);

}  // namespace interpole::learn
