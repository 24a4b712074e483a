#include "interpole/learn/uncertainty/identifiability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>

#include "interpole/belief.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/model/parameter_words.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

constexpr double kNothing = 1e-9;    // of the largest eigenvalue: no information
constexpr double kTakesPart = 1e-3;  // squared share of a direction

// ∂ log π(a|b)/∂ coordinates, for every action: one row each.
Eigen::MatrixXd score(const Structure& structure, const model::PolicySpace& space, const Policy& policy,
                      std::span<const double> b, const std::vector<double>& pi) {
  const int S = structure.state_count();
  const int A = structure.action_count();
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(A, space.size());
  std::vector<double> closeness(A, 0.0);
  for (int k = 0; k < A; ++k) {
    for (int s = 0; s < S; ++s)
      closeness[k] += policy.means[k * S + s] * (2.0 * b[s] - policy.means[k * S + s]);
  }
  double average = 0.0;
  for (int k = 0; k < A; ++k) average += pi[k] * closeness[k];
  Policy gradient = Policy::filled(structure, 0.0);
  std::vector<double> row(space.size());
  for (int a = 0; a < A; ++a) {
    gradient.inverse_temperature = closeness[a] - average;
    for (int k = 0; k < A; ++k) {
      for (int s = 0; s < S; ++s) {
        gradient.means[k * S + s] = 2.0 * policy.inverse_temperature * ((a == k ? 1.0 : 0.0) - pi[k]) *
                                    (b[s] - policy.means[k * S + s]);
      }
    }
    std::fill(row.begin(), row.end(), 0.0);
    space.pull_back(policy, gradient, row);
    rows.row(a) = Eigen::Map<Eigen::RowVectorXd>(row.data(), space.size());
  }
  return rows;
}

Eigen::MatrixXd fisher_information(const HistoryTree& tree, const Structure& structure,
                                   const model::PolicySpace& space, const Parameters& parameters) {
  const inference::NodeBeliefs beliefs = inference::node_beliefs(tree, structure, parameters.dynamics);
  const auto contexts = inference::node_contexts(tree);
  const Policy policy = parameters.policy.of_kind(0);
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(space.size(), space.size());
  for (int node = 0; node < tree.node_count(); ++node) {
    const auto decisions = static_cast<double>(tree.decisions_at(node));
    if (decisions == 0.0) continue;
    const auto pi = action_probabilities(structure, policy, beliefs.at(node), contexts[node]);
    const Eigen::MatrixXd rows = score(structure, space, policy, beliefs.at(node), pi);
    for (int a = 0; a < structure.action_count(); ++a) {
      information += decisions * pi[a] * rows.row(a).transpose() * rows.row(a);
    }
  }
  return information;
}

std::string sentence_of(const Structure& structure, const PolicyIdentifiability& result) {
  if (result.free_directions == 0) return {};
  const std::string which =
      fmt::format("{}", fmt::join(model::parameter_words(structure, result.involved), " and "));
  if (result.temperature_free) {
    return fmt::format(
        "the decisions do not tell {}: one can make up for the other. Read the boundaries and probabilities, "
        "not these numbers, or state inverse_temperature under [known]",
        which);
  }
  return fmt::format(
      "the decisions do not tell exactly {}: other places give the same decisions. Read the boundaries and "
      "probabilities, not the means themselves",
      which);
}

}  // namespace

PolicyIdentifiability policy_identifiability(const HistoryTree& tree, const DecisionProblem& problem,
                                             const Parameters& parameters) {
  PolicyIdentifiability result;
  // Of η and the means: terms move no boundary for good, so they cannot make up for these.
  const model::PolicySpace space(problem.structure,
                                 {problem.known.policy.inverse_temperature, problem.known.policy.means});
  if (space.size() == 0 || tree.decisions == 0) return result;
  const Eigen::MatrixXd information = fisher_information(tree, problem.structure, space, parameters);
  const auto solver = optimize::symmetric_eigen(information);
  const double largest = std::max(solver.values.maxCoeff(), 1e-300);
  Eigen::VectorXd share = Eigen::VectorXd::Zero(space.size());
  for (int i = 0; i < space.size(); ++i) {
    if (solver.values[i] > kNothing * largest) continue;
    ++result.free_directions;
    const Eigen::VectorXd direction = solver.vectors.col(i);
    share += direction.cwiseAbs2();
    result.directions.emplace_back(direction.begin(), direction.end());
  }
  for (const auto& block : space.blocks()) {
    if (share.segment(block.offset, block.size).maxCoeff() < kTakesPart) continue;
    result.involved.push_back(block.name);
    result.temperature_free |= block.field == Field::kTemperature;
  }
  result.sentence = sentence_of(problem.structure, result);
  return result;
}

}  // namespace interpole::learn
