// When no search met a finite log-posterior: the problem's numbers are too extreme to compute with.
#pragma once

#include "interpole/error.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

class NothingFinite : public Error {
 public:
  // Names the most extreme number of the problem by its key in a study file.
  explicit NothingFinite(const DecisionProblem& problem);
};

}  // namespace interpole::learn
