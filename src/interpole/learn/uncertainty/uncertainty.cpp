#include "interpole/learn/uncertainty/uncertainty.hpp"

#include "interpole/learn/posterior/coupled_space.hpp"
#include "interpole/learn/uncertainty/identifiability.hpp"

namespace interpole::learn {

Uncertainty expand(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                   DynamicsMode dynamics, const AgentWorld& around, const CouplingScales& scales,
                   const ScaleChoice* choice, const optimize::LbfgsOptions& options, std::uint64_t seed) {
  Uncertainty result;
  result.dynamics = dynamics;
  std::vector<CouplingScales> all = {scales};
  if (dynamics == DynamicsMode::kCoupled && choice != nullptr && !choice->kinds.empty()) {
    base::RandomStream random(seed, 0, base::RandomPurpose::kUncertaintyScale);
    all = draw_scales(*choice, kUncertaintyComponents, random);
  }
  const auto gauge = policy_identifiability(likelihood.tree(), problem, around.agent).directions;
  for (const CouplingScales& sigma : all) {
    const auto posterior =
        make_posterior(likelihood, problem, {dynamics, Measure::kCoordinates, {sigma, false}});
    std::vector<double> y(posterior->size());
    posterior->coordinates(around, y);
    result.components.push_back({sigma, laplace(*posterior, y, options)});
    result.components.back().laplace.hold(gauge);
    result.proper &= result.components.back().laplace.proper;
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
