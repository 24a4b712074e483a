#include "interpole/learners/recurrent/network_learner.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/learners/recurrent/lstm_kernels.hpp"

namespace interpole::learners {

bool is_network_width(double units) {
  return units >= kPanel && units <= kMostUnits && std::fmod(units, kPanel) == 0.0;
}

std::vector<LearnerOption> training_options(const NetworkTrainingOptions& defaults) {
  return {{"rate", defaults.rate, "step size of Adam", 1e-8, 1},
          {"patience", static_cast<double>(defaults.patience),
           "stop after so many iterations without a better loss", 1, 1e6, true},
          {"least-iterations", static_cast<double>(defaults.least_iterations),
           "before so many, stop only if the loss is 5% above its best", 1, 1e9, true},
          {"most-iterations", static_cast<double>(defaults.most_iterations), "give up after so many", 1, 1e9,
           true},
          {"validation-share", defaults.validation_share,
           "share of patients set aside to tell when to stop; 0: the training loss is watched", 0, 0.9}};
}

NetworkTrainingOptions training_of(const OptionValues& values, const LearnerOptions& options,
                                   NetworkTrainingOptions defaults) {
  defaults.rate = values.number("rate");
  defaults.patience = values.whole("patience");
  defaults.least_iterations = values.whole("least-iterations");
  defaults.most_iterations = values.whole("most-iterations");
  defaults.validation_share = values.number("validation-share");
  defaults.seed = options.seed;
  defaults.threads = options.threads;
  return defaults;
}

LearnerOption units_option(int units, const std::string& help) {
  return {"units", static_cast<double>(units), help + "; a multiple of 8", kPanel, kMostUnits, true};
}

int network_units(const OptionValues& values) {
  const int units = values.whole("units");
  if (is_network_width(units)) return units;
  throw usage_error(fmt::format("learner option units: {} is not a multiple of {}; try {}", units, kPanel,
                                (units + kPanel - 1) / kPanel * kPanel));
}

std::string network_note(const TrainedNetwork& network) {
  const char* ending = network.interrupted ? "stopped by the user"
                       : network.converged ? "converged"
                                           : "gave up";
  return fmt::format("{}; weights of iteration {}, {:.4f} nats per decision", ending, network.iterations,
                     network.loss);
}

Error no_network(const std::string& name, const TrainedNetwork& network) {
  if (network.interrupted) return interrupted_learner(name);
  return runtime_error(
      fmt::format("{}: the loss was never a finite number; lower learner option rate", name));
}

std::string visit_input_name(const Structure& structure, int input, const std::string& at_start) {
  const int actions = structure.action_count();
  if (input == 0) return at_start;
  if (input <= actions) return "after " + structure.actions[input - 1];
  const int outcome = input - 1 - actions;
  return outcome == structure.observation_count() ? "no outcome recorded"
                                                  : "outcome " + structure.observations[outcome];
}

}  // namespace interpole::learners
