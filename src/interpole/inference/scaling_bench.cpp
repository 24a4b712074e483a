// How the time of one gradient grows (paper, Proposition 2: O(n τ² S² max{S, AZ}) for n records of length τ).
// Records of equal length from a random model, as a flat list (every record has its own path, the
// proposition's case) and as a tree (shared histories are computed once). scripts/bench_scaling.py fits the
// exponents.

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <tuple>

#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/oracle_testing.hpp"

namespace interpole::inference {
namespace {

enum class Shape { kFlat, kTree };

struct ScalingProblem {
  Structure structure;
  Parameters parameters;
  HistoryTree tree;
};

// No terminal action and mild preferences: every record has its full length.
const ScalingProblem& problem_of(int records, int length, Shape shape) {
  static std::map<std::tuple<int, int, Shape>, std::unique_ptr<ScalingProblem>> problems;
  auto& problem = problems[{records, length, shape}];
  if (problem) return *problem;
  base::RandomStream random(5);
  problem = std::make_unique<ScalingProblem>();
  problem->structure = Structure::unrestricted(testing::numbered("s", 3), testing::numbered("a", 2),
                                               testing::numbered("z", 2));
  problem->parameters = testing::random_parameters(problem->structure, random);
  HistoryTreeBuilder builder(2, shape == Shape::kTree);
  for (int i = 0; i < records; ++i) {
    base::RandomStream outcomes(6, i);
    std::vector<Step> steps(length);
    for (Step& step : steps) {
      step = {static_cast<int>(2.0 * outcomes.uniform()), static_cast<int>(2.0 * outcomes.uniform())};
    }
    builder.add(steps);
  }
  problem->tree = builder.build();
  return *problem;
}

void gradient(benchmark::State& state, Shape shape, int records, int length) {
  const ScalingProblem& problem = problem_of(records, length, shape);
  const Likelihood likelihood(problem.tree, problem.structure, Kernel::kVector, 1);
  auto workspace = likelihood.make_workspace();
  auto derivative = Parameters::filled(problem.structure, 0.0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(likelihood.evaluate(problem.parameters, {}, &derivative, workspace));
  }
  state.counters["nodes"] = problem.tree.node_count();
  state.counters["records"] = records;
  state.counters["length"] = length;
}

void over_length(benchmark::State& state, Shape shape) {
  gradient(state, shape, 1000, static_cast<int>(state.range(0)));
}
void over_records(benchmark::State& state, Shape shape) {
  gradient(state, shape, static_cast<int>(state.range(0)), 20);
}

BENCHMARK_CAPTURE(over_length, flat, Shape::kFlat)->RangeMultiplier(2)->Range(5, 160);
BENCHMARK_CAPTURE(over_length, tree, Shape::kTree)->RangeMultiplier(2)->Range(5, 160);
BENCHMARK_CAPTURE(over_records, flat, Shape::kFlat)->RangeMultiplier(4)->Range(64, 16'384);
BENCHMARK_CAPTURE(over_records, tree, Shape::kTree)->RangeMultiplier(4)->Range(64, 16'384);

}  // namespace
}  // namespace interpole::inference
