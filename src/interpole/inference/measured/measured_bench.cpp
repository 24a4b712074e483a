// ns per node of value + gradient with two measured factors, three states: every value distinct, or rounded
// to one decimal. Beside the vector kernel's states/vector/3 of likelihood_bench.cpp it says what measuring
// costs.

#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>

#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/model/measured/draw_outcome.hpp"

namespace interpole::inference {
namespace {

struct MeasuredProblem {
  Structure structure;
  Parameters parameters;
  HistoryTree tree;
};

// `digits`: decimals of the values; −1: all of them.
const MeasuredProblem& measured_problem(int digits) {
  static std::map<int, std::unique_ptr<MeasuredProblem>> problems;
  auto& problem = problems[digits];
  if (problem) return *problem;
  const std::size_t S = 3;
  const Structure structure =
      Structure::of_factors(testing::numbered("s", S), testing::numbered("a", 3),
                            {{"pressure", Family::kNormal}, {"lactate", Family::kLogNormal}});
  base::RandomStream random(3);
  Structure listed = Structure::unrestricted(structure.states, structure.actions, {"z"});
  Parameters p = testing::random_parameters(listed, random);
  p.policy.inverse_temperature = 1.0;
  for (double& mean : p.policy.means) mean = 0.2 * mean + 0.8 / S;
  p.dynamics.observation.clear();
  for (std::size_t row = 0; row < 3 * S; ++row) {
    const double severity = static_cast<double>(row % S);
    for (const double x : {75.0 - 8.0 * severity, 9.0, 1.2 + severity, 0.4})
      p.dynamics.observation.push_back(x);
  }
  std::vector<Record> records(6000);
  for (std::size_t i = 0; i < records.size(); ++i) {
    base::RandomStream patient(5, i);
    int state = patient.categorical(p.dynamics.initial);
    for (int t = 0; t < 10; ++t) {
      const int a = static_cast<int>(3.0 * patient.uniform());
      state = patient.categorical({&p.dynamics.transition[(a * S + static_cast<std::size_t>(state)) * S], S});
      auto values = model::draw_outcome(structure, p.dynamics, a, state, patient);
      const double unit = std::pow(10.0, digits);
      for (double& x : values) x = digits < 0 ? x : std::max(1.0, std::round(x * unit)) / unit;
      records[i].steps.push_back({a, structure.outcomes.table->place_of(values)});
    }
  }
  problem = std::make_unique<MeasuredProblem>(MeasuredProblem{structure, p, build_history_tree(3, records)});
  return *problem;
}

void measured(benchmark::State& state, Kernel kernel, int threads) {
  const MeasuredProblem& problem = measured_problem(static_cast<int>(state.range(0)));
  const Likelihood likelihood(problem.tree, problem.structure, kernel, threads);
  auto workspace = likelihood.make_workspace();
  auto gradient = Parameters::filled(problem.structure, 0.0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(likelihood.evaluate(problem.parameters, {}, &gradient, workspace));
  }
  const double nodes = problem.tree.node_count();
  state.counters["nodes"] = nodes;
  state.counters["ns_per_node"] = benchmark::Counter(
      nodes * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(measured, plain, Kernel::kPlain, 1)->Arg(-1)->Arg(1);
BENCHMARK_CAPTURE(measured, vector, Kernel::kVector, 1)->Arg(-1)->Arg(1);
BENCHMARK_CAPTURE(measured, vector_2_threads, Kernel::kVector, 2)->Arg(-1)->Arg(1)->UseRealTime();

}  // namespace
}  // namespace interpole::inference
