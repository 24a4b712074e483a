// How the belief before the first decision differs with covariates of the record (StartTerm in
// interpole/parameters.hpp; start_belief in interpole/belief.hpp).
#pragma once

#include <span>
#include <string>

#include "interpole/parameters.hpp"

namespace interpole::model {

// A term of this covariate, `value` everywhere.
StartTerm start_term_filled(const Structure& structure, const std::vector<PolicyCovariate>& covariates,
                            int covariate, double value);

// The same terms, whatever their numbers.
bool same_start(const StartTerm& x, const StartTerm& y);

// The level a record is at, and its value there. Level −1: the term says nothing of this record.
struct StartLevel {
  int level = -1;
  double value = 0.0;
};
StartLevel start_level(const StartTerm& term, std::size_t states, std::span<const double> covariates);

// "sex = female", or "age".
std::string start_level_name(const StartTerm& term, int level);

// From ∂/∂b to ∂/∂b1 and ∂/∂ weights, added to `gradient` (which has no terms yet, or the same). `belief`:
// the start of a record with these covariates.
void pull_back_start(const Dynamics& dynamics, std::span<const double> covariates,
                     std::span<const double> belief, std::span<const double> d_belief, Dynamics& gradient);

// Throws an input error that begins with `prefix` ("model.json: ") unless every term names one of these
// covariates, none does so twice, and there are as many finite weights as levels and states.
void check_start(const Structure& structure, const std::vector<PolicyCovariate>& covariates,
                 const Dynamics& dynamics, const std::string& prefix);

// State s of the result is state order[s].
std::vector<StartTerm> permute_start(const std::vector<StartTerm>& terms, const std::vector<int>& order);

}  // namespace interpole::model
