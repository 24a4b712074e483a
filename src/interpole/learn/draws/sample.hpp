// Draws from the posterior, whole: fit, several chains of the no-U-turn sampler, states named alike, doubts
// said (docs/sampling.md).
//
// Coupled dynamics are sampled with σ integrated out; each draw's σ is then drawn given the rest, so the
// draws are those of the joint posterior.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpole/base/files/checkpoint.hpp"
#include "interpole/learn/draws/sample_quality.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/sampling/nuts/nuts.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

// A dense metric is worth its n² per step and n²/2 numbers to learn up to about here.
inline constexpr int kMostDenseCoordinates = 50;

sampling::MetricKind metric_named(const std::string& name);  // usage error naming the known ones
std::string name_of(sampling::MetricKind metric);

struct SampleOptions {
  DynamicsMode dynamics = DynamicsMode::kCoupled;
  std::optional<CouplingScales> scales;  // of coupled dynamics; nothing: sampled
  int draws = 1000;                      // kept, per chain
  int warm_up = 1000;                    // thrown away, per chain
  int chains = 4;
  std::optional<sampling::MetricKind> metric;  // nothing: dense up to kMostDenseCoordinates
  double target_accept = 0.8;
  int restarts = kUntilFound;             // of the fit that comes first
  PolicyUse policy = PolicyUse::kBelief;  // its terms, chosen there, are drawn too
  std::uint64_t seed = 1;
  int threads = 0;        // 0: all cores. Changes how fast, never what
  void validate() const;  // throws a usage error
};

struct SampleSummary {
  FitSummary fit;
  std::vector<SampledChain> chains;
  std::vector<Field> scale_fields;  // whose σ was sampled
  SampleQuality quality;
  sampling::MetricKind metric = sampling::MetricKind::kDense;
  int coordinates = 0;
  double seconds = 0.0;  // of sampling, without the fit
  bool interrupted = false;

  std::int64_t draw_count() const;
};

// Throws Error(kInterrupted) if asked to stop before there are draws, an input error if there is nothing to
// draw. If the data are impossible, fit.impossible_node is set and there are no chains. A checkpoint is
// written while chains run and when they are stopped.
SampleSummary sample(const HistoryTree& tree, const DecisionProblem& problem, const SampleOptions& options,
                     Sink& sink, base::Checkpoint* checkpoint = nullptr);

// Every column of a draw after chain and iteration: log_posterior, divergent, the explanation, scales.
std::vector<std::string> draw_columns(const Structure& structure, const SampleSummary& summary);
std::vector<double> draw_values(const SampleSummary& summary, const SampledDraw& draw);

// "initial_belief", "transition", "observation".
std::string scale_name(Field field);

}  // namespace interpole::learn
