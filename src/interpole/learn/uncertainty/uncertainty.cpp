#include "interpole/learn/uncertainty/uncertainty.hpp"

#include "interpole/learn/uncertainty/coupled_mode.hpp"
#include "interpole/learn/uncertainty/identifiability.hpp"

namespace interpole::learn {
namespace {

// Around the modes of these scales, which are near the explanation.
std::vector<UncertaintyComponent> expand_coupled(const inference::Likelihood& likelihood,
                                                 const DecisionProblem& problem, const AgentWorld& around,
                                                 const CouplingScales& scales,
                                                 const std::vector<CouplingScales>& all,
                                                 const optimize::LbfgsOptions& options) {
  ModeFollower follower(likelihood, problem, options);
  const CoupledMode centre = follower.search(scales, around);
  std::vector<UncertaintyComponent> result;
  for (const CouplingScales& sigma : all) {
    const CoupledMode there = follower.follow(sigma, centre);
    CoupledPosterior posterior(likelihood, problem, {sigma, false}, Measure::kCoordinates);
    if (!there.mode.proper) {
      result.push_back({sigma, laplace(posterior, there.mode.y, options)});
      continue;
    }
    std::vector<double> hessian = there.mode.bend;
    for (double& x : hessian) x = -x;
    result.push_back({sigma, laplace_at(posterior, there.mode.y, hessian)});
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

Uncertainty expand(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                   DynamicsMode dynamics, const AgentWorld& around, const CouplingScales& scales,
                   const ScaleChoice* choice, const optimize::LbfgsOptions& options, std::uint64_t seed) {
  Uncertainty result;
  result.dynamics = dynamics;
  std::vector<CouplingScales> all = {scales};
  if (dynamics == DynamicsMode::kCoupled && choice != nullptr && !choice->kinds.empty()) {
    base::RandomStream random(seed, 0, base::RandomPurpose::kUncertaintyScale);
    all = draw_scales(*choice, problem, kUncertaintyComponents, random);
  }
  if (dynamics == DynamicsMode::kCoupled) {
    result.components = expand_coupled(likelihood, problem, around, scales, all, options);
  } else {
    const auto posterior = make_posterior(likelihood, problem, {dynamics, Measure::kCoordinates, {}});
    std::vector<double> y(posterior->size());
    posterior->coordinates(around, y);
    result.components.push_back({scales, laplace(*posterior, y, options)});
  }
  const auto gauge = gauge_of(likelihood.tree(), problem, around.agent);
  for (UncertaintyComponent& component : result.components) {
    component.laplace.hold(gauge);
    result.proper &= component.laplace.proper;
  }
  result.weak = result.components.front().laplace.weak;
  return result;
}

std::vector<AgentWorld> draw_agent_worlds(const DecisionProblem& problem, const Uncertainty& uncertainty,
                                          int count, std::uint64_t seed) {
  std::vector<AgentWorld> draws(count);
  const int components = static_cast<int>(uncertainty.components.size());
  for (int c = 0; c < components; ++c) {
    const auto& component = uncertainty.components[c];
    const StudySpace one(problem, uncertainty.dynamics);
    const CoupledSpace two(problem, {component.scales, false});
    for (int i = c; i < count; i += components) {
      base::RandomStream random(seed, i, base::RandomPurpose::kUncertaintyDraw);
      const auto y = component.laplace.draw(random);
      draws[i] = uncertainty.dynamics == DynamicsMode::kCoupled
                     ? AgentWorld{two.agent_point(y), two.world_point(y)}
                     : AgentWorld{one.point(y), {}};
    }
  }
  return draws;
}

}  // namespace interpole::learn
