#include "interpole/explain/policy/bias_cost.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model/parameter_space.hpp"

namespace interpole::explain {
namespace {

struct Shift {
  double changed = 0.0;
  double other_choice = 0.0;
  std::vector<double> now, then;
};

// If beliefs followed `world` instead of the agent's dynamics; averaged over decisions.
Shift shift_to(const Structure& structure, const HistoryTree& tree, const Parameters& agent,
               const Dynamics& world) {
  const std::size_t A = structure.actions.size();
  Shift shift{0.0, 0.0, std::vector<double>(A, 0.0), std::vector<double>(A, 0.0)};
  const inference::NodeBeliefs own = inference::node_beliefs(tree, structure, agent.dynamics);
  std::vector<double> kinds;
  const auto contexts = inference::node_contexts(tree, structure, agent.policy, own, kinds);
  const inference::NodeBeliefs better = inference::node_beliefs(tree, structure, world);
  for (int node = 0; node < tree.node_count(); ++node) {
    const double weight = static_cast<double>(tree.decisions_at(node)) /
                          static_cast<double>(std::max<std::int64_t>(tree.decisions, 1));
    if (weight == 0.0) continue;
    const auto now = action_probabilities(structure, agent.policy, own.at(node), contexts[node]);
    const auto then = action_probabilities(structure, agent.policy, better.at(node), contexts[node]);
    for (std::size_t a = 0; a < A; ++a) {
      shift.changed += 0.5 * weight * std::abs(now[a] - then[a]);
      shift.now[a] += weight * now[a];
      shift.then[a] += weight * then[a];
    }
    const auto choice = std::max_element(now.begin(), now.end()) - now.begin();
    if (choice != std::max_element(then.begin(), then.end()) - then.begin()) shift.other_choice += weight;
  }
  return shift;
}

// One row of the worlds, from `begin` on, moved by the average log ratio.
void move_row(Field field, std::size_t begin, std::size_t columns, const std::vector<AgentWorld>& draws,
              std::vector<Dynamics>& worlds) {
  std::vector<double> mean(columns, 0.0);
  bool comparable = true;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const auto& agent = model::field_of(draws[i].agent.dynamics, field);
    const auto& world = model::field_of(worlds[i], field);
    for (std::size_t k = 0; k < columns; ++k) {
      const double x = agent[begin + k];
      const double y = world[begin + k];
      comparable &= (x > 0.0) == (y > 0.0);
      if (x > 0.0 && y > 0.0) mean[k] += std::log(x / y) / static_cast<double>(draws.size());
    }
  }
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const auto& agent = model::field_of(draws[i].agent.dynamics, field);
    auto& world = model::field_of(worlds[i], field);
    double total = 0.0;
    for (std::size_t k = 0; k < columns; ++k) {
      double& p = world[begin + k];
      p = comparable ? p * std::exp(mean[k]) : agent[begin + k];
      total += p;
    }
    for (std::size_t k = 0; total > 0.0 && k < columns; ++k) world[begin + k] /= total;
  }
}

// The same of the parameters of measured factors: levels by the average log ratio, others by the average
// difference of their coordinates.
void move_factors(const Structure& structure, const std::vector<AgentWorld>& draws,
                  std::vector<Dynamics>& worlds) {
  const model::DynamicsSpace everything(structure, Dynamics::filled(structure, NAN));
  for (const model::ParameterBlock& block : everything.blocks()) {
    if (block.field != Field::kObservation) continue;
    if (!block.single()) {
      move_row(Field::kObservation, static_cast<std::size_t>(block.entries[0]), block.entries.size(), draws,
               worlds);
      continue;
    }
    double mean = 0.0;
    const auto y = [&](const Dynamics& of) {
      return block.form.coordinate(of.observation[block.entries[0]]);
    };
    for (std::size_t i = 0; i < draws.size(); ++i)
      mean += (y(draws[i].agent.dynamics) - y(worlds[i])) / static_cast<double>(draws.size());
    for (Dynamics& world : worlds) {
      const double moved = block.form.at(y(world) + mean);
      world.observation[block.entries[0]] = moved;
      for (const auto& copy : block.copies) world.observation[copy[0]] = moved;
    }
  }
}

}  // namespace

std::vector<Dynamics> worlds_without_difference(const Structure& structure,
                                                const std::vector<AgentWorld>& draws) {
  std::vector<Dynamics> worlds;
  worlds.reserve(draws.size());
  for (const AgentWorld& draw : draws) worlds.push_back(*draw.world);
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  const std::size_t rows = structure.actions.size() * S;
  move_row(Field::kInitial, 0, S, draws, worlds);
  for (std::size_t row = 0; row < rows; ++row) {
    move_row(Field::kTransition, row * S, S, draws, worlds);
    if (!structure.measured()) move_row(Field::kObservation, row * Z, Z, draws, worlds);
  }
  if (structure.measured()) move_factors(structure, draws, worlds);
  return worlds;
}

BiasCost bias_cost(const Structure& structure, const HistoryTree& tree, const std::vector<AgentWorld>& draws,
                   const BiasOptions& options) {
  const std::size_t count = std::min<std::size_t>(draws.size(), options.cost_draws);
  const std::size_t A = structure.actions.size();
  std::vector<AgentWorld> used;
  for (std::size_t i = 0; i < count; ++i) used.push_back(draws[i * draws.size() / count]);
  const std::vector<Dynamics> alike = worlds_without_difference(structure, used);
  std::vector<double> changed, other, by_chance, excess, other_excess;
  std::vector<std::vector<double>> now(A), then(A);
  for (std::size_t i = 0; i < count; ++i) {
    const Shift shift = shift_to(structure, tree, used[i].agent, *used[i].world);
    const Shift chance = shift_to(structure, tree, used[i].agent, alike[i]);
    changed.push_back(shift.changed);
    other.push_back(shift.other_choice);
    by_chance.push_back(chance.changed);
    excess.push_back(shift.changed - chance.changed);
    other_excess.push_back(shift.other_choice - chance.other_choice);
    for (std::size_t a = 0; a < A; ++a) {
      now[a].push_back(shift.now[a]);
      then[a].push_back(shift.then[a]);
    }
  }
  const double level = options.level;
  BiasCost cost{estimate_of(changed, level), estimate_of(other, level),        estimate_of(by_chance, level),
                estimate_of(excess, level),  estimate_of(other_excess, level), {}};
  for (std::size_t a = 0; a < A; ++a) {
    cost.actions.push_back({estimate_of(now[a], level), estimate_of(then[a], level)});
  }
  return cost;
}

}  // namespace interpole::explain
