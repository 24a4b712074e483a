// The numbers of a model, in their natural space, as flat arrays:
//
//   initial[s]                  b1(s)           belief before the first decision
//   transition[(a·S + s)·S + s']   T(s'|s,a)       a row (a,s) sums to one
//   observation[(a·S + s')·Z + z]  O(z|a,s')       a row (a,s') sums to one; zero for terminal actions
//   inverse_temperature         η
//   means[a·S + s]              μ_a(s)          sums to one over s, but is not confined to the simplex
//
// The same structs hold gradients (∂/∂ each entry) and, with NaN for "not stated", known and starting values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/structure.hpp"

namespace interpole {

// The arrays by name.
enum class Field { kInitial, kTransition, kObservation, kMeans, kTemperature };

struct Dynamics {
  std::vector<double> initial;
  std::vector<double> transition;
  std::vector<double> observation;

  static Dynamics filled(const Structure& structure, double value);
  bool operator==(const Dynamics&) const = default;
};

struct Policy {
  double inverse_temperature = 0.0;
  std::vector<double> means;

  static Policy filled(const Structure& structure, double value);
  bool operator==(const Policy&) const = default;
};

struct Parameters {
  Dynamics dynamics;
  Policy policy;

  static Parameters filled(const Structure& structure, double value) {
    return {Dynamics::filled(structure, value), Policy::filled(structure, value)};
  }
  bool operator==(const Parameters&) const = default;
};

// A complete model of a decision-maker: `agent` is what is in their head. `world`, where known, is what the
// outcomes really followed.
struct Model {
  Structure structure;
  Parameters agent;
  std::optional<Dynamics> world;

  bool operator==(const Model&) const = default;
};

// Throw an input error naming `where`, the entry and its value unless every entry is finite, probabilities
// are ≥ 0, rows sum to one within 1e-8, masks hold and means sum to one. Rows off by more than the rounding
// of a sum are then divided by it. Messages read "where: transition[0][1]: …", of the world "where:
// world.transition[0][1]: …".
void validate_and_normalise(const Structure& structure, Dynamics& dynamics, const std::string& where);
void validate_and_normalise(const Structure& structure, Policy& policy, const std::string& where);
void validate_and_normalise(Model& model, const std::string& where);

// State s of the result is state order[s] of the input.
Structure permute_states(const Structure& structure, const std::vector<int>& order);
Dynamics permute_states(const Structure& structure, const Dynamics& dynamics, const std::vector<int>& order);
Policy permute_states(const Structure& structure, const Policy& policy, const std::vector<int>& order);
Parameters permute_states(const Structure& structure, const Parameters& parameters,
                          const std::vector<int>& order);
Model permute_states(const Model& model, const std::vector<int>& order);

}  // namespace interpole
