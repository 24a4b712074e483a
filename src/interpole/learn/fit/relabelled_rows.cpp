#include "interpole/learn/fit/relabelled_rows.hpp"

#include <cmath>

#include "interpole/learn/fit/labels.hpp"

namespace interpole::learn {
namespace {

double distance_between(const Dynamics& x, const Dynamics& y) {
  double sum = 0.0;
  for (const Field field : kCoupledFields) {
    const auto& a = model::field_of(x, field);
    const auto& b = model::field_of(y, field);
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  }
  return sum;
}

}  // namespace

void permute_rows(const DecisionProblem& problem, const std::vector<int>& order, std::vector<double>& rows) {
  if (rows.empty() || order.empty()) return;
  const model::DynamicsSpace space(problem.structure, problem.known.dynamics, problem.ties);
  // Every number of a row says the row's σ, so that it goes where the number goes.
  Dynamics marked = Dynamics::filled(problem.structure, 0.0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& block = space.blocks()[r];
    auto& numbers = model::field_of(marked, block.field);
    for (const int i : block.entries) numbers[i] = rows[r];
    for (const auto& copy : block.copies) {
      for (const int i : copy) numbers[i] = rows[r];
    }
  }
  const Dynamics moved = permute_states(problem.structure, marked, order);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& block = space.blocks()[r];
    rows[r] = model::field_of(moved, block.field)[block.entries.front()];
  }
}

void permute_rows(const DecisionProblem& problem, const std::vector<int>& order, ScaleChoice& choice) {
  permute_rows(problem, order, choice.scales.rows);
  for (RowHypothesis& hypothesis : choice.sparse) permute_rows(problem, order, hypothesis.sigma);
}

AgentWorld named_alike(const DecisionProblem& problem, const AgentWorld& explanation,
                       const AgentWorld& like) {
  AgentWorld closest = explanation;
  double smallest = INFINITY;
  for (const std::vector<int>& order : allowed_relabellings(problem)) {
    AgentWorld other = permute_states(problem.structure, explanation, order);
    const double apart = distance_between(other.agent.dynamics, like.agent.dynamics);
    if (apart >= smallest) continue;
    smallest = apart;
    closest = std::move(other);
  }
  return closest;
}

}  // namespace interpole::learn
