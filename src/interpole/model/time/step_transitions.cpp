#include "interpole/model/time/step_transitions.hpp"

namespace interpole::model {

std::span<const double> StepTransitions::of(Step step) {
  const std::size_t size = structure_.states.size() * structure_.states.size();
  if (!structure_.timed())
    return std::span(dynamics_.transition).subspan(static_cast<std::size_t>(step.action) * size, size);
  const auto key = static_cast<std::uint64_t>(step.action) << 32 | static_cast<std::uint32_t>(step.gap);
  const auto [place, is_new] = known_.try_emplace(key);
  if (is_new) {
    place->second.resize(size);
    const double gap = step.gap == kNoGap ? 0.0 : structure_.gaps.table->at(step.gap);
    over_gap_.evaluate(dynamics_, step.action, gap, place->second);
  }
  return place->second;
}

}  // namespace interpole::model
