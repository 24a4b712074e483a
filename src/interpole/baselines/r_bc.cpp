#include "interpole/baselines/r_bc.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/base/error.hpp"
#include "interpole/baselines/content_json.hpp"
#include "interpole/baselines/learner_options.hpp"
#include "interpole/baselines/lstm_kernels.hpp"
#include "interpole/baselines/network_training.hpp"
#include "interpole/baselines/tree_network.hpp"
#include "interpole/data/merged_histories.hpp"

namespace interpole {
namespace {

constexpr int kMostUnits = 1024;

class FittedRBc : public FittedLearner {
 public:
  FittedRBc(const NetworkShape& shape, TrainedNetwork network)
      : shape_(shape), network_(std::move(network)) {}

  std::vector<double> policies(const HistoryTree& tree) const override {
    return TreeNetwork(shape_, tree, false, 1).policies(network_.parameters);
  }

  std::string to_json() const override {
    nlohmann::ordered_json json = {{"units", shape_.units},
                                   {"dense_units", shape_.dense_units},
                                   {"loss", network_.loss},
                                   {"iterations", network_.iterations},
                                   {"converged", network_.converged}};
    for (const WeightBlock& block : NetworkWeights(shape_).all()) {
      auto rows = nlohmann::ordered_json::array();
      for (int row = 0; row < block.rows; ++row) {
        const double* values =
            &network_.parameters[block.offset + static_cast<std::size_t>(row) * block.columns];
        rows.push_back(std::vector<double>(values, values + block.used));
      }
      json[block.name] = std::move(rows);
    }
    return json.dump();
  }

  std::string how_it_went() const override {
    const char* ending = network_.interrupted ? "stopped by the user"
                         : network_.converged ? "converged"
                                              : "gave up";
    std::string text = fmt::format("{}; weights of iteration {}, {:.4f} nats per decision", ending,
                                   network_.iterations, network_.loss);
    if (network_.validation_records > 0) {
      text += fmt::format(" ({:.4f} on {} patients set aside)", network_.validation_loss,
                          network_.validation_records);
    }
    return text;
  }
  bool converged() const override { return network_.converged && !network_.interrupted; }
  bool interrupted() const override { return network_.interrupted; }

 private:
  NetworkShape shape_;
  TrainedNetwork network_;
};

// A number of units as the kernels want it.
bool is_width(double units) {
  return units >= kPanel && units <= kMostUnits && std::fmod(units, kPanel) == 0.0;
}

int json_width(simdjson::dom::object content, const char* key, const JsonPlace& place) {
  const double units = json_number(json_member(content, key, place), place.at(key));
  if (!is_width(units)) {
    throw input_error(fmt::format("{}: {} is not a multiple of {} from {} to {}; correct it",
                                  place.at(key).text(), units, kPanel, kPanel, kMostUnits));
  }
  return static_cast<int>(units);
}

void read_block(simdjson::dom::object content, const JsonPlace& place, const WeightBlock& block,
                std::vector<double>& parameters) {
  const JsonPlace here = place.at(block.name);
  const auto rows = json_array(json_member(content, block.name, place), here);
  if (rows.size() != static_cast<std::size_t>(block.rows)) {
    throw input_error(
        fmt::format("{}: {} rows; {} expected for this structure", here.text(), rows.size(), block.rows));
  }
  std::size_t row = 0;
  for (const simdjson::dom::element entry : rows) {
    const JsonPlace row_place = here.at(row);
    const auto values = json_array(entry, row_place);
    if (values.size() != static_cast<std::size_t>(block.used)) {
      throw input_error(
          fmt::format("{}: {} entries; {} expected", row_place.text(), values.size(), block.used));
    }
    double* to = &parameters[block.offset + row * block.columns];
    std::size_t column = 0;
    for (const simdjson::dom::element value : values) {
      *to++ = json_number(value, row_place.at(column));
      ++column;
    }
    ++row;
  }
}

class RBcLearner : public Learner {
 public:
  std::string name() const override { return "r-bc"; }
  std::string description() const override {
    return "behavioural cloning with memory: a recurrent network (LSTM) reads the history";
  }

  std::vector<LearnerOption> options() const override {
    const NetworkTrainingOptions defaults;
    const NetworkShape shape;
    return {
        {"units", static_cast<double>(shape.units),
         "of the recurrent and of the dense layer; a multiple of 8", kPanel, kMostUnits, true},
        {"rate", defaults.rate, "step size of Adam", 1e-8, 1},
        {"patience", static_cast<double>(defaults.patience),
         "stop after so many iterations without a better loss", 1, 1e6, true},
        {"most-iterations", static_cast<double>(defaults.most_iterations), "give up after so many", 1, 1e9,
         true},
        {"validation-share", defaults.validation_share,
         "share of patients set aside to tell when to stop; 0 watches the training loss, as the paper does",
         0, 0.9}};
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const Study& study,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    const int units = values.whole("units");
    if (!is_width(units)) {
      throw usage_error(fmt::format("--learner-option units: {} is not a multiple of {}; try {}", units,
                                    kPanel, (units + kPanel - 1) / kPanel * kPanel));
    }
    const NetworkShape shape{study.structure.action_count(), study.structure.observation_count(), units,
                             units};
    // Last bits grow in a long training: how the records were stored must not touch them.
    TrainedNetwork network = train_network(shape, merged_histories(tree),
                                           {.rate = values.number("rate"),
                                            .patience = values.whole("patience"),
                                            .most_iterations = values.whole("most-iterations"),
                                            .validation_share = values.number("validation-share"),
                                            .seed = options.seed,
                                            .threads = options.threads},
                                           sink);
    if (network.iterations == 0) throw no_result(network);
    return std::make_unique<FittedRBc>(shape, std::move(network));
  }

  std::unique_ptr<FittedLearner> load(const std::string& json, const Structure& structure,
                                      const std::string& where) const override {
    simdjson::dom::parser parser;
    const JsonPlace top(where);
    const JsonPlace place = top.at("content");
    const auto content = json_object(parse_json(parser, json, where), place);
    const NetworkShape shape{structure.action_count(), structure.observation_count(),
                             json_width(content, "units", place), json_width(content, "dense_units", place)};
    const NetworkWeights weights(shape);
    std::vector<std::string> keys = {"units", "dense_units", "loss", "iterations", "converged"};
    for (const WeightBlock& block : weights.all()) keys.emplace_back(block.name);
    require_keys(content, place, keys);

    TrainedNetwork network;
    network.loss = json_number(json_member(content, "loss", place), place.at("loss"));
    network.iterations =
        static_cast<int>(json_positive(json_member(content, "iterations", place), place.at("iterations")));
    network.converged = json_flag(content, "converged", place);
    network.parameters.assign(weights.size, 0.0);
    for (const WeightBlock& block : weights.all()) read_block(content, place, block, network.parameters);
    return std::make_unique<FittedRBc>(shape, std::move(network));
  }

 private:
  Error no_result(const TrainedNetwork& network) const {
    if (network.interrupted) return interrupted_learner(name());
    return runtime_error("r-bc: the loss was never a finite number; lower --learner-option rate");
  }

  static bool json_flag(simdjson::dom::object content, const char* key, const JsonPlace& place) {
    const auto value = json_member(content, key, place);
    if (!value.is_bool()) {
      throw input_error(
          fmt::format("{}: {} is neither true nor false", place.at(key).text(), describe(value)));
    }
    return value.get_bool().value_unsafe();
  }
};

}  // namespace

const Learner& r_bc_learner() {
  static const RBcLearner learner;
  return learner;
}

}  // namespace interpole
