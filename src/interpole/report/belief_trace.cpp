#include "interpole/report/belief_trace.hpp"

#include <fmt/format.h>

#include "interpole/base/error.hpp"
#include "interpole/model/belief.hpp"

namespace interpole {
namespace {

// The message names the record by its number: a patient's identifier must not get into a report's log either.
void require_known(const Structure& structure, const Step& step, int number) {
  if (step.action < 0 || step.action >= structure.action_count()) {
    throw input_error(
        fmt::format("example record {}: action number {} is not among the model's {}; read the data with "
                    "the model's structure",
                    number + 1, step.action, structure.action_count()));
  }
  if (step.observation < kMissing || step.observation >= structure.observation_count()) {
    throw input_error(
        fmt::format("example record {}: outcome number {} is not among the model's {}; read the data "
                    "with the model's structure",
                    number + 1, step.observation, structure.observation_count()));
  }
}

}  // namespace

BeliefTrace trace_beliefs(const Model& model, const Record& record, int number) {
  BeliefTrace trace;
  trace.record = &record;
  trace.states = model.structure.state_count();
  std::vector<double> belief = model.agent.dynamics.initial;
  std::vector<double> next(belief.size());
  const int steps = static_cast<int>(record.steps.size());
  for (int i = 0; i < steps; ++i) {
    const Step& step = record.steps[i];
    require_known(model.structure, step, number);
    trace.beliefs.insert(trace.beliefs.end(), belief.begin(), belief.end());
    ++trace.decisions;
    const bool last = i + 1 == steps;
    if (last && (model.structure.is_terminal(step.action) || step.observation == kMissing)) break;
    const double chance =
        update_belief(model.structure, model.agent.dynamics, step.action, step.observation, belief, next);
    if (!(chance > 0.0)) {
      trace.impossible_step = i;
      break;
    }
    belief = next;
    if (last) trace.beliefs.insert(trace.beliefs.end(), belief.begin(), belief.end());
  }
  return trace;
}

}  // namespace interpole
