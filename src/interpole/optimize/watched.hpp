// An objective that is counted, and that can be stopped from outside.
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "interpole/optimize/objective.hpp"

namespace interpole::optimize {

// Counts, and once asked to stop is defined nowhere, so that whoever is measuring comes to an end.
class Watched : public Objective {
 public:
  Watched(Objective& objective, const std::function<bool()>& stop) : objective_(objective), stop_(stop) {}
  int size() const override { return objective_.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    return stopped() ? -INFINITY : evaluate_in_any_case(x, gradient);
  }
  double evaluate_in_any_case(std::span<const double> x, std::span<double> gradient) {
    ++evaluations_;
    return objective_.evaluate(x, gradient);
  }
  std::vector<double> second_derivatives(std::span<const double> x,
                                         const std::function<bool()>& /*stop*/) override {
    auto result = objective_.second_derivatives(x, [this] { return stopped(); });
    if (!result.empty()) evaluations_ += size();
    return result;
  }
  bool stopped() { return stopped_ = stopped_ || (stop_ && stop_()); }
  int evaluations() const { return evaluations_; }

 private:
  Objective& objective_;
  const std::function<bool()>& stop_;
  int evaluations_ = 0;
  bool stopped_ = false;
};

}  // namespace interpole::optimize
