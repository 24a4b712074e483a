#include "interpole/evaluate/scores/stopping_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/environment.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/scores/simulated_stopping.hpp"

namespace interpole::evaluate {
namespace {

// Names of the random streams (that of patients: learner_watch.hpp).

// One decision-maker before one patient.
class Watcher {
 public:
  Watcher(const Structure& structure, const Dynamics& world, const Parameters& mind)
      : structure_(structure), world_(world), mind_(mind), policy_(structure.actions.size()) {}

  // The step of the terminal action, or longest + 1. nullopt: saw what it holds impossible (see complaint()).
  std::optional<int> stops_at(base::RandomStream patient, base::RandomStream actions, int longest) {
    const std::size_t states = structure_.states.size();
    const std::size_t outcomes = structure_.observations.size();
    belief_ = mind_.dynamics.initial;
    next_.resize(states);
    std::size_t state = patient.categorical(world_.initial);
    DecisionContext context;
    std::vector<double> kinds;  // drawn decision by decision: as likely as to draw one and keep it
    if (!mind_.policy.other_kinds.empty()) kinds = mind_.policy.kind_shares();
    context.kinds = kinds;
    for (int step = 1; step <= longest; ++step) {
      context.step = step - 1;
      action_probabilities(structure_, mind_.policy, belief_, context, policy_);
      const std::size_t action = actions.categorical(policy_);
      if (structure_.is_terminal(static_cast<int>(action))) return step;
      if (!kinds.empty()) {
        kinds_after_decision(structure_, mind_.policy, belief_, context, static_cast<int>(action), kinds);
      }
      context.last_action = static_cast<int>(action);
      // One number each for state and outcome at every step, so that step t uses the same two for both
      // watchers.
      state = patient.categorical({&world_.transition[(action * states + state) * states], states});
      const int outcome =
          patient.categorical({&world_.observation[(action * states + state) * outcomes], outcomes});
      if (update_belief(structure_, mind_.dynamics, static_cast<int>(action), outcome, belief_, next_) <=
          0.0) {
        complaint_ = fmt::format("step {}: \"{}\" after \"{}\" has probability zero", step,
                                 structure_.observations[outcome], structure_.actions[action]);
        return std::nullopt;
      }
      belief_.swap(next_);
    }
    return longest + 1;
  }

  const std::string& complaint() const { return complaint_; }

 private:
  const Structure& structure_;
  const Dynamics& world_;
  const Parameters& mind_;
  std::vector<double> policy_, belief_, next_;
  std::string complaint_;
};

StoppingTimeError undefined(const std::string& reason) {
  StoppingTimeError result;
  result.undefined_because = reason;
  return result;
}

StoppingTimes times_of_model(const Model& truth, const Parameters& mind, const StoppingTimeOptions& options,
                             base::RandomPurpose action_stream) {
  Watcher watcher(truth.structure, world_of(truth), mind);
  StoppingTimes times;
  for (std::int64_t i = 1; i <= options.patients; ++i) {
    const auto tau =
        watcher.stops_at(base::RandomStream(options.seed, i, base::RandomPurpose::kStoppingPatient),
                         base::RandomStream(options.seed, i, action_stream), options.longest);
    if (!tau) {
      times.complaint = fmt::format("simulated patient {}, {}", i, watcher.complaint());
      return times;
    }
    times.steps.push_back(*tau);
  }
  return times;
}

using TimesOfFit = std::function<StoppingTimes(base::RandomPurpose action_stream)>;

StoppingTimeError compare_times(const Model& truth, const TimesOfFit& times_of_fit,
                                const StoppingTimeOptions& options) {
  options.validate();
  const Structure& structure = truth.structure;
  const auto stops = std::count(structure.terminal.begin(), structure.terminal.end(), 1);
  if (stops == 0) return undefined("no action ends a record");
  if (structure.measured())
    return undefined("outcomes are measured, which no stopping time is simulated with yet");
  if (structure.timed()) return undefined("visits have times, with which no stopping time is simulated yet");
  if (stops == structure.action_count()) return undefined("every action ends the record at once");
  const StoppingTimes tau = times_of_model(truth, truth.agent, options, base::RandomPurpose::kStoppingAction);
  if (!tau.complaint.empty()) return undefined("under the truth, " + tau.complaint);
  const StoppingTimes independent = times_of_fit(base::RandomPurpose::kStoppingOther);
  if (!independent.complaint.empty()) return undefined("under the model, " + independent.complaint);
  const StoppingTimes common = times_of_fit(base::RandomPurpose::kStoppingAction);
  if (!common.complaint.empty()) return undefined("under the model, " + common.complaint);

  StoppingTimeError result;
  double independent_sum = 0.0;
  double common_sum = 0.0;
  for (std::size_t i = 0; i < tau.steps.size(); ++i) {
    result.independent_of_each.push_back(std::abs(tau.steps[i] - independent.steps[i]));
    result.common_of_each.push_back(std::abs(tau.steps[i] - common.steps[i]));
    independent_sum += result.independent_of_each.back();
    common_sum += result.common_of_each.back();
    result.mean_of_truth += tau.steps[i];
    result.mean_of_fit += independent.steps[i];
    result.unfinished += std::max({tau.steps[i], independent.steps[i], common.steps[i]}) > options.longest;
  }
  const auto patients = static_cast<double>(options.patients);
  result.independent = independent_sum / patients;
  result.common = common_sum / patients;
  result.mean_of_truth /= patients;
  result.mean_of_fit /= patients;
  return result;
}

}  // namespace

void StoppingTimeOptions::validate() const {
  if (patients < 1)
    throw usage_error(fmt::format("patients: {} is not positive; simulate at least one", patients));
  if (longest < 1)
    throw usage_error(fmt::format("longest: {} is not positive; allow at least one step", longest));
}

StoppingTimeError stopping_time_error(const Model& truth, const Model& fit,
                                      const StoppingTimeOptions& options) {
  return compare_times(
      truth, [&](base::RandomPurpose stream) { return times_of_model(truth, fit.agent, options, stream); },
      options);
}

StoppingTimeError stopping_time_error(const Model& truth, const learners::FittedLearner& fit,
                                      const StoppingTimeOptions& options) {
  return compare_times(
      truth, [&](base::RandomPurpose stream) { return times_of_learner(truth, fit, options, stream); },
      options);
}

}  // namespace interpole::evaluate
