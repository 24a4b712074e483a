// Do groups (sites, clinicians) decide differently? A policy for each, partially pooled: groups with few
// records borrow from the others, as much as the data say they are alike.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/groups/grouped_posterior.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

struct GroupOptions {
  FitOptions fit;    // of all records together, first
  int draws = 2000;  // of the posterior
};

struct GroupFit {
  FitSummary common;                       // all records, one policy
  double spread = 0.0;                     // τ of the highest evidence
  ScaleProfile profile;                    // the evidence along τ
  double log_evidence_of_one = 0.0;        // of τ = 0
  std::vector<Policy> policies;            // [group], at the mode
  std::vector<std::vector<Policy>> draws;  // [draw][group], τ uncertain too
  bool proper = true;                      // every expansion was one around a maximum

  // log of the evidence with τ averaged over its prior, over that of one policy for all.
  double log_bayes_factor() const;
};

// Trees: one for each group, at least two. Throws Error(kInterrupted) if asked to stop.
GroupFit fit_groups(const HistoryTree& all, const std::vector<HistoryTree>& groups,
                    const DecisionProblem& problem, const GroupOptions& options, Sink& sink);

}  // namespace interpole::learn
