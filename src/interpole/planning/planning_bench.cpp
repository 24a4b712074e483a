// Time of one plan: DIAG at the horizon the paper's baselines use, the tiger, random problems of four states.

#include <benchmark/benchmark.h>

#include "interpole/planning/exact.hpp"
#include "interpole/planning/point_based.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole {
namespace {

void counters(benchmark::State& state, const ExactSummary& summary) {
  state.counters["vectors"] = static_cast<double>(summary.value.vectors().size());
  state.counters["stages"] = summary.stages;
  state.counters["programs"] = static_cast<double>(summary.programs);
}

void run_exact(benchmark::State& state, const Pomdp& problem, const ExactOptions& options) {
  const auto pomdp = testing::shared(problem);
  for (auto _ : state) benchmark::DoNotOptimize(solve_exact(pomdp, options));
  counters(state, solve_exact(pomdp, options));
}

void diag_horizon(benchmark::State& state) {
  ExactOptions options;
  options.horizon = static_cast<int>(state.range(0));
  run_exact(state, testing::diag_problem(), options);
}
BENCHMARK(diag_horizon)->Arg(25)->Arg(100);

// As an end state: three states, by linear programs.
void diag_end_state_horizon(benchmark::State& state) {
  ExactOptions options;
  options.horizon = static_cast<int>(state.range(0));
  run_exact(state, with_end_state(testing::diag_problem()), options);
}
BENCHMARK(diag_end_state_horizon)->Arg(10)->Unit(benchmark::kMillisecond);

// q of every action at 1,000 beliefs: what one step of inverse reinforcement learning asks for.
void diag_q_at_1000_beliefs(benchmark::State& state) {
  ExactOptions options;
  options.horizon = 25;
  const auto summary = solve_exact(testing::shared(testing::diag_problem()), options);
  const auto beliefs = testing::some_beliefs(2, 1000);
  for (auto _ : state) {
    for (const auto& belief : beliefs) benchmark::DoNotOptimize(summary.value.q(belief));
  }
}
BENCHMARK(diag_q_at_1000_beliefs);

void tiger_endless(benchmark::State& state) {
  run_exact(state, testing::tiger(static_cast<double>(state.range(0)) / 100), {});
}
BENCHMARK(tiger_endless)->Arg(75)->Arg(95);

void tiger_endless_warm(benchmark::State& state) {
  Pomdp changed = testing::tiger(0.95);
  ExactOptions options;
  options.start = solve_exact(testing::shared(changed), {}).value.vectors();
  changed.reward[0] -= 0.001;
  run_exact(state, changed, options);
}
BENCHMARK(tiger_endless_warm);

void random_4_states_exact(benchmark::State& state) {
  ExactOptions options;
  options.epsilon = 1e-3;
  run_exact(state, testing::random_pomdp(1002, 4, 2, 2, 0.72), options);
}
BENCHMARK(random_4_states_exact)->Unit(benchmark::kMillisecond);

void random_4_states_point_based(benchmark::State& state) {
  const auto pomdp = testing::shared(testing::random_pomdp(1002, 4, 2, 2, 0.72));
  PointBasedOptions options;
  options.epsilon = 1e-3;
  for (auto _ : state) benchmark::DoNotOptimize(solve_point_based(pomdp, options));
  const auto summary = solve_point_based(pomdp, options);
  state.counters["gap"] = summary.upper - summary.lower;
  state.counters["trials"] = summary.trials;
}
BENCHMARK(random_4_states_point_based)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace interpole
