// For tests: random problems, and the likelihood computed in ways that share no code with the kernels.
#pragma once

#include <cmath>
#include <complex>
#include <map>
#include <string>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/parameters.hpp"
#include "interpole/records.hpp"

namespace interpole::testing {

inline std::vector<std::string> numbered(const char* what, int count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (int i = 0; i < count; ++i) names.push_back(std::string(what) + std::to_string(i));
  return names;
}

// The last action is terminal if there are at least two.
inline Structure some_structure(int states, int actions, int observations) {
  Structure structure =
      Structure::unrestricted(numbered("s", states), numbered("a", actions), numbered("z", observations));
  if (actions > 1) structure.make_terminal(actions - 1);
  return structure;
}

// Small concentrations give nearly deterministic rows.
inline Parameters random_parameters(const Structure& structure, base::RandomStream& random,
                                    double concentration = 1.0) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  Parameters p = Parameters::filled(structure, 0.0);
  p.dynamics.initial = random.dirichlet(S, concentration);
  for (std::size_t row = 0; row < structure.actions.size() * S; ++row) {
    const auto to = random.dirichlet(S, concentration);
    std::copy(to.begin(), to.end(), p.dynamics.transition.begin() + row * S);
    if (structure.is_terminal(row / S)) continue;
    const auto outcome = random.dirichlet(Z, concentration);
    std::copy(outcome.begin(), outcome.end(), p.dynamics.observation.begin() + row * Z);
  }
  p.policy.inverse_temperature = 0.5 + 10.0 * random.uniform();
  for (int a = 0; a < structure.action_count(); ++a) {
    double sum = 0.0;
    for (std::size_t s = 0; s < S; ++s) sum += p.policy.means[a * S + s] = random.normal();
    for (std::size_t s = 0; s < S; ++s) p.policy.means[a * S + s] += (1.0 - sum) / S;
  }
  return p;
}

// Records drawn from the model itself, or from its agent in another world; some outcomes go missing.
inline std::vector<Record> random_records(const Structure& structure, const Parameters& p, int count,
                                          int longest, std::uint64_t seed, double missing = 0.1,
                                          const Dynamics* other_world = nullptr) {
  const std::size_t S = structure.states.size();
  const Dynamics& world = other_world != nullptr ? *other_world : p.dynamics;
  std::vector<Record> records(count);
  for (int i = 0; i < count; ++i) {
    base::RandomStream random(seed, i, base::RandomPurpose(7));
    std::vector<double> belief = p.dynamics.initial;
    std::vector<double> next(S);
    int state = random.categorical(world.initial);
    const int length = 1 + static_cast<int>(random.uniform() * longest);
    for (int t = 0; t < length; ++t) {
      const int a = random.categorical(action_probabilities(structure, p.policy, belief));
      if (structure.is_terminal(a)) {
        records[i].steps.push_back({a, kMissing});
        break;
      }
      state = random.categorical({&world.transition[(a * S + state) * S], S});
      const auto outcomes = structure.observations.size();
      int z = random.categorical({&world.observation[(a * S + state) * outcomes], outcomes});
      if (random.uniform() < missing) z = kMissing;
      records[i].steps.push_back({a, z});
      update_belief(structure, p.dynamics, a, z, belief, next);
      belief = next;
    }
  }
  return records;
}

// Parameters as numbers of any kind, for complex-step derivatives.
template <class Scalar>
struct FlatParameters {
  std::vector<Scalar> initial, transition, observation, means;
  Scalar inverse_temperature;
  PolicyTerms terms;  // which there are; their numbers follow
  Scalar inertia, lapse;
  std::vector<std::vector<Scalar>> weights;  // [term][level·A + a]
  struct Kind {
    Scalar share, inverse_temperature;
    std::vector<Scalar> means;
  };
  std::vector<Kind> other_kinds;
  int decision_maker;
  std::vector<StartTerm> start;  // which there are; their numbers follow
  std::vector<std::vector<Scalar>> start_weights;

  explicit FlatParameters(const Parameters& p)
      : initial(p.dynamics.initial.begin(), p.dynamics.initial.end()),
        transition(p.dynamics.transition.begin(), p.dynamics.transition.end()),
        observation(p.dynamics.observation.begin(), p.dynamics.observation.end()),
        means(p.policy.means.begin(), p.policy.means.end()),
        inverse_temperature(p.policy.inverse_temperature),
        terms(p.policy.terms),
        inertia(terms.inertia),
        lapse(terms.lapse),
        decision_maker(p.policy.decision_maker),
        start(p.dynamics.start) {
    for (const StartTerm& term : start) start_weights.emplace_back(term.weights.begin(), term.weights.end());
    for (const PolicyKind& kind : p.policy.other_kinds) {
      other_kinds.push_back({kind.share, kind.inverse_temperature, {kind.means.begin(), kind.means.end()}});
    }
    for (const PolicyTerm& term : terms.additive) {
      weights.emplace_back(term.weights.begin(), term.weights.end());
    }
  }
};

// b1(s) exp(Σ weights), divided by their sum.
template <class Scalar>
std::vector<Scalar> flat_start(const FlatParameters<Scalar>& p, const Record& record) {
  std::vector<Scalar> b = p.initial;
  if (p.start.empty()) return b;
  const std::size_t S = b.size();
  Scalar total = 0.0;
  for (std::size_t s = 0; s < S; ++s) {
    for (std::size_t i = 0; i < p.start.size(); ++i) {
      const double x = record.covariates[p.start[i].covariate];
      if (std::isnan(x)) continue;
      const PolicyCovariate& of = p.start[i].of;
      const Scalar exponent = of.categories.empty() ? p.start_weights[i][s] * ((x - of.centre) / of.scale)
                                                    : p.start_weights[i][static_cast<std::size_t>(x) * S + s];
      b[s] *= std::exp(exponent);
    }
    total += b[s];
  }
  for (Scalar& x : b) x /= total;
  return b;
}

// What the additive terms say for action a at step t of a record.
template <class Scalar>
Scalar flat_offset(const FlatParameters<Scalar>& p, const Record& record, std::size_t t, std::size_t a,
                   std::size_t A) {
  Scalar sum = 0.0;
  for (std::size_t i = 0; i < p.terms.additive.size(); ++i) {
    const PolicyTerm& term = p.terms.additive[i];
    const auto& w = p.weights[i];
    const std::size_t levels = w.size() / A;
    if (term.kind == TermKind::kHabit && t > 0) sum += w[record.steps[t - 1].action * A + a];
    if (term.kind == TermKind::kTime) {
      sum += w[(term.period > 0 ? t % term.period : std::min(t, levels - 1)) * A + a];
    }
    if (term.kind == TermKind::kResultMissing && t > 0 && record.steps[t - 1].observation == kMissing)
      sum += w[a];
    if (term.covariate < 0 || std::isnan(record.covariates[term.covariate])) continue;
    const PolicyCovariate& covariate = p.terms.covariates[term.covariate];
    const double x = record.covariates[term.covariate];
    sum += covariate.categories.empty() ? w[a] * (x - covariate.centre) / covariate.scale
                                        : w[static_cast<std::size_t>(x) * A + a];
  }
  return sum;
}

template <class Scalar>
struct FlatValue {
  Scalar actions = 0.0;
  Scalar observations = 0.0;
};

// log π'(a|b) of the action taken at step t, by a decision-maker with this η and these means.
template <class Scalar>
Scalar flat_log_chance(const FlatParameters<Scalar>& p, const Scalar& inverse_temperature,
                       const std::vector<Scalar>& means, const Record& record, std::size_t t,
                       const std::vector<Scalar>& b) {
  const std::size_t S = b.size();
  const std::size_t A = means.size() / S;
  const int a = record.steps[t].action;
  std::vector<Scalar> logits(A);
  double highest = -INFINITY;
  for (std::size_t k = 0; k < A; ++k) {
    Scalar distance = 0.0;
    for (std::size_t s = 0; s < S; ++s) distance += (b[s] - means[k * S + s]) * (b[s] - means[k * S + s]);
    logits[k] = -inverse_temperature * distance + flat_offset(p, record, t, k, A);
    highest = std::max(highest, std::real(std::complex<double>(logits[k])));
  }
  Scalar total = 0.0;
  for (const Scalar& x : logits) total += std::exp(x - highest);
  const Scalar chance = std::exp(logits[a] - highest) / total;
  const bool repeats = t > 0 && record.steps[t - 1].action == a;
  const Scalar kept = t > 0 ? 1.0 - p.inertia - p.lapse : 1.0 - p.lapse;
  return p.terms.inertia == 0.0 && p.terms.lapse == 0.0
             ? logits[a] - highest - std::log(total)
             : std::log(kept * chance + (repeats ? p.inertia : 0.0) + p.lapse / double(A));
}

// log Σ_k share_k exp(log-probability of a decision-maker's decisions, if of kind k); the commonest kind
// first.
template <class Scalar>
Scalar flat_mixture(const FlatParameters<Scalar>& p, const std::vector<Scalar>& logs) {
  double highest = -INFINITY;
  for (const Scalar& x : logs) highest = std::max(highest, std::real(std::complex<double>(x)));
  Scalar own_share = 1.0;
  Scalar sum = 0.0;
  for (std::size_t k = 0; k < p.other_kinds.size(); ++k) {
    own_share -= p.other_kinds[k].share;
    sum += p.other_kinds[k].share * std::exp(logs[k + 1] - highest);
  }
  return highest + std::log(sum + own_share * std::exp(logs[0] - highest));
}

// One record after another, straight from the equations of the model.
template <class Scalar>
FlatValue<Scalar> flat_log_likelihood(const Structure& structure, const FlatParameters<Scalar>& p,
                                      const std::vector<Record>& records) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  FlatValue<Scalar> value;
  std::map<double, std::vector<Scalar>> by_maker;  // log-probabilities of their decisions, by kind
  for (const Record& record : records) {
    std::vector<Scalar> b = flat_start(p, record);
    std::vector<Scalar> logs(1 + p.other_kinds.size(), 0.0);
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      const auto [a, z, gap] = record.steps[t];
      logs[0] += flat_log_chance(p, p.inverse_temperature, p.means, record, t, b);
      for (std::size_t k = 0; k < p.other_kinds.size(); ++k) {
        const auto& kind = p.other_kinds[k];
        logs[k + 1] += flat_log_chance(p, kind.inverse_temperature, kind.means, record, t, b);
      }
      if (z == kMissing && t + 1 == record.steps.size()) break;
      std::vector<Scalar> next(S, 0.0);
      Scalar c = 0.0;
      for (std::size_t to = 0; to < S; ++to) {
        for (std::size_t from = 0; from < S; ++from)
          next[to] += b[from] * p.transition[(a * S + from) * S + to];
        if (z != kMissing) next[to] *= p.observation[(a * S + to) * Z + z];
        c += next[to];
      }
      for (Scalar& x : next) x /= c;
      b = next;
      value.observations += std::log(c);
    }
    const double maker = p.decision_maker < 0 ? NAN : record.covariates[p.decision_maker];
    if (p.other_kinds.empty()) {
      value.actions += logs[0];
    } else if (std::isnan(maker)) {
      value.actions += flat_mixture(p, logs);
    } else {
      auto& sums = by_maker.try_emplace(maker, logs.size(), 0.0).first->second;
      for (std::size_t k = 0; k < logs.size(); ++k) sums[k] += logs[k];
    }
  }
  for (const auto& [maker, logs] : by_maker) value.actions += flat_mixture(p, logs);
  return value;
}

// log Σ over all hidden paths of b1(s1) Π T(s_{t+1}|s_t,a_t) O(z_t|a_t,s_{t+1}).
inline double log_probability_by_enumeration(const Structure& structure, const Dynamics& p,
                                             const Record& record) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  int updates = static_cast<int>(record.steps.size());
  if (updates > 0 && record.steps.back().observation == kMissing) --updates;
  double sum = 0.0;
  std::vector<std::size_t> path(updates + 1, 0);
  while (true) {
    double probability = p.initial[path[0]];
    for (int t = 0; t < updates; ++t) {
      const auto [a, z, gap] = record.steps[t];
      probability *= p.transition[(a * S + path[t]) * S + path[t + 1]];
      if (z != kMissing) probability *= p.observation[(a * S + path[t + 1]) * Z + z];
    }
    sum += probability;
    int digit = 0;
    while (digit <= updates && ++path[digit] == S) path[digit++] = 0;
    if (digit > updates) break;
  }
  return std::log(sum);
}

}  // namespace interpole::testing
