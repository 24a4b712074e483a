// What learners that train a recurrent network share: the options of training, checked widths, the words
// about how it went.
#pragma once

#include <string>
#include <vector>

#include "interpole/error.hpp"
#include "interpole/learners/learner.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/recurrent/network_training.hpp"

namespace interpole::learners {

// Widths of layers that the kernels can compute.
inline constexpr int kMostUnits = 1024;
bool is_network_width(double units);

// rate, patience, least-iterations, most-iterations, validation-share; with these defaults.
std::vector<LearnerOption> training_options(const NetworkTrainingOptions& defaults);
// … as they are set, on top of the same defaults.
NetworkTrainingOptions training_of(const OptionValues& values, const LearnerOptions& options,
                                   NetworkTrainingOptions defaults);

LearnerOption units_option(int units, const std::string& help);
// Throws a usage error if the width is not one the kernels can compute.
int network_units(const OptionValues& values);

// "converged; weights of iteration 480, 0.4312 nats per decision"
std::string network_note(const TrainedNetwork& network);
// Why a training left nothing.
Error no_network(const std::string& name, const TrainedNetwork& network);

// The inputs of a visit by number: the start, after each action, each outcome, none recorded.
std::string visit_input_name(const Structure& structure, int input, const std::string& at_start);

}  // namespace interpole::learners
