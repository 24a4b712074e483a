// Intervals of means of few values: over folds, over data sets.
#pragma once

namespace interpole::evaluate {

// t with P(|T| < t) = coverage for Student's T of so many degrees of freedom (≥ 1). Coverage in (0, 1).
double student_t(double coverage, int degrees_of_freedom);

// Half of the 95% interval of a mean of `count` (≥ 2) values, from its standard error.
double reach_of_mean(double standard_error, int count);

}  // namespace interpole::evaluate
