#include "interpole/learners/simple/majority.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "interpole/learners/content_json.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/simple/action_counts.hpp"

namespace interpole::learners {
namespace {

class FittedMajority : public FittedLearner {
 public:
  FittedMajority(std::vector<double> counts, double smoothing)
      : counts_(std::move(counts)), smoothing_(smoothing) {}

  std::vector<double> policies(const HistoryTree& tree) const override {
    const std::vector<double> policy = smoothed(counts_, smoothing_);
    std::vector<double> result;
    result.reserve(tree.parent.size() * policy.size());
    for (int node = 0; node < tree.node_count(); ++node) {
      result.insert(result.end(), policy.begin(), policy.end());
    }
    return result;
  }

  std::string to_json() const override {
    return nlohmann::ordered_json({{"smoothing", smoothing_}, {"counts", counts_}}).dump();
  }
  std::string fit_note() const override { return "counted once"; }
  bool converged() const override { return true; }

 private:
  std::vector<double> counts_;
  double smoothing_;
};

class MajorityLearner : public Learner {
 public:
  std::string name() const override { return "majority"; }
  std::string description() const override {
    return "the same chances at every history: how often each action was taken";
  }
  std::vector<LearnerOption> options() const override {
    return {{"smoothing", 1.0, "imagined decisions, shared by all actions alike", 1e-9, 1e9}};
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem&,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    if (sink.stop_requested()) throw interrupted_learner(name());
    return std::make_unique<FittedMajority>(count_actions(tree), values.number("smoothing"));
  }

  std::unique_ptr<FittedLearner> load(const std::string& json, const Structure& structure,
                                      const std::string& where) const override {
    simdjson::dom::parser parser;
    const base::JsonPlace top(where);
    const base::JsonPlace place = top.at("content");
    const auto content = base::json_object(base::parse_json(parser, json, where), place);
    require_keys(content, place, {"smoothing", "counts"});
    return std::make_unique<FittedMajority>(
        json_counts(base::json_member(content, "counts", place), place.at("counts"), structure.actions.size(),
                    "actions"),
        json_positive(base::json_member(content, "smoothing", place), place.at("smoothing")));
  }
};

}  // namespace

const Learner& majority_learner() {
  static const MajorityLearner learner;
  return learner;
}

}  // namespace interpole::learners
