#include "interpole/learners/readable/contextual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "interpole/data/records/merged_histories.hpp"
#include "interpole/error.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/learners/readable/contextual_network.hpp"
#include "interpole/learners/readable/weights_json.hpp"
#include "interpole/learners/recurrent/lstm_kernels.hpp"
#include "interpole/learners/recurrent/network_learner.hpp"

namespace interpole::learners {
namespace {

constexpr int kContextualUnits = 32;
constexpr NetworkTrainingOptions kContextualTraining{
    .rate = 0.003, .least_iterations = 400, .most_iterations = 5000};

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

  std::string fit_note() const override { return network_note(network_); }
  bool converged() const override { return network_.converged && !network_.interrupted; }
  bool interrupted() const override { return network_.interrupted; }

  VisitColumns visit_columns(const HistoryTree& tree) const override {
    VisitColumns columns;
    for (int input = 0; input < contextual_inputs(shape_); ++input) {
      for (const std::string& action : structure_.actions) {
        columns.names.push_back(fmt::format("{}:{}", action, visit_input_name(structure_, input, "always")));
      }
    }
    columns.values = ContextualNetwork(shape_, tree, false, 1).coefficients(network_.parameters);
    return columns;
  }

  std::string words() const override {
    std::string text = "coefficients without what the visits before add (that differs from visit to visit)\n";
    for (int input = 0; input < contextual_inputs(shape_); ++input) {
      text += fmt::format("  {}:", visit_input_name(structure_, input, "always"));
      for (int a = 0; a < shape_.actions; ++a) {
        const auto at = weights_.always.offset + static_cast<std::size_t>(input) * shape_.actions + a;
        text += fmt::format(" {} {:+.2f}", structure_.actions[a], network_.parameters[at]);
      }
      text += "\n";
    }
    return text;
  }

 private:
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
    std::vector<LearnerOption> all = {
        units_option(kContextualUnits, "of the recurrent layer that reads the visits before")};
    std::ranges::copy(training_options(kContextualTraining), std::back_inserter(all));
    return all;
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    const int units = network_units(values);
    const NetworkShape shape{problem.structure.action_count(), problem.structure.observation_count(), units,
                             units};
    const HistoryTree merged = data::merged_histories(tree);  // as R-BC does
    ContextualNetwork network(shape, merged, true, options.threads);
    const NetworkTrainingOptions training = training_of(values, options, kContextualTraining);
    base::RandomStream random(options.seed, 0, base::RandomPurpose::kInitialWeights);
    TrainedNetwork found = train_from(network, initial_contextual(shape, training.start_scale, random),
                                      merged, training, name(), sink);
    if (found.iterations == 0) throw no_network(name(), found);
    return std::make_unique<FittedContextual>(problem.structure, shape, std::move(found));
  }
};

}  // namespace

const Learner& contextual_learner() {
  static const ContextualLearner learner;
  return learner;
}

}  // namespace interpole::learners
