#include "interpole/evaluate/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/parallel.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/error.hpp"
#include "interpole/estimate.hpp"
#include "interpole/evaluate/resampling.hpp"

namespace interpole::evaluate {
namespace {

constexpr const char* kStoppedIntervals = "stopped before the intervals of the scores were known";

struct Replicate {
  ActionMatching matching;
  Mismatch mismatch;
};

// The interval of one score over all replicates.
template <class Score>
std::optional<Interval> interval_of(const std::vector<Replicate>& replicates, double level,
                                    const Score& score) {
  std::vector<double> values;
  for (const Replicate& replicate : replicates) {
    if (const std::optional<double> value = score(replicate)) values.push_back(*value);
  }
  if (values.empty() || 2 * values.size() < replicates.size()) return std::nullopt;
  const Estimate estimate = estimate_of(std::move(values), level);
  return Interval{estimate.low, estimate.high};
}

std::vector<Replicate> draw_replicates(const HistoryTree& tree, const MatchingScorer& scorer,
                                       const NodeDivergences* divergences, const BootstrapOptions& options,
                                       const Sink& sink) {
  const PatientResampler resampler(tree);
  std::vector<Replicate> replicates(options.replicates);
  // A task per thread and not per replicate: each needs a copy of the tree.
  const int tasks = std::min(base::resolve_threads(options.threads), options.replicates);
  base::parallel_tasks(tasks, options.threads, [&](int task) {
    HistoryTree counts = tree;
    for (int i = task; i < options.replicates; i += tasks) {
      base::stop_if_asked(sink, kStoppedIntervals);
      base::RandomStream random(options.seed, i, base::RandomPurpose::kBootstrap);
      resampler.draw(random, counts);
      replicates[i].matching = scorer.score(counts);
      if (divergences != nullptr) replicates[i].mismatch = mismatch(counts, *divergences);
    }
  });
  return replicates;
}

// Resampling adds noise to every bin, so a replicate's calibration error is above the data's: the interval is
// drawn out to hold the error itself.
std::optional<Interval> drawn_out(std::optional<Interval> interval, const std::optional<double>& estimate) {
  if (!interval || !estimate) return interval;
  return Interval{std::min(interval->low, *estimate), std::max(interval->high, *estimate)};
}

ScoreIntervals of_action(const std::vector<Replicate>& replicates, double level, std::size_t action) {
  const auto of = [&](std::optional<double> ActionScores::*score) {
    return interval_of(replicates, level,
                       [&](const Replicate& r) { return r.matching.actions[action].*score; });
  };
  return {{},
          of(&ActionScores::brier),
          of(&ActionScores::auroc),
          of(&ActionScores::auprc),
          of(&ActionScores::calibration_error)};
}

ScoreIntervals of_all(const std::vector<Replicate>& replicates, double level) {
  const auto of = [&](std::optional<double> ActionMatching::*score) {
    return interval_of(replicates, level, [&](const Replicate& r) { return r.matching.*score; });
  };
  return {of(&ActionMatching::log_loss), of(&ActionMatching::brier), of(&ActionMatching::auroc),
          of(&ActionMatching::auprc), of(&ActionMatching::calibration_error)};
}

// Of a mean over simulated patients, who can be drawn one by one.
std::optional<Interval> of_mean(const std::vector<int>& values, const BootstrapOptions& options,
                                const Sink& sink) {
  if (values.empty()) return std::nullopt;
  std::vector<double> means;
  for (int i = 0; i < options.replicates; ++i) {
    base::stop_if_asked(sink, kStoppedIntervals);
    base::RandomStream random(options.seed, i, base::RandomPurpose::kBootstrapStopping);
    double sum = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      sum += values[static_cast<std::size_t>(random.uniform() * static_cast<double>(values.size()))];
    }
    means.push_back(sum / static_cast<double>(values.size()));
  }
  const Estimate estimate = estimate_of(std::move(means), options.level);
  return Interval{estimate.low, estimate.high};
}

}  // namespace

void BootstrapOptions::validate() const {
  if (replicates < 0 || replicates > 1'000'000) {
    throw usage_error(fmt::format(
        "option bootstrap: {} is not between 0 and 1000000; 200 is enough for most purposes", replicates));
  }
  if (!(level > 0.0 && level < 1.0))
    throw usage_error(fmt::format("level: {} is not between 0 and 1", level));
}

EvaluationIntervals bootstrap_intervals(const HistoryTree& tree, const MatchingScorer& scorer,
                                        const NodeDivergences* divergences, const StoppingTimeError* stopping,
                                        const BootstrapOptions& options, const Sink& sink) {
  options.validate();
  EvaluationIntervals result{options.replicates, options.level, {}, {}, {}, {}, {}, {}};
  if (options.replicates == 0) return result;
  const std::vector<Replicate> replicates = draw_replicates(tree, scorer, divergences, options, sink);
  const ActionMatching data = scorer.score(tree);
  result.all = of_all(replicates, options.level);
  result.all.calibration_error = drawn_out(result.all.calibration_error, data.calibration_error);
  for (std::size_t a = 0; a < data.actions.size(); ++a) {
    result.actions.push_back(of_action(replicates, options.level, a));
    result.actions[a].calibration_error =
        drawn_out(result.actions[a].calibration_error, data.actions[a].calibration_error);
  }
  if (divergences != nullptr) {
    result.belief_mismatch =
        interval_of(replicates, options.level, [](const Replicate& r) { return r.mismatch.belief; });
    result.policy_mismatch =
        interval_of(replicates, options.level, [](const Replicate& r) { return r.mismatch.policy; });
  }
  if (stopping != nullptr) {
    result.stopping_time_independent = of_mean(stopping->independent_of_each, options, sink);
    result.stopping_time_common = of_mean(stopping->common_of_each, options, sink);
  }
  return result;
}

}  // namespace interpole::evaluate
