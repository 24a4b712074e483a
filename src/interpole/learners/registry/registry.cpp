#include "interpole/learners/registry/registry.hpp"

#include <fmt/format.h>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"
#include "interpole/learners/interpole/averaged_learner.hpp"
#include "interpole/learners/interpole/interpole_learner.hpp"
#include "interpole/learners/inverse_rl/off_po_irl.hpp"
#include "interpole/learners/inverse_rl/po_irl.hpp"
#include "interpole/learners/observed/gail.hpp"
#include "interpole/learners/observed/irl.hpp"
#include "interpole/learners/observed/mb_il.hpp"
#include "interpole/learners/readable/contextual.hpp"
#include "interpole/learners/readable/recurrent_tree.hpp"
#include "interpole/learners/recurrent/r_bc.hpp"
#include "interpole/learners/simple/bc.hpp"
#include "interpole/learners/simple/logistic.hpp"
#include "interpole/learners/simple/majority.hpp"
#include "interpole/learners/simple/po_mb_il.hpp"
#include "interpole/learners/simple/previous_action.hpp"

namespace interpole::learners {

const std::vector<const Learner*>& all_learners() {
  static const std::vector<const Learner*> rows = {
      &interpole_learner(DynamicsMode::kCoupled),
      &interpole_learner(DynamicsMode::kShared),
      &interpole_learner(DynamicsMode::kSubjective),
      &averaged_learner(),
      &interpole_terms_learner(),
      &po_mb_il_learner(),
      &po_irl_learner(),
      &off_po_irl_learner(),
      &r_bc_learner(),
      &recurrent_tree_learner(),
      &contextual_learner(),
      &irl_learner(),
      &mb_il_learner(),
      &gail_learner(),
      &bc_learner(),
      &logistic_learner(),
      &previous_action_learner(),
      &majority_learner(),
  };
  return rows;
}

std::vector<std::string> learner_names() {
  std::vector<std::string> names;
  names.reserve(all_learners().size());
  for (const Learner* learner : all_learners()) names.push_back(learner->name());
  return names;
}

const Learner& learner_named(const std::string& name) {
  for (const Learner* learner : all_learners()) {
    if (learner->name() == name) return *learner;
  }
  const std::vector<std::string> names = learner_names();
  const std::string closest = base::closest_name(name, names);
  throw usage_error(fmt::format("{} is not a learner; {}known are {}", base::shown(name),
                                closest.empty() ? "" : fmt::format("did you mean {}? ", base::shown(closest)),
                                fmt::join(names, ", ")));
}

}  // namespace interpole::learners
