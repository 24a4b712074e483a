#include "interpole/learners/recurrent/r_bc.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "interpole/data/records/merged_histories.hpp"
#include "interpole/learners/recurrent/fitted_r_bc.hpp"
#include "interpole/learners/recurrent/network_learner.hpp"

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
    std::vector<LearnerOption> all = {
        {"networks", kNetworks, "networks trained apart, whose predictions are averaged; the paper has one",
         1, 100, true},
        units_option(NetworkShape{}.units, "of the recurrent and of the dense layer")};
    std::ranges::copy(training_options(defaults), std::back_inserter(all));
    all.push_back({"start-scale", defaults.start_scale,
                   "size of the initial weights: within ± this / √inputs", 1e-6, 100});
    return all;
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    const int units = network_units(values);
    const NetworkShape shape{problem.structure.action_count(), problem.structure.observation_count(), units,
                             units};
    // Last bits grow in a long training: how the records were stored must not touch them.
    const HistoryTree merged = data::merged_histories(tree);
    NetworkTrainingOptions training = training_of(values, options, {});
    training.start_scale = values.number("start-scale");
    std::vector<TrainedNetwork> networks =
        train_networks(shape, merged, training, values.whole("networks"), sink);
    if (networks.back().iterations == 0) throw no_network(name(), networks.back());
    const double loss = mean_loss(merged, averaged_policies(shape, networks, merged, options.threads));
    return std::make_unique<FittedRBc>(shape, std::move(networks), loss);
  }
};

}  // namespace

const Learner& r_bc_learner() {
  static const RBcLearner learner;
  return learner;
}

}  // namespace interpole::learners
