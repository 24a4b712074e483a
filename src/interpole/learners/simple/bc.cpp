#include "interpole/learners/simple/bc.hpp"

#include "interpole/learners/simple/by_context.hpp"

namespace interpole::learners {

const Learner& bc_learner() {
  static const ByContextLearner learner(
      "bc", "behavioural cloning: the next action given the last one and its outcome, by counts",
      [](const std::string& json, const Structure& structure, const std::string& where) {
        return load_by_context(json, structure, where, ContextOf::kLastActionAndOutcome);
      },
      ContextOf::kLastActionAndOutcome);
  return learner;
}

}  // namespace interpole::learners
