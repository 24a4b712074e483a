#include "interpole/planning/pomdp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/error.hpp"

namespace interpole::planning {
namespace {

constexpr double kProcessSumTolerance = 1e-8;

void check_size(const std::string& where, const char* what, std::size_t have, std::size_t want) {
  if (have == want) return;
  throw input_error(fmt::format("{}: {}: {} numbers; the names listed call for {}", where, what, have, want));
}

void check_rows(const std::string& where, const char* what, std::span<const double> numbers,
                std::size_t columns) {
  for (std::size_t row = 0; row < numbers.size() / columns; ++row) {
    double sum = 0.0;
    for (const double p : numbers.subspan(row * columns, columns)) {
      if (!(p >= 0.0 && p <= 1.0 + kProcessSumTolerance)) {
        throw input_error(fmt::format("{}: {}, row {}: {} is not a probability; it lies between 0 and 1",
                                      where, what, row, p));
      }
      sum += p;
    }
    if (std::abs(sum - 1.0) > kProcessSumTolerance) {
      throw input_error(
          fmt::format("{}: {}, row {}: sums to {}, not to 1; correct its entries", where, what, row, sum));
    }
  }
}

// A name not yet taken, for a state we add.
std::string unused_name(const std::vector<std::string>& names, std::string name) {
  while (std::find(names.begin(), names.end(), name) != names.end()) name += "-";
  return name;
}

}  // namespace

void Pomdp::validate(const std::string& where) const {
  const std::size_t S = states.size();
  const std::size_t A = actions.size();
  const std::size_t Z = observations.size();
  if (S == 0 || A == 0 || Z == 0) {
    throw input_error(fmt::format("{}: a problem needs at least one state, action and observation", where));
  }
  if (!(discount >= 0.0 && discount <= 1.0)) {
    throw input_error(fmt::format("{}: discount: {} is not between 0 and 1", where, discount));
  }
  check_size(where, "start", start.size(), S);
  check_size(where, "transition", transition.size(), A * S * S);
  check_size(where, "observation", observation.size(), A * S * Z);
  check_size(where, "reward", reward.size(), A * S);
  check_size(where, "terminal", terminal.size(), A);
  check_rows(where, "start", start, S);
  for (std::size_t a = 0; a < A; ++a) {
    if (terminal[a] != 0) continue;
    const std::string of = fmt::format("of action \"{}\"", actions[a]);
    check_rows(where, ("transition " + of).c_str(), std::span(transition).subspan(a * S * S, S * S), S);
    check_rows(where, ("observation " + of).c_str(), std::span(observation).subspan(a * S * Z, S * Z), Z);
  }
  for (std::size_t i = 0; i < reward.size(); ++i) {
    if (std::isfinite(reward[i])) continue;
    throw input_error(fmt::format("{}: the reward of action \"{}\" in state \"{}\" is not a finite number",
                                  where, actions[i / S], states[i % S]));
  }
}

Pomdp pomdp_of(const Structure& structure, const Dynamics& dynamics, std::span<const double> rewards,
               double discount) {
  const std::size_t wanted = structure.actions.size() * structure.states.size();
  if (rewards.size() != wanted) {
    throw usage_error(fmt::format("{} rewards for {} actions and {} states; give {}, one for each pair",
                                  rewards.size(), structure.actions.size(), structure.states.size(), wanted));
  }
  Pomdp pomdp{structure.states,
              structure.actions,
              structure.observations,
              discount,
              Goal::kReward,
              dynamics.initial,
              dynamics.transition,
              dynamics.observation,
              {rewards.begin(), rewards.end()},
              structure.terminal};
  pomdp.validate("decision problem");
  return pomdp;
}

Pomdp with_end_state(const Pomdp& pomdp) {
  if (std::find(pomdp.terminal.begin(), pomdp.terminal.end(), 1) == pomdp.terminal.end()) return pomdp;
  const std::size_t S = pomdp.states.size();
  const std::size_t A = pomdp.actions.size();
  const std::size_t Z = pomdp.observations.size();
  const std::size_t end = S;
  Pomdp result{pomdp.states,
               pomdp.actions,
               pomdp.observations,
               pomdp.discount,
               pomdp.goal,
               pomdp.start,
               {},
               {},
               {},
               {}};
  result.states.push_back(unused_name(pomdp.states, "ended"));
  result.start.push_back(0.0);
  result.terminal.assign(A, 0);
  result.transition.assign(A * (S + 1) * (S + 1), 0.0);
  // At the end any outcome will do: there is nothing left to learn.
  result.observation.assign(A * (S + 1) * Z, 1.0 / static_cast<double>(Z));
  result.reward.assign(A * (S + 1), 0.0);
  for (std::size_t a = 0; a < A; ++a) {
    double* T = result.transition.data() + a * (S + 1) * (S + 1);
    T[end * (S + 1) + end] = 1.0;
    for (std::size_t s = 0; s < S; ++s) {
      result.reward[a * (S + 1) + s] = pomdp.reward[a * S + s];
      if (pomdp.terminal[a] != 0) {
        T[s * (S + 1) + end] = 1.0;
        continue;
      }
      std::copy_n(&pomdp.transition[(a * S + s) * S], S, T + s * (S + 1));
      std::copy_n(&pomdp.observation[(a * S + s) * Z], Z, &result.observation[(a * (S + 1) + s) * Z]);
    }
  }
  return result;
}

void joint_outcomes(const Pomdp& pomdp, int action, std::span<const double> belief, std::span<double> joint) {
  const std::size_t S = pomdp.states.size();
  const std::size_t Z = pomdp.observations.size();
  const double* T = pomdp.transition.data() + action * S * S;
  const double* O = pomdp.observation.data() + action * S * Z;
  for (std::size_t to = 0; to < S; ++to) {
    double arrived = 0.0;
    for (std::size_t from = 0; from < S; ++from) arrived += belief[from] * T[from * S + to];
    for (std::size_t z = 0; z < Z; ++z) joint[z * S + to] = O[to * Z + z] * arrived;
  }
}

bool may_follow(const Pomdp& pomdp, int action, int observation) {
  const std::size_t S = pomdp.states.size();
  const std::size_t Z = pomdp.observations.size();
  for (std::size_t to = 0; to < S; ++to) {
    if (pomdp.observation[(action * S + to) * Z + observation] > 0.0) return true;
  }
  return false;
}

}  // namespace interpole::planning
