#include "interpole/evaluate/stopping_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "interpole/base/error.hpp"
#include "interpole/base/random.hpp"
#include "interpole/environments/environment.hpp"
#include "interpole/model/belief.hpp"

namespace interpole {
namespace {

// Names of the random streams.
constexpr std::uint64_t kPatientStream = 0x71;
constexpr std::uint64_t kActionStream = 0x72;
constexpr std::uint64_t kOtherActionStream = 0x73;

// One decision-maker before one patient.
class Watcher {
 public:
  Watcher(const Structure& structure, const Dynamics& world, const Parameters& mind)
      : structure_(structure), world_(world), mind_(mind), policy_(structure.actions.size()) {}

  // The step of the terminal action, or longest + 1. nullopt: saw what it holds impossible (see complaint()).
  std::optional<int> stops_at(RandomStream patient, RandomStream actions, int longest) {
    const std::size_t states = structure_.states.size();
    const std::size_t outcomes = structure_.observations.size();
    belief_ = mind_.dynamics.initial;
    next_.resize(states);
    std::size_t state = patient.categorical(world_.initial);
    for (int step = 1; step <= longest; ++step) {
      action_probabilities(structure_, mind_.policy, belief_, policy_);
      const std::size_t action = actions.categorical(policy_);
      if (structure_.is_terminal(static_cast<int>(action))) return step;
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

}  // namespace

void StoppingTimeOptions::validate() const {
  if (patients < 1)
    throw usage_error(fmt::format("patients: {} is not positive; simulate at least one", patients));
  if (longest < 1)
    throw usage_error(fmt::format("longest: {} is not positive; allow at least one step", longest));
}

StoppingTimeError stopping_time_error(const Model& truth, const Model& fit,
                                      const StoppingTimeOptions& options) {
  options.validate();
  const Structure& structure = truth.structure;
  const auto stops = std::count(structure.terminal.begin(), structure.terminal.end(), 1);
  if (stops == 0) return undefined("no action ends a record");
  if (stops == structure.action_count()) return undefined("every action ends the record at once");

  Watcher true_mind(structure, world_of(truth), truth.agent);
  Watcher fitted_mind(structure, world_of(truth), fit.agent);
  double independent = 0.0;
  double common = 0.0;
  StoppingTimeError result;
  for (std::int64_t i = 1; i <= options.patients; ++i) {
    const RandomStream patient(options.seed, i, kPatientStream);
    const RandomStream actions(options.seed, i, kActionStream);
    const RandomStream other_actions(options.seed, i, kOtherActionStream);
    const auto tau = true_mind.stops_at(patient, actions, options.longest);
    if (!tau)
      return undefined(fmt::format("under the truth, simulated patient {}, {}", i, true_mind.complaint()));
    const auto tau_independent = fitted_mind.stops_at(patient, other_actions, options.longest);
    const auto tau_common = fitted_mind.stops_at(patient, actions, options.longest);
    if (!tau_independent || !tau_common) {
      return undefined(fmt::format("under the model, simulated patient {}, {}", i, fitted_mind.complaint()));
    }
    independent += std::abs(*tau - *tau_independent);
    common += std::abs(*tau - *tau_common);
    result.mean_of_truth += *tau;
    result.mean_of_fit += *tau_independent;
    result.unfinished += std::max({*tau, *tau_independent, *tau_common}) > options.longest;
  }
  const double patients = static_cast<double>(options.patients);
  result.independent = independent / patients;
  result.common = common / patients;
  result.mean_of_truth /= patients;
  result.mean_of_fit /= patients;
  return result;
}

}  // namespace interpole
