#include "interpole/learners/recurrent/r_bc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpole/data/records/merged_histories.hpp"
#include "interpole/error.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/recurrent/fitted_r_bc.hpp"
#include "interpole/learners/recurrent/lstm_kernels.hpp"

namespace interpole::learners {
namespace {

constexpr int kNetworks = 3;

// Nats per decision. A chance that rounds to zero counts as the smallest there is.
double mean_loss(const HistoryTree& tree, const std::vector<double>& policies) {
  double sum = 0.0;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    if (tree.action_counts[i] == 0) continue;
    const double chance = std::max(policies[i], std::numeric_limits<double>::min());
    sum -= static_cast<double>(tree.action_counts[i]) * std::log(chance);
  }
  return tree.decisions > 0 ? sum / static_cast<double>(tree.decisions) : 0.0;
}

// One network after the other. Stopped in one, those that are finished are better than any unfinished one.
std::vector<TrainedNetwork> train_networks(const NetworkShape& shape, const HistoryTree& tree,
                                           NetworkTrainingOptions options, int count, Sink& sink) {
  std::vector<TrainedNetwork> networks;
  for (int n = 0; n < count; ++n) {
    options.network = static_cast<std::uint64_t>(n);
    TrainedNetwork network = train_network(shape, tree, options, sink);
    const bool interrupted = network.interrupted;
    if (interrupted && n > 0) {
      networks.back().interrupted = true;
    } else {
      networks.push_back(std::move(network));
    }
    if (interrupted || networks.back().iterations == 0) break;
  }
  return networks;
}

class RBcLearner : public NamedLearner {
 public:
  RBcLearner()
      : NamedLearner("r-bc", "behavioural cloning with memory: recurrent networks (LSTM) read the history",
                     load_fitted_r_bc) {}

  std::vector<LearnerOption> options() const override {
    const NetworkTrainingOptions defaults;
    const NetworkShape shape;
    return {
        {"networks", kNetworks, "networks trained apart, whose predictions are averaged; the paper has one",
         1, 100, true},
        {"units", static_cast<double>(shape.units),
         "of the recurrent and of the dense layer; a multiple of 8", kPanel, kMostUnits, true},
        {"rate", defaults.rate, "step size of Adam", 1e-8, 1},
        {"start-scale", defaults.start_scale, "size of the initial weights: within ± this / √inputs", 1e-6,
         100},
        {"patience", static_cast<double>(defaults.patience),
         "stop after so many iterations without a better loss", 1, 1e6, true},
        {"least-iterations", static_cast<double>(defaults.least_iterations),
         "before so many, stop only if the loss is 5% above its best", 1, 1e9, true},
        {"most-iterations", static_cast<double>(defaults.most_iterations), "give up after so many", 1, 1e9,
         true},
        {"validation-share", defaults.validation_share,
         "share of patients set aside to tell when to stop; 0 watches the training loss, as the paper does",
         0, 0.9}};
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    const int units = values.whole("units");
    if (!is_network_width(units)) {
      throw usage_error(fmt::format("learner option units: {} is not a multiple of {}; try {}", units, kPanel,
                                    (units + kPanel - 1) / kPanel * kPanel));
    }
    const NetworkShape shape{problem.structure.action_count(), problem.structure.observation_count(), units,
                             units};
    // Last bits grow in a long training: how the records were stored must not touch them.
    const HistoryTree merged = data::merged_histories(tree);
    std::vector<TrainedNetwork> networks =
        train_networks(shape, merged, training_options(values, options), values.whole("networks"), sink);
    if (networks.back().iterations == 0) throw no_result(networks.back());
    const double loss = mean_loss(merged, averaged_policies(shape, networks, merged, options.threads));
    return std::make_unique<FittedRBc>(shape, std::move(networks), loss);
  }

 private:
  static NetworkTrainingOptions training_options(const OptionValues& values, const LearnerOptions& options) {
    return {.rate = values.number("rate"),
            .patience = values.whole("patience"),
            .least_iterations = values.whole("least-iterations"),
            .most_iterations = values.whole("most-iterations"),
            .start_scale = values.number("start-scale"),
            .validation_share = values.number("validation-share"),
            .seed = options.seed,
            .threads = options.threads};
  }

  Error no_result(const TrainedNetwork& network) const {
    if (network.interrupted) return interrupted_learner(name());
    return runtime_error("r-bc: the loss was never a finite number; lower learner option rate");
  }
};

}  // namespace

const Learner& r_bc_learner() {
  static const RBcLearner learner;
  return learner;
}

}  // namespace interpole::learners
