#include "interpole/learners/simple/previous_action.hpp"

#include "interpole/learners/simple/by_context.hpp"

namespace interpole::learners {

const Learner& previous_action_learner() {
  static const ByContextLearner learner(
      "previous-action", "the next action given the last one alone, by counts",
      [](const std::string& json, const Structure& structure, const std::string& where) {
        return load_by_context(json, structure, where, ContextOf::kLastAction);
      },
      ContextOf::kLastAction);
  return learner;
}

}  // namespace interpole::learners
