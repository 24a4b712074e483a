#include "interpole/learn/fit/fit_parts.hpp"

#include <fmt/format.h>

#include "interpole/base/files/exact_text.hpp"
#include "interpole/error.hpp"

namespace interpole::learn {
namespace {

// Each pair of functions walks the same fields in the same order.

void write(base::ExactWriter& out, const Dynamics& dynamics) {
  out.line("initial").add(dynamics.initial);
  out.line("transition").add(dynamics.transition);
  out.line("observation").add(dynamics.observation);
}

void write(base::ExactWriter& out, const AgentWorld& agent_world) {
  write(out, agent_world.agent.dynamics);
  out.line("inverse_temperature").add(agent_world.agent.policy.inverse_temperature);
  out.line("means").add(agent_world.agent.policy.means);
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

AgentWorld read_explanation(base::ExactReader& in) {
  AgentWorld agent_world;
  agent_world.agent.dynamics = read_dynamics(in);
  agent_world.agent.policy.inverse_temperature = in.line("inverse_temperature").number();
  agent_world.agent.policy.means = in.line("means").numbers();
  if (in.line("world").integer() != 0) agent_world.world = read_dynamics(in);
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

void require_fit(const Structure& structure, const AgentWorld& agent_world, const std::string& place) {
  if (fits(structure, agent_world.agent.dynamics) &&
      agent_world.agent.policy.means.size() == structure.actions.size() * structure.states.size() &&
      (!agent_world.world || fits(structure, *agent_world.world))) {
    return;
  }
  throw input_error(fmt::format("{}: it is of a study with other states, actions or outcomes", place));
}

}  // namespace

std::string attempt_to_text(const Attempt& attempt) {
  base::ExactWriter out;
  const optimize::OptimizeSummary& optimize = attempt.summary.optimize;
  write(out, attempt.agent_world);
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

Attempt attempt_from_text(const std::string& text, const Structure& structure, const std::string& place) {
  base::ExactReader in(text, place);
  Attempt attempt;
  attempt.ran = true;
  attempt.agent_world = read_explanation(in);
  require_fit(structure, attempt.agent_world, place);
  optimize::OptimizeSummary& optimize = attempt.summary.optimize;
  attempt.summary.log_posterior = in.line("log_posterior").number();
  optimize.value = in.line("value").number();
  optimize.iterations = static_cast<int>(in.line("iterations").integer());
  optimize.evaluations = static_cast<int>(in.line("evaluations").integer());
  optimize.gradient_norm = in.line("gradient_norm").number();
  optimize.stop = static_cast<optimize::OptimizeSummary::Stop>(in.line("stop").integer());
  optimize.converged = in.line("converged").integer() != 0;
  const auto node = static_cast<int>(in.line("impossible_node").integer());
  if (node >= 0) attempt.impossible_node = node;
  in.expect_end();
  return attempt;
}

std::string scale_choice_to_text(const ScaleChoice& choice) {
  base::ExactWriter out;
  out.line("scales").add(choice.scales.initial).add(choice.scales.transition).add(choice.scales.observation);
  out.line("evidence").add(choice.log_evidence).add(choice.log_evidence_of_one);
  write(out, choice.common);
  out.line("kinds").add(static_cast<std::int64_t>(choice.kinds.size()));
  for (const auto& kind : choice.kinds) {
    out.line("field").add(static_cast<std::int64_t>(kind.field));
    write(out, kind.profile);
  }
  write(out, choice.agent_world);
  out.line("evaluations").add(std::int64_t{choice.evaluations});
  return out.take();
}

ScaleChoice scale_choice_from_text(const std::string& text, const Structure& structure,
                                   const std::string& place) {
  base::ExactReader in(text, place);
  ScaleChoice choice;
  choice.scales.initial = in.line("scales").number();
  choice.scales.transition = in.number();
  choice.scales.observation = in.number();
  choice.log_evidence = in.line("evidence").number();
  choice.log_evidence_of_one = in.number();
  choice.common = read_profile(in);
  for (std::int64_t left = in.line("kinds").integer(); left > 0; --left) {
    const auto field = static_cast<Field>(in.line("field").integer());
    choice.kinds.push_back({field, read_profile(in)});
  }
  choice.agent_world = read_explanation(in);
  require_fit(structure, choice.agent_world, place);
  choice.evaluations = static_cast<int>(in.line("evaluations").integer());
  in.expect_end();
  return choice;
}

}  // namespace interpole::learn
