// What R-BC has learned: a few recurrent networks of one shape, whose policies are averaged.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpole/learners/learner.hpp"
#include "interpole/learners/recurrent/network_training.hpp"

namespace interpole::learners {

class FittedRBc : public FittedLearner {
 public:
  // At least one network. `loss` is that of the averaged policies: nats per decision.
  FittedRBc(const NetworkShape& shape, std::vector<TrainedNetwork> networks, double loss);

  std::vector<double> policies(const HistoryTree& tree) const override;
  std::string to_json() const override;
  std::string fit_note() const override;
  bool converged() const override;
  bool interrupted() const override;

 private:
  NetworkShape shape_;
  std::vector<TrainedNetwork> networks_;
  double loss_;
};

// π(a | history), [node·A + a]: the mean over the networks.
std::vector<double> averaged_policies(const NetworkShape& shape, const std::vector<TrainedNetwork>& networks,
                                      const HistoryTree& tree, int threads);

// Takes back what to_json() gave. Throws an input error that names the place.
std::unique_ptr<FittedLearner> load_fitted_r_bc(const std::string& json, const Structure& structure,
                                                const std::string& where);

}  // namespace interpole::learners
