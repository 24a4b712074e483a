#include "interpole/learn/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole {
namespace {

constexpr double kClearDifference = 0.02;  // in the probability of the hinted outcome

bool same(const std::vector<double>& x, const std::vector<double>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-12;
  });
}

bool same(const Parameters& x, const Parameters& y) {
  return same(x.dynamics.initial, y.dynamics.initial) && same(x.dynamics.transition, y.dynamics.transition) &&
         same(x.dynamics.observation, y.dynamics.observation) && same(x.policy.means, y.policy.means);
}

bool leaves_study_unchanged(const Study& study, const std::vector<int>& order) {
  const Parameters prior = {study.priors.concentration, study.known.policy};
  return same(permute_states(study.structure, study.known, order), study.known) &&
         same(permute_states(study.structure, prior, order), prior);
}

}  // namespace

Parameters permute_states(const Structure& structure, const Parameters& parameters,
                          const std::vector<int>& order) {
  return {permute_states(structure, parameters.dynamics, order),
          permute_states(structure, parameters.policy, order)};
}

std::vector<std::vector<int>> allowed_relabellings(const Study& study) {
  std::vector<int> order(study.structure.state_count());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int>> allowed = {order};
  if (study.structure.state_count() > kMostRelabelledStates) return allowed;
  while (std::next_permutation(order.begin(), order.end())) {
    if (leaves_study_unchanged(study, order)) allowed.push_back(order);
  }
  return allowed;
}

LabelReport align_labels(const Study& study, Parameters& parameters) {
  const Structure& structure = study.structure;
  LabelReport report;
  if (allowed_relabellings(study).size() == 1) {
    report.fixed = true;
    report.sentence = "the study's known values fix which state is which";
    return report;
  }
  if (!study.labels) {
    report.ambiguous = true;
    report.sentence = "nothing in the study says which latent state is which; add [labels] to name them";
    return report;
  }
  const LabelHint& hint = *study.labels;
  const int S = structure.state_count();
  const auto chance = [&](int s) {
    return parameters.dynamics
        .observation[(static_cast<std::size_t>(hint.action) * S + s) * structure.observations.size() +
                     hint.observation];
  };
  std::vector<int> ascending(S);
  std::iota(ascending.begin(), ascending.end(), 0);
  std::stable_sort(ascending.begin(), ascending.end(), [&](int x, int y) { return chance(x) < chance(y); });
  std::vector<int> order(S);  // new state hint.order[k] is the old state ascending[k]
  for (int k = 0; k < S; ++k) order[hint.order[k]] = ascending[k];
  double closest = 1.0;
  for (int k = 1; k < S; ++k) closest = std::min(closest, chance(ascending[k]) - chance(ascending[k - 1]));

  const std::string outcome = fmt::format("\"{}\" after \"{}\"", structure.observations[hint.observation],
                                          structure.actions[hint.action]);
  if (!leaves_study_unchanged(study, order)) {
    report.ambiguous = true;
    report.sentence = fmt::format(
        "ordering the states by {} would contradict the study's known values; names were left "
        "as they are",
        outcome);
    return report;
  }
  parameters = permute_states(structure, parameters, order);
  report.by_hint = true;
  report.ambiguous = closest < kClearDifference;
  report.sentence =
      fmt::format("states named by how likely {} is{}", outcome,
                  report.ambiguous ? fmt::format("; two of them differ by only {:.3f}, so their names "
                                                 "may be exchanged",
                                                 closest)
                                   : "");
  return report;
}

}  // namespace interpole
