// ns per node of value + gradient: plain, vector, threads; tree against flat list. `make bench` prints the
// ratios.

#include <benchmark/benchmark.h>

#include <map>
#include <memory>

#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/oracle_testing.hpp"

namespace interpole::inference {
namespace {

enum class Shape { kTree, kFlat };

// BIAS itself (paper C.1): agent's parameters, outcomes from the world's.
struct Problem {
  Structure structure;
  Parameters parameters;
  HistoryTree tree;
};

Structure bias_structure() {
  auto structure =
      Structure::unrestricted({"healthy", "diseased"}, {"monitor", "healthy", "diseased"}, {"-", "+"});
  structure.make_terminal(1);
  structure.make_terminal(2);
  return structure;
}

Parameters bias_parameters() {
  Parameters p;
  p.dynamics.initial = {0.5, 0.5};
  p.dynamics.transition = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
  p.dynamics.observation = {0.6, 0.4, 0.2, 0.8, 0, 0, 0, 0, 0, 0, 0, 0};
  p.policy = {10.0, {0.5, 0.5, 1.3, -0.3, -0.3, 1.3}};
  return p;
}

std::vector<Record> bias_records(int patients) {
  const auto structure = bias_structure();
  const auto p = bias_parameters();
  std::vector<Record> records(patients);
  for (int i = 0; i < patients; ++i) {
    base::RandomStream random(1, i);
    const double positive = random.uniform() < 0.5 ? 0.4 : 0.6;
    std::vector<double> belief = p.dynamics.initial;
    std::vector<double> next(2);
    for (int t = 0; t < 1000; ++t) {
      const int a = random.categorical(action_probabilities(structure, p.policy, belief));
      const int z = a == 0 ? static_cast<int>(random.uniform() < positive) : kMissing;
      records[i].steps.push_back({a, z});
      if (a != 0) break;
      update_belief(structure, p.dynamics, a, z, belief, next);
      belief = next;
    }
  }
  return records;
}

const Problem& bias_problem(int patients, Shape shape) {
  static std::map<std::pair<int, Shape>, std::unique_ptr<Problem>> problems;
  auto& problem = problems[{patients, shape}];
  if (!problem) {
    problem = std::make_unique<Problem>(Problem{bias_structure(), bias_parameters(), {}});
    problem->tree = build_history_tree(3, bias_records(patients), shape == Shape::kTree);
  }
  return *problem;
}

const Problem& random_problem(int states) {
  static std::map<int, std::unique_ptr<Problem>> problems;
  auto& problem = problems[states];
  if (!problem) {
    base::RandomStream random(3, states);
    // No terminal action and mild preferences: records run their length and histories branch.
    auto structure = Structure::unrestricted(testing::numbered("s", states), testing::numbered("a", 3),
                                             testing::numbered("z", 4));
    auto p = testing::random_parameters(structure, random);
    p.policy.inverse_temperature = 1.0;
    for (double& mean : p.policy.means) mean = 0.2 * mean + 0.8 / states;
    const auto records = testing::random_records(structure, p, 6'000, 20, 5, 0.0);
    problem = std::make_unique<Problem>(Problem{structure, p, build_history_tree(3, records)});
  }
  return *problem;
}

void run(benchmark::State& state, const Problem& problem, Kernel kernel, int threads) {
  const Likelihood likelihood(problem.tree, problem.structure, kernel, threads);
  auto workspace = likelihood.make_workspace();
  auto gradient = Parameters::filled(problem.structure, 0.0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(likelihood.evaluate(problem.parameters, {}, &gradient, workspace));
  }
  const double nodes = problem.tree.node_count();
  state.counters["nodes"] = nodes;
  state.counters["steps"] = static_cast<double>(problem.tree.decisions);
  state.counters["ns_per_node"] = benchmark::Counter(
      nodes * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void bias(benchmark::State& state, Shape shape, Kernel kernel, int threads) {
  run(state, bias_problem(static_cast<int>(state.range(0)), shape), kernel, threads);
}

void states(benchmark::State& state, Kernel kernel, int threads) {
  run(state, random_problem(static_cast<int>(state.range(0))), kernel, threads);
}

BENCHMARK_CAPTURE(bias, tree_plain, Shape::kTree, Kernel::kPlain, 1)->Arg(1000)->Arg(100'000);
BENCHMARK_CAPTURE(bias, tree_vector, Shape::kTree, Kernel::kVector, 1)->Arg(1000)->Arg(100'000);
BENCHMARK_CAPTURE(bias, tree_vector_2_threads, Shape::kTree, Kernel::kVector, 2)->Arg(100'000)->UseRealTime();
BENCHMARK_CAPTURE(bias, flat_vector, Shape::kFlat, Kernel::kVector, 1)->Arg(100'000);
BENCHMARK_CAPTURE(states, plain, Kernel::kPlain, 1)->Arg(2)->Arg(3)->Arg(5)->Arg(10);
BENCHMARK_CAPTURE(states, vector, Kernel::kVector, 1)->Arg(2)->Arg(3)->Arg(5)->Arg(10);
BENCHMARK_CAPTURE(states, vector_2_threads, Kernel::kVector, 2)
    ->Arg(2)
    ->Arg(3)
    ->Arg(5)
    ->Arg(10)
    ->UseRealTime();

}  // namespace
}  // namespace interpole::inference
