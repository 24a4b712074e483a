#include "interpole/belief.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpole/model/measured/outcome_weights.hpp"
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

double update_belief(const Structure& structure, const Dynamics& dynamics, Step step,
                     std::span<const double> transition, std::span<const double> belief,
                     std::span<double> next) {
  const std::size_t states = structure.states.size();
  const std::size_t observations = structure.observations.size();
  const auto [action, observation, gap] = step;
  const bool measured = observation != kMissing && structure.measured();
  // The weights of a measured outcome are scaled, so that the product of many densities does not vanish.
  const double scale = measured ? model::outcome_weights(structure, dynamics, action,
                                                         structure.outcomes.table->at(observation), next)
                                : 0.0;
  double total = 0.0;
  for (std::size_t to = 0; to < states; ++to) {
    double arrived = 0.0;
    for (std::size_t from = 0; from < states; ++from) {
      arrived += belief[from] * transition[from * states + to];
    }
    if (measured) {
      arrived *= next[to];
    } else if (observation != kMissing) {
      arrived *= dynamics.observation[(action * states + to) * observations + observation];
    }
    next[to] = arrived;
    total += arrived;
  }
  if (total > 0.0) {
    for (double& b : next) b /= total;
  }
  if (measured && total > 0.0) {
    return std::clamp(total * std::exp(scale), std::numeric_limits<double>::min(),
                      std::numeric_limits<double>::max());
  }
  return total;
}

double update_belief(const Structure& structure, const Dynamics& dynamics, Step step,
                     std::span<const double> belief, std::span<double> next) {
  const std::size_t size = structure.states.size() * structure.states.size();
  if (!structure.timed()) {
    const std::span<const double> all(dynamics.transition);
    return update_belief(structure, dynamics, step, all.subspan(step.action * size, size), belief, next);
  }
  const double gap = step.gap == kNoGap ? 0.0 : structure.gaps.table->at(step.gap);
  return update_belief(structure, dynamics, step, transition_over(structure, dynamics, step.action, gap),
                       belief, next);
}

double update_belief(const Structure& structure, const Dynamics& dynamics, int action, int observation,
                     std::span<const double> belief, std::span<double> next) {
  return update_belief(structure, dynamics, Step{action, observation}, belief, next);
}

DecisionContext context_after(std::span<const Step> steps, std::span<const double> covariates) {
  DecisionContext context{.step = static_cast<int>(steps.size()), .covariates = covariates};
  if (steps.empty()) return context;
  context.last_action = steps.back().action;
  context.result_missing = steps.back().observation == kMissing;
  return context;
}

namespace {

// Of one kind of decision-makers, whatever others there are.
void log_probabilities_of_one(const Structure& structure, const Policy& policy,
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

void probabilities_of_one(const Structure& structure, const Policy& policy, std::span<const double> belief,
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

// Calls visit(how likely the kind is, log π of it) for every kind.
template <class Visit>
void each_kind(const Structure& structure, const Policy& policy, std::span<const double> belief,
               const DecisionContext& context, const Visit& visit) {
  const auto shares = context.kinds.empty() ? policy.kind_shares()
                                            : std::vector<double>(context.kinds.begin(), context.kinds.end());
  std::vector<double> logs(structure.actions.size());
  for (int k = 0; k < policy.kind_count(); ++k) {
    log_probabilities_of_one(structure, policy.of_kind(k), belief, context, logs);
    visit(shares[k], logs);
  }
}

}  // namespace

void kinds_after_decision(const Structure& structure, const Policy& policy, std::span<const double> belief,
                          const DecisionContext& context, int action, std::span<double> kinds) {
  std::vector<double> logs;
  each_kind(structure, policy, belief, context, [&](double likely, const std::vector<double>& log_pi) {
    logs.push_back(std::log(likely) + log_pi[action]);
  });
  std::copy(logs.begin(), logs.end(), kinds.begin());
  softmax(*std::max_element(kinds.begin(), kinds.end()), kinds);
}

void log_action_probabilities(const Structure& structure, const Policy& policy,
                              std::span<const double> belief, const DecisionContext& context,
                              std::span<double> logs) {
  if (policy.other_kinds.empty()) return log_probabilities_of_one(structure, policy, belief, context, logs);
  std::fill(logs.begin(), logs.end(), -INFINITY);
  each_kind(structure, policy, belief, context, [&](double likely, const std::vector<double>& log_pi) {
    if (!(likely > 0.0)) return;
    for (std::size_t a = 0; a < logs.size(); ++a) {
      const double more = std::log(likely) + log_pi[a];
      const double higher = std::max(logs[a], more);
      logs[a] = higher + std::log1p(std::exp(std::min(logs[a], more) - higher));
    }
  });
}

void action_probabilities(const Structure& structure, const Policy& policy, std::span<const double> belief,
                          const DecisionContext& context, std::span<double> probabilities) {
  if (policy.other_kinds.empty()) {
    return probabilities_of_one(structure, policy, belief, context, probabilities);
  }
  std::fill(probabilities.begin(), probabilities.end(), 0.0);
  each_kind(structure, policy, belief, context, [&](double likely, const std::vector<double>& log_pi) {
    for (std::size_t a = 0; a < probabilities.size(); ++a) probabilities[a] += likely * std::exp(log_pi[a]);
  });
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
