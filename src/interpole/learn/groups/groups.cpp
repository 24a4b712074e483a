#include "interpole/learn/groups/groups.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "interpole/base/parallel.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/optimize/second_order/search.hpp"

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

// Where a search with some spread between groups ended: a good start for one with another.
struct GroupMode {
  double spread = 0.0;
  std::vector<double> y;
};

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

  // From a mode that is known, or from the common policy.
  std::vector<double> start(const GroupedPosterior& posterior, const GroupMode* near) const {
    if (near != nullptr) return posterior.moved_here(near->y, near->spread);
    std::vector<double> y(posterior.size());
    posterior.coordinates(start_, y);
    return y;
  }

  Laplace expand(GroupedPosterior& at, const GroupMode* near) const {
    return laplace(at, start(at, near), options_.fit.lbfgs);
  }

  std::vector<double> mode(GroupedPosterior& at, const GroupMode* near) const {
    std::vector<double> y = start(at, near);
    optimize::maximise(at, y, options_.fit.lbfgs);
    return y;
  }

 private:
  const DecisionProblem& problem_;
  const GroupOptions& options_;
  CouplingScales scales_;
  std::vector<inference::Likelihood> likelihoods_;
  std::vector<const inference::Likelihood*> pointers_;
  AgentWorld start_;
};

// The evidence along a grid of spreads, and with none.
class Profile {
 public:
  Profile(const GroupSearch& search, int threads, Sink& sink) : search_(search), sink_(sink) {
    const ScaleGrid grid = scale_grid(kGridPoints);
    profile_ = {grid.sigma, grid.log_weight, std::vector<double>(grid.sigma.size())};
    modes_.resize(kGridPoints);
    // Two points first, from afar; the others from the nearer of these. In this order for any number of
    // threads.
    std::vector<int> others = {kNone};
    for (int j = 0; j < kGridPoints; ++j) {
      if (std::find(std::begin(kFirst), std::end(kFirst), j) == std::end(kFirst)) others.push_back(j);
    }
    base::parallel_tasks(std::size(kFirst), threads, [&](int i) { expand(kFirst[i]); });
    base::parallel_tasks(static_cast<int>(others.size()), threads, [&](int i) { expand(others[i]); });
  }

  const ScaleProfile& evidence() const { return profile_; }
  double evidence_of_none() const { return of_none_; }
  // The mode of the nearest spread on the grid.
  const GroupMode& nearest(double spread) const {
    return *std::min_element(modes_.begin(), modes_.end(), [&](const GroupMode& x, const GroupMode& y) {
      return std::abs(std::log(x.spread / spread)) < std::abs(std::log(y.spread / spread));
    });
  }

 private:
  static constexpr int kFirst[] = {kGridPoints / 4, 3 * kGridPoints / 4};
  static constexpr int kNone = -1;

  void expand(int j) {
    base::stop_if_asked(sink_, kStopped);
    const double spread = j == kNone ? 0.0 : profile_.sigma[j];
    const auto posterior = search_.posterior(spread, Measure::kCoordinates);
    const bool first = j == kNone || j == kFirst[0] || j == kFirst[1];
    const int nearer = j < kGridPoints / 2 ? kFirst[0] : kFirst[1];
    const Laplace expansion = search_.expand(*posterior, first ? nullptr : &modes_[nearer]);
    if (j == kNone) {
      of_none_ = expansion.log_evidence;
    } else {
      profile_.log_evidence[j] = expansion.log_evidence;
      modes_[j] = {spread, expansion.centre};
    }
    sink_.progress("spreads between groups", ++done_, kGridPoints + 1);
  }

  const GroupSearch& search_;
  Sink& sink_;
  ScaleProfile profile_;
  double of_none_ = 0.0;
  std::vector<GroupMode> modes_;  // [grid]
  std::atomic<std::int64_t> done_ = 0;
};

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
  const Profile profile(search, options.fit.threads, sink);
  result.profile = profile.evidence();
  result.log_evidence_of_one = profile.evidence_of_none();
  const auto& f = result.profile.log_evidence;
  result.spread = result.profile.sigma[std::max_element(f.begin(), f.end()) - f.begin()];

  const auto best = search.posterior(result.spread, Measure::kNatural);
  const auto at_best = search.mode(*best, &profile.nearest(result.spread));
  const int count = static_cast<int>(groups.size());
  for (int g = 0; g < count; ++g) result.policies.push_back(best->group_policy(at_best, g));

  const auto gauge = policy_identifiability(all, problem, result.common.parameters).directions;
  ScaleChoice choice;
  choice.kinds.push_back({Field::kObservation, result.profile});
  base::RandomStream scale_random(options.fit.seed, 0, base::RandomPurpose::kGroupDraw);
  const auto spreads = draw_scales(choice, problem, kComponents, scale_random);
  result.draws.resize(options.draws);
  std::vector<char> proper(kComponents, 0);
  base::parallel_tasks(kComponents, options.fit.threads, [&](int c) {
    base::stop_if_asked(sink, kStopped);
    const auto posterior = search.posterior(spreads[c].observation, Measure::kCoordinates);
    Laplace expansion = search.expand(*posterior, &profile.nearest(spreads[c].observation));
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
