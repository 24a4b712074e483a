// A fitted policy read as a guideline (the paper's C.4): from the first belief on, what is done, which
// results lead where, and, where a decision hangs on one probability, the threshold that was learned.
//
// A step of the guideline stands for all histories that lead to the same most likely action by the same
// branches. Shares are chances in the agent's mind, if the most likely action is always taken. Of a policy
// with terms: in the context that the steps make (last action, step), of a record whose covariates are not
// known, and without what is done whatever is believed (inertia, lapses).
#pragma once

#include <optional>
#include <vector>

#include "interpole/estimate.hpp"
#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::explain {

struct GuidelineOptions {
  int deepest = 4;             // steps below the first
  int most_ends = 10;          // fewer steps are shown until the tree has no more ends than this
  double least_share = 0.005;  // of all patients: rarer branches are left out
  double level = 0.9;          // of intervals
  void validate() const;       // throws a usage error
};

struct GuidelineBranch {
  struct Result {
    int observation = 0;
    double share = 0.0;     // of the step's patients who see this result: so many take this branch
    double belief = 0.0;    // after it, in the question's state; 0 without a question
    Estimate belief_range;  // the same over draws
  };
  std::vector<Result> results;  // that lead here more often than anywhere else; if none, the commonest here
  double share = 0.0;           // of the step's patients
  int next = 0;                 // the step it leads to
};

// Whether the belief in `state` (the rest of it being in `other`) is above a threshold.
struct GuidelineQuestion {
  int state = 0;
  int other = 0;
  double threshold = 0.0;
  std::optional<Estimate> range;  // over draws
};

struct GuidelineStep {
  int action = 0;
  int depth = 0;
  double share = 0.0;    // of all patients
  bool goes_on = false;  // further steps are left out
  std::optional<GuidelineQuestion> question;
  std::vector<GuidelineBranch> branches;  // none after a terminal action; with a question: below, above
  double left_out = 0.0;                  // share of the step's patients in branches too rare to show
};

struct Guideline {
  std::vector<GuidelineStep> steps;  // the first is 0; every other one follows the step that leads to it
};

Guideline guideline_of(const Structure& structure, const Parameters& agent,
                       const std::vector<AgentWorld>& draws, const GuidelineOptions& options);

}  // namespace interpole::explain
