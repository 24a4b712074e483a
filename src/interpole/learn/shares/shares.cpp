#include "interpole/learn/shares/shares.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "interpole/base/parallel.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/learn/terms/term_candidates.hpp"
#include "interpole/model/measured/outcome_weights.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learn {
namespace {

constexpr inference::LikelihoodTerms kDecisions = {.actions = true, .observations = false};

// The ingredient that a term counts as.
const char* ingredient_of(const PolicyTerm& term) {
  switch (term.kind) {
    case TermKind::kHabit:
      return "habit";
    case TermKind::kTime:
      return "time";
    case TermKind::kContext:
      return "context";
    case TermKind::kGroup:
      return "group";
    case TermKind::kResultMissing:
      break;
  }
  return "other";
}

constexpr int kBeliefPlayer = 0;
constexpr int kPicturePlayer = 1;
constexpr double kUnit = 1.0;  // η where beliefs never move, and the means say it all

std::vector<std::string> players_of(const Policy& policy) {
  const PolicyTerms& terms = policy.terms;
  std::vector<std::string> players = {"belief", "distorted picture"};
  const auto has = [&](const std::string& name) {
    if (name == "habit" && terms.inertia != 0.0) return true;
    if (name == "kinds" && !policy.other_kinds.empty()) return true;
    if (name == "other" && terms.lapse != 0.0) return true;
    return std::any_of(terms.additive.begin(), terms.additive.end(),
                       [&](const PolicyTerm& term) { return name == ingredient_of(term); });
  };
  for (const char* name : {"habit", "time", "context", "group", "kinds", "other"}) {
    if (has(name)) players.emplace_back(name);
  }
  return players;
}

// Beliefs that never move: nothing changes, and nothing that is seen tells anything.
Dynamics unmoved(const Structure& structure) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  Dynamics dynamics = Dynamics::filled(structure, 0.0);
  std::fill(dynamics.initial.begin(), dynamics.initial.end(), 1.0 / static_cast<double>(S));
  for (int a = 0; a < structure.action_count(); ++a) {
    for (std::size_t s = 0; s < S; ++s) dynamics.transition[(a * S + s) * S + s] = 1.0;
    double outcomes = 0.0;
    for (int z = 0; z < structure.observation_count(); ++z) outcomes += structure.can_yield(a, z) ? 1.0 : 0.0;
    for (std::size_t s = 0; s < S; ++s) {
      for (int z = 0; z < structure.observation_count(); ++z) {
        if (structure.can_yield(a, z)) dynamics.observation[(a * S + s) * Z + z] = 1.0 / outcomes;
      }
    }
  }
  if (structure.measured()) model::set_uninformative(structure, dynamics.observation);
  return dynamics;
}

class Coalitions {
 public:
  Coalitions(const std::array<HistoryTree, 2>& halves, const WholeExplanation& whole,
             const optimize::LbfgsOptions& options, const Sink& sink)
      : whole_(whole), options_(options), sink_(sink), players_(players_of(whole.problem.known.policy)) {
    for (const HistoryTree& half : halves) likelihoods_.emplace_back(half, whole.problem.structure);
  }

  const std::vector<std::string>& players() const { return players_; }
  // Without belief there is no picture either.
  bool is_fitted(unsigned set) const { return has(set, kBeliefPlayer) || !has(set, kPicturePlayer); }
  unsigned fitted_as(unsigned set) const { return is_fitted(set) ? set : set & ~(1U << kPicturePlayer); }

  // The whole explanation of the half that is not scored.
  AgentWorld whole_of(int scored) const {
    const auto posterior =
        make_posterior(likelihoods_[1 - scored], whole_.problem,
                       {DynamicsMode::kCoupled, Measure::kNatural, {whole_.scales, false}});
    return highest(*posterior, whole_.at);
  }

  // Log-likelihood of a half's decisions.
  double worth(const Parameters& agent, int scored) const {
    auto workspace = likelihoods_[scored].make_workspace();
    return likelihoods_[scored].evaluate(agent, kDecisions, nullptr, workspace).actions;
  }

  // … by the policy with these ingredients, fitted to the other half. `whole`: of that half.
  double worth(unsigned set, int scored, const AgentWorld& whole) const {
    const bool believes = has(set, kBeliefPlayer);
    const bool distorted = has(set, kPicturePlayer) || !whole.world;
    DecisionProblem problem = reduced(set);
    problem.known.dynamics = !believes   ? unmoved(problem.structure)
                             : distorted ? whole.agent.dynamics
                                         : *whole.world;
    Parameters start = with_terms_of(problem, whole.agent);
    start.dynamics = problem.known.dynamics;
    start.policy.decision_maker = problem.known.policy.decision_maker;
    if (!has(set, "kinds")) start.policy.other_kinds.clear();
    if (!believes) {
      start.policy.inverse_temperature = kUnit;
      for (PolicyKind& kind : start.policy.other_kinds) kind.inverse_temperature = kUnit;
    }
    const auto posterior =
        make_posterior(likelihoods_[1 - scored], problem, {DynamicsMode::kSubjective, Measure::kNatural, {}});
    return worth(highest(*posterior, {start, {}}).agent, scored);
  }

 private:
  static bool has(unsigned set, int player) { return (set >> player & 1U) != 0; }
  bool has(unsigned set, const std::string& name) const {
    const auto found = std::find(players_.begin(), players_.end(), name);
    return found != players_.end() && has(set, static_cast<int>(found - players_.begin()));
  }

  AgentWorld highest(Posterior& posterior, const AgentWorld& start) const {
    std::vector<double> y(posterior.size());
    posterior.coordinates(start, y);
    optimize::maximise(posterior, y, options_, [this] { return sink_.stop_requested(); });
    return posterior.agent_world(y);
  }

  // The problem of the policy alone; its dynamics are held.
  DecisionProblem reduced(unsigned set) const {
    DecisionProblem problem = whole_.problem;
    problem.world.reset();
    problem.ties = {};
    PolicyTerms& terms = problem.known.policy.terms;
    auto& scales = problem.priors.term_scales;
    scales.resize(terms.additive.size(), 1.0);
    for (std::size_t i = terms.additive.size(); i-- > 0;) {
      if (has(set, ingredient_of(terms.additive[i]))) continue;
      terms.additive.erase(terms.additive.begin() + static_cast<std::ptrdiff_t>(i));
      scales.erase(scales.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (!has(set, "habit")) terms.inertia = 0.0;
    if (!has(set, "other")) terms.lapse = 0.0;
    Policy& policy = problem.known.policy;
    if (!has(set, "kinds")) {
      policy.other_kinds.clear();
      policy.decision_maker = -1;
    }
    if (has(set, kBeliefPlayer)) return problem;
    // At one belief, −‖b − μ_a‖² is free for every action: how often each is taken.
    policy.inverse_temperature = kUnit;
    std::fill(policy.means.begin(), policy.means.end(), NAN);
    for (PolicyKind& kind : policy.other_kinds) kind = {kind.share, kUnit, policy.means};
    return problem;
  }

  const WholeExplanation& whole_;
  const optimize::LbfgsOptions& options_;
  const Sink& sink_;
  std::vector<std::string> players_;
  std::vector<inference::Likelihood> likelihoods_;
};

}  // namespace

std::vector<double> averages_over_orders(const std::vector<double>& worth, int players) {
  // Of n! orders, |C|! (n − |C| − 1)! have exactly the set C before player i: 1 / (n · binomial(n − 1, |C|)).
  std::vector<double> weight(players, 1.0 / players);
  for (int size = 1; size < players; ++size) weight[size] = weight[size - 1] * size / (players - size);
  std::vector<double> average(players, 0.0);
  for (unsigned set = 0; set < worth.size(); ++set) {
    for (int i = 0; i < players; ++i) {
      if ((set >> i & 1U) != 0) continue;
      average[i] += weight[std::popcount(set)] * (worth[set | 1U << i] - worth[set]);
    }
  }
  return average;
}

Shares shares_of(const std::array<HistoryTree, 2>& halves, const WholeExplanation& whole,
                 const optimize::LbfgsOptions& options, int threads, Sink& sink) {
  const Coalitions coalitions(halves, whole, options, sink);
  const int players = static_cast<int>(coalitions.players().size());
  const unsigned all = (1U << players) - 1;
  std::vector<unsigned> sets;
  for (unsigned set = 0; set < all; ++set) {
    if (coalitions.is_fitted(set)) sets.push_back(set);
  }
  std::vector<std::array<double, 2>> found(std::size_t{1} << players);
  const int fits = 2 * static_cast<int>(sets.size() + 1);
  std::atomic<int> done = 0;
  const auto finished = [&] { sink.progress("explanations without a part", ++done, fits); };
  std::array<AgentWorld, 2> wholes;
  base::parallel_tasks(2, threads, [&](int half) {
    if (sink.stop_requested()) return;
    wholes[half] = coalitions.whole_of(half);
    found[all][half] = coalitions.worth(wholes[half].agent, half);
    finished();
  });
  base::parallel_tasks(fits - 2, threads, [&](int task) {
    if (sink.stop_requested()) return;
    const int half = task % 2;
    found[sets[task / 2]][half] = coalitions.worth(sets[task / 2], half, wholes[half]);
    finished();
  });
  if (sink.stop_requested())
    throw Error(ErrorKind::kInterrupted, "stopped before all sets of ingredients were fitted");
  const auto decisions = static_cast<double>(halves[0].decisions + halves[1].decisions);
  std::vector<double> worth(found.size());
  for (unsigned set = 0; set < worth.size(); ++set) {
    const auto& [first, second] = found[coalitions.fitted_as(set)];
    worth[set] = (first + second) / decisions;
  }
  const std::vector<double> averages = averages_over_orders(worth, players);
  Shares shares{{}, worth.back() - worth.front(), -worth.front(), fits};
  for (int i = 0; i < players; ++i) shares.parts.push_back({coalitions.players()[i], averages[i]});
  return shares;
}

}  // namespace interpole::learn
