#include "interpole/learn/posterior/coupled_space.hpp"

#include <algorithm>
#include <map>

#include "interpole/learn/posterior/study_space.hpp"

namespace interpole::learn {
namespace {

int world_offset_of(const model::DynamicsSpace& world, const model::ParameterBlock& block) {
  for (const auto& other : world.blocks()) {
    if (other.field == block.field && other.entries == block.entries) return other.offset;
  }
  return -1;
}

// The agent's dynamics but for what starting beliefs differ by: it is the world's.
Dynamics without_start(Dynamics dynamics) {
  dynamics.start.clear();
  return dynamics;
}

std::vector<double> known_coordinates(const Dynamics& known, const model::ParameterBlock& block) {
  std::vector<double> row;
  for (const int i : block.entries) row.push_back(model::field_of(known, block.field)[i]);
  std::vector<double> y(block.size);
  model::block_coordinates(block, row, y);
  return y;
}

}  // namespace

CoupledSpace::CoupledSpace(const DecisionProblem& problem, const Coupling& coupling)
    : policy_(problem.structure, problem.known.policy),
      world_(problem.structure, problem.known_world(), problem.ties),
      agent_(problem.structure, without_start(problem.known.dynamics), problem.ties) {
  for (const auto& block : agent_.blocks()) {
    Link link;
    link.block = &block;
    link.world_offset = world_offset_of(world_, block);
    if (link.world_offset < 0) link.anchor = known_coordinates(problem.known_world(), block);
    link.unit = coupling.integrate ? 1.0 : std::min(coupling.scales.of_row(links_.size(), block.field), 1.0);
    links_.push_back(std::move(link));
  }
}

Parameters CoupledSpace::agent_point(std::span<const double> y) const {
  std::vector<double> agent_y(agent_.size());
  agent_coordinates(y, agent_y);
  Parameters agent{agent_.point(agent_y), policy_.point(policy_part(y))};
  agent.dynamics.start = world_point(y).start;
  return agent;
}

void CoupledSpace::agent_coordinates(std::span<const double> y, std::span<double> agent_y) const {
  const auto world = world_part(y);
  const auto gaps = gap_part(y);
  for (const Link& link : links_) {
    for (int k = 0; k < link.block->size; ++k) {
      const int i = link.block->offset + k;
      const double from = link.world_offset < 0 ? link.anchor[k] : world[link.world_offset + k];
      agent_y[i] = from + link.unit * gaps[i];
    }
  }
}

void CoupledSpace::pull_back(std::span<const double> d_agent, std::span<double> d_y) const {
  const auto d_world = world_part(d_y);
  const auto d_gaps = gap_part(d_y);
  for (const Link& link : links_) {
    for (int k = 0; k < link.block->size; ++k) {
      const int i = link.block->offset + k;
      if (link.world_offset >= 0) d_world[link.world_offset + k] += d_agent[i];
      d_gaps[i] += link.unit * d_agent[i];
    }
  }
}

void CoupledSpace::joint_coordinates(std::span<const double> y, std::span<double> joint) const {
  const auto shared = y.first(policy_.size() + world_.size());
  std::copy(shared.begin(), shared.end(), joint.begin());
  agent_coordinates(y, gap_part(joint));
}

void CoupledSpace::from_joint_coordinates(std::span<const double> joint, std::span<double> y) const {
  const auto shared = joint.first(policy_.size() + world_.size());
  std::copy(shared.begin(), shared.end(), y.begin());
  set_gaps(gap_part(joint), y);
}

void CoupledSpace::joint_pull_back(std::span<const double> d_joint, std::span<double> d_y) const {
  const auto shared = d_joint.first(policy_.size() + world_.size());
  std::copy(shared.begin(), shared.end(), d_y.begin());
  const auto d_gaps = gap_part(d_y);
  std::fill(d_gaps.begin(), d_gaps.end(), 0.0);
  pull_back(gap_part(d_joint), d_y);
}

std::vector<std::vector<int>> CoupledSpace::rows() const {
  const auto append = [](int begin, int size, std::vector<int>& row) {
    for (int i = begin; i < begin + size; ++i) row.push_back(i);
  };
  std::vector<std::vector<int>> rows(2);
  append(0, policy_.size(), rows[0]);
  append(policy_.size() + world_.size() - world_.start_size(), world_.start_size(), rows[1]);
  std::map<int, std::size_t> row_at;  // by the world's offset
  for (const auto& block : world_.blocks()) {
    row_at[block.offset] = rows.size();
    append(policy_.size() + block.offset, block.size, rows.emplace_back());
  }
  for (const Link& link : links_) {
    const std::size_t row = link.world_offset < 0 ? rows.size() : row_at.at(link.world_offset);
    if (row == rows.size()) rows.emplace_back();
    append(policy_.size() + world_.size() + link.block->offset, link.block->size, rows[row]);
  }
  return rows;
}

void CoupledSpace::set_gaps(std::span<const double> agent_y, std::span<double> y) const {
  const auto gaps = gap_part(y);
  std::fill(gaps.begin(), gaps.end(), 0.0);
  std::vector<double> together(agent_y.size());
  agent_coordinates(y, together);
  for (const Link& link : links_) {
    if (link.unit == 0.0) continue;
    for (int i = link.block->offset; i < link.block->offset + link.block->size; ++i) {
      gaps[i] = (agent_y[i] - together[i]) / link.unit;
    }
  }
}

void CoupledSpace::coordinates(const AgentWorld& agent_world, std::span<double> y) const {
  policy_.coordinates(agent_world.agent.policy, policy_part(y));
  world_.coordinates(agent_world.world ? *agent_world.world : agent_world.agent.dynamics, world_part(y));
  std::vector<double> agent_y(agent_.size());
  agent_.coordinates(agent_world.agent.dynamics, agent_y);
  set_gaps(agent_y, y);
}

std::vector<std::string> CoupledSpace::names() const {
  std::vector<std::string> names = policy_.names();
  world_.append_all_names("world.", names);
  model::append_names(agent_.blocks(), "gap of ", names);
  return names;
}

}  // namespace interpole::learn
