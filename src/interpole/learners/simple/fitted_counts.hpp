// What learners that only count have in common: what they save, and how their fit went.
#pragma once

#include <string>
#include <vector>

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

struct SmoothedCounts {
  double smoothing = 1.0;      // imagined decisions
  std::vector<double> counts;  // of actions
};

class FittedCounts : public FittedLearner {
 public:
  explicit FittedCounts(SmoothedCounts counted) : counted_(std::move(counted)) {}

  std::string to_json() const override;
  std::string fit_note() const override { return "counted once"; }
  bool converged() const override { return true; }

 protected:
  const SmoothedCounts& counted() const { return counted_; }

 private:
  SmoothedCounts counted_;
};

// Takes back what to_json() gave: `size` counts, one for each of `what`. Errors name the place in `where`.
SmoothedCounts load_counts(const std::string& json, const std::string& where, std::size_t size,
                           const char* what);

}  // namespace interpole::learners
