#include "interpole/learners/readable/contextual.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "interpole/data/records/merged_histories.hpp"
#include "interpole/error.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/readable/contextual_network.hpp"
#include "interpole/learners/readable/weights_json.hpp"
#include "interpole/learners/recurrent/fitted_r_bc.hpp"
#include "interpole/learners/recurrent/lstm_kernels.hpp"
#include "interpole/learners/recurrent/network_training.hpp"

namespace interpole::learners {
namespace {

class FittedContextual : public FittedLearner {
 public:
  FittedContextual(const Structure& structure, const NetworkShape& shape, TrainedNetwork network)
      : structure_(structure), shape_(shape), weights_(shape), network_(std::move(network)) {}

  std::vector<double> policies(const HistoryTree& tree) const override {
    return ContextualNetwork(shape_, tree, false, 1).policies(network_.parameters);
  }

  std::string to_json() const override {
    nlohmann::ordered_json json = {{"units", shape_.units},
                                   {"loss", network_.loss},
                                   {"iterations", network_.iterations},
                                   {"converged", network_.converged}};
    const auto blocks = weights_.all();
    add_weights(blocks, network_.parameters, json);
    return json.dump();
  }

  std::string fit_note() const override {
    const char* ending = interrupted() ? "stopped by the user" : converged() ? "converged" : "gave up";
    return fmt::format("{}; weights of iteration {}, {:.4f} nats per decision", ending, network_.iterations,
                       network_.loss);
  }
  bool converged() const override { return network_.converged && !network_.interrupted; }
  bool interrupted() const override { return network_.interrupted; }

  VisitColumns visit_columns(const HistoryTree& tree) const override {
    VisitColumns columns;
    for (int input = 0; input < contextual_inputs(shape_); ++input) {
      for (const std::string& action : structure_.actions) {
        columns.names.push_back(fmt::format("{}:{}", action, input_name(input)));
      }
    }
    columns.values = ContextualNetwork(shape_, tree, false, 1).coefficients(network_.parameters);
    return columns;
  }

  std::string words() const override {
    std::string text = "coefficients without what the visits before add (that differs from visit to visit)\n";
    for (int input = 0; input < contextual_inputs(shape_); ++input) {
      text += fmt::format("  {}:", input_name(input));
      for (int a = 0; a < shape_.actions; ++a) {
        const auto at = weights_.always.offset + static_cast<std::size_t>(input) * shape_.actions + a;
        text += fmt::format(" {} {:+.2f}", structure_.actions[a], network_.parameters[at]);
      }
      text += "\n";
    }
    return text;
  }

 private:
  std::string input_name(int input) const {
    if (input == 0) return "always";
    if (input <= shape_.actions) return "after " + structure_.actions[input - 1];
    const int outcome = input - 1 - shape_.actions;
    return outcome == shape_.outcomes ? "no outcome recorded" : "outcome " + structure_.observations[outcome];
  }

  Structure structure_;
  NetworkShape shape_;
  ContextualWeights weights_;
  TrainedNetwork network_;
};

std::unique_ptr<FittedLearner> load_contextual(const std::string& json, const Structure& structure,
                                               const std::string& where) {
  simdjson::dom::parser parser;
  const base::JsonPlace top(where);
  const base::JsonPlace place = top.at("content");
  const auto content = base::json_object(base::parse_json(parser, json, where), place);
  const int units = json_whole(content, "units", place, kPanel, kMostUnits);
  if (!is_network_width(units)) {
    throw input_error(fmt::format("{}: {} is not a multiple of {}", place.at("units").text(), units, kPanel));
  }
  const NetworkShape shape{structure.action_count(), structure.observation_count(), units, units};
  const ContextualWeights weights(shape);
  const auto blocks = weights.all();
  TrainedNetwork network = json_trained(content, place, {"units"}, blocks, weights.size);
  return std::make_unique<FittedContextual>(structure, shape, std::move(network));
}

class ContextualLearner : public NamedLearner {
 public:
  ContextualLearner()
      : NamedLearner("contextual",
                     "a linear policy of the last visit whose coefficients follow the visits before it",
                     load_contextual) {}

  std::vector<LearnerOption> options() const override {
    return {
        {"units", 32, "of the recurrent layer that reads the visits before; a multiple of 8", kPanel,
         kMostUnits, true},
        {"rate", 0.003, "step size of Adam", 1e-8, 1},
        {"patience", 100, "stop after so many iterations without a better loss", 1, 1e6, true},
        {"least-iterations", 400, "before so many, stop only if the loss is 5% above its best", 1, 1e9, true},
        {"most-iterations", 5000, "give up after so many", 1, 1e9, true},
        {"validation-share", 0.2, "share of patients set aside to tell when to stop", 0, 0.9}};
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
    const HistoryTree merged = data::merged_histories(tree);  // as R-BC does
    ContextualNetwork network(shape, merged, true, options.threads);
    const NetworkTrainingOptions training{.rate = values.number("rate"),
                                          .patience = values.whole("patience"),
                                          .least_iterations = values.whole("least-iterations"),
                                          .most_iterations = values.whole("most-iterations"),
                                          .validation_share = values.number("validation-share"),
                                          .seed = options.seed,
                                          .threads = options.threads};
    base::RandomStream random(options.seed, 0, base::RandomPurpose::kInitialWeights);
    TrainedNetwork found = train_from(network, initial_contextual(shape, training.start_scale, random),
                                      merged, training, name(), sink);
    if (found.iterations > 0) {
      return std::make_unique<FittedContextual>(problem.structure, shape, std::move(found));
    }
    if (found.interrupted) throw interrupted_learner(name());
    throw runtime_error("contextual: the loss was never a finite number; lower learner option rate");
  }
};

}  // namespace

const Learner& contextual_learner() {
  static const ContextualLearner learner;
  return learner;
}

}  // namespace interpole::learners
