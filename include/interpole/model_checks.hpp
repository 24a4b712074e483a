// Does a fitted model reproduce what it was not fitted to? Decisions are compared with those that the model's
// policy would take along the recorded histories; a check that fails names what shakes every finding made
// with the model (docs/mathematics/model-checks.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/fit.hpp"

namespace interpole {

struct ModelCheckOptions {
  // Of all checks together, if the model is right: by the normal approximation, whose tails are too light
  // (measured rates: docs/mathematics/model-checks.md).
  double false_alarms = 0.005;
  double level = 0.95;  // of intervals
  int threads = 0;      // 0: all cores. Changes how fast, never what
  // Of the tree's classes of records, in their order; empty: those of the model's policy.
  std::vector<PolicyCovariate> covariates{};
  // Whether an unrecorded sign is weighed, which takes longer than all other checks together.
  bool hidden_information = true;
  bool unless_another_fails = false;  // … but not where another check fails anyway
  void validate() const;              // throws a usage error
};

// For a verdict on agent and world: an unrecorded sign is weighed only where it could explain a difference
// that would be spoken of without it.
ModelCheckOptions checks_for_verdict(const FitResult& fit);

// One number beside what the model expects of it, with the interval in which it should be.
struct CheckedNumber {
  std::string words;  // "at step 3, \"test\" is chosen"
  double observed = 0.0;
  double expected = 0.0;
  double low = 0.0;
  double high = 0.0;
};

struct ModelCheck {
  std::string name;      // "steps"
  std::string question;  // "how often each action is chosen at each step"
  std::string meaning;   // what a failure may come from: "decisions may follow a schedule"
  CheckedNumber most;    // the number that differs most, for its standard error
  // What numbers are: shares of decisions, the change of such a share from the first record to the last, or
  // correlations with earlier surprises.
  enum class Unit { kShare, kChange, kCorrelation };
  Unit unit = Unit::kShare;
  std::vector<CheckedNumber> numbers;
  double statistic = 0.0;  // χ² of all numbers together (of hidden information: log evidence ratio) …
  int degrees = 0;         // … and its degrees of freedom
  double p_value = 1.0;    // of this check by itself
  bool failed = false;     // … after all checks are counted
  std::string sentence;
};

// How well a sign of the patient's state that those who decide see and the table does not hold would explain
// the decisions, by how often the sign is right (docs/mathematics/hidden-information.md).
struct SignProfile {
  struct Point {
    double right = 0.0;      // probability that the sign points at the patient's state
    double log_ratio = 0.0;  // log evidence of one set of dynamics with the sign over the best without one
  };
  // The first sign says nothing (1/S), the last is right in 95 of 100 cases, unless the evidence fell so far
  // before that stronger ones were not asked about.
  std::vector<Point> points;
  std::string not_weighed;  // why there are none

  // Of the highest evidence.
  Point best() const;
  // The least informative sign whose log ratio is at least `enough`, between points by a straight line; none:
  // no such sign.
  std::optional<double> least_right(double enough) const;
  // log of the evidence ratio averaged over all strengths of a sign. If there is no sign, a ratio above 1/p
  // has a chance below p.
  double log_mean_ratio() const;
};

struct ModelChecks {
  std::vector<ModelCheck> checks;
  std::vector<std::string> not_checked;  // in sentences: what could not be checked, and why
  std::optional<SignProfile> sign;       // where hidden information was checked
  // How much misfit the checks prove, as a noncentrality of χ² (docs/mathematics/misfit.md); 0: none. In nine
  // of ten right models it is 0.
  double misfit = 0.0;

  // By what log odds are multiplied that were computed as if the model were right.
  double tempering() const { return 1.0 / (1.0 + misfit); }

  std::vector<const ModelCheck*> failed() const;
};

// That restarts found another explanation nearly as good which says something else, in words; empty: none
// did.
std::string disagreement_of(const FitQuality& quality);

// Along the histories of these records. Throws an input error if the model calls an outcome impossible, or if
// the tree was read with other actions.
ModelChecks check_model(const FitResult& fit, const HistoryTree& tree, const ModelCheckOptions& options = {});
ModelChecks check_model(const FitResult& fit, std::span<const Record> records,
                        const ModelCheckOptions& options = {});

// The fit with draws, and so intervals, as much wider as the misfit that the checks prove asks for
// (docs/mathematics/misfit.md); `interpole fit` leaves it so in the model file.
FitResult widened_by_misfit(FitResult fit, const ModelChecks& checks);

}  // namespace interpole
