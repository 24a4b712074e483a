// How sure scores are: percentile intervals by a bootstrap over patients.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpole/evaluate/scores/action_matching.hpp"
#include "interpole/evaluate/scores/mismatch.hpp"
#include "interpole/evaluate/scores/stopping_time.hpp"
#include "interpole/sink.hpp"

namespace interpole::evaluate {

struct BootstrapOptions {
  int replicates = 0;  // 0: no intervals
  double level = 0.95;
  std::uint64_t seed = 1;
  int threads = 0;
  void validate() const;  // throws a usage error
};

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

// nullopt where the score is not defined in at least half of the replicates.
struct ScoreIntervals {
  std::optional<Interval> log_loss, brier, auroc, auprc, calibration_error;
};

struct EvaluationIntervals {
  int replicates = 0;
  double level = 0.0;
  ScoreIntervals all;
  std::vector<ScoreIntervals> actions;  // each action's own; log_loss is not set
  std::optional<Interval> belief_mismatch, policy_mismatch;
  // Over simulated patients.
  std::optional<Interval> stopping_time_independent, stopping_time_common;
};

// `divergences` and `stopping` may be null. O(replicates · nodes · A). Replicate i draws from a stream of its
// own, so the result does not depend on the threads. Throws an error of kind kInterrupted if the sink asks
// for a stop.
EvaluationIntervals bootstrap_intervals(const HistoryTree& tree, const MatchingScorer& scorer,
                                        const NodeDivergences* divergences, const StoppingTimeError* stopping,
                                        const BootstrapOptions& options, const Sink& sink = quiet_sink());

}  // namespace interpole::evaluate
