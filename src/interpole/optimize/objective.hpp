// A function to be maximised.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace interpole::optimize {

class Objective {
 public:
  virtual ~Objective() = default;
  virtual int size() const = 0;
  // The value at x; its gradient is written to `gradient` (same size). −∞ where the function is not defined.
  // Not const: implementations may keep scratch memory. One thread at a time.
  virtual double evaluate(std::span<const double> x, std::span<double> gradient) = 0;
  // Second derivatives, n × n, where the function is a sum whose parts know fewer variables and so have them
  // for less than differences of the whole gradient: about as much work as n evaluations. Empty: it is not.
  // Not finite if asked to stop meanwhile.
  virtual std::vector<double> second_derivatives(std::span<const double> /*x*/,
                                                 const std::function<bool()>& /*stop*/) {
    return {};
  }
};

}  // namespace interpole::optimize
