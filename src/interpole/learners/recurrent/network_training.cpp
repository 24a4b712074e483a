#include "interpole/learners/recurrent/network_training.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "interpole/learners/recurrent/held_out.hpp"
#include "interpole/learners/recurrent/tree_network.hpp"
#include "interpole/optimize/adam.hpp"

namespace interpole::learners {
namespace {

constexpr int kIterationsPerReport = 10;
constexpr double kClearlyWorse = 1.05;  // times the best loss: more than a plateau's drift, which was 1.023

// All that the next iteration depends on.
struct Learned {
  std::vector<double> weights;
  optimize::Adam adam;
};

// Adam ascends; a loss is to fall.
void descend(std::vector<double>& gradient, Learned& learned) {
  for (double& g : gradient) g = -g;
  learned.adam.step(gradient, learned.weights);
}

struct Best {
  Learned learned;
  double loss = std::numeric_limits<double>::infinity();
  int iterations = 0;
  bool converged = false;
  bool interrupted = false;
};

// Until the watched loss has not improved for so long, and training does not merely rest on a plateau.
Best run_until_patience(TrainableNetwork& network, Learned learned, const HeldOut& data,
                        const NetworkTrainingOptions& options, const std::string& who, Sink& sink) {
  const std::string what = fmt::format("{}: network {}, iterations", who, options.network + 1);
  const bool watches_others = data.validation.total > 0.0;
  Best best{learned};
  std::vector<double> gradient(learned.weights.size());
  for (int k = 1; k <= options.most_iterations; ++k) {
    if (sink.stop_requested()) {
      best.interrupted = true;
      break;
    }
    if (k % kIterationsPerReport == 1) sink.progress(what, k - 1, options.most_iterations);
    const NetworkLoss loss = network.evaluate(learned.weights, data.training, data.validation, gradient);
    const double watched = watches_others ? loss.validation : loss.training;
    if (watched < best.loss) {
      best.loss = watched;
      best.learned = learned;
      best.iterations = k;
    } else if (k - best.iterations >= options.patience &&
               (k >= options.least_iterations || watched > kClearlyWorse * best.loss)) {
      best.converged = true;
      break;
    }
    descend(gradient, learned);
  }
  return best;
}

// False if asked to stop.
bool learn_from_all(TrainableNetwork& network, const DecisionCounts& all, std::int64_t iterations,
                    Learned& learned, const std::string& who, Sink& sink) {
  const DecisionCounts none{std::vector<double>(all.counts.size(), 0.0), 0.0};
  std::vector<double> gradient(learned.weights.size());
  for (std::int64_t k = 0; k < iterations; ++k) {
    if (sink.stop_requested()) return false;
    if (k % kIterationsPerReport == 0) sink.progress(who + ": now from all patients", k, iterations);
    network.evaluate(learned.weights, all, none, gradient);
    descend(gradient, learned);
  }
  return true;
}

}  // namespace

TrainedNetwork train_from(TrainableNetwork& network, std::vector<double> weights, const HistoryTree& tree,
                          const NetworkTrainingOptions& options, const std::string& what, Sink& sink) {
  const HeldOut data = hold_out_records(tree, options.validation_share, options.seed, options.network);
  const auto size = static_cast<int>(weights.size());
  Learned start{std::move(weights), optimize::Adam(size, options.rate)};
  Best best = run_until_patience(network, std::move(start), data, options, what, sink);
  TrainedNetwork result;
  result.iterations = best.iterations;
  result.converged = best.converged;
  result.interrupted = best.interrupted;
  if (best.iterations == 0) return result;

  const DecisionCounts all = DecisionCounts::all_of(tree);
  result.parameters = best.learned.weights;
  if (data.validation.total > 0.0) {
    result.validation_loss = best.loss;
    result.validation_records = data.validation_records;
    const std::int64_t more = best.iterations * data.validation_records / (2 * tree.records);
    if (!result.interrupted && learn_from_all(network, all, more, best.learned, what, sink)) {
      result.parameters = std::move(best.learned.weights);
    } else {
      result.interrupted = true;  // the best weights of the first part are sure
    }
  }
  std::vector<double> ignored(result.parameters.size());
  result.loss = network.evaluate(result.parameters, all, data.validation, ignored).training;
  return result;
}

TrainedNetwork train_network(const NetworkShape& shape, const HistoryTree& tree,
                             const NetworkTrainingOptions& options, Sink& sink) {
  TreeNetwork network(shape, tree, true, options.threads);
  base::RandomStream random(options.seed, options.network, base::RandomPurpose::kInitialWeights);
  return train_from(network, initial_weights(shape, options.start_scale, random), tree, options, "r-bc",
                    sink);
}

}  // namespace interpole::learners
