#include "interpole/bias_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/policy/bias_cost.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/model/time/visit_gaps.hpp"

namespace interpole {
namespace {

// Which row and column an entry of a field's array is.
void place(const Structure& structure, int entry, BiasFinding& finding) {
  const int S = structure.state_count();
  const int columns = finding.field == Field::kObservation ? structure.observation_columns() : S;
  finding.outcome = entry % columns;
  if (finding.field == Field::kInitial) {
    finding.name = fmt::format("initial_belief[{}]", structure.states[finding.outcome]);
    return;
  }
  finding.state = entry / columns % S;
  finding.action = entry / columns / S;
  const bool seen = finding.field == Field::kObservation;
  finding.name =
      fmt::format("{}[{},{},{}]", seen ? "observation" : "transition", structure.actions[finding.action],
                  structure.states[finding.state],
                  seen ? structure.column_name(finding.outcome) : structure.states[finding.outcome]);
}

BiasFinding compare(const Structure& structure, const model::ParameterBlock& block, int entry,
                    const std::vector<AgentWorld>& draws, const BiasOptions& options) {
  const Field field = block.field;
  BiasFinding finding;
  finding.field = field;
  finding.measured = block.single();
  place(structure, entry, finding);
  std::vector<double> agent, world, difference;
  int beyond = 0;
  for (const AgentWorld& draw : draws) {
    agent.push_back(model::field_of(draw.agent.dynamics, field)[entry]);
    world.push_back(model::field_of(*draw.world, field)[entry]);
    difference.push_back(agent.back() - world.back());
    // Of a measured factor's parameter the margin is in units of its coordinate.
    const double unit = block.single() ? std::abs(block.form.slope(world.back())) : 1.0;
    if (std::abs(difference.back()) > options.margin * unit) ++beyond;
  }
  finding.agent = estimate_of(std::move(agent), options.level);
  finding.world = estimate_of(std::move(world), options.level);
  finding.difference = estimate_of(std::move(difference), options.level);
  finding.exceeds = beyond / static_cast<double>(draws.size());
  return finding;
}

// Rates as people speak of them: how many have changed when a typical gap has passed.
std::vector<AgentWorld> over_a_typical_gap(const Structure& structure, std::vector<AgentWorld> draws) {
  const double gap = structure.time->typical_gap();
  for (AgentWorld& draw : draws) {
    draw.agent.dynamics = dynamics_over(structure, draw.agent.dynamics, gap);
    if (draw.world) draw.world = dynamics_over(structure, *draw.world, gap);
  }
  return draws;
}

// Whether the same entry after an earlier action has the same numbers in every draw: tied rows are said once.
bool is_copy(const Structure& structure, Field field, int entry, const std::vector<AgentWorld>& draws) {
  if (field == Field::kInitial) return false;
  const int columns =
      field == Field::kObservation ? structure.observation_columns() : structure.state_count();
  const int stride = columns * structure.state_count();
  for (int earlier = entry - stride; earlier >= 0; earlier -= stride) {
    if (structure.is_terminal(earlier / stride)) continue;
    const bool same = std::all_of(draws.begin(), draws.end(), [&](const AgentWorld& draw) {
      const auto& agent = model::field_of(draw.agent.dynamics, field);
      const auto& world = model::field_of(*draw.world, field);
      return agent[entry] == agent[earlier] && world[entry] == world[earlier];
    });
    if (same) return true;
  }
  return false;
}

bool is_learned(Field field, int entry, const std::vector<AgentWorld>& draws) {
  const double first = model::field_of(draws[0].agent.dynamics, field)[entry];
  return std::any_of(draws.begin(), draws.end(), [&](const AgentWorld& draw) {
    return model::field_of(draw.agent.dynamics, field)[entry] != first ||
           model::field_of(*draw.world, field)[entry] != first;
  });
}

// Of the findings whose own interval leaves zero out, the largest set, surest first, in which the expected
// share of those within the margin stays below the limit. Without the first condition sure findings would
// make room in the set for one that may as well be none.
void flag(std::vector<BiasFinding>& findings, double limit) {
  std::vector<int> order;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].differs()) order.push_back(static_cast<int>(i));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int x, int y) { return findings[x].exceeds > findings[y].exceeds; });
  double wrong = 0.0;
  double count = 0.0;
  for (const int i : order) {
    wrong += 1.0 - findings[i].exceeds;
    count += 1.0;
    if (wrong / count > limit) break;
    findings[i].flagged = true;
  }
}

}  // namespace

void BiasOptions::validate() const {
  if (!(margin >= 0.0 && margin < 1.0)) {
    throw usage_error(
        fmt::format("option margin: {} is not a difference in probability; choose from 0 to 1", margin));
  }
  if (!(level > 0.0 && level < 1.0)) {
    throw usage_error(fmt::format("option level: {} is not a share; choose between 0 and 1, as 0.95", level));
  }
}

BiasAudit audit_bias(const Structure& structure, const std::vector<AgentWorld>& given,
                     const HistoryTree* tree, const BiasOptions& options) {
  options.validate();
  const std::vector<AgentWorld> over_gap =
      model::has_rates(structure) ? over_a_typical_gap(structure, given) : std::vector<AgentWorld>();
  const std::vector<AgentWorld>& draws = model::has_rates(structure) ? over_gap : given;
  const bool complete = std::all_of(draws.begin(), draws.end(), [](const auto& draw) { return draw.world; });
  if (draws.empty() || !complete) throw runtime_error("a bias audit needs draws of an agent and a world");
  BiasAudit audit;
  audit.draws = static_cast<int>(draws.size());
  const model::DynamicsSpace everything(structure, Dynamics::filled(structure, NAN));
  for (const model::ParameterBlock& block : everything.blocks()) {
    std::vector<BiasFinding> row;
    for (const int entry : block.entries) {
      if (is_learned(block.field, entry, draws) && !is_copy(structure, block.field, entry, draws))
        row.push_back(compare(structure, block, entry, draws, options));
    }
    // Two chances that sum to one say the same twice: the rarer is what people speak of (a test's misses).
    if (row.size() == 2) row.erase(row.begin() + (row[0].agent.middle <= row[1].agent.middle ? 1 : 0));
    audit.findings.insert(audit.findings.end(), row.begin(), row.end());
  }
  flag(audit.findings, options.false_discoveries);
  if (tree != nullptr && tree->decisions > 0)
    audit.cost = explain::bias_cost(structure, *tree, given, options);
  return audit;
}

}  // namespace interpole
