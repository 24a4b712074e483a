// For tests: a structure in which every family of measured factors occurs.
#pragma once

#include "interpole/inference/oracle_testing.hpp"
#include "interpole/structure.hpp"

namespace interpole::inference {

// One factor of each family, one of them with limits and one that only some actions yield.
inline Structure mixed_structure(int states, int actions) {
  MeasuredFactor limited{"lactate", Family::kLogNormal};
  limited.lower = 0.8;
  limited.upper = 6.0;
  MeasuredFactor masked{"pressure", Family::kNormal};
  masked.yielded_by.assign(static_cast<std::size_t>(actions), 1);
  if (actions > 1) masked.yielded_by[0] = 0;
  Structure structure = Structure::of_factors(testing::numbered("s", states), testing::numbered("a", actions),
                                              {limited,
                                               masked,
                                               {"temperature", Family::kStudent},
                                               {"breaths", Family::kPoisson},
                                               {"episodes", Family::kNegativeBinomial},
                                               {"sign", Family::kCategorical, {"no", "maybe", "yes"}},
                                               {"grade", Family::kOrdinal, {"low", "middle", "high"}}});
  if (actions > 2) structure.make_terminal(actions - 1);
  return structure;
}

}  // namespace interpole::inference
