#include "interpole/learners/simple/logistic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "interpole/base/parallel.hpp"
#include "interpole/error.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/learners/features/dealt_patients.hpp"
#include "interpole/learners/features/feature_content.hpp"
#include "interpole/learners/features/history_features.hpp"
#include "interpole/learners/features/softmax_fit.hpp"
#include "interpole/learners/learner_options.hpp"

namespace interpole::learners {
namespace {

constexpr int kPenaltyFolds = 5;
// From a policy that is nearly the same everywhere to one that is nearly free, half a decade apart.
constexpr std::array kPenalties = {1000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01};
constexpr double kPenaltyWithoutChoice = 1.0;
constexpr double kChoosing = 1e-7;  // of the value: how near to its top a fit is that only helps to choose

class FittedLogistic : public FittedLearner {
 public:
  FittedLogistic(HistoryFeatures features, SoftmaxWeights weights, double penalty,
                 optimize::OptimizeSummary summary, std::string how_chosen)
      : features_(std::move(features)),
        weights_(std::move(weights)),
        penalty_(penalty),
        summary_(summary),
        how_chosen_(std::move(how_chosen)) {}

  std::vector<double> policies(const HistoryTree& tree) const override {
    std::vector<std::int32_t> nodes(tree.parent.size());
    std::vector<std::span<const double>> covariates;
    covariates.reserve(nodes.size());
    const auto contexts = inference::node_contexts(tree);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      nodes[node] = static_cast<std::int32_t>(node);
      covariates.push_back(contexts[node].covariates);
    }
    return softmax_policies(features_.rows(tree, nodes, covariates), weights_);
  }

  std::vector<PolicyCovariate> covariates() const override { return features_.covariates(); }

  std::string to_json() const override {
    return nlohmann::ordered_json({{"penalty", penalty_},
                                   {"covariates", covariates_json(features_.covariates())},
                                   {"features", features_.names()},
                                   {"scales", weights_.scales},
                                   {"weights", table_json(weights_.weights, weights_.intercepts.size())},
                                   {"intercepts", weights_.intercepts}})
        .dump();
  }

  std::string fit_note() const override {
    return fmt::format("{} after {} iterations; penalty {:g}{}", describe(summary_.stop), summary_.iterations,
                       penalty_, how_chosen_);
  }
  bool converged() const override { return summary_.converged; }

 private:
  HistoryFeatures features_;
  SoftmaxWeights weights_;
  double penalty_;
  optimize::OptimizeSummary summary_;
  std::string how_chosen_;
};

std::unique_ptr<FittedLearner> load_logistic(const std::string& json, const Structure& structure,
                                             const std::string& where) {
  simdjson::dom::parser parser;
  const base::JsonPlace top(where);
  const base::JsonPlace place = top.at("content");
  const auto content = base::json_object(base::parse_json(parser, json, where), place);
  require_keys(content, place, {"penalty", "covariates", "features", "scales", "weights", "intercepts"});
  const auto member = [&](const char* key) { return base::json_member(content, key, place); };
  HistoryFeatures features(structure, json_covariates(member("covariates"), place.at("covariates")));
  const base::JsonPlace names = place.at("features");
  std::size_t at = 0;
  for (const auto name : base::json_array(member("features"), names)) {
    const std::string found = base::json_text(name, names.at(at));
    if (at >= features.names().size() || found != features.names()[at]) {
      throw input_error(fmt::format("{}: {} is not what this structure has there; fit it again",
                                    names.at(at).text(), base::in_quotes(found)));
    }
    ++at;
  }
  if (at != features.names().size()) {
    throw input_error(fmt::format("{}: {} entries; {} expected", names.text(), at, features.count()));
  }
  const std::size_t A = structure.actions.size();
  SoftmaxWeights weights;
  weights.scales = json_counts(member("scales"), place.at("scales"), features.names().size(), "features");
  weights.weights =
      json_table(member("weights"), place.at("weights"), features.names().size(), A, "features");
  const base::JsonPlace intercepts = place.at("intercepts");
  for (const auto value : base::json_array(member("intercepts"), intercepts)) {
    weights.intercepts.push_back(base::json_number(value, intercepts.at(weights.intercepts.size())));
  }
  if (weights.intercepts.size() != A) {
    throw input_error(fmt::format("{}: {} entries; {} expected, one for each of the actions",
                                  intercepts.text(), weights.intercepts.size(), A));
  }
  optimize::OptimizeSummary summary;
  summary.converged = true;
  return std::make_unique<FittedLogistic>(std::move(features), std::move(weights),
                                          json_positive(member("penalty"), place.at("penalty")), summary,
                                          ", read from " + where);
}

class LogisticLearner : public NamedLearner {
 public:
  LogisticLearner()
      : NamedLearner("logistic",
                     "logistic regression on the last actions and results, counts over the history, and "
                     "covariates",
                     load_logistic) {}
  std::vector<LearnerOption> options() const override {
    return {{"penalty", 0.0,
             "half this times the squared weights is subtracted; 0: chosen by patients held out in turn", 0,
             1e9}};
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    const auto stop = [&] { return sink.stop_requested(); };
    if (stop()) throw interrupted_learner(name());
    const inference::DecisionCells cells = inference::decision_cells(tree);
    HistoryFeatures features(problem.structure, problem.known.policy.terms.covariates);
    std::vector<std::span<const double>> covariates;
    covariates.reserve(cells.size());
    for (int cell = 0; cell < cells.size(); ++cell) {
      covariates.push_back(cells.contexts[cells.context[cell]].covariates);
    }
    const SparseRows rows = features.rows(tree, cells.node, covariates);
    const std::size_t A = problem.structure.actions.size();
    SoftmaxWeights start;
    start.scales = feature_scales(rows, features.count(), static_cast<int>(A), cells.counts);
    start.weights.assign(start.scales.size() * A, 0.0);
    start.intercepts.assign(A, 0.0);
    std::string how_chosen;
    double penalty = values.number("penalty");
    if (penalty == 0.0) penalty = chosen_penalty(tree, cells, rows, start, options, stop, how_chosen);
    SoftmaxWeights weights = start;
    const auto summary = fit_softmax(rows, cells.counts, penalty, weights, {}, stop);
    if (stop()) throw interrupted_learner(name());
    return std::make_unique<FittedLogistic>(std::move(features), std::move(weights), penalty, summary,
                                            how_chosen);
  }

 private:
  // The one under which patients that were left out are foreseen best.
  double chosen_penalty(const HistoryTree& tree, const inference::DecisionCells& cells,
                        const SparseRows& rows, const SoftmaxWeights& start, const LearnerOptions& options,
                        const std::function<bool()>& stop, std::string& how_chosen) const {
    const DealtPatients dealt = deal_patients(tree, cells, kPenaltyFolds, options.seed);
    if (dealt.patients < 2) {
      how_chosen = ", not chosen: holding patients out needs two of them at least";
      return kPenaltyWithoutChoice;
    }
    std::vector<std::vector<double>> held_out(kPenaltyFolds);
    base::parallel_tasks(kPenaltyFolds, options.threads, [&](int fold) {
      std::vector<double> rest = cells.counts;
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= dealt.counts[fold][i];
      SoftmaxWeights weights = start;
      for (const double penalty : kPenalties) {  // each begins where the one before it ended
        fit_softmax(rows, rest, penalty, weights, {.gain_tolerance = kChoosing}, stop);
        held_out[fold].push_back(softmax_log_likelihood(rows, weights, dealt.counts[fold]));
      }
    });
    if (stop()) throw interrupted_learner(name());
    std::size_t best = 0;
    std::array<double, kPenalties.size()> sums{};
    for (std::size_t i = 0; i < kPenalties.size(); ++i) {
      for (const auto& fold : held_out) sums[i] += fold[i];
      if (sums[i] > sums[best]) best = i;
    }
    how_chosen = fmt::format(", chosen by {} patients held out in {} parts", dealt.patients,
                             std::min<std::int64_t>(kPenaltyFolds, dealt.patients));
    return kPenalties[best];
  }
};

}  // namespace

const Learner& logistic_learner() {
  static const LogisticLearner learner;
  return learner;
}

}  // namespace interpole::learners
