// Where a point of the coupled coordinate space stands for an agent and a world:
//
//   [policy | world's dynamics | gaps]
//
// By what starting beliefs differ (Dynamics::start) is common to both and part of the world's.
//
// A gap is counted in units of min(σ, 1), so that the space is well scaled from σ = 0 (where gaps change
// nothing and agent and world are one) to σ = ∞.
#pragma once

#include "interpole/agent_world.hpp"
#include "interpole/learn/posterior/coupling.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

class CoupledSpace {
 public:
  CoupledSpace(const DecisionProblem& problem, const Coupling& coupling);
  CoupledSpace(const CoupledSpace&) = delete;  // its links point into itself

  int size() const { return policy_.size() + world_.size() + agent_.size(); }
  const model::PolicySpace& policy() const { return policy_; }
  const model::DynamicsSpace& world() const { return world_; }
  const model::DynamicsSpace& agent() const { return agent_; }

  template <class Scalar>
  std::span<Scalar> policy_part(std::span<Scalar> y) const {
    return y.first(policy_.size());
  }
  template <class Scalar>
  std::span<Scalar> world_part(std::span<Scalar> y) const {
    return y.subspan(policy_.size(), world_.size());
  }
  template <class Scalar>
  std::span<Scalar> gap_part(std::span<Scalar> y) const {
    return y.subspan(policy_.size() + world_.size());
  }

  // What a row of the agent's is measured from. The world's coordinates, or their known place.
  struct Link {
    const model::ParameterBlock* block = nullptr;  // of the agent
    int world_offset = -1;                         // of the world's coordinates; −1: known
    std::vector<double> anchor;                    // the world's known coordinates
    double unit = 1.0;                             // of the gap
  };
  const std::vector<Link>& links() const { return links_; }

  Parameters agent_point(std::span<const double> y) const;
  Dynamics world_point(std::span<const double> y) const { return world_.point(world_part(y)); }

  // The point of an agent and a world (without one, the agent's own).
  void coordinates(const AgentWorld& agent_world, std::span<double> y) const;
  // What every coordinate is called.
  std::vector<std::string> names() const;

  // The agent's coordinates: the world's plus the gaps.
  void agent_coordinates(std::span<const double> y, std::span<double> agent_y) const;
  // The part of the world's coordinates that is the agent's too.
  template <class Scalar>
  std::span<Scalar> start_part(std::span<Scalar> y) const {
    return world_.start_part(world_part(y));
  }
  // d_y += (∂ agent_y/∂ y)ᵀ d_agent
  void pull_back(std::span<const double> d_agent, std::span<double> d_y) const;
  // [policy | world | agent], in which the likelihood does not know of any coupling; and back. A gap whose
  // unit is 0 is lost.
  void joint_coordinates(std::span<const double> y, std::span<double> joint) const;
  void from_joint_coordinates(std::span<const double> joint, std::span<double> y) const;
  // d_y = (∂ joint/∂ y)ᵀ d_joint
  void joint_pull_back(std::span<const double> d_joint, std::span<double> d_y) const;
  // Coordinates that a prior with given σ sees together: the policy's, what starts differ by, and every row
  // of the world's with the gaps from it.
  std::vector<std::vector<int>> rows() const;
  // Gaps from both points' coordinates; 0 where the unit is 0.
  void set_gaps(std::span<const double> agent_y, std::span<double> y) const;

 private:
  model::PolicySpace policy_;
  model::DynamicsSpace world_;
  model::DynamicsSpace agent_;
  std::vector<Link> links_;
};

}  // namespace interpole::learn
