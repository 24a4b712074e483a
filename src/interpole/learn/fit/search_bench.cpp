// Searches on 100 random models of which everything is to be learned: how many converge, after how many
// evaluations, and how far below the best end known. Times beside each other in one run.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "interpole/learn/fit/start.hpp"
#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learn {
namespace {

constexpr int kModels = 100;
constexpr int kStarts = 3;
constexpr double kScale = 0.3;

// Two to four states, two or three actions, two to four outcomes; up to ten steps.
struct Case {
  Study study;
  HistoryTree tree;

  explicit Case(int index) {
    base::RandomStream random(11, index, base::RandomPurpose::kRestart);
    const auto between = [&](int low, int high) {
      return low + static_cast<int>(random.uniform() * (high - low + 1));
    };
    const int states = between(2, 4);
    const int actions = between(2, 3);
    const int outcomes = between(2, 4);
    study = testing::open_study(states, actions, outcomes);
    const Parameters truth = testing::random_parameters(study.structure, random);
    tree = build_history_tree(
        actions, testing::random_records(study.structure, truth, between(500, 1000), 10, index, 0.0));
  }
};

const std::vector<std::unique_ptr<Case>>& cases() {
  static const auto all = [] {
    std::vector<std::unique_ptr<Case>> result;
    result.reserve(kModels);
    for (int i = 0; i < kModels; ++i) result.push_back(std::make_unique<Case>(i));
    return result;
  }();
  return all;
}

struct Tally {
  int searches = 0, converged = 0, models_converged = 0;
  double evaluations = 0.0, largest_gradient = 0.0;

  void add_model(const std::vector<optimize::OptimizeSummary>& ends) {
    const auto best = std::ranges::max_element(ends, {}, &optimize::OptimizeSummary::value);
    models_converged += best->converged ? 1 : 0;
    for (const auto& end : ends) {
      ++searches;
      converged += end.converged ? 1 : 0;
      evaluations += end.evaluations;
      if (end.converged) largest_gradient = std::max(largest_gradient, end.gradient_norm);
    }
  }
};

template <class Maximise>
void climb_all(benchmark::State& state, const Maximise& maximise) {
  const auto dynamics = static_cast<DynamicsMode>(state.range(0));
  Tally tally;
  double sum = 0.0;
  for (auto _ : state) {
    for (const auto& one : cases()) {
      const inference::Likelihood likelihood(one->tree, one->study.structure, inference::Kernel::kVector, 1);
      const auto posterior = make_posterior(
          likelihood, one->study, {dynamics, Measure::kNatural, {CouplingScales::all(kScale), false}});
      std::vector<optimize::OptimizeSummary> ends;
      for (int i = 0; i < kStarts; ++i) {
        base::RandomStream random(1, i, base::RandomPurpose::kRestart);
        std::vector<double> y(posterior->size());
        posterior->coordinates({draw_start(one->study, StudySpace(one->study), random), {}}, y);
        ends.push_back(maximise(*posterior, y, optimize::LbfgsOptions{}));
      }
      tally.add_model(ends);
      sum += std::ranges::max(ends, {}, &optimize::OptimizeSummary::value).value;
    }
  }
  state.counters["converged_percent"] = 100.0 * tally.converged / tally.searches;
  state.counters["best_converged_percent"] = 100.0 * tally.models_converged * kStarts / tally.searches;
  state.counters["evaluations"] = tally.evaluations / tally.searches;
  state.counters["largest_gradient"] = tally.largest_gradient;
  state.counters["sum_of_best"] = sum;
}

void lbfgs_alone(benchmark::State& state) {
  climb_all(state, [](auto& posterior, std::vector<double>& y, const optimize::LbfgsOptions& options) {
    return optimize::maximise_lbfgs(posterior, y, options);
  });
}

void search(benchmark::State& state) {
  climb_all(state, [](auto& posterior, std::vector<double>& y, const optimize::LbfgsOptions& options) {
    return optimize::maximise(posterior, y, options);
  });
}

void each_mode(benchmark::internal::Benchmark* bench) {
  bench->ArgName("dynamics")->Unit(benchmark::kSecond)->Iterations(1);
  for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kCoupled, DynamicsMode::kSubjective}) {
    bench->Arg(static_cast<int>(mode));
  }
}
BENCHMARK(lbfgs_alone)->Apply(each_mode);
BENCHMARK(search)->Apply(each_mode);

}  // namespace
}  // namespace interpole::learn
