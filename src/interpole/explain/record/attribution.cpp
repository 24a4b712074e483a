#include "interpole/attribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/model/measured/outcome_weights.hpp"

namespace interpole {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t kMostShared = 20;  // measured factors: all sets of more are too many to go through

Vector difference(const Vector& to, const Vector& from) {
  Vector result(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) {
    const bool defined = std::isfinite(to[i]) && std::isfinite(from[i]);
    result[i] = defined ? to[i] - from[i] : NAN;
  }
  return result;
}

BeliefShift shift_between(const Vector& from, const Vector& to) {
  return {difference(to, from), difference(log_odds(to), log_odds(from))};
}

// O(what was seen of the factors in `seen` | a, s'), for every s'.
Vector likelihood_of(const Structure& structure, const OutcomeFactors& factors, const Dynamics& dynamics,
                     Step step, const std::vector<int>& measured, unsigned seen) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  Vector likelihood(S, 0.0);
  if (structure.measured()) {
    const auto outcome = structure.outcomes.table->at(step.observation);
    Vector values(outcome.size(), NAN);
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if ((seen >> i & 1U) != 0) values[measured[i]] = outcome[measured[i]];
    }
    model::outcome_weights(structure, dynamics, step.action, values, likelihood);
    return likelihood;
  }
  for (int z = 0; z < structure.observation_count(); ++z) {
    bool agrees = structure.can_yield(step.action, z);
    for (std::size_t i = 0; agrees && i < measured.size(); ++i) {
      if ((seen >> i & 1U) == 0) continue;
      agrees = factors.level_of(z, measured[i]) == factors.level_of(step.observation, measured[i]);
    }
    if (!agrees) continue;
    for (std::size_t s = 0; s < S; ++s) likelihood[s] += dynamics.observation[(step.action * S + s) * Z + z];
  }
  return likelihood;
}

Vector posterior(const Vector& predicted, const Vector& likelihood) {
  Vector result(predicted.size());
  double total = 0.0;
  for (std::size_t s = 0; s < predicted.size(); ++s) total += result[s] = predicted[s] * likelihood[s];
  for (double& b : result) b /= total;
  return result;
}

// How often, over all orders of K factors, exactly a given set of `before` of the others precedes one:
// before! (K − 1 − before)! / K!
double weight_of(int before, int K) {
  return std::exp(std::lgamma(before + 1.0) + std::lgamma(K - before) - std::lgamma(K + 1.0));
}

void add(Vector& sum, double weight, const Vector& x) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * x[i];
}

std::vector<BeliefMove::OfFactor> shares(const Structure& structure, const OutcomeFactors& factors,
                                         const Dynamics& dynamics, Step step, const BeliefMove& move) {
  const std::vector<int> measured = factors.measured_in(step);
  if (structure.measured() && measured.size() > kMostShared) return {};
  const auto K = static_cast<int>(measured.size());
  if (K == 0) return {};
  if (K == 1) return {{measured[0], move.evidence}};
  const unsigned all = (1U << K) - 1;
  std::vector<Vector> beliefs(all + 1);
  beliefs[0] = move.predicted;
  beliefs[all] = move.after;
  for (unsigned seen = 1; seen < all; ++seen) {
    beliefs[seen] =
        posterior(move.predicted, likelihood_of(structure, factors, dynamics, step, measured, seen));
  }
  std::vector<BeliefMove::OfFactor> result;
  const Vector zero(structure.states.size(), 0.0);
  for (int i = 0; i < K; ++i) {
    BeliefShift share{zero, zero};
    for (unsigned before = 0; before <= all; ++before) {
      if ((before >> i & 1U) != 0) continue;
      const BeliefShift step_shift = shift_between(beliefs[before], beliefs[before | 1U << i]);
      const double weight = weight_of(std::popcount(before), K);
      add(share.belief, weight, step_shift.belief);
      add(share.log_odds, weight, step_shift.log_odds);
    }
    result.push_back({measured[i], share});
  }
  return result;
}

}  // namespace

std::vector<double> log_odds(std::span<const double> belief) {
  Vector result(belief.size());
  for (std::size_t s = 0; s < belief.size(); ++s) {
    double others = 0.0;
    for (std::size_t r = 0; r < belief.size(); ++r) others += r == s ? 0.0 : belief[r];
    result[s] = std::log(belief[s]) - std::log(others);
  }
  return result;
}

PartlyRead partly_read(const Structure& structure, const OutcomeFactors& factors, const Dynamics& dynamics,
                       std::span<const double> belief, Step step, std::span<const int> unread) {
  const std::vector<int> measured = factors.measured_in(step);
  unsigned seen = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (std::find(unread.begin(), unread.end(), measured[i]) == unread.end()) seen |= 1U << i;
  }
  PartlyRead result;
  result.belief.resize(belief.size());
  update_belief(structure, dynamics, {step.action, kMissing, step.gap}, belief, result.belief);
  const Vector likelihood = likelihood_of(structure, factors, dynamics, step, measured, seen);
  for (std::size_t s = 0; s < result.belief.size(); ++s) {
    result.chance += result.belief[s] *= likelihood[s];
  }
  if (!(result.chance > 0.0)) return {};
  for (double& b : result.belief) b /= result.chance;
  return result;
}

BeliefMove belief_move(const Structure& structure, const OutcomeFactors& factors, const Dynamics& dynamics,
                       std::span<const double> belief, Step step) {
  const Vector before(belief.begin(), belief.end());
  BeliefMove move;
  move.predicted.resize(before.size());
  move.after.resize(before.size());
  update_belief(structure, dynamics, {step.action, kMissing, step.gap}, belief, move.predicted);
  const double chance = update_belief(structure, dynamics, step, belief, move.after);
  move.chance = step.observation == kMissing ? 1.0 : chance;
  if (!(chance > 0.0)) {
    move.after.clear();
    move.chance = 0.0;
    return move;
  }
  move.time = shift_between(before, move.predicted);
  move.evidence = shift_between(move.predicted, move.after);
  move.total = shift_between(before, move.after);
  if (step.observation != kMissing) move.factors = shares(structure, factors, dynamics, step, move);
  return move;
}

}  // namespace interpole
