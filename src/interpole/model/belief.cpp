#include "interpole/belief.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/model/policy_terms.hpp"

namespace interpole {
namespace {

// η (‖b‖² − ‖b − μ_a‖²) for every action, and the highest of them: ‖b‖² is the same for all and cancels in π.
double scores(const Structure& structure, const Policy& policy, std::span<const double> belief,
              std::span<double> out) {
  const std::size_t states = structure.states.size();
  double highest = -INFINITY;
  for (std::size_t a = 0; a < structure.actions.size(); ++a) {
    double score = 0.0;
    for (std::size_t s = 0; s < states; ++s) {
      const double mean = policy.means[a * states + s];
      score += mean * (2.0 * belief[s] - mean);
    }
    out[a] = policy.inverse_temperature * score;
    highest = std::max(highest, out[a]);
  }
  return highest;
}

// log softmax, and softmax, in place.
void normalise_logs(double highest, std::span<double> logs) {
  double total = 0.0;
  for (const double x : logs) total += std::exp(x - highest);
  const double normaliser = highest + std::log(total);
  for (double& x : logs) x -= normaliser;
}

void softmax(double highest, std::span<double> scores) {
  double total = 0.0;
  for (double& p : scores) total += p = std::exp(p - highest);
  for (double& p : scores) p /= total;
}

// π' = keep·π + floor: what is done whatever is believed. There is nothing to repeat at the first decision.
struct Mixture {
  double keep, repeated, anything;
  int last_action;

  Mixture(const PolicyTerms& terms, const DecisionContext& context, std::size_t actions)
      : repeated(context.last_action >= 0 ? terms.inertia : 0.0),
        anything(terms.lapse / static_cast<double>(actions)),
        last_action(context.last_action) {
    keep = 1.0 - repeated - terms.lapse;
  }
  double floor(std::size_t action) const {
    return anything + (static_cast<int>(action) == last_action ? repeated : 0.0);
  }
};

}  // namespace

double update_belief(const Structure& structure, const Dynamics& dynamics, int action, int observation,
                     std::span<const double> belief, std::span<double> next) {
  const std::size_t states = structure.states.size();
  const std::size_t observations = structure.observations.size();
  double total = 0.0;
  for (std::size_t to = 0; to < states; ++to) {
    double arrived = 0.0;
    for (std::size_t from = 0; from < states; ++from) {
      arrived += belief[from] * dynamics.transition[(action * states + from) * states + to];
    }
    if (observation != kMissing) {
      arrived *= dynamics.observation[(action * states + to) * observations + observation];
    }
    next[to] = arrived;
    total += arrived;
  }
  if (total > 0.0) {
    for (double& b : next) b /= total;
  }
  return total;
}

DecisionContext context_after(std::span<const Step> steps, std::span<const double> covariates) {
  DecisionContext context{.step = static_cast<int>(steps.size()), .covariates = covariates};
  if (steps.empty()) return context;
  context.last_action = steps.back().action;
  context.result_missing = steps.back().observation == kMissing;
  return context;
}

void log_action_probabilities(const Structure& structure, const Policy& policy,
                              std::span<const double> belief, const DecisionContext& context,
                              std::span<double> logs) {
  if (policy.terms.none()) return log_action_probabilities(structure, policy, belief, logs);
  scores(structure, policy, belief, logs);
  model::add_offsets(policy.terms, context, logs);
  normalise_logs(*std::max_element(logs.begin(), logs.end()), logs);
  const Mixture mixture(policy.terms, context, logs.size());
  for (std::size_t a = 0; a < logs.size(); ++a) {
    const double floor = mixture.floor(a);
    logs[a] =
        floor == 0.0 ? logs[a] + std::log(mixture.keep) : std::log(mixture.keep * std::exp(logs[a]) + floor);
  }
}

void action_probabilities(const Structure& structure, const Policy& policy, std::span<const double> belief,
                          const DecisionContext& context, std::span<double> probabilities) {
  if (policy.terms.none()) return action_probabilities(structure, policy, belief, probabilities);
  scores(structure, policy, belief, probabilities);
  model::add_offsets(policy.terms, context, probabilities);
  softmax(*std::max_element(probabilities.begin(), probabilities.end()), probabilities);
  const Mixture mixture(policy.terms, context, probabilities.size());
  for (std::size_t a = 0; a < probabilities.size(); ++a) {
    probabilities[a] = mixture.keep * probabilities[a] + mixture.floor(a);
  }
}

std::vector<double> action_probabilities(const Structure& structure, const Policy& policy,
                                         std::span<const double> belief, const DecisionContext& context) {
  std::vector<double> probabilities(structure.actions.size());
  action_probabilities(structure, policy, belief, context, probabilities);
  return probabilities;
}

void log_action_probabilities(const Structure& structure, const Policy& policy,
                              std::span<const double> belief, std::span<double> logs) {
  normalise_logs(scores(structure, policy, belief, logs), logs);
}

void action_probabilities(const Structure& structure, const Policy& policy, std::span<const double> belief,
                          std::span<double> probabilities) {
  softmax(scores(structure, policy, belief, probabilities), probabilities);
}

std::vector<double> action_probabilities(const Structure& structure, const Policy& policy,
                                         std::span<const double> belief) {
  std::vector<double> probabilities(structure.actions.size());
  action_probabilities(structure, policy, belief, probabilities);
  return probabilities;
}

}  // namespace interpole
