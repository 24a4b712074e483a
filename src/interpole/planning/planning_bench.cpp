// Time of one plan: DIAG at the horizon the paper's baselines use, a problem of ADNI's size, the tiger,
// random problems of four states.

#include <benchmark/benchmark.h>

#include <chrono>

#include "interpole/planning/bounds/point_based.hpp"
#include "interpole/planning/exact/exact.hpp"
#include "interpole/planning/fixed_points/fixed_points_testing.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
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

// Both in turn, so that whatever else the machine does slows them alike; their ratio is a counter.
template <class Fast, class Plain>
void against_plain(benchmark::State& state, const Fast& fast, const Plain& plain) {
  const auto seconds = [](const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(work());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double fast_sum = 0.0;
  double plain_sum = 0.0;
  for (auto _ : state) {
    const double time = seconds(fast);
    state.SetIterationTime(time);
    fast_sum += time;
    plain_sum += seconds(plain);
  }
  state.counters["plain_takes_times"] = plain_sum / fast_sum;
}

// As many states, actions and possible outcomes as the ADNI study has, and the horizon of the baselines.
std::shared_ptr<const Pomdp> adni_sized() {
  return testing::shared(testing::random_pomdp(7, 3, 2, 6, 0.9));
}

void adni_sized_plan_at_64_points(benchmark::State& state) {
  const BeliefTable points = belief_grid({}, 3, 64);
  against_plain(
      state, [&, problem = adni_sized()] { return solve_at_points(problem, 25, points); },
      [&, problem = adni_sized()] { return testing::plain_plan(problem, 25, points); });
}
BENCHMARK(adni_sized_plan_at_64_points)->UseManualTime()->Iterations(200)->Unit(benchmark::kMicrosecond);

void adni_sized_q_at_1000_beliefs(benchmark::State& state) {
  const ValueFunction value = solve_at_points(adni_sized(), 25, belief_grid({}, 3, 64));
  const auto beliefs = testing::some_beliefs(3, 1000);
  std::vector<double> flat;
  for (const auto& belief : beliefs) flat.insert(flat.end(), belief.begin(), belief.end());
  const BeliefTable table = BeliefTable::of(flat, 3);
  against_plain(
      state, [&] { return q_table(value.pomdp(), value.next(), table); },
      [&] {
        double sum = 0.0;
        for (const auto& belief : beliefs) sum += value.q(belief).front();
        return sum;
      });
}
BENCHMARK(adni_sized_q_at_1000_beliefs)->UseManualTime()->Iterations(200)->Unit(benchmark::kMicrosecond);

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
}  // namespace interpole::planning
