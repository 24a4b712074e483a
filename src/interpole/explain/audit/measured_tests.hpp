// How far a test that measures could have moved a belief. Of numbers always one could come that moves it,
// however seldom; so the rule "whatever its result" becomes an integral over what could have come: what the
// test alone measures varies as the decision-maker expected it, given what was seen beside it; an empty cell
// stays empty.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "interpole/explain/audit/audit_rules.hpp"
#include "interpole/model/measured/outcome_points.hpp"
#include "interpole/model/time/step_transitions.hpp"

namespace interpole::explain {

// By one set of dynamics. Keeps references, and what it has worked out: one thread at a time.
class MeasuredTests {
 public:
  MeasuredTests(const Structure& structure, const Dynamics& dynamics, const AuditRules& rules)
      : structure_(structure), dynamics_(dynamics), rules_(rules), transitions_(structure, dynamics) {}

  // `step`: a test with a result, and with its gap if visits have times. The share of results, as it was
  // expected, that would have moved the belief by `least` or more. It may stop once it is above `enough`.
  double share_moved(std::span<const double> before, Step step, double least, double enough = 1.0);
  // What the move stays within but for a seldom share of results.
  double reach(std::span<const double> before, Step step);

 private:
  // Calls visit(share, move) until it says that it has seen enough.
  template <class Visit>
  void each_move(std::span<const double> before, Step step, const Visit& visit);
  const model::OutcomeChances& chances(int action, const std::vector<int>& varying);

  const Structure& structure_;
  const Dynamics& dynamics_;
  const AuditRules& rules_;
  model::StepTransitions transitions_;
  std::map<std::pair<int, std::vector<int>>, model::OutcomeChances> known_;
  std::vector<double> predicted_, next_, values_;
};

}  // namespace interpole::explain
