#include "interpole/baselines/network_training.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "interpole/baselines/held_out.hpp"
#include "interpole/baselines/tree_network.hpp"
#include "interpole/optimize/adam.hpp"

namespace interpole {
namespace {

constexpr std::uint64_t kInitialWeights = 0x7762;  // purpose of the random stream
constexpr int kIterationsPerReport = 10;

// One run of Adam from the network's initial weights.
class Run {
 public:
  Run(TreeNetwork& network, const NetworkShape& shape, const NetworkTrainingOptions& options)
      : network_(network), options_(options), adam_(0) {
    RandomStream random(options.seed, 0, kInitialWeights);
    weights = initial_weights(shape, random);
    gradient_.resize(weights.size());
    adam_ = Adam(static_cast<int>(weights.size()), options.rate);
  }

  NetworkLoss evaluate(const DecisionCounts& training, const DecisionCounts& validation) {
    return network_.evaluate(weights, training, validation, gradient_);
  }

  // Adam ascends; a loss is to fall.
  void step() {
    for (double& g : gradient_) g = -g;
    adam_.step(gradient_, weights);
  }

  std::vector<double> weights;

 private:
  TreeNetwork& network_;
  const NetworkTrainingOptions& options_;
  Adam adam_;
  std::vector<double> gradient_;
};

// Until the watched loss has not improved for so long; keeps the best weights.
TrainedNetwork run_until_patience(Run run, const HeldOut& data, const NetworkTrainingOptions& options,
                                  Sink& sink) {
  const bool watches_others = data.validation.total > 0.0;
  TrainedNetwork best;
  double lowest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < options.most_iterations; ++k) {
    if (sink.stop_requested()) {
      best.interrupted = true;
      break;
    }
    if (k % kIterationsPerReport == 0) sink.progress("r-bc: iterations", k, options.most_iterations);
    const NetworkLoss loss = run.evaluate(data.training, data.validation);
    const double watched = watches_others ? loss.validation : loss.training;
    if (watched < lowest) {
      lowest = watched;
      best.parameters = run.weights;
      best.iterations = k + 1;
    } else if (k + 1 - best.iterations >= options.patience) {
      best.converged = true;
      break;
    }
    run.step();
  }
  if (watches_others) best.validation_loss = lowest;
  best.validation_records = watches_others ? data.validation_records : 0;
  return best;
}

// From all decisions, for a number of iterations that is known. Nothing if asked to stop.
std::optional<std::vector<double>> run_for(Run run, const DecisionCounts& all, int iterations, Sink& sink) {
  const DecisionCounts none{std::vector<double>(all.counts.size(), 0.0), 0.0};
  for (int k = 1; k < iterations; ++k) {
    if (sink.stop_requested()) return {};
    if (k % kIterationsPerReport == 0) sink.progress("r-bc: once more, from all patients", k, iterations);
    run.evaluate(all, none);
    run.step();
  }
  return run.weights;
}

}  // namespace

TrainedNetwork train_network(const NetworkShape& shape, const HistoryTree& tree,
                             const NetworkTrainingOptions& options, Sink& sink) {
  TreeNetwork network(shape, tree, true, options.threads);
  const HeldOut data = hold_out_records(tree, options.validation_share, options.seed);
  const Run start(network, shape, options);
  TrainedNetwork result = run_until_patience(start, data, options, sink);
  if (result.iterations == 0) return result;

  const DecisionCounts all = DecisionCounts::all_of(tree);
  if (result.validation_records > 0 && !result.interrupted) {
    if (auto weights = run_for(start, all, result.iterations, sink)) {
      result.parameters = std::move(*weights);
    } else {
      result.interrupted = true;  // the weights of the first run are the best there is
    }
  }
  std::vector<double> ignored(result.parameters.size());
  result.loss = network.evaluate(result.parameters, all, data.validation, ignored).training;
  return result;
}

}  // namespace interpole
