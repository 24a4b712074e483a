#include "interpole/learn/groups/groups.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "interpole/base/parallel.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/log_sum.hpp"

namespace interpole::learn {
namespace {

constexpr int kGridPoints = 12;
constexpr int kComponents = 8;
constexpr const char* kStopped = "stopped before the groups were compared";

// The scales that stand for a way of explaining with one or two sets of dynamics.
CouplingScales scales_of(const FitOptions& options, const FitSummary& summary) {
  if (options.dynamics == DynamicsMode::kShared) return {};
  if (options.dynamics == DynamicsMode::kSubjective) {
    return CouplingScales::all(std::numeric_limits<double>::infinity());
  }
  return summary.scales;
}

class GroupSearch {
 public:
  GroupSearch(const std::vector<HistoryTree>& trees, const DecisionProblem& problem,
              const GroupOptions& options, const FitSummary& common)
      : problem_(problem), options_(options), scales_(scales_of(options.fit, common)) {
    for (const HistoryTree& tree : trees) likelihoods_.emplace_back(tree, problem.structure);
    for (const inference::Likelihood& likelihood : likelihoods_) pointers_.push_back(&likelihood);
    start_ = {common.parameters, common.world};
  }

  std::unique_ptr<GroupedPosterior> posterior(double spread, Measure measure) const {
    return std::make_unique<GroupedPosterior>(pointers_, problem_, scales_, spread, measure);
  }

  // Around the mode found from the common policy, or from the natural coordinates of a nearby τ.
  Laplace expand(GroupedPosterior& posterior) const {
    std::vector<double> y(posterior.size());
    posterior.coordinates(start_, y);
    return laplace(posterior, y, options_.fit.lbfgs);
  }

  double evidence(double spread) const {
    const auto grouped = posterior(spread, Measure::kCoordinates);
    return expand(*grouped).log_evidence;
  }

 private:
  const DecisionProblem& problem_;
  const GroupOptions& options_;
  CouplingScales scales_;
  std::vector<inference::Likelihood> likelihoods_;
  std::vector<const inference::Likelihood*> pointers_;
  AgentWorld start_;
};

ScaleProfile profile_of(const GroupSearch& search, int threads, Sink& sink) {
  const ScaleGrid grid = scale_grid(kGridPoints);
  ScaleProfile profile{grid.sigma, grid.log_weight, std::vector<double>(grid.sigma.size())};
  std::atomic<std::int64_t> done = 0;
  base::parallel_tasks(kGridPoints, threads, [&](int j) {
    base::stop_if_asked(sink, kStopped);
    profile.log_evidence[j] = search.evidence(grid.sigma[j]);
    sink.progress("spreads between groups", ++done, kGridPoints);
  });
  return profile;
}

}  // namespace

double GroupFit::log_bayes_factor() const {
  std::vector<double> logs = profile.log_prior;
  for (std::size_t j = 0; j < logs.size(); ++j) logs[j] += profile.log_evidence[j];
  return log_sum(logs) - log_evidence_of_one;
}

GroupFit fit_groups(const HistoryTree& all, const std::vector<HistoryTree>& groups,
                    const DecisionProblem& problem, const GroupOptions& options, Sink& sink) {
  if (groups.size() < 2) throw input_error("there is one group only; comparing needs at least two");
  GroupFit result;
  result.common = fit(all, problem, options.fit, sink);
  if (result.common.impossible_node) return result;
  const GroupSearch search(groups, problem, options, result.common);
  result.profile = profile_of(search, options.fit.threads, sink);
  result.log_evidence_of_one = search.evidence(0.0);
  const auto& f = result.profile.log_evidence;
  result.spread = result.profile.sigma[std::max_element(f.begin(), f.end()) - f.begin()];

  const auto best = search.posterior(result.spread, Measure::kNatural);
  const Laplace at_best = search.expand(*best);
  const int count = static_cast<int>(groups.size());
  for (int g = 0; g < count; ++g) result.policies.push_back(best->group_policy(at_best.centre, g));

  const auto gauge = policy_identifiability(all, problem, result.common.parameters).directions;
  ScaleChoice choice;
  choice.kinds.push_back({Field::kObservation, result.profile});
  base::RandomStream scale_random(options.fit.seed, 0, base::RandomPurpose::kGroupDraw);
  const auto spreads = draw_scales(choice, kComponents, scale_random);
  result.draws.resize(options.draws);
  std::vector<char> proper(kComponents, 0);
  base::parallel_tasks(kComponents, options.fit.threads, [&](int c) {
    base::stop_if_asked(sink, kStopped);
    const auto posterior = search.posterior(spreads[c].observation, Measure::kCoordinates);
    Laplace expansion = search.expand(*posterior);
    proper[c] = expansion.proper ? 1 : 0;
    expansion.hold(posterior->in_every_policy(gauge));
    for (int i = c; i < options.draws; i += kComponents) {
      base::RandomStream random(options.fit.seed, static_cast<std::uint64_t>(i) + 1,
                                base::RandomPurpose::kGroupDraw);
      const auto y = expansion.draw(random);
      for (int g = 0; g < count; ++g) result.draws[i].push_back(posterior->group_policy(y, g));
    }
  });
  result.proper = std::all_of(proper.begin(), proper.end(), [](char good) { return good != 0; });
  return result;
}

}  // namespace interpole::learn
