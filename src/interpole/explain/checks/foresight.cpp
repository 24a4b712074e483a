#include "interpole/explain/checks/foresight.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpole/explain/checks/decision_families.hpp"
#include "interpole/explain/checks/fitted_directions.hpp"

namespace interpole::explain {
namespace {

constexpr double kKeptLean = 0.8;  // how much of what was seen still counts one decision later

// How much likelier an action becomes where belief leans a little further along a direction:
// ∂ log π(a|b)/∂λ with b ∝ b exp(λ direction). Zero on average over actions.
class Lean {
 public:
  Lean(const Structure& structure, const Policy& policy, const Eigen::VectorXd& direction)
      : S_(structure.state_count()), A_(structure.action_count()), policy_(policy), direction_(direction) {}

  std::vector<double> at(std::span<const double> belief, const double* probabilities) const {
    const double mean = along(direction_, belief);
    std::vector<double> places(A_, 0.0);
    double expected = 0.0;
    for (int a = 0; a < A_; ++a) {
      for (int s = 0; s < S_; ++s) {
        places[a] += 2.0 * policy_.inverse_temperature * policy_.means[a * S_ + s] * belief[s] *
                     (direction_[s] - mean);
      }
      expected += probabilities[a] * places[a];
    }
    for (double& place : places) place -= expected;
    return places;
  }

 private:
  int S_, A_;
  const Policy& policy_;
  Eigen::VectorXd direction_;
};

class OnData {
 public:
  OnData(const FitResult& fit, const HistoryTree& tree)
      : tree_(tree),
        structure_(fit.model.structure),
        decisions_(decision_sites(tree)),
        results_(result_sites(tree, structure_)) {}

  const DecisionSites& decisions() const { return decisions_; }
  const ResultSites& results() const { return results_; }

  std::vector<double> policies(const AgentWorld& at, const inference::NodeBeliefs& beliefs) const {
    return policies_at(decisions_, structure_, at.agent, beliefs);
  }
  std::vector<double> predictions(const AgentWorld& at, const inference::NodeBeliefs& beliefs) const {
    return predictions_at(results_, structure_, world_of(at), beliefs);
  }
  inference::NodeBeliefs beliefs(const Dynamics& dynamics) const {
    return inference::node_beliefs(tree_, structure_, dynamics);
  }
  static const Dynamics& world_of(const AgentWorld& at) { return at.world ? *at.world : at.agent.dynamics; }

  // Both expected sums.
  std::pair<double, double> expected(const AgentWorld& at, const CheckFamily& of_decisions,
                                     const CheckFamily& of_results) const {
    return {expected_sums(of_decisions, decisions_, policies(at, beliefs(at.agent.dynamics)))[0],
            expected_sums(of_results, results_, predictions(at, beliefs(world_of(at))))[0]};
  }

 private:
  const HistoryTree& tree_;
  const Structure& structure_;
  DecisionSites decisions_;
  ResultSites results_;
};

double standardised(const CheckFamily& family, const CategorySites& sites, const std::vector<double>& probabilities,
                    const std::vector<double>& fitted) {
  const double difference =
      observed_sums(family, sites)[0] - expected_sums(family, sites, probabilities)[0];
  const double chance = chance_covariance(family, sites, probabilities)(0, 0);
  double left = chance;
  for (const double x : fitted) left -= x * x;
  // Of a sum that a fit takes up nearly whole little is known.
  left = std::max(left, 0.25 * chance);
  return left > 0.0 ? difference / std::sqrt(left) : 0.0;
}

}  // namespace

double Foresight::together() const {
  return (decisions + results) / std::numbers::sqrt2;
}

Foresight foresight_of(const FitResult& fit, const HistoryTree& tree) {
  const Structure& structure = fit.model.structure;
  const AgentWorld at{fit.model.agent, fit.model.world};
  const OnData data(fit, tree);
  const auto beliefs = data.beliefs(at.agent.dynamics);
  const auto world_beliefs = data.beliefs(OnData::world_of(at));
  if (beliefs.impossible || world_beliefs.impossible || data.results().size() == 0) return {};
  const auto policies = data.policies(at, beliefs);
  const auto predictions = data.predictions(at, world_beliefs);
  const Eigen::VectorXd direction = leading_direction(data.decisions(), beliefs);
  const Lean lean(structure, at.agent.policy, direction);

  const auto A = static_cast<std::size_t>(structure.action_count());
  CheckFamily of_decisions;
  of_decisions.levels = {"leans"};
  std::vector<std::vector<double>> leans;  // [site]
  std::vector<double> earlier;             // [site]
  std::vector<double> node_lean(tree.parent.size() * A, 0.0);
  std::vector<double> node_earlier(tree.parent.size(), 0.0);
  for (std::size_t i = 0; i < data.decisions().size(); ++i) {
    const std::int32_t node = data.decisions().node[i];
    leans.push_back(lean.at(beliefs.at(node), &policies[i * A]));
    const std::int32_t before = data.decisions().before[i];
    earlier.push_back(before < 0 ? 0.0
                                 : kKeptLean * (earlier[before] + leans[before][data.decisions().contexts[i].last_action]));
    of_decisions.values.push_back(earlier.back());
    of_decisions.scores.insert(of_decisions.scores.end(), leans.back().begin(), leans.back().end());
    std::copy(leans.back().begin(), leans.back().end(), node_lean.begin() + node * A);
    node_earlier[node] = earlier.back();
  }

  CheckFamily of_results;
  of_results.side = CheckedSide::kResults;
  of_results.levels = {"leans"};
  const auto Z = static_cast<std::size_t>(data.results().categories);
  std::vector<double> ahead(structure.state_count());
  std::vector<double> next(structure.state_count());
  for (std::size_t i = 0; i < data.results().size(); ++i) {
    const std::int32_t node = data.results().node[i];
    const int action = data.results().action[i];
    of_results.values.push_back(node_earlier[node] + node_lean[node * A + action]);
    const auto belief = world_beliefs.at(node);
    update_belief(structure, OnData::world_of(at), action, kMissing, belief, ahead);
    for (std::size_t z = 0; z < Z; ++z) {
      double moved = 0.0;
      if (predictions[i * Z + z] > 0.0) {
        update_belief(structure, OnData::world_of(at), action, static_cast<int>(z), belief, next);
        moved = along(direction, next) - along(direction, ahead);
      }
      of_results.scores.push_back(moved);
    }
  }

  std::vector<double> fitted_decisions, fitted_results;
  for (const auto& [up, down] : fitted_directions(fit).ends) {
    const auto high = data.expected(up, of_decisions, of_results);
    const auto low = data.expected(down, of_decisions, of_results);
    fitted_decisions.push_back((high.first - low.first) / (2.0 * FittedDirections::kStep));
    fitted_results.push_back((high.second - low.second) / (2.0 * FittedDirections::kStep));
  }
  return {standardised(of_decisions, data.decisions(), policies, fitted_decisions),
          standardised(of_results, data.results(), predictions, fitted_results)};
}

}  // namespace interpole::explain
