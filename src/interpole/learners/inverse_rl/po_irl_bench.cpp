// The paper's chain of PO-IRL and of Off. PO-IRL (1,000 samples) on DIAG and BIAS, on one core.

#include <benchmark/benchmark.h>

#include "interpole/environments/models_testing.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/inverse_rl/off_po_irl.hpp"
#include "interpole/learners/inverse_rl/po_irl.hpp"

namespace interpole::learners {
namespace {

void papers_chain(benchmark::State& state, const Learner& learner, const Environment& environment) {
  const HistoryTree tree = environments::simulated_tree(environment, static_cast<int>(state.range(0)), 1);
  const LearnerOptions options{.seed = 1, .threads = 1, .set = {{"paper-chain", 1}, {"restarts", 1}}};
  for (auto _ : state) {
    benchmark::DoNotOptimize(learner.fit(tree, testing::bias_study(), options, quiet_sink()));
  }
}
BENCHMARK_CAPTURE(papers_chain, po_irl_diag, po_irl_learner(), diag())->Arg(100)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(papers_chain, off_po_irl_diag, off_po_irl_learner(), diag())
    ->Arg(100)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(papers_chain, off_po_irl_bias, off_po_irl_learner(), bias())
    ->Arg(1000)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace interpole::learners
