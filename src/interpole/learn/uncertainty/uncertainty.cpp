#include "interpole/learn/uncertainty/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/base/dealing/steps.hpp"
#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/learn/uncertainty/coupled_mode.hpp"
#include "interpole/learn/uncertainty/identifiability.hpp"

namespace interpole::learn {
namespace {

constexpr double kSameMode = 0.01;  // nats: two explanations that lead to one mode

struct Expanded {
  std::vector<UncertaintyComponent> components;
  std::vector<int> explanation;  // of each, which one it is around
};

// Around the modes of these scales, which are near the explanations.
Expanded expand_coupled(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                        const std::vector<AgentWorld>& around, const CouplingScales& scales,
                        const std::vector<CouplingScales>& all, const optimize::LbfgsOptions& options,
                        base::Steps& steps) {
  ModeFollower follower(likelihood, problem, options);
  std::vector<CoupledMode> centres;
  std::vector<double> log_evidence;
  std::vector<int> explanation;
  for (std::size_t i = 0; i < around.size(); ++i) {
    CoupledMode centre = follower.search(scales, around[i]);
    steps.step();
    const bool known = std::ranges::any_of(centres, [&](const CoupledMode& other) {
      return std::abs(other.mode.log_density - centre.mode.log_density) < kSameMode;
    });
    if (known || (!centres.empty() && !centre.mode.proper)) continue;
    log_evidence.push_back(centre.log_evidence());
    centres.push_back(std::move(centre));
    explanation.push_back(static_cast<int>(i));
  }
  const auto mode_of = spread_over_modes(log_evidence, static_cast<int>(all.size()));
  Expanded result;
  for (std::size_t c = 0; c < all.size(); ++c) {
    result.explanation.push_back(explanation[mode_of[c]]);
    const CoupledMode there = follower.follow(all[c], centres[mode_of[c]]);
    steps.step();
    CoupledPosterior posterior(likelihood, problem, {all[c], false}, Measure::kCoordinates);
    if (!there.mode.proper) {
      result.components.push_back({all[c], laplace(posterior, there.mode.y, options)});
      continue;
    }
    std::vector<double> hessian = there.mode.bend;
    for (double& x : hessian) x = -x;
    result.components.push_back({all[c], laplace_at(posterior, there.mode.y, hessian)});
  }
  return result;
}

// One set of dynamics, or the agent's alone.
Expanded expand_one(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                    DynamicsMode dynamics, const std::vector<AgentWorld>& around,
                    const CouplingScales& scales, const optimize::LbfgsOptions& options, base::Steps& steps) {
  const auto posterior = make_posterior(likelihood, problem, {dynamics, Measure::kCoordinates, {}});
  std::vector<Laplace> modes;
  std::vector<double> log_evidence;
  std::vector<int> explanation;
  for (std::size_t i = 0; i < around.size(); ++i) {
    std::vector<double> y(posterior->size());
    posterior->coordinates(around[i], y);
    Laplace mode = laplace(*posterior, y, options);
    steps.step();
    const bool known = std::ranges::any_of(modes, [&](const Laplace& other) {
      return std::abs(other.log_density - mode.log_density) < kSameMode;
    });
    if (known || (!modes.empty() && !mode.proper)) continue;
    log_evidence.push_back(mode.log_evidence);
    modes.push_back(std::move(mode));
    explanation.push_back(static_cast<int>(i));
  }
  Expanded result;
  for (const int m : spread_over_modes(log_evidence, modes.size() > 1 ? kUncertaintyComponents : 1)) {
    result.components.push_back({scales, modes[m]});
    result.explanation.push_back(explanation[m]);
  }
  return result;
}

// Directions of the policy's coordinates that change no decision, for every kind of decision-makers.
std::vector<std::vector<double>> gauge_of(const HistoryTree& tree, const DecisionProblem& problem,
                                          const Parameters& agent) {
  auto result = policy_identifiability(tree, problem, agent).directions;
  const model::PolicySpace space(problem.structure, problem.known.policy);
  for (int kind = 1; kind < agent.policy.kind_count(); ++kind) {
    const std::size_t first = (kind - 1) * space.blocks().size();
    if (first >= space.kind_blocks().size()) break;
    const Parameters own{agent.dynamics, agent.policy.of_kind(kind)};
    for (const auto& direction : policy_identifiability(tree, problem, own).directions) {
      std::vector<double> padded(space.kind_blocks()[first].offset, 0.0);
      padded.insert(padded.end(), direction.begin(), direction.end());
      result.push_back(std::move(padded));
    }
  }
  return result;
}

}  // namespace

std::vector<int> spread_over_modes(const std::vector<double>& log_evidence, int count) {
  std::vector<int> order(log_evidence.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](int m) { return log_evidence[m]; });
  const double total = log_sum(log_evidence);
  std::vector<int> result;
  double reached = 0.0;
  for (const int m : order) {
    reached += std::exp(log_evidence[m] - total);
    while (static_cast<int>(result.size()) < count && (result.size() + 0.5) / count <= reached) {
      result.push_back(m);
    }
  }
  result.resize(count, order.front());  // rounding
  return result;
}

Uncertainty expand(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                   DynamicsMode dynamics, const std::vector<AgentWorld>& around, const CouplingScales& scales,
                   const ScaleChoice* choice, const optimize::LbfgsOptions& options, std::uint64_t seed,
                   Sink& sink) {
  Uncertainty result;
  result.dynamics = dynamics;
  std::vector<CouplingScales> all = {scales};
  if (dynamics == DynamicsMode::kCoupled && choice != nullptr && !choice->kinds.empty()) {
    base::RandomStream random(seed, 0, base::RandomPurpose::kUncertaintyScale);
    all = draw_scales(*choice, problem, kUncertaintyComponents, random);
  }
  const bool coupled = dynamics == DynamicsMode::kCoupled;
  base::Steps steps(sink, "intervals", static_cast<std::int64_t>(around.size() + (coupled ? all.size() : 0)));
  Expanded expanded = coupled ? expand_coupled(likelihood, problem, around, scales, all, options, steps)
                              : expand_one(likelihood, problem, dynamics, around, scales, options, steps);
  steps.finish();
  for (std::size_t i = 0; i < around.size(); ++i) {
    const auto gauge = gauge_of(likelihood.tree(), problem, around[i].agent);
    for (std::size_t c = 0; c < expanded.components.size(); ++c) {
      if (expanded.explanation[c] == static_cast<int>(i)) expanded.components[c].laplace.hold(gauge);
    }
  }
  result.components = std::move(expanded.components);
  for (const UncertaintyComponent& component : result.components) result.proper &= component.laplace.proper;
  result.weak = result.components.front().laplace.weak;
  return result;
}

std::vector<AgentWorld> draw_agent_worlds(const DecisionProblem& problem, const Uncertainty& uncertainty,
                                          int count, std::uint64_t seed) {
  std::vector<AgentWorld> draws(count);
  const int components = static_cast<int>(uncertainty.components.size());
  const double width = std::sqrt(1.0 + uncertainty.misfit);
  for (int c = 0; c < components; ++c) {
    const auto& component = uncertainty.components[c];
    const StudySpace one(problem, uncertainty.dynamics);
    const CoupledSpace two(problem, {component.scales, false});
    for (int i = c; i < count; i += components) {
      base::RandomStream random(seed, i, base::RandomPurpose::kUncertaintyDraw);
      const auto y = component.laplace.draw(random, width);
      draws[i] = uncertainty.dynamics == DynamicsMode::kCoupled
                     ? AgentWorld{two.agent_point(y), two.world_point(y)}
                     : AgentWorld{one.point(y), {}};
    }
  }
  return draws;
}

}  // namespace interpole::learn
