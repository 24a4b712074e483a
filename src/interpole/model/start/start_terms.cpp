#include "interpole/model/start/start_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "interpole/base/messages.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"

namespace interpole {
namespace {

// Odds further apart than e^700 are certainty, in both directions.
constexpr double kLargestWeight = 700.0;

// exp(Σ_k value_k w_k) of every state, the largest being 1.
std::vector<double> start_factors(const Dynamics& dynamics, std::span<const double> covariates) {
  const std::size_t S = dynamics.initial.size();
  std::vector<double> factors(S, 0.0);
  for (const StartTerm& term : dynamics.start) {
    const model::StartLevel at = model::start_level(term, S, covariates);
    if (at.level < 0) continue;
    for (std::size_t s = 0; s < S; ++s) factors[s] += at.value * term.weights[at.level * S + s];
  }
  // States that nothing starts in must not decide what is largest: the others could all vanish beside them.
  double highest = -INFINITY;
  for (std::size_t s = 0; s < S; ++s) {
    if (dynamics.initial[s] > 0.0) highest = std::max(highest, factors[s]);
  }
  for (std::size_t s = 0; s < S; ++s) {
    factors[s] = dynamics.initial[s] > 0.0 ? std::exp(factors[s] - highest) : 0.0;
  }
  return factors;
}

}  // namespace

void start_belief(const Dynamics& dynamics, std::span<const double> covariates, std::span<double> belief) {
  std::copy(dynamics.initial.begin(), dynamics.initial.end(), belief.begin());
  if (dynamics.start.empty()) return;
  const std::vector<double> factors = start_factors(dynamics, covariates);
  double total = 0.0;
  for (std::size_t s = 0; s < belief.size(); ++s) total += belief[s] *= factors[s];
  for (double& b : belief) b /= total;
}

std::vector<double> start_belief(const Dynamics& dynamics, std::span<const double> covariates) {
  std::vector<double> belief(dynamics.initial.size());
  start_belief(dynamics, covariates, belief);
  return belief;
}

namespace model {

StartTerm start_term_filled(const Structure& structure, const std::vector<PolicyCovariate>& covariates,
                            int covariate, double value) {
  const PolicyCovariate& of = covariates[covariate];
  const std::size_t levels = std::max<std::size_t>(1, of.categories.size());
  return {covariate, of, std::vector<double>(levels * structure.states.size(), value)};
}

bool same_start(const StartTerm& x, const StartTerm& y) {
  return x.covariate == y.covariate && x.of == y.of && x.weights.size() == y.weights.size();
}

StartLevel start_level(const StartTerm& term, std::size_t states, std::span<const double> covariates) {
  const auto at = static_cast<std::size_t>(term.covariate);
  if (at >= covariates.size() || std::isnan(covariates[at])) return {};
  if (term.of.categories.empty()) return {0, (covariates[at] - term.of.centre) / term.of.scale};
  const std::size_t count = term.weights.size() / states;
  const auto levels = static_cast<double>(count);
  return covariates[at] < levels ? StartLevel{static_cast<int>(covariates[at]), 1.0} : StartLevel{};
}

std::string start_level_name(const StartTerm& term, int level) {
  if (term.of.categories.empty()) return term.of.name;
  return fmt::format("{} = {}", term.of.name, term.of.categories[level]);
}

void pull_back_start(const Dynamics& dynamics, std::span<const double> covariates,
                     std::span<const double> belief, std::span<const double> d_belief, Dynamics& gradient) {
  const std::size_t S = belief.size();
  if (dynamics.start.empty()) {
    for (std::size_t s = 0; s < S; ++s) gradient.initial[s] += d_belief[s];
    return;
  }
  gradient.start.resize(dynamics.start.size());
  for (std::size_t k = 0; k < dynamics.start.size(); ++k) {
    gradient.start[k].weights.resize(dynamics.start[k].weights.size(), 0.0);
  }
  const std::vector<double> factors = start_factors(dynamics, covariates);
  double total = 0.0;
  double along = 0.0;
  for (std::size_t s = 0; s < S; ++s) {
    total += dynamics.initial[s] * factors[s];
    along += d_belief[s] * belief[s];
  }
  for (std::size_t s = 0; s < S; ++s) gradient.initial[s] += (d_belief[s] - along) * factors[s] / total;
  for (std::size_t k = 0; k < dynamics.start.size(); ++k) {
    const StartLevel at = start_level(dynamics.start[k], S, covariates);
    if (at.level < 0) continue;
    double* d_weights = &gradient.start[k].weights[at.level * S];
    for (std::size_t s = 0; s < S; ++s) d_weights[s] += at.value * belief[s] * (d_belief[s] - along);
  }
}

void check_start(const Structure& structure, const std::vector<PolicyCovariate>& covariates,
                 const Dynamics& dynamics, const std::string& prefix) {
  std::set<int> before;
  for (std::size_t i = 0; i < dynamics.start.size(); ++i) {
    const StartTerm& term = dynamics.start[i];
    const std::string where = fmt::format("{}start[{}]", prefix, i);
    if (term.covariate < 0 || term.covariate >= static_cast<int>(covariates.size()) ||
        covariates[term.covariate] != term.of) {
      throw input_error(where + ": it names no covariate of the model; list it under covariates");
    }
    if (!before.insert(term.covariate).second) {
      throw input_error(fmt::format("{}: starting beliefs differ by {} already; keep one", where,
                                    base::shown(term.of.name)));
    }
    const std::size_t expected =
        std::max<std::size_t>(1, term.of.categories.size()) * structure.states.size();
    if (term.weights.size() != expected) {
      throw input_error(fmt::format("{}: {} weights where {} belong, one for each level and state", where,
                                    term.weights.size(), expected));
    }
    for (std::size_t k = 0; k < term.weights.size(); ++k) {
      if (std::abs(term.weights[k]) <= kLargestWeight) continue;
      throw input_error(fmt::format("{}.weights[{}][{}]: {} is not a number from −{} to {}", where,
                                    k / structure.states.size(), k % structure.states.size(), term.weights[k],
                                    kLargestWeight, kLargestWeight));
    }
  }
}

std::vector<StartTerm> permute_start(const std::vector<StartTerm>& terms, const std::vector<int>& order) {
  std::vector<StartTerm> result = terms;
  const std::size_t S = order.size();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (std::size_t k = 0; k < terms[i].weights.size(); ++k) {
      result[i].weights[k] = terms[i].weights[k / S * S + static_cast<std::size_t>(order[k % S])];
    }
  }
  return result;
}

}  // namespace model
}  // namespace interpole
