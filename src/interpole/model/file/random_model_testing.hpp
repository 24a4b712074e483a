// Models of any shape, with zeros, hostile names and everything that a model file may hold.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/parameters.hpp"

namespace interpole::model {

inline std::vector<std::string> random_names(base::RandomStream& random, const std::string& prefix,
                                             int size) {
  const std::vector<std::string> tails = {"", " \"quoted\"", "\n", "é", "\\", "\x01", "𝛼", "/"};
  std::vector<std::string> names(static_cast<std::size_t>(size), prefix);
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i].append(std::to_string(i)).append(tails[random.next_bits() % tails.size()]);
  }
  return names;
}

// A point of the simplex with structural zeros where `allowed` says so.
inline void append_text_row(base::RandomStream& random, const std::vector<char>& allowed,
                            std::vector<double>& to) {
  std::vector<double> weights(allowed.size(), 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i] != 0) total += weights[i] = std::exp(20.0 * random.normal());
  }
  for (const double w : weights) to.push_back(w / total);
}

inline Dynamics random_dynamics(base::RandomStream& random, const Structure& structure) {
  Dynamics dynamics;
  const std::vector<char> every_state(structure.states.size(), 1);
  append_text_row(random, every_state, dynamics.initial);
  const auto width = static_cast<std::ptrdiff_t>(structure.observations.size());
  for (int a = 0; a < structure.action_count(); ++a) {
    const auto first = structure.allowed.begin() + a * width;
    const std::vector<char> outcomes(first, first + width);
    for (int s = 0; s < structure.state_count(); ++s) {
      append_text_row(random, every_state, dynamics.transition);
      if (structure.is_terminal(a)) {
        dynamics.observation.insert(dynamics.observation.end(), outcomes.size(), 0.0);
      } else {
        append_text_row(random, outcomes, dynamics.observation);
      }
    }
  }
  return dynamics;
}

inline std::vector<double> random_weights(base::RandomStream& random, std::size_t size) {
  std::vector<double> weights(size);
  for (double& w : weights) w = std::exp(10.0 * random.normal()) * random.normal();
  return weights;
}

inline PolicyTerms random_terms(base::RandomStream& random, const Structure& structure) {
  const std::size_t actions = structure.actions.size();
  PolicyTerms terms;
  terms.inertia = 0.4 * random.uniform();
  terms.lapse = random.uniform() < 0.5 ? 0.0 : 0.4 * random.uniform();
  terms.covariates.push_back({"c", random_names(random, "k", 3), 0.0, 1.0});
  terms.covariates.push_back({"x \"y\"", {}, random.normal(), std::exp(random.normal())});
  terms.covariates.push_back({"site", random_names(random, "k", 2), 0.0, 1.0});
  const auto add = [&](TermKind kind, int covariate, int period, std::size_t levels) {
    if (random.uniform() < 0.3) return;
    terms.additive.push_back({kind, covariate, period, random_weights(random, levels * actions)});
  };
  add(TermKind::kHabit, -1, 0, actions);
  if (random.uniform() < 0.5) {
    add(TermKind::kTime, -1, 0, 4);
  } else {
    add(TermKind::kTime, -1, 3, 3);
  }
  add(TermKind::kResultMissing, -1, 0, 1);
  add(TermKind::kContext, 1, 0, 1);
  add(TermKind::kContext, 0, 0, 3);
  add(TermKind::kGroup, 2, 0, 2);
  return terms;
}

inline Model model_of_any_shape(std::uint64_t seed) {
  base::RandomStream random(seed);
  const auto size = [&](int most) {
    return 1 + static_cast<int>(random.next_bits() % static_cast<unsigned>(most));
  };
  Model model;
  model.structure =
      Structure::unrestricted(random_names(random, "s", size(6)), random_names(random, "a", size(5)),
                              random_names(random, "z", size(7)));
  Structure& structure = model.structure;
  for (int a = 0; a < structure.action_count(); ++a) {
    if (random.uniform() < 0.3) {
      structure.make_terminal(a);
    } else if (random.uniform() < 0.5) {
      for (int z = 1; z < structure.observation_count(); ++z) {
        structure.allowed[static_cast<std::size_t>(a) * structure.observations.size() + z] =
            random.uniform() < 0.5;
      }
    }
  }
  model.agent.dynamics = random_dynamics(random, structure);
  if (random.uniform() < 0.5) model.world = random_dynamics(random, structure);
  model.agent.policy.inverse_temperature = std::exp(5.0 * random.normal());
  for (int a = 0; a < structure.action_count(); ++a) {
    double rest = 1.0;
    for (int s = 1; s < structure.state_count(); ++s) {
      model.agent.policy.means.push_back(random.normal());
      rest -= model.agent.policy.means.back();
    }
    model.agent.policy.means.push_back(rest);
  }
  if (random.uniform() < 0.5) model.agent.policy.terms = random_terms(random, structure);
  if (random.uniform() < 0.3) {
    const Policy& policy = model.agent.policy;
    model.agent.policy.other_kinds = {{0.5 * random.uniform() + 0.01, 2.5, policy.means},
                                      {0.25, 1.0 / 3.0, policy.means}};
  }
  return model;
}

}  // namespace interpole::model
