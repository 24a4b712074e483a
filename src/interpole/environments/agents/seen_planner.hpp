// A planner who errs and takes what is seen for the state: what comes next depends, to them, on the last
// outcome and the action alone. Soft values at discount 0.9; rewards by last outcome and action.
#pragma once

#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/environments/agents/decision_maker.hpp"

namespace interpole::environments {

class SeenPlanner : public HistoryPolicy {
 public:
  // `world`: they know how often an outcome follows an outcome in it, under every action, on average.
  SeenPlanner(const Structure& structure, const Dynamics& world, double scale, base::RandomStream& random);
  void chances(std::span<const Step> history, std::span<const double> covariates,
               std::span<double> chances) const override;

 private:
  int actions_;
  std::vector<double> policy_;  // [(last outcome, or Z at the start)·A + a]
};

}  // namespace interpole::environments
