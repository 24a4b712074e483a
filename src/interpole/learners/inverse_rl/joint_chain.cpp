#include "interpole/learners/inverse_rl/joint_chain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpole/inference/hidden_paths/path_draws.hpp"
#include "interpole/learn/posterior/log_prior.hpp"

namespace interpole::learners {
namespace {

// Rows of φ given the paths: each is a Dirichlet draw. False if a number is too small for its coordinate.
bool draw_rows(std::span<const model::ParameterBlock> rows, const Priors& priors, const Dynamics& counts,
               base::RandomStream& random, Dynamics& dynamics) {
  std::vector<double> weights;
  for (const model::ParameterBlock& block : rows) {
    weights.clear();
    double total = 0.0;
    for (const int i : block.entries) {
      weights.push_back(random.gamma(model::field_of(priors.concentration, block.field)[i] +
                                     model::field_of(counts, block.field)[i]));
      total += weights.back();
    }
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const double share = weights[k] / total;
      if (!(share > 0.0)) return false;
      model::field_of(dynamics, block.field)[block.entries[k]] = block.mass * share;
    }
  }
  return true;
}

}  // namespace

JointChain::JointChain(const JointTarget& target, const Dynamics& dynamics, std::vector<double> rewards)
    : target_(target) {
  std::vector<double> x(target.space.size());
  target.space.coordinates(dynamics, x);
  x.insert(x.end(), rewards.begin(), rewards.end());
  here_ = at(std::move(x), dynamics).value();
}

std::span<const double> JointChain::rewards_of(const std::vector<double>& x) const {
  return std::span(x).subspan(target_.space.size());
}

double JointChain::log_density() const {
  return here_.log_observations + here_.log_actions + here_.log_prior;
}

void JointChain::weigh_actions(Point& point) const {
  point.log_actions = log_likelihood(*point.decisions, target_.agent,
                                     target_.agent.plan(point.dynamics, rewards_of(point.x)));
}

void JointChain::weigh_prior(Point& point) const {
  std::vector<double> unused(target_.space.size());
  point.log_prior = target_.space.log_jacobian(point.dynamics, unused) +
                    learn::log_prior(target_.space, target_.priors, point.dynamics, unused);
  for (const double reward : rewards_of(point.x)) {
    point.log_prior -= 0.5 * std::pow(reward / target_.reward_sd, 2);
  }
}

std::optional<JointChain::Point> JointChain::at(std::vector<double> x, const Dynamics& dynamics) const {
  const inference::NodeBeliefs beliefs =
      inference::node_beliefs(target_.tree, target_.agent.structure, dynamics);
  if (beliefs.impossible) return std::nullopt;
  Point point;
  point.x = std::move(x);
  point.dynamics = dynamics;
  for (int node = 1; node < target_.tree.node_count(); ++node) {
    point.log_observations +=
        static_cast<double>(target_.tree.passes[node]) * std::log(beliefs.outcome_probability[node]);
  }
  point.decisions = std::make_shared<const DecisionTable>(decisions_at_beliefs(target_.tree, beliefs));
  weigh_actions(point);
  weigh_prior(point);
  return point;
}

double JointChain::accept(base::RandomStream& random, std::optional<Point> proposal, double log_ratio,
                          bool* accepted) {
  const double u = random.uniform();  // drawn in any case: the stream does not depend on what is proposed
  const double chance = proposal && !std::isnan(log_ratio) ? std::min(1.0, std::exp(log_ratio)) : 0.0;
  const bool taken = u < chance;
  if (taken) here_ = std::move(*proposal);
  if (accepted != nullptr) *accepted = taken;
  return chance;
}

double JointChain::move_paths(base::RandomStream& random, bool* accepted) {
  const inference::PathCounts paths =
      inference::draw_paths(target_.tree, target_.agent.structure, here_.dynamics, random);
  Dynamics dynamics = here_.dynamics;
  std::optional<Point> proposal;
  if (draw_rows(target_.space.blocks(), target_.priors, paths.counts, random, dynamics)) {
    std::vector<double> x = here_.x;
    target_.space.coordinates(dynamics, std::span(x).first(target_.space.size()));
    proposal = at(std::move(x), dynamics);
  }
  const double log_ratio = proposal ? proposal->log_actions - here_.log_actions : -INFINITY;
  return accept(random, std::move(proposal), log_ratio, accepted);
}

double JointChain::move_rewards(base::RandomStream& random, const sampling::RandomWalk& walk,
                                bool* accepted) {
  Point proposal = here_;
  walk.propose(rewards_of(here_.x), random, std::span(proposal.x).subspan(target_.space.size()));
  weigh_actions(proposal);
  weigh_prior(proposal);
  const double log_ratio = proposal.log_actions + proposal.log_prior - here_.log_actions - here_.log_prior;
  return accept(random, std::move(proposal), log_ratio, accepted);
}

}  // namespace interpole::learners
