#include "interpole/learners/simple/bc.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "interpole/learners/content_json.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/simple/action_counts.hpp"

namespace interpole::learners {
namespace {

// What the next action is predicted from: nothing yet, or the last action and its outcome (one more outcome
// stands for a missing one).
class Contexts {
 public:
  Contexts(std::size_t actions, std::size_t observations) : actions_(actions), outcomes_(observations + 1) {}

  std::size_t size() const { return 1 + actions_ * outcomes_; }
  std::size_t of(int action, int observation) const {
    return 1 + action * outcomes_ + (observation == kMissing ? outcomes_ - 1 : observation);
  }

  // [node]; the root has context 0.
  std::vector<std::size_t> of_nodes(const HistoryTree& tree) const {
    std::vector<std::size_t> result(tree.parent.size(), 0);
    for (const HistoryTree::Group& group : tree.groups) {
      std::fill(result.begin() + group.begin, result.begin() + group.end,
                of(group.action, group.observation));
    }
    return result;
  }

 private:
  std::size_t actions_, outcomes_;
};

struct Counts {
  std::size_t actions = 0;
  std::size_t observations = 0;
  double smoothing = 1.0;
  std::vector<double> by_context;  // [context·A + a]
};

class FittedBc : public FittedLearner {
 public:
  explicit FittedBc(Counts counts) : counts_(std::move(counts)) {
    const std::size_t A = counts_.actions;
    std::vector<double> overall(A, 0.0);
    for (std::size_t i = 0; i < counts_.by_context.size(); ++i) overall[i % A] += counts_.by_context[i];
    // A context that was never seen is left to what is done overall, and that to chance.
    const std::vector<double> prior = smoothed(overall, counts_.smoothing);
    for (std::size_t i = 0; i < counts_.by_context.size(); i += A) {
      const auto policy = smoothed(std::span(&counts_.by_context[i], A), prior, counts_.smoothing);
      policy_.insert(policy_.end(), policy.begin(), policy.end());
    }
  }

  std::vector<double> policies(const HistoryTree& tree) const override {
    const std::size_t A = counts_.actions;
    std::vector<double> result;
    result.reserve(tree.parent.size() * A);
    for (const std::size_t context : Contexts(A, counts_.observations).of_nodes(tree)) {
      const auto begin = policy_.begin() + static_cast<std::ptrdiff_t>(context * A);
      result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(A));
    }
    return result;
  }

  std::string to_json() const override {
    return nlohmann::ordered_json({{"smoothing", counts_.smoothing}, {"counts", counts_.by_context}}).dump();
  }
  std::string fit_note() const override { return "counted once"; }
  bool converged() const override { return true; }

 private:
  Counts counts_;
  std::vector<double> policy_;  // [context·A + a]
};

class BcLearner : public Learner {
 public:
  std::string name() const override { return "bc"; }
  std::string description() const override {
    return "behavioural cloning: the next action given the last one and its outcome, by counts";
  }
  std::vector<LearnerOption> options() const override {
    return {{"smoothing", 1.0, "imagined decisions in each context, as all decisions are spread", 1e-9, 1e9}};
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    if (sink.stop_requested()) throw interrupted_learner(name());
    Counts counts{problem.structure.actions.size(),
                  problem.structure.observations.size(),
                  values.number("smoothing"),
                  {}};
    const Contexts contexts(counts.actions, counts.observations);
    counts.by_context.assign(contexts.size() * counts.actions, 0.0);
    const std::vector<std::size_t> of_node = contexts.of_nodes(tree);
    for (std::size_t node = 0; node < of_node.size(); ++node) {
      for (std::size_t a = 0; a < counts.actions; ++a) {
        counts.by_context[of_node[node] * counts.actions + a] +=
            static_cast<double>(tree.action_counts[node * counts.actions + a]);
      }
    }
    return std::make_unique<FittedBc>(std::move(counts));
  }

  std::unique_ptr<FittedLearner> load(const std::string& json, const Structure& structure,
                                      const std::string& where) const override {
    simdjson::dom::parser parser;
    const base::JsonPlace top(where);
    const base::JsonPlace place = top.at("content");
    const auto content = base::json_object(base::parse_json(parser, json, where), place);
    require_keys(content, place, {"smoothing", "counts"});
    Counts counts{structure.actions.size(),
                  structure.observations.size(),
                  json_positive(base::json_member(content, "smoothing", place), place.at("smoothing")),
                  {}};
    counts.by_context =
        json_counts(base::json_member(content, "counts", place), place.at("counts"),
                    Contexts(counts.actions, counts.observations).size() * counts.actions,
                    "actions in each context (the start, then every action with every outcome or none)");
    return std::make_unique<FittedBc>(std::move(counts));
  }
};

}  // namespace

const Learner& bc_learner() {
  static const BcLearner learner;
  return learner;
}

}  // namespace interpole::learners
