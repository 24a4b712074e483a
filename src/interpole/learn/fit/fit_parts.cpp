#include "interpole/learn/fit/fit_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "interpole/base/files/exact_text.hpp"
#include "interpole/error.hpp"
#include "interpole/optimize/all_finite.hpp"

namespace interpole::learn {
namespace {

// Each pair of functions walks the same fields in the same order.

void write(base::ExactWriter& out, const Dynamics& dynamics) {
  out.line("initial").add(dynamics.initial);
  out.line("transition").add(dynamics.transition);
  out.line("observation").add(dynamics.observation);
}

// What is learned of terms; what kind they are is the problem's business. Nothing where there are none.
void write(base::ExactWriter& out, const PolicyTerms& terms, const DecisionProblem& problem) {
  if (problem.known.policy.terms.none()) return;
  out.line("mixture").add(terms.inertia).add(terms.lapse);
  for (const PolicyTerm& term : terms.additive) out.line("weights").add(term.weights);
}

// Nothing where decision-makers are of one kind.
void write(base::ExactWriter& out, const std::vector<PolicyKind>& kinds) {
  for (const PolicyKind& kind : kinds) {
    out.line("share").add(kind.share);
    out.line("inverse_temperature").add(kind.inverse_temperature);
    out.line("means").add(kind.means);
  }
}

void write(base::ExactWriter& out, const AgentWorld& agent_world, const DecisionProblem& problem) {
  write(out, agent_world.agent.dynamics);
  for (const StartTerm& term : agent_world.agent.dynamics.start) out.line("start").add(term.weights);
  out.line("inverse_temperature").add(agent_world.agent.policy.inverse_temperature);
  out.line("means").add(agent_world.agent.policy.means);
  write(out, agent_world.agent.policy.terms, problem);
  write(out, agent_world.agent.policy.other_kinds);
  out.line("world").add(std::int64_t{agent_world.world.has_value()});
  if (agent_world.world) write(out, *agent_world.world);
}

void write(base::ExactWriter& out, const ScaleProfile& profile) {
  out.line("sigma").add(profile.sigma);
  out.line("log_prior").add(profile.log_prior);
  out.line("log_evidence").add(profile.log_evidence);
}

Dynamics read_dynamics(base::ExactReader& in) {
  Dynamics dynamics;
  dynamics.initial = in.line("initial").numbers();
  dynamics.transition = in.line("transition").numbers();
  dynamics.observation = in.line("observation").numbers();
  return dynamics;
}

PolicyTerms read_terms(base::ExactReader& in, const DecisionProblem& problem) {
  PolicyTerms terms = problem.known.policy.terms;
  if (terms.none()) return terms;
  terms.inertia = in.line("mixture").number();
  terms.lapse = in.number();
  for (PolicyTerm& term : terms.additive) term.weights = in.line("weights").numbers();
  return terms;
}

AgentWorld read_explanation(base::ExactReader& in, const DecisionProblem& problem) {
  AgentWorld agent_world;
  agent_world.agent.dynamics = read_dynamics(in);
  agent_world.agent.dynamics.start = problem.known.dynamics.start;
  for (StartTerm& term : agent_world.agent.dynamics.start) {
    const std::size_t expected = term.weights.size();
    term.weights = in.line("start").numbers();
    if (term.weights.size() != expected)
      term.weights.assign(expected, NAN);  // refused with all that is not finite
  }
  agent_world.agent.policy.inverse_temperature = in.line("inverse_temperature").number();
  agent_world.agent.policy.means = in.line("means").numbers();
  agent_world.agent.policy.terms = read_terms(in, problem);
  agent_world.agent.policy.decision_maker = problem.known.policy.decision_maker;
  agent_world.agent.policy.other_kinds = problem.known.policy.other_kinds;
  for (PolicyKind& kind : agent_world.agent.policy.other_kinds) {
    kind.share = in.line("share").number();
    kind.inverse_temperature = in.line("inverse_temperature").number();
    kind.means = in.line("means").numbers();
  }
  if (in.line("world").integer() != 0) agent_world.world = read_dynamics(in);
  if (agent_world.world) agent_world.world->start = agent_world.agent.dynamics.start;  // common to both
  return agent_world;
}

ScaleProfile read_profile(base::ExactReader& in) {
  ScaleProfile profile;
  profile.sigma = in.line("sigma").numbers();
  profile.log_prior = in.line("log_prior").numbers();
  profile.log_evidence = in.line("log_evidence").numbers();
  return profile;
}

bool fits(const Structure& structure, const Dynamics& dynamics) {
  const Dynamics expected = Dynamics::filled(structure, 0.0);
  return dynamics.initial.size() == expected.initial.size() &&
         dynamics.transition.size() == expected.transition.size() &&
         dynamics.observation.size() == expected.observation.size();
}

bool fits(const DecisionProblem& problem, const Policy& policy) {
  const PolicyTerms& known = problem.known.policy.terms;
  return policy.means.size() == problem.structure.actions.size() * problem.structure.states.size() &&
         std::ranges::equal(policy.terms.additive, known.additive,
                            [](const PolicyTerm& found, const PolicyTerm& expected) {
                              return found.weights.size() == expected.weights.size();
                            }) &&
         std::ranges::all_of(policy.other_kinds, [&](const PolicyKind& kind) {
           return kind.means.size() == policy.means.size();
         });
}

void require_fit(const DecisionProblem& problem, const AgentWorld& agent_world, const std::string& place) {
  const Structure& structure = problem.structure;
  if (fits(structure, agent_world.agent.dynamics) && fits(problem, agent_world.agent.policy) &&
      (!agent_world.world || fits(structure, *agent_world.world))) {
    return;
  }
  throw input_error(fmt::format("{}: it is of a study with other states, actions or outcomes", place));
}

// A checksum vouches for the bytes, not for what they mean.
void require(bool holds, const std::string& place, const char* what) {
  if (!holds) throw input_error(fmt::format("{}: {}; delete the checkpoint to begin anew", place, what));
}

bool are_probabilities(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double p) { return p >= 0.0 && p <= 1.0 + 1e-9; });
}

// Rows sum to one; those of terminal actions, which yield nothing, to zero.
bool are_rows(const std::vector<double>& values, std::size_t width, bool may_be_empty) {
  for (std::size_t begin = 0; begin < values.size(); begin += width) {
    const double sum = std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                       values.begin() + static_cast<std::ptrdiff_t>(begin + width), 0.0);
    if (std::abs(sum - 1.0) > 1e-6 && !(may_be_empty && sum == 0.0)) return false;
  }
  return are_probabilities(values);
}

bool are_probabilities(const Structure& structure, const Dynamics& dynamics) {
  const std::size_t states = structure.states.size();
  return are_rows(dynamics.initial, states, false) && are_rows(dynamics.transition, states, false) &&
         (structure.measured() ? optimize::all_finite(dynamics.observation)
                               : are_rows(dynamics.observation, structure.observations.size(), true));
}

void require_numbers(const Structure& structure, const AgentWorld& agent_world, const std::string& place) {
  const Policy& policy = agent_world.agent.policy;
  require(are_probabilities(structure, agent_world.agent.dynamics) &&
              (!agent_world.world || are_probabilities(structure, *agent_world.world)),
          place, "there are probabilities that cannot be");
  require(are_probabilities({policy.terms.inertia, policy.terms.lapse}), place,
          "inertia or lapse is not between 0 and 1");
  bool finite = policy.inverse_temperature >= 0.0 && std::isfinite(policy.inverse_temperature) &&
                optimize::all_finite(policy.means);
  for (const PolicyTerm& term : policy.terms.additive) {
    finite = finite && optimize::all_finite(term.weights);
  }
  for (const StartTerm& term : agent_world.agent.dynamics.start) {
    finite = finite && optimize::all_finite(term.weights);
  }
  require(finite, place, "a number of the policy or of starting beliefs is not finite");
}

// The evidence may vanish, but is a number everywhere on the grid.
void require_profile(const ScaleProfile& profile, const std::string& place) {
  const std::size_t points = profile.sigma.size();
  require(points >= 2 && profile.log_prior.size() == points && profile.log_evidence.size() == points, place,
          "the evidence is not along one grid of sigma");
  require(optimize::all_finite(profile.sigma) && optimize::all_finite(profile.log_prior) &&
              std::ranges::all_of(profile.sigma, [](double sigma) { return sigma > 0.0; }) &&
              std::ranges::all_of(profile.log_evidence, [](double value) { return value < INFINITY; }),
          place, "a number of the evidence cannot be");
}

std::vector<double> read_scales_of_rows(base::ExactReader& in, const char* name, std::size_t rows,
                                        const std::string& place) {
  std::vector<double> sigma = in.line(name).numbers();
  require(sigma.size() == rows, place, "it is of a study with other rows to be learned");
  require(optimize::all_finite(sigma) && std::ranges::all_of(sigma, [](double x) { return x >= 0.0; }), place,
          "a sigma is not a number from 0 on");
  return sigma;
}

// Where hypotheses about rows were weighed.
void read_rows(base::ExactReader& in, const DecisionProblem& problem, ScaleChoice& choice,
               const std::string& place) {
  const std::size_t rows =
      model::DynamicsSpace(problem.structure, problem.known.dynamics, problem.ties).blocks().size();
  const bool by_row = in.line("by_row").integer() != 0;
  if (by_row) choice.scales.rows = read_scales_of_rows(in, "chosen_rows", rows, place);
  for (std::int64_t left = in.line("hypotheses").integer(); left > 0; --left) {
    RowHypothesis hypothesis;
    hypothesis.sigma = read_scales_of_rows(in, "rows", rows, place);
    hypothesis.log_prior = in.line("weight").number();
    hypothesis.log_evidence = in.number();
    require(std::isfinite(hypothesis.log_prior) && hypothesis.log_evidence < INFINITY, place,
            "a number of the evidence cannot be");
    choice.sparse.push_back(std::move(hypothesis));
  }
}

int count_from(base::ExactReader& in, const char* name, const std::string& place) {
  const std::int64_t count = in.line(name).integer();
  require(count >= 0 && count <= std::numeric_limits<int>::max(), place, "a count cannot be");
  return static_cast<int>(count);
}

}  // namespace

std::string attempt_to_text(const Attempt& attempt, const DecisionProblem& problem) {
  base::ExactWriter out;
  const optimize::OptimizeSummary& optimize = attempt.summary.optimize;
  write(out, attempt.agent_world, problem);
  out.line("log_posterior").add(attempt.summary.log_posterior);
  out.line("value").add(optimize.value);
  out.line("iterations").add(std::int64_t{optimize.iterations});
  out.line("evaluations").add(std::int64_t{optimize.evaluations});
  out.line("gradient_norm").add(optimize.gradient_norm);
  out.line("stop").add(static_cast<std::int64_t>(optimize.stop));
  out.line("converged").add(std::int64_t{optimize.converged});
  out.line("impossible_node").add(std::int64_t{attempt.impossible_node.value_or(-1)});
  return out.take();
}

Attempt attempt_from_text(const std::string& text, const DecisionProblem& problem, int nodes,
                          const std::string& place) {
  using Stop = optimize::OptimizeSummary::Stop;
  base::ExactReader in(text, place);
  Attempt attempt;
  attempt.ran = true;
  attempt.agent_world = read_explanation(in, problem);
  require_fit(problem, attempt.agent_world, place);
  optimize::OptimizeSummary& optimize = attempt.summary.optimize;
  attempt.summary.log_posterior = in.line("log_posterior").number();
  // A search that met nothing finite is never looked at again but for where it began.
  if (std::isfinite(attempt.summary.log_posterior))
    require_numbers(problem.structure, attempt.agent_world, place);
  optimize.value = in.line("value").number();
  optimize.iterations = count_from(in, "iterations", place);
  optimize.evaluations = count_from(in, "evaluations", place);
  optimize.gradient_norm = in.line("gradient_norm").number();
  const std::int64_t stop = in.line("stop").integer();
  require(stop >= 0 && stop <= static_cast<std::int64_t>(Stop::kInterrupted), place,
          "no search stops for such a reason");
  optimize.stop = static_cast<Stop>(stop);
  optimize.converged = in.line("converged").integer() != 0;
  const std::int64_t node = in.line("impossible_node").integer();
  require(node >= -1 && node < nodes, place, "it names a visit that the data do not have");
  if (node >= 0) attempt.impossible_node = static_cast<int>(node);
  in.expect_end();
  return attempt;
}

std::string scale_choice_to_text(const ScaleChoice& choice, const DecisionProblem& problem) {
  base::ExactWriter out;
  out.line("scales").add(choice.scales.initial).add(choice.scales.transition).add(choice.scales.observation);
  out.line("evidence").add(choice.log_evidence).add(choice.log_evidence_of_one);
  write(out, choice.common);
  out.line("kinds").add(static_cast<std::int64_t>(choice.kinds.size()));
  for (const auto& kind : choice.kinds) {
    out.line("field").add(static_cast<std::int64_t>(kind.field));
    write(out, kind.profile);
  }
  write(out, choice.agent_world, problem);
  out.line("evaluations").add(std::int64_t{choice.evaluations});
  if (choice.sparse.empty()) return out.take();
  out.line("by_row").add(std::int64_t{!choice.scales.rows.empty()});
  if (!choice.scales.rows.empty()) out.line("chosen_rows").add(choice.scales.rows);
  out.line("hypotheses").add(static_cast<std::int64_t>(choice.sparse.size()));
  for (const RowHypothesis& hypothesis : choice.sparse) {
    out.line("rows").add(hypothesis.sigma);
    out.line("weight").add(hypothesis.log_prior).add(hypothesis.log_evidence);
  }
  return out.take();
}

ScaleChoice scale_choice_from_text(const std::string& text, const DecisionProblem& problem,
                                   const std::string& place) {
  base::ExactReader in(text, place);
  ScaleChoice choice;
  choice.scales.initial = in.line("scales").number();
  choice.scales.transition = in.number();
  choice.scales.observation = in.number();
  for (const Field field : kCoupledFields) {
    const double sigma = choice.scales.of(field);
    require(sigma >= 0.0 && std::isfinite(sigma), place, "a sigma is not a number from 0 on");
  }
  choice.log_evidence = in.line("evidence").number();
  choice.log_evidence_of_one = in.number();
  require(std::isfinite(choice.log_evidence) && choice.log_evidence_of_one < INFINITY, place,
          "a number of the evidence cannot be");
  choice.common = read_profile(in);
  require_profile(choice.common, place);
  for (std::int64_t left = in.line("kinds").integer(); left > 0; --left) {
    const std::int64_t field = in.line("field").integer();
    require(field >= 0 && std::cmp_less(field, kCoupledFields.size()), place,
            "no kind of row has such a number");
    choice.kinds.push_back({static_cast<Field>(field), read_profile(in)});
    require_profile(choice.kinds.back().profile, place);
  }
  choice.agent_world = read_explanation(in, problem);
  require_fit(problem, choice.agent_world, place);
  require_numbers(problem.structure, choice.agent_world, place);
  choice.evaluations = count_from(in, "evaluations", place);
  if (!in.ended()) read_rows(in, problem, choice, place);
  in.expect_end();
  return choice;
}

}  // namespace interpole::learn
