#include "interpole/learn/averaging/posterior_ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "interpole/base/parallel.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/averaging/importance.hpp"

namespace interpole::learn {
namespace {

constexpr double kLeastChance = 2e-3;    // a way less likely than this would hardly send one member
constexpr double kLeastEffective = 100;  // fewer, and averages would hang on a handful of draws
constexpr const char* kStopped = "stopped while members were drawn";

// One way in which agent and world may be apart.
struct Way {
  CouplingScales scales;
  double chance = 0.0;
  WeightedDraws draws;
};

// One with the world, or apart by one σ for all rows, or in some rows, as the Bayes factor sees it. The
// likeliest first.
std::vector<Way> ways_of(const ScaleChoice& choice, double chance_of_one) {
  std::vector<Way> ways = {{{}, chance_of_one, {}}};
  const std::vector<double> chances = posterior_of_scale(choice.common);
  const double dense = choice.chance_of_dense();
  for (std::size_t j = 0; j < chances.size(); ++j) {
    ways.push_back(
        {CouplingScales::all(choice.common.sigma[j]), (1.0 - chance_of_one) * dense * chances[j], {}});
  }
  const std::vector<double> of_rows = chances_of_rows(choice);
  for (std::size_t h = 0; h < of_rows.size(); ++h) {
    CouplingScales scales;
    scales.rows = choice.sparse[h].sigma;
    ways.push_back({std::move(scales), (1.0 - chance_of_one) * (1.0 - dense) * of_rows[h], {}});
  }
  std::erase_if(ways, [](const Way& way) { return way.chance < kLeastChance; });
  std::ranges::stable_sort(ways, std::greater{}, &Way::chance);
  return ways;
}

double effective_draws(std::span<const Way> ways) {
  double squares = 0.0;
  for (const Way& way : ways) {
    if (way.draws.effective <= 0.0) return 0.0;
    squares += way.chance * way.chance / way.draws.effective;
  }
  return 1.0 / squares;
}

// As many members as asked for, each draw as often as its weight says (systematic resampling).
std::vector<Parameters> chosen(const std::vector<Way>& ways, int members) {
  std::vector<Parameters> result;
  double reached = 0.0;
  double total = 0.0;
  for (const Way& way : ways) total += way.chance;
  for (const Way& way : ways) {
    for (std::size_t i = 0; i < way.draws.weights.size(); ++i) {
      reached += way.chance / total * way.draws.weights[i];
      while (static_cast<double>(result.size()) + 0.5 < reached * members) {
        result.push_back(way.draws.agent_worlds[i].agent);
      }
    }
  }
  return result;
}

class Draws {
 public:
  Draws(const HistoryTree& tree, const DecisionProblem& problem, const FitSummary& fit,
        const EnsembleOptions& options)
      : likelihood_(tree, problem.structure), problem_(problem), fit_(fit), options_(options) {}

  WeightedDraws of(const CouplingScales& scales, int index) const {
    const auto posterior = make_posterior(likelihood_, problem_,
                                          {DynamicsMode::kCoupled, Measure::kCoordinates, {scales, false}});
    std::vector<double> y(posterior->size());
    posterior->coordinates({fit_.parameters, fit_.world}, y);
    base::RandomStream random(options_.seed, index, base::RandomPurpose::kEnsembleDraw);
    return importance_draws(*posterior, laplace(*posterior, y, {}), options_.draws, random);
  }

 private:
  inference::Likelihood likelihood_;
  const DecisionProblem& problem_;
  const FitSummary& fit_;
  const EnsembleOptions& options_;
};

}  // namespace

PosteriorEnsemble ensemble_around(const HistoryTree& tree, const DecisionProblem& problem,
                                  const FitSummary& fit, const EnsembleOptions& options, Sink& sink) {
  PosteriorEnsemble result{{fit.parameters}, 0.0, 0.0};
  if (!fit.scale_choice) return result;
  result.chance_of_one = 1.0 / (1.0 + std::exp(fit.scale_choice->log_bayes_factor()));
  std::vector<Way> ways = ways_of(*fit.scale_choice, result.chance_of_one);
  const Draws draws(tree, problem, fit, options);
  base::stop_if_asked(sink, kStopped);
  ways[0].draws = draws.of(ways[0].scales, 0);
  // The others can only take away from what the likeliest is worth.
  result.effective = effective_draws(std::span(ways).first(1));
  if (result.effective < kLeastEffective) return result;
  base::parallel_tasks(static_cast<int>(ways.size()) - 1, options.threads, [&](int i) {
    if (!sink.stop_requested()) ways[i + 1].draws = draws.of(ways[i + 1].scales, i + 1);
  });
  base::stop_if_asked(sink, kStopped);
  result.effective = effective_draws(ways);
  if (result.effective >= kLeastEffective) result.members = chosen(ways, options.members);
  return result;
}

}  // namespace interpole::learn
