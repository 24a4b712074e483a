// A policy by context: π(a|x) ∝ p(a) exp θ(x, a), where p is how often each action is taken overall. θ is
// free in every context, or the sum of what the last action and the last outcome contribute.
#pragma once

#include <span>
#include <vector>

#include "interpole/structure.hpp"

namespace interpole::learners {

class ContextPolicy {
 public:
  // `additive`: θ(x, a) = α(last action, a) + β(last outcome, a). `overall` is p.
  ContextPolicy(const Structure& structure, std::vector<double> overall, bool additive);

  int size() const;  // of the coordinates
  int contexts() const { return contexts_; }

  // π, [x·A + a].
  std::vector<double> at(std::span<const double> coordinates) const;

  // gradient += (∂π/∂coordinates)ᵀ by_policy, where by_policy treats every π(a|x) as free.
  void pull_back(std::span<const double> policy, std::span<const double> by_policy,
                 std::span<double> gradient) const;

 private:
  // The rows of coordinates that a context adds up; −1: none.
  struct Parts {
    int first = 0;
    int second = -1;
  };
  Parts parts_of(int context) const;

  int actions_, outcomes_, contexts_;
  std::vector<double> log_overall_;
  bool additive_;
};

}  // namespace interpole::learners
