#include "interpole/evaluate/paired.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/base/parallel.hpp"
#include "interpole/estimate.hpp"
#include "interpole/evaluate/resampling.hpp"
#include "interpole/evaluate/scores/action_matching.hpp"
#include "interpole/evaluate/scores/student_t.hpp"

namespace interpole::evaluate {
namespace {

struct PairScores {
  std::optional<double> log_loss, auroc;
};
using ScoresOfAll = std::vector<std::vector<PairScores>>;  // [learner][fold]

std::optional<double> less(const std::optional<double>& x, const std::optional<double>& y) {
  if (!x || !y) return std::nullopt;
  return *x - *y;
}

// Over the folds in which both have the score.
std::optional<double> mean_difference(const std::vector<PairScores>& scores,
                                      const std::vector<PairScores>& reference,
                                      std::optional<double> PairScores::*score) {
  double sum = 0.0;
  int folds = 0;
  for (std::size_t fold = 0; fold < scores.size(); ++fold) {
    if (const auto difference = less(scores[fold].*score, reference[fold].*score)) {
      sum += *difference;
      ++folds;
    }
  }
  if (folds == 0) return std::nullopt;
  return sum / folds;
}

std::optional<Interval> interval_over(const std::vector<std::optional<double>>& folds,
                                      const std::optional<double>& mean) {
  int count = 0;
  double squares = 0.0;
  for (const auto& difference : folds) {
    if (!difference) continue;
    ++count;
    squares += (*difference - *mean) * (*difference - *mean);
  }
  if (count < 2) return std::nullopt;
  const double reach = reach_of_mean(std::sqrt(squares / (count - 1.0) / count), count);
  return Interval{*mean - reach, *mean + reach};
}

class PairedScorer {
 public:
  PairedScorer(std::span<const HistoryTree> tests, const Structure& structure,
               const std::vector<FoldPolicies>& learners)
      : tests_(tests) {
    for (std::size_t fold = 0; fold < tests.size(); ++fold) {
      resamplers_.emplace_back(tests[fold]);
      scorers_.emplace_back();
      for (const FoldPolicies& learner : learners) {
        scorers_.back().emplace_back(tests[fold], structure, learner.policies[fold]);
      }
    }
  }

  ScoresOfAll score_data() const {
    ScoresOfAll result(scorers_.front().size());
    for (std::size_t fold = 0; fold < tests_.size(); ++fold) add_fold(fold, tests_[fold], result);
    return result;
  }

  // `counts` are copies of the test trees, overwritten.
  ScoresOfAll score_replicate(std::uint64_t seed, int replicate, std::vector<HistoryTree>& counts) const {
    ScoresOfAll result(scorers_.front().size());
    for (std::size_t fold = 0; fold < tests_.size(); ++fold) {
      const auto index = static_cast<std::uint64_t>(replicate) * tests_.size() + fold;
      base::RandomStream random(seed, index, base::RandomPurpose::kPairedBootstrap);
      resamplers_[fold].draw(random, counts[fold]);
      add_fold(fold, counts[fold], result);
    }
    return result;
  }

 private:
  void add_fold(std::size_t fold, const HistoryTree& counts, ScoresOfAll& result) const {
    for (std::size_t learner = 0; learner < result.size(); ++learner) {
      const ActionMatching matching = scorers_[fold][learner].score(counts);
      result[learner].push_back({matching.log_loss, matching.auroc});
    }
  }

  std::span<const HistoryTree> tests_;
  std::vector<PatientResampler> resamplers_;          // [fold]
  std::vector<std::vector<MatchingScorer>> scorers_;  // [fold][learner]
};

Difference difference_of(const ScoresOfAll& data, const std::vector<ScoresOfAll>& replicates,
                         std::size_t learner, std::size_t reference, double level,
                         std::optional<double> PairScores::*score) {
  Difference result;
  result.mean = mean_difference(data[learner], data[reference], score);
  for (std::size_t fold = 0; fold < data[learner].size(); ++fold) {
    result.folds.push_back(less(data[learner][fold].*score, data[reference][fold].*score));
  }
  result.over_folds = interval_over(result.folds, result.mean);
  std::vector<double> values;
  for (const ScoresOfAll& replicate : replicates) {
    if (const auto x = mean_difference(replicate[learner], replicate[reference], score)) values.push_back(*x);
  }
  if (values.empty() || 2 * values.size() < replicates.size()) return result;
  const Estimate estimate = estimate_of(std::move(values), level);
  result.interval = Interval{estimate.low, estimate.high};
  return result;
}

}  // namespace

PairedComparison compare_in_pairs(std::span<const HistoryTree> tests, const Structure& structure,
                                  const std::vector<FoldPolicies>& learners, const std::string& reference,
                                  const BootstrapOptions& options) {
  options.validate();
  PairedComparison result{reference, options.replicates, {}};
  const PairedScorer scorer(tests, structure, learners);
  const ScoresOfAll data = scorer.score_data();
  std::vector<ScoresOfAll> replicates(options.replicates);
  const int tasks = std::min(base::resolve_threads(options.threads), options.replicates);
  base::parallel_tasks(tasks, options.threads, [&](int task) {
    std::vector<HistoryTree> counts(tests.begin(), tests.end());
    for (int i = task; i < options.replicates; i += tasks) {
      replicates[i] = scorer.score_replicate(options.seed, i, counts);
    }
  });
  const auto at = std::ranges::find(learners, reference, &FoldPolicies::learner);
  const auto against = static_cast<std::size_t>(at - learners.begin());
  for (std::size_t i = 0; i < learners.size(); ++i) {
    if (i == against) continue;
    result.rows.push_back({learners[i].learner,
                           difference_of(data, replicates, i, against, options.level, &PairScores::log_loss),
                           difference_of(data, replicates, i, against, options.level, &PairScores::auroc)});
  }
  return result;
}

}  // namespace interpole::evaluate
