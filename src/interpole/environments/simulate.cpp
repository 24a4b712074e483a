#include "interpole/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "interpole/base/parallel.hpp"
#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/draw_outcome.hpp"

namespace interpole {
namespace {

constexpr std::int64_t kBlock = 8192;  // records held at a time
constexpr std::int64_t kTask = 256;    // records a thread takes at once

[[noreturn]] void throw_impossible(const Environment& environment, const Record& record) {
  const Structure& structure = environment.truth.structure;
  const Step step = record.steps.back();
  throw input_error(
      fmt::format("environment \"{}\": patient {}, step {}: the world yields \"{}\" after \"{}\", which the "
                  "agent holds impossible; "
                  "give it a positive probability in the agent's observation table",
                  environment.name, record.patient, record.steps.size(),
                  structure.outcome_name(step.observation), structure.actions[step.action]));
}

// What a policy may follow of a patient: categories in equal shares, whole numbers spread normally.
std::vector<double> drawn_covariates(const PolicyTerms& terms, std::uint64_t seed, std::int64_t patient) {
  std::vector<double> values;
  if (terms.covariates.empty()) return values;
  base::RandomStream random(seed, static_cast<std::uint64_t>(patient),
                            base::RandomPurpose::kSimulatedCovariates);
  for (const PolicyCovariate& covariate : terms.covariates) {
    const auto categories = static_cast<double>(covariate.categories.size());
    values.push_back(categories > 0.0 ? std::floor(categories * random.uniform())
                                      : std::round(covariate.centre + covariate.scale * random.normal()));
  }
  return values;
}

// Of several kinds of decision-makers, the one who meets this patient.
Parameters with_drawn_kind(const Parameters& agent, std::uint64_t seed, std::int64_t patient,
                           const std::vector<double>& covariates) {
  const int who = agent.policy.decision_maker;
  const double index =
      who < 0 || std::isnan(covariates[who]) ? static_cast<double>(patient) : covariates[who];
  base::RandomStream random(seed, static_cast<std::uint64_t>(index), base::RandomPurpose::kSimulatedKind);
  return {agent.dynamics, agent.policy.of_kind(random.categorical(agent.policy.kind_shares()))};
}

}  // namespace

void SimulateOptions::validate() const {
  if (patients < 0) throw usage_error(fmt::format("patients: {} is negative; ask for 0 or more", patients));
  if (longest < 0)
    throw usage_error(fmt::format("longest: {} is negative; ask for 0 or more steps", longest));
  if (threads < 0) throw usage_error(fmt::format("threads: {} is negative; 0 means all cores", threads));
}

Record simulate_record(const Environment& environment, std::uint64_t seed, std::int64_t patient,
                       int longest) {
  Record record;
  simulate_record(environment, seed, patient, longest, record, nullptr);
  return record;
}

void simulate_record(const Environment& environment, std::uint64_t seed, std::int64_t patient, int longest,
                     Record& record, std::vector<int>* states_passed) {
  const Structure& structure = environment.truth.structure;
  const Dynamics& world = world_of(environment.truth);
  const std::size_t states = structure.states.size();
  const std::size_t outcomes = structure.observations.size();
  const std::size_t limit = longest > 0 ? longest : environment.longest_record;

  base::RandomStream random(seed, static_cast<std::uint64_t>(patient), base::RandomPurpose::kSimulation);
  record.patient = fmt::format("p{:06}", patient);
  record.steps.clear();
  if (states_passed != nullptr) states_passed->clear();
  record.covariates = drawn_covariates(environment.truth.agent.policy.terms, seed, patient);
  std::optional<Parameters> drawn;
  if (!environment.truth.agent.policy.other_kinds.empty()) {
    drawn = with_drawn_kind(environment.truth.agent, seed, patient, record.covariates);
  }
  const Parameters& agent = drawn ? *drawn : environment.truth.agent;
  std::vector<double> belief = start_belief(agent.dynamics, record.covariates);
  std::vector<double> next(states);
  std::vector<double> policy(structure.actions.size());
  std::size_t state = random.categorical(start_belief(world, record.covariates));
  while (record.steps.size() < limit) {
    action_probabilities(structure, agent.policy, belief, context_after(record.steps, record.covariates),
                         policy);
    const int action = random.categorical(policy);
    record.steps.push_back({action, kMissing});
    if (states_passed != nullptr) states_passed->push_back(static_cast<int>(state));
    if (structure.is_terminal(action)) break;
    if (structure.timed()) {
      if (record.steps.size() == limit) break;  // what comes of it would be seen at a visit that there is not
      const double gap = environment.gaps[static_cast<std::size_t>(
          random.categorical(std::vector<double>(environment.gaps.size(), 1.0 / environment.gaps.size())))];
      record.steps.back().gap = structure.gaps.table->place_of(gap);
      const auto over_gap = transition_over(structure, world, action, gap);
      state = random.categorical({&over_gap[state * states], states});
    } else {
      state = random.categorical({&world.transition[(action * states + state) * states], states});
    }
    int outcome = kMissing;
    if (structure.measured()) {
      auto values = model::draw_outcome(structure, world, action, static_cast<int>(state), random);
      for (double& value : values) {
        if (environment.results_lost > 0.0 && random.uniform() < environment.results_lost) value = NAN;
      }
      outcome = structure.outcomes.table->place_of(values);
    } else {
      outcome = random.categorical({&world.observation[(action * states + state) * outcomes], outcomes});
    }
    if (!structure.measured() && environment.results_lost > 0.0 &&
        random.uniform() < environment.results_lost)
      outcome = kMissing;
    record.steps.back().observation = outcome;
    if (states_passed != nullptr) states_passed->back() = static_cast<int>(state);
    if (update_belief(structure, agent.dynamics, record.steps.back(), belief, next) <= 0.0) {
      throw_impossible(environment, record);
    }
    belief.swap(next);
  }
}

void simulate(const Environment& environment, const SimulateOptions& options,
              const std::function<void(const Record&)>& visit, Sink& sink) {
  options.validate();
  std::vector<Record> block;
  for (std::int64_t done = 0; done < options.patients; done += static_cast<std::int64_t>(block.size())) {
    if (sink.stop_requested()) {
      throw Error(ErrorKind::kInterrupted,
                  fmt::format("stopped after simulating {} of {} patients; nothing was kept", done,
                              options.patients));
    }
    const std::int64_t size = std::min(kBlock, options.patients - done);
    block.resize(size);
    // Measured outcomes and gaps are entered into tables, in the order of the records.
    const Structure& structure = environment.truth.structure;
    const int threads = structure.measured() || structure.timed() ? 1 : options.threads;
    base::parallel_tasks(static_cast<int>((size + kTask - 1) / kTask), threads, [&](int task) {
      const std::int64_t end = std::min(size, (task + 1) * kTask);
      for (std::int64_t i = task * kTask; i < end; ++i) {
        block[i] = simulate_record(environment, options.seed, done + i + 1, options.longest);
      }
    });
    for (const Record& record : block) visit(record);
    sink.progress("patients simulated", done + size, options.patients);
  }
}

}  // namespace interpole
