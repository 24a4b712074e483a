#include "interpole/parameters.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/outcome_weights.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/model/start/start_terms.hpp"
#include "interpole/model/time/visit_gaps.hpp"
#include "interpole/problem.hpp"

namespace interpole {
namespace {

constexpr double kSumToOneWithin = 1e-8;
// Up to here η‖b − μ‖² is finite for any number of states we allow; nothing beyond is a finding.
constexpr double kLargestPolicyNumber = 1e100;

std::size_t count(int a, int b = 1, int c = 1) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
}

// `prefix` and `where` below end where the name of an entry can follow: "FILE: " or "FILE: world.".
void check_size(const std::string& prefix, const char* what, std::size_t have, std::size_t want) {
  if (have != want) {
    throw input_error(
        fmt::format("{}{}: {} numbers; the names listed call for {}", prefix, what, have, want));
  }
}

// A row of probabilities: finite, not negative, summing to one. Removes the rounding of printed digits.
void check_probabilities(std::span<double> row, const std::string& where) {
  double sum = 0.0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!std::isfinite(row[i])) {
      throw input_error(
          fmt::format("{}[{}]: {} is not a finite number; replace it by a probability", where, i, row[i]));
    }
    if (row[i] < 0.0) {
      throw input_error(
          fmt::format("{}[{}]: {} is negative; a probability lies between 0 and 1", where, i, row[i]));
    }
    sum += row[i];
  }
  if (std::abs(sum - 1.0) > kSumToOneWithin) {
    throw input_error(fmt::format("{}: the row sums to {}, not to 1; correct its entries", where, sum));
  }
  // A row that sums to one as well as additions can tell is left alone: writing and reading it keeps every
  // bit.
  const double rounding = 4.0 * static_cast<double>(row.size()) * 0x1.0p-52;
  if (std::abs(sum - 1.0) <= rounding) return;
  for (double& p : row) p /= sum;
}

void check_outcomes(const Structure& structure, int action, std::span<double> row, const std::string& where) {
  for (int z = 0; z < structure.observation_count(); ++z) {
    if (!structure.can_yield(action, z) && row[z] != 0.0) {
      throw input_error(
          fmt::format("{}[{}]: {} where action \"{}\" cannot yield \"{}\"; set it to 0 or list the outcome",
                      where, z, row[z], structure.actions[action], structure.observations[z]));
    }
  }
  if (!structure.is_terminal(action)) check_probabilities(row, where);
}

void check_dynamics(const Structure& structure, Dynamics& dynamics, const std::string& prefix) {
  const std::size_t states = structure.states.size();
  const std::size_t actions = structure.actions.size();
  const auto observations = static_cast<std::size_t>(structure.observation_columns());
  check_size(prefix, "initial_belief", dynamics.initial.size(), states);
  check_size(prefix, "transition", dynamics.transition.size(), actions * states * states);
  check_size(prefix, "observation", dynamics.observation.size(), actions * states * observations);

  check_probabilities(dynamics.initial, prefix + "initial_belief");
  for (std::size_t a = 0; a < actions; ++a) {
    for (std::size_t s = 0; s < states; ++s) {
      const std::size_t row = a * states + s;
      check_probabilities({&dynamics.transition[row * states], states},
                          fmt::format("{}transition[{}][{}]", prefix, a, s));
      if (model::has_rates(structure) && !(dynamics.transition[row * states + s] > 0.0)) {
        throw input_error(
            fmt::format("{}transition[{}][{}]: the state is left at an infinite rate; its own entry "
                        "must be above 0",
                        prefix, a, s));
      }
      if (structure.measured()) continue;
      check_outcomes(structure, static_cast<int>(a),
                     {&dynamics.observation[row * observations], observations},
                     fmt::format("{}observation[{}][{}]", prefix, a, s));
    }
  }
  if (structure.measured()) model::check_factor_parameters(structure, dynamics, prefix);
}

void check_policy_number(double number, const std::string& where) {
  if (!std::isfinite(number)) throw input_error(fmt::format("{}: {} is not a finite number", where, number));
  if (std::abs(number) > kLargestPolicyNumber) {
    throw input_error(
        fmt::format("{}: {} is larger than {}; write a smaller number", where, number, kLargestPolicyNumber));
  }
}

void check_mean(std::span<const double> mean, const std::string& where) {
  double sum = 0.0;
  double size = 1.0;
  for (std::size_t s = 0; s < mean.size(); ++s) {
    check_policy_number(mean[s], fmt::format("{}[{}]", where, s));
    sum += mean[s];
    size += std::abs(mean[s]);
  }
  // Large entries of opposite sign leave more rounding in their sum.
  if (std::abs(sum - 1.0) > kSumToOneWithin * size) {
    throw input_error(fmt::format(
        "{}: the entries sum to {}, not to 1; correct them (they may be negative or above 1)", where, sum));
  }
}

void check_share(double share, const std::string& where) {
  check_policy_number(share, where);
  if (share < 0.0 || share >= 1.0) {
    throw input_error(
        fmt::format("{}: {} is not a share of decisions; it is at least 0 and below 1", where, share));
  }
}

void check_name(const std::string& name, const std::string& where, const std::set<std::string>& before) {
  if (name.empty()) throw input_error(where + ": the name is empty; write one");
  if (before.contains(name)) {
    throw input_error(fmt::format("{}: {} is listed twice; remove one", where, base::shown(name)));
  }
}

void check_covariates(const std::vector<PolicyCovariate>& covariates, const std::string& prefix) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < covariates.size(); ++i) {
    const PolicyCovariate& covariate = covariates[i];
    const std::string where = fmt::format("{}covariates[{}]", prefix, i);
    check_name(covariate.name, where + ".name", names);
    names.insert(covariate.name);
    std::set<std::string> categories;
    for (std::size_t k = 0; k < covariate.categories.size(); ++k) {
      check_name(covariate.categories[k], fmt::format("{}.categories[{}]", where, k), categories);
      categories.insert(covariate.categories[k]);
    }
    check_policy_number(covariate.centre, where + ".centre");
    check_policy_number(covariate.scale, where + ".scale");
    if (covariate.scale <= 0.0) {
      throw input_error(
          fmt::format("{}.scale: {} is not above 0; a standard deviation is usual", where, covariate.scale));
    }
  }
}

// What a term is about: which covariate, if any, and how many levels that makes.
void check_kind(const Structure& structure, const PolicyTerms& terms, const PolicyTerm& term,
                const std::string& where) {
  const bool follows = model::follows_covariate(term.kind);
  const int most = follows ? static_cast<int>(terms.covariates.size()) : 0;
  if (term.covariate >= most || (follows && term.covariate < 0)) {
    throw input_error(where + (follows ? ": it names no covariate of the model; list it under covariates"
                                       : ": it follows no covariate; name none"));
  }
  if (term.kind == TermKind::kGroup && terms.covariates[term.covariate].categories.empty()) {
    throw input_error(fmt::format("{}: the covariate {} is a number; a group needs categories", where,
                                  base::shown(terms.covariates[term.covariate].name)));
  }
  if (term.period < 0 || (term.period > 0 && term.kind != TermKind::kTime)) {
    throw input_error(
        fmt::format("{}: a period of {}; only time has one, of 1 step or more", where, term.period));
  }
  const std::size_t levels = term.weights.size() / structure.actions.size();
  const auto whole = model::term_filled(structure, terms, term.kind, 0.0, term.covariate,
                                        static_cast<int>(levels), term.period);
  if (levels == 0 || whole.weights.size() != term.weights.size()) {
    throw input_error(fmt::format("{}: {} weights where {} belong, one for each level and action", where,
                                  term.weights.size(),
                                  std::max(whole.weights.size(), structure.actions.size())));
  }
}

void check_terms(const Structure& structure, const PolicyTerms& terms, const std::string& prefix) {
  check_share(terms.inertia, prefix + "inertia");
  check_share(terms.lapse, prefix + "lapse");
  check_share(terms.inertia + terms.lapse, prefix + "inertia and lapse together");
  check_covariates(terms.covariates, prefix);
  std::set<std::pair<TermKind, int>> before;
  for (std::size_t i = 0; i < terms.additive.size(); ++i) {
    const PolicyTerm& term = terms.additive[i];
    const std::string where = fmt::format("{}terms[{}]", prefix, i);
    check_kind(structure, terms, term, where);
    const bool follows = model::follows_covariate(term.kind);
    if (!before.emplace(follows ? TermKind::kContext : term.kind, term.covariate).second) {
      throw input_error(fmt::format("{}: there is a term {} already; keep one", where,
                                    base::shown(model::term_name(terms, term))));
    }
    for (std::size_t k = 0; k < term.weights.size(); ++k) {
      check_policy_number(term.weights[k],
                          fmt::format("{}.weights[{}][{}]", where, k / structure.actions.size(),
                                      k % structure.actions.size()));
    }
  }
}

// η and the means of one kind of decision-makers.
void check_preference(const Structure& structure, double inverse_temperature,
                      const std::vector<double>& means, const std::string& prefix) {
  const std::size_t states = structure.states.size();
  check_size(prefix, "means", means.size(), structure.actions.size() * states);
  check_policy_number(inverse_temperature, prefix + "inverse_temperature");
  if (inverse_temperature <= 0.0) {
    throw input_error(
        fmt::format("{}inverse_temperature: {} is not above 0; 10 is usual", prefix, inverse_temperature));
  }
  for (std::size_t a = 0; a < structure.actions.size(); ++a) {
    check_mean({&means[a * states], states}, fmt::format("{}means[{}]", prefix, a));
  }
}

void check_kinds(const Structure& structure, const Policy& policy, const std::string& prefix) {
  for (std::size_t k = 0; k < policy.other_kinds.size(); ++k) {
    const PolicyKind& kind = policy.other_kinds[k];
    const std::string where = fmt::format("{}kinds[{}]", prefix, k);
    check_policy_number(kind.share, where + ".share");
    if (!(kind.share > 0.0 && kind.share < 1.0)) {
      throw input_error(fmt::format(
          "{}.share: {} is not a share of decision-makers; it is above 0 and below 1", where, kind.share));
    }
    check_preference(structure, kind.inverse_temperature, kind.means, where + ".");
  }
  const double left = policy.kind_shares()[0];
  if (left <= 0.0) {
    throw input_error(
        fmt::format("{}kinds: their shares sum to {}, which leaves nothing for the commonest kind; they sum "
                    "to less than 1",
                    prefix, 1.0 - left));
  }
  const auto covariates = static_cast<int>(policy.terms.covariates.size());
  if (policy.decision_maker < -1 || policy.decision_maker >= covariates) {
    throw input_error(prefix +
                      "decision_maker: it names no covariate of the model; list it under covariates");
  }
  if (policy.decision_maker >= 0 && policy.terms.covariates[policy.decision_maker].categories.empty()) {
    throw input_error(fmt::format("{}decision_maker: the covariate {} is a number; it needs categories",
                                  prefix, base::shown(policy.terms.covariates[policy.decision_maker].name)));
  }
}

std::vector<double> permute_rows(const std::vector<double>& rows, const std::vector<int>& order,
                                 std::size_t outer, std::size_t inner) {
  std::vector<double> result(rows.size());
  const std::size_t states = order.size();
  for (std::size_t a = 0; a < outer; ++a) {
    for (std::size_t s = 0; s < states; ++s) {
      for (std::size_t i = 0; i < inner; ++i) {
        result[(a * states + s) * inner + i] = rows[(a * states + order[s]) * inner + i];
      }
    }
  }
  return result;
}

}  // namespace

Dynamics Dynamics::filled(const Structure& structure, double value) {
  const int states = structure.state_count();
  const int actions = structure.action_count();
  return {std::vector<double>(count(states), value),
          std::vector<double>(count(actions, states, states), value),
          std::vector<double>(count(actions, states, structure.observation_columns()), value)};
}

Policy Policy::filled(const Structure& structure, double value) {
  return {value, std::vector<double>(count(structure.action_count(), structure.state_count()), value)};
}

std::vector<double> Policy::kind_shares() const {
  std::vector<double> shares = {1.0};
  for (const PolicyKind& kind : other_kinds) {
    shares[0] -= kind.share;
    shares.push_back(kind.share);
  }
  return shares;
}

Policy Policy::of_kind(int kind) const {
  if (kind == 0) return {inverse_temperature, means, terms, {}, decision_maker};
  const PolicyKind& other = other_kinds[kind - 1];
  return {other.inverse_temperature, other.means, terms, {}, decision_maker};
}

void validate_and_normalise(const Structure& structure, Dynamics& dynamics, const std::string& where) {
  check_dynamics(structure, dynamics, where + ": ");
}

void validate_and_normalise(const Structure& structure, Policy& policy, const std::string& where) {
  const std::string prefix = where + ": ";
  check_preference(structure, policy.inverse_temperature, policy.means, prefix);
  check_terms(structure, policy.terms, prefix + "policy.");
  check_kinds(structure, policy, prefix + "policy.");
}

void validate_and_normalise(Model& model, const std::string& where) {
  model.structure.validate(where);
  validate_and_normalise(model.structure, model.agent.dynamics, where);
  validate_and_normalise(model.structure, model.agent.policy, where);
  if (model.world) check_dynamics(model.structure, *model.world, where + ": world.");
  model::check_start(model.structure, model.agent.policy.terms.covariates, model.agent.dynamics,
                     where + ": policy.");
  if (model.world && model.world->start != model.agent.dynamics.start) {
    throw input_error(where +
                      ": the world's starting states differ with covariates in another way than the agent's "
                      "beliefs; they are common to both");
  }
}

Structure permute_states(const Structure& structure, const std::vector<int>& order) {
  Structure result = structure;
  for (std::size_t s = 0; s < order.size(); ++s) result.states[s] = structure.states[order[s]];
  return result;
}

Dynamics permute_states(const Structure& structure, const Dynamics& dynamics, const std::vector<int>& order) {
  const std::size_t actions = structure.actions.size();
  const std::size_t states = structure.states.size();
  Dynamics result;
  result.initial = permute_rows(dynamics.initial, order, 1, 1);
  result.observation = permute_rows(dynamics.observation, order, actions,
                                    static_cast<std::size_t>(structure.observation_columns()));
  // Rows of T by the state left, then columns by the state entered.
  result.transition =
      permute_rows(permute_rows(dynamics.transition, order, actions, states), order, actions * states, 1);
  result.start = model::permute_start(dynamics.start, order);
  return result;
}

Policy permute_states(const Structure& structure, const Policy& policy, const std::vector<int>& order) {
  Policy result = policy;
  result.means = permute_rows(policy.means, order, structure.actions.size(), 1);
  for (PolicyKind& kind : result.other_kinds) {
    kind.means = permute_rows(kind.means, order, structure.actions.size(), 1);
  }
  return result;
}

Parameters permute_states(const Structure& structure, const Parameters& parameters,
                          const std::vector<int>& order) {
  return {permute_states(structure, parameters.dynamics, order),
          permute_states(structure, parameters.policy, order)};
}

Model permute_states(const Model& model, const std::vector<int>& order) {
  Model result{
      permute_states(model.structure, order), permute_states(model.structure, model.agent, order), {}};
  if (model.world) result.world = permute_states(model.structure, *model.world, order);
  return result;
}

DecisionProblem DecisionProblem::open(const Structure& structure) {
  DecisionProblem problem;
  problem.structure = structure;
  problem.known = Parameters::filled(structure, std::numeric_limits<double>::quiet_NaN());
  problem.start = problem.known;
  problem.priors = Priors::defaults(structure);
  return problem;
}

}  // namespace interpole
