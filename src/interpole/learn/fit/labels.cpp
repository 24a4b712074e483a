#include "interpole/learn/fit/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model/measured/families.hpp"

namespace interpole::learn {
namespace {

constexpr double kClearDifference = 0.02;  // in the probability of the hinted outcome

bool same(const std::vector<double>& x, const std::vector<double>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-12;
  });
}

bool same(const Dynamics& x, const Dynamics& y) {
  return same(x.initial, y.initial) && same(x.transition, y.transition) && same(x.observation, y.observation);
}

bool same(const Parameters& x, const Parameters& y) {
  return same(x.dynamics, y.dynamics) && same(x.policy.means, y.policy.means);
}

bool leaves_study_unchanged(const DecisionProblem& problem, const std::vector<int>& order) {
  const Parameters prior = {problem.priors.concentration, problem.known.policy};
  Dynamics expected = Dynamics::filled(problem.structure, NAN);
  if (!problem.priors.expected.empty()) expected.observation = problem.priors.expected;
  return same(permute_states(problem.structure, problem.known, order), problem.known) &&
         same(permute_states(problem.structure, expected, order), expected) &&
         same(permute_states(problem.structure, prior, order), prior) &&
         (!problem.world || same(permute_states(problem.structure, *problem.world, order), *problem.world));
}

// 1 for chances. The outcomes of a hint about a measured factor are a column of its parameters.
double hint_unit(const Structure& structure, const LabelHint& hint) {
  if (!structure.measured() || hint.outcomes.empty()) return 1.0;
  const auto offsets = model::factor_offsets(structure.factors);
  const auto f =
      std::upper_bound(offsets.begin(), offsets.end(), hint.outcomes[0].observation) - offsets.begin() - 1;
  const MeasuredFactor& factor = structure.factors[static_cast<std::size_t>(f)];
  if (factor.family == Family::kCategorical) return 1.0;
  const model::ParameterForm form = model::forms_of(factor)[0];
  return form.slope(form.at(0.0)) * static_cast<double>(hint.outcomes.size());
}

// The chance of the hinted outcomes in each state.
std::vector<double> hinted_chances(const Structure& structure, const LabelHint& hint,
                                   const Parameters& parameters) {
  const std::size_t S = structure.states.size();
  std::vector<double> chances(S, 0.0);
  for (const Outcome& outcome : hint.outcomes) {
    for (std::size_t s = 0; s < S; ++s) {
      chances[s] +=
          parameters.dynamics
              .observation[(outcome.action * S + s) * structure.observation_columns() + outcome.observation];
    }
  }
  // Of measured factors: where they lie, in units of what they are spread.
  for (double& chance : chances) chance /= hint_unit(structure, hint);
  return chances;
}

LabelReport find_by_hint(const DecisionProblem& problem, const Parameters& parameters) {
  const LabelHint& hint = *problem.labels;
  const std::vector<double> chances = hinted_chances(problem.structure, hint, parameters);
  const int S = problem.structure.state_count();
  std::vector<int> ascending(S);
  std::iota(ascending.begin(), ascending.end(), 0);
  std::stable_sort(ascending.begin(), ascending.end(), [&](int x, int y) { return chances[x] < chances[y]; });
  std::vector<int> order(S);  // new state hint.order[k] is the old state ascending[k]
  for (int k = 0; k < S; ++k) order[hint.order[k]] = ascending[k];
  double closest = INFINITY;
  for (int k = 1; k < S; ++k) closest = std::min(closest, chances[ascending[k]] - chances[ascending[k - 1]]);

  LabelReport report;
  if (!leaves_study_unchanged(problem, order)) {
    report.ambiguous = true;
    report.sentence = fmt::format(
        "ordering the states by {} would contradict the study's known values; names were left as they are",
        hint.description);
    return report;
  }
  report.order = order;
  report.by_hint = true;
  report.ambiguous = closest < kClearDifference;
  report.sentence = fmt::format("states named by how likely {} is", hint.description);
  if (report.ambiguous) {
    report.sentence +=
        fmt::format("; two of them differ by only {:.3f}, so their names may be exchanged", closest);
  }
  return report;
}

// Mean belief in the recorded diagnosis, if state s were called what order says.
double agreement(const HistoryTree& tree, const inference::NodeBeliefs& beliefs,
                 const std::vector<int>& order) {
  double sum = 0.0;
  double count = 0.0;
  for (int node = 0; node < tree.node_count(); ++node) {
    for (std::size_t s = 0; s < order.size(); ++s) {
      const auto n = static_cast<double>(tree.diagnosis_counts[node * order.size() + s]);
      sum += n * beliefs.at(node)[order[s]];
      count += n;
    }
  }
  return count > 0.0 ? sum / count : 0.0;
}

LabelReport find_by_diagnoses(const HistoryTree& tree, const DecisionProblem& problem,
                              const std::vector<std::vector<int>>& relabellings,
                              const Parameters& parameters) {
  const inference::NodeBeliefs beliefs =
      inference::node_beliefs(tree, problem.structure, parameters.dynamics);
  double best = -1.0;
  double second = -1.0;
  const std::vector<int>* chosen = nullptr;
  for (const auto& order : relabellings) {
    const double agrees = agreement(tree, beliefs, order);
    if (agrees > best) {
      second = best;
      best = agrees;
      chosen = &order;
    } else {
      second = std::max(second, agrees);
    }
  }
  LabelReport report;
  report.order = *chosen;
  report.by_hint = true;
  report.ambiguous = best - second < kClearDifference;
  report.sentence = fmt::format(
      "states named so that the recorded diagnosis is believed most ({:.0f}% on average)", 100.0 * best);
  if (report.ambiguous) {
    report.sentence += fmt::format("; exchanged names would agree nearly as well ({:.0f}%)", 100.0 * second);
  }
  return report;
}

}  // namespace

std::vector<std::vector<int>> allowed_relabellings(const DecisionProblem& problem) {
  std::vector<int> order(problem.structure.state_count());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int>> allowed = {order};
  if (problem.structure.state_count() > kMostRelabelledStates) return allowed;
  while (std::next_permutation(order.begin(), order.end())) {
    if (leaves_study_unchanged(problem, order)) allowed.push_back(order);
  }
  return allowed;
}

LabelReport find_labels(const HistoryTree& tree, const DecisionProblem& problem,
                        const Parameters& parameters) {
  const auto relabellings = allowed_relabellings(problem);
  LabelReport report;
  if (relabellings.size() == 1) {
    report.fixed = problem.structure.state_count() <= kMostRelabelledStates;
    report.ambiguous = !report.fixed && !problem.labels;
    report.sentence = report.fixed ? "the study's known values and priors tell the states apart"
                                   : "there are too many states to try every naming";
    if (report.fixed || !problem.labels) return report;
  }
  if (!tree.diagnosis_counts.empty() && relabellings.size() > 1) {
    return find_by_diagnoses(tree, problem, relabellings, parameters);
  }
  if (problem.labels) return find_by_hint(problem, parameters);
  report.ambiguous = true;
  report.sentence = "nothing in the study says which latent state is which; add [labels] to name them";
  return report;
}

LabelReport align_labels(const HistoryTree& tree, const DecisionProblem& problem, Parameters& parameters) {
  LabelReport report = find_labels(tree, problem, parameters);
  if (!report.order.empty()) parameters = permute_states(problem.structure, parameters, report.order);
  return report;
}

}  // namespace interpole::learn
