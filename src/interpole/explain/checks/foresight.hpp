// Do decisions know more than the records? Somebody who sees a sign that is not recorded leans towards the
// patient's state, again and again: decisions of one record then lean the same way beyond what was expected,
// and results follow them. Two sums that are zero on average if nothing is seen but the records, weighted for
// a weak sign (docs/mathematics/groups.md).
#pragma once

#include "interpole/fit.hpp"

namespace interpole::explain {

struct Foresight {
  double decisions = 0.0;  // how far decisions of a record lean the same way, in standard errors
  double results = 0.0;    // how far results follow the lean of decisions
  double together() const;  // of both, in standard errors
};

// The model's own numbers are known to be fitted to the same records. Of classes of records all are together.
Foresight foresight_of(const FitResult& fit, const HistoryTree& tree);

}  // namespace interpole::explain
