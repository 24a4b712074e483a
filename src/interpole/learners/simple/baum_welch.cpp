#include "interpole/learners/simple/baum_welch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "interpole/base/parallel.hpp"
#include "interpole/error.hpp"
#include "interpole/inference/hidden_paths/smoothing.hpp"
#include "interpole/learn/fit/start.hpp"

namespace interpole::learners {
namespace {

// α_i − 1 + pseudo-count: what the prior adds to a count.
double prior_count(const Priors& priors, const model::ParameterBlock& block, int entry, double pseudo_count) {
  return model::field_of(priors.concentration, block.field)[entry] - 1.0 + pseudo_count;
}

double log_prior_of(const model::DynamicsSpace& space, const Priors& priors, const Dynamics& at,
                    double pseudo_count) {
  double sum = 0.0;
  for (const model::ParameterBlock& block : space.blocks()) {
    for (const int i : block.entries) {
      const double weight = prior_count(priors, block, i, pseudo_count);
      if (weight != 0.0) sum += weight * std::log(model::field_of(at, block.field)[i] / block.mass);
    }
  }
  return sum;
}

void maximise_rows(const model::DynamicsSpace& space, const Priors& priors, const Dynamics& expected,
                   double pseudo_count, Dynamics& dynamics) {
  for (const model::ParameterBlock& block : space.blocks()) {
    const auto count = [&](int i) {
      return std::max(
          0.0, model::field_of(expected, block.field)[i] + prior_count(priors, block, i, pseudo_count));
    };
    double total = 0.0;
    for (const int i : block.entries) total += count(i);
    if (!(total > 0.0)) continue;  // nothing is known of this row: any value is as good
    for (const int i : block.entries)
      model::field_of(dynamics, block.field)[i] = block.mass * (count(i) / total);
  }
}

const BaumWelchRun* best_of(const std::vector<BaumWelchRun>& runs) {
  const BaumWelchRun* best = nullptr;
  for (const BaumWelchRun& run : runs) {
    if (run.values.empty() || !std::isfinite(run.values.back())) continue;
    if (best == nullptr || run.values.back() > best->values.back()) best = &run;
  }
  return best;
}

}  // namespace

void BaumWelchOptions::validate() const {
  if (restarts < 1) throw usage_error(fmt::format("restarts: {} is below 1", restarts));
  if (most_iterations < 1) throw usage_error(fmt::format("most-iterations: {} is below 1", most_iterations));
  if (!(tolerance >= 0.0)) throw usage_error(fmt::format("tolerance: {} is negative", tolerance));
  if (!(pseudo_count >= 0.0)) throw usage_error(fmt::format("pseudo-count: {} is negative", pseudo_count));
}

BaumWelchRun run_baum_welch(const HistoryTree& tree, const Structure& structure,
                            const model::DynamicsSpace& space, const Priors& priors, const Dynamics& start,
                            const BaumWelchOptions& options, const std::function<bool()>& stop) {
  BaumWelchRun run;
  run.dynamics = start;
  while (true) {
    const inference::SmoothedCounts counts = inference::smooth(tree, structure, run.dynamics);
    if (counts.impossible_node) {
      run.impossible_node = counts.impossible_node;
      run.values.clear();
      return run;
    }
    run.log_likelihood = counts.log_likelihood;
    run.values.push_back(counts.log_likelihood +
                         log_prior_of(space, priors, run.dynamics, options.pseudo_count));
    const std::size_t done = run.values.size();
    run.converged = done > 1 && run.values[done - 1] - run.values[done - 2] <=
                                    options.tolerance * (1.0 + std::abs(run.values[done - 1]));
    run.interrupted = stop && stop();
    if (run.converged || run.interrupted || run.iterations() >= options.most_iterations) return run;
    maximise_rows(space, priors, counts.expected, options.pseudo_count, run.dynamics);
  }
}

BaumWelchRun baum_welch(const HistoryTree& tree, const DecisionProblem& problem,
                        const BaumWelchOptions& options, Sink& sink) {
  options.validate();
  const learn::StudySpace space(problem, DynamicsMode::kShared);
  std::vector<BaumWelchRun> runs(options.restarts);
  std::atomic<int> done = 0;
  base::parallel_tasks(options.restarts, options.threads, [&](int i) {
    base::RandomStream random(options.seed, i, base::RandomPurpose::kBaumWelchStart);
    const Dynamics start = learn::draw_start(problem, space, random).dynamics;
    runs[i] = run_baum_welch(tree, problem.structure, space.dynamics(), problem.priors, start, options,
                             [&] { return sink.stop_requested(); });
    sink.progress("Baum-Welch", ++done, options.restarts);
  });
  const BaumWelchRun* best = best_of(runs);
  BaumWelchRun result = best != nullptr ? *best : runs.front();
  for (const BaumWelchRun& run : runs) result.interrupted |= run.interrupted;
  return result;
}

}  // namespace interpole::learners
