#include "interpole/learners/readable/recurrent_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "interpole/data/records/merged_histories.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/learners/readable/soft_tree.hpp"
#include "interpole/learners/readable/weights_json.hpp"
#include "interpole/learners/recurrent/network_learner.hpp"

namespace interpole::learners {
namespace {

constexpr int kDeepestTree = 6;
constexpr int kMostMemory = 64;
constexpr std::size_t kReasonsShown = 3;
constexpr NetworkTrainingOptions kTreeTraining{
    .rate = 0.01, .least_iterations = 300, .most_iterations = 3000};

class FittedSoftTree : public FittedLearner {
 public:
  FittedSoftTree(const Structure& structure, const SoftTreeShape& shape, TrainedNetwork network)
      : structure_(structure), shape_(shape), weights_(shape), network_(std::move(network)) {}

  std::vector<double> policies(const HistoryTree& tree) const override {
    return SoftTreeNetwork(shape_, tree, false).policies(network_.parameters);
  }

  std::string to_json() const override {
    nlohmann::ordered_json json = {{"depth", shape_.depth},
                                   {"memory", shape_.memory},
                                   {"loss", network_.loss},
                                   {"iterations", network_.iterations},
                                   {"converged", network_.converged}};
    const auto blocks = weights_.all();
    add_weights(blocks, network_.parameters, json);
    return json.dump();
  }

  std::string fit_note() const override { return network_note(network_); }
  bool converged() const override { return network_.converged && !network_.interrupted; }
  bool interrupted() const override { return network_.interrupted; }

  VisitColumns visit_columns(const HistoryTree& tree) const override {
    VisitColumns columns;
    for (int leaf = 0; leaf < shape_.leaves(); ++leaf)
      columns.names.push_back(fmt::format("leaf:{}", leaf + 1));
    SoftTreeNetwork(shape_, tree, false).policies(network_.parameters, &columns.values);
    return columns;
  }

  // Splits with what speaks most for their right side, leaves with their policy, as an indented tree.
  std::string words() const override {
    std::string text;
    add_words(0, 0, text);
    return text;
  }

 private:
  double weight(const WeightBlock& block, int row, int column) const {
    return network_.parameters[block.offset + static_cast<std::size_t>(row) * block.columns + column];
  }
  void add_words(int node, int indent, std::string& text) const {
    if (node >= shape_.splits()) {
      add_leaf(node - shape_.splits(), indent, text);
      return;
    }
    std::vector<std::pair<double, std::string>> reasons;
    reasons.reserve(shape_.inputs());
    for (int input = 0; input < shape_.inputs(); ++input) {
      reasons.emplace_back(weight(weights_.split_input, input, node),
                           visit_input_name(structure_, input, "at the start"));
    }
    for (int m = 0; m < shape_.memory; ++m) {
      reasons.emplace_back(weight(weights_.split_memory, m, node), fmt::format("memory {}", m + 1));
    }
    std::ranges::stable_sort(
        reasons, [](const auto& x, const auto& y) { return std::abs(x.first) > std::abs(y.first); });
    reasons.resize(std::min(reasons.size(), kReasonsShown));
    std::string shown;
    for (const auto& [size, name] : reasons)
      shown += fmt::format("{}{} {:+.2f}", shown.empty() ? "" : ", ", name, size);
    text += fmt::format("{:{}}split {}: second branch by {} (otherwise {:+.2f})\n", "", indent, node + 1,
                        shown, weight(weights_.split_bias, 0, node));
    add_words(2 * node + 1, indent + 2, text);
    add_words(2 * node + 2, indent + 2, text);
  }
  void add_leaf(int leaf, int indent, std::string& text) const {
    const int A = shape_.actions;
    std::vector<double> policy(A);
    double sum = 0.0;
    for (int a = 0; a < A; ++a) sum += policy[a] = std::exp(weight(weights_.leaf_policy, leaf, a));
    text += fmt::format("{:{}}leaf {}:", "", indent, leaf + 1);
    for (int a = 0; a < A; ++a) {
      text += fmt::format(" {} {:.0f}%", structure_.actions[a], 100.0 * policy[a] / sum);
    }
    text += "\n";
  }

  Structure structure_;
  SoftTreeShape shape_;
  SoftTreeWeights weights_;
  TrainedNetwork network_;
};

std::unique_ptr<FittedLearner> load_soft_tree(const std::string& json, const Structure& structure,
                                              const std::string& where) {
  simdjson::dom::parser parser;
  const base::JsonPlace top(where);
  const base::JsonPlace place = top.at("content");
  const auto content = base::json_object(base::parse_json(parser, json, where), place);
  const SoftTreeShape shape{structure.action_count(), structure.observation_count(),
                            json_whole(content, "depth", place, 1, kDeepestTree),
                            json_whole(content, "memory", place, 0, kMostMemory)};
  const SoftTreeWeights weights(shape);
  const auto blocks = weights.all();
  TrainedNetwork network = json_trained(content, place, {"depth", "memory"}, blocks, weights.size);
  return std::make_unique<FittedSoftTree>(structure, shape, std::move(network));
}

class RecurrentTreeLearner : public NamedLearner {
 public:
  RecurrentTreeLearner()
      : NamedLearner("recurrent-tree",
                     "a soft decision tree whose leaves write a memory that its splits read",
                     load_soft_tree) {}

  std::vector<LearnerOption> options() const override {
    std::vector<LearnerOption> all = {
        {"restarts", 2, "trees from different starts; the one that explains all patients best is kept", 1,
         1000, true},
        {"depth", 3, "of the tree: it has 2 to this power leaves", 1, kDeepestTree, true},
        {"memory", 4, "numbers that are remembered", 0, kMostMemory, true}};
    std::ranges::copy(training_options(kTreeTraining), std::back_inserter(all));
    return all;
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    const SoftTreeShape shape{problem.structure.action_count(), problem.structure.observation_count(),
                              values.whole("depth"), values.whole("memory")};
    // Last bits grow in a long training: how the records were stored must not touch them.
    const HistoryTree merged = data::merged_histories(tree);
    SoftTreeNetwork network(shape, merged, true);
    NetworkTrainingOptions training = training_of(values, options, kTreeTraining);
    TrainedNetwork best;
    for (int restart = 0; restart < values.whole("restarts"); ++restart) {
      training.network = static_cast<std::uint64_t>(restart);
      base::RandomStream random(options.seed, training.network, base::RandomPurpose::kInitialWeights);
      TrainedNetwork found = train_from(network, initial_soft_tree(shape, training.start_scale, random),
                                        merged, training, name(), sink);
      const bool stopped = found.interrupted;
      if (found.iterations > 0 && (best.iterations == 0 || found.loss < best.loss)) best = std::move(found);
      if (stopped) {
        if (best.iterations == 0) throw interrupted_learner(name());
        best.interrupted = true;
        break;
      }
    }
    if (best.iterations == 0) throw no_network(name(), best);
    return std::make_unique<FittedSoftTree>(problem.structure, shape, std::move(best));
  }
};

}  // namespace

const Learner& recurrent_tree_learner() {
  static const RecurrentTreeLearner learner;
  return learner;
}

}  // namespace interpole::learners
