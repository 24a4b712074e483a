#include "interpole/learners/recurrent/fitted_r_bc.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/error.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/learners/recurrent/lstm_kernels.hpp"
#include "interpole/learners/recurrent/network_learner.hpp"
#include "interpole/learners/recurrent/tree_network.hpp"

namespace interpole::learners {
namespace {

nlohmann::ordered_json network_json(const NetworkShape& shape, const TrainedNetwork& network) {
  nlohmann::ordered_json json = {
      {"loss", network.loss}, {"iterations", network.iterations}, {"converged", network.converged}};
  for (const WeightBlock& block : NetworkWeights(shape).all()) {
    auto rows = nlohmann::ordered_json::array();
    for (int row = 0; row < block.rows; ++row) {
      const double* values =
          &network.parameters[block.offset + static_cast<std::size_t>(row) * block.columns];
      rows.push_back(std::vector<double>(values, values + block.used));
    }
    json[block.name] = std::move(rows);
  }
  return json;
}

int json_width(simdjson::dom::object content, const char* key, const base::JsonPlace& place) {
  const double units = base::json_number(base::json_member(content, key, place), place.at(key));
  if (!is_network_width(units)) {
    throw input_error(fmt::format("{}: {} is not a multiple of {} from {} to {}; correct it",
                                  place.at(key).text(), units, kPanel, kPanel, kMostUnits));
  }
  return static_cast<int>(units);
}

bool json_flag(simdjson::dom::object content, const char* key, const base::JsonPlace& place) {
  const auto value = base::json_member(content, key, place);
  if (!value.is_bool()) {
    throw input_error(
        fmt::format("{}: {} is neither true nor false", place.at(key).text(), base::describe(value)));
  }
  return value.get_bool().value_unsafe();
}

void read_block(simdjson::dom::object content, const base::JsonPlace& place, const WeightBlock& block,
                std::vector<double>& parameters) {
  const base::JsonPlace here = place.at(block.name);
  const auto rows = base::json_array(base::json_member(content, block.name, place), here);
  if (rows.size() != static_cast<std::size_t>(block.rows)) {
    throw input_error(
        fmt::format("{}: {} rows; {} expected for this structure", here.text(), rows.size(), block.rows));
  }
  std::size_t row = 0;
  for (const simdjson::dom::element entry : rows) {
    const base::JsonPlace row_place = here.at(row);
    const auto values = base::json_array(entry, row_place);
    if (values.size() != static_cast<std::size_t>(block.used)) {
      throw input_error(
          fmt::format("{}: {} entries; {} expected", row_place.text(), values.size(), block.used));
    }
    double* to = &parameters[block.offset + row * block.columns];
    std::size_t column = 0;
    for (const simdjson::dom::element value : values) {
      *to++ = base::json_number(value, row_place.at(column));
      ++column;
    }
    ++row;
  }
}

TrainedNetwork read_network(simdjson::dom::object content, const NetworkWeights& weights,
                            const base::JsonPlace& place) {
  std::vector<std::string> keys = {"loss", "iterations", "converged"};
  for (const WeightBlock& block : weights.all()) keys.emplace_back(block.name);
  require_keys(content, place, keys);
  TrainedNetwork network;
  network.loss = base::json_number(base::json_member(content, "loss", place), place.at("loss"));
  network.iterations = static_cast<int>(
      json_positive(base::json_member(content, "iterations", place), place.at("iterations")));
  network.converged = json_flag(content, "converged", place);
  network.parameters.assign(weights.size, 0.0);
  for (const WeightBlock& block : weights.all()) read_block(content, place, block, network.parameters);
  return network;
}

}  // namespace

std::vector<double> averaged_policies(const NetworkShape& shape, const std::vector<TrainedNetwork>& networks,
                                      const HistoryTree& tree, int threads) {
  TreeNetwork all_nodes(shape, tree, false, threads);
  std::vector<double> mean = all_nodes.policies(networks.front().parameters);
  for (std::size_t n = 1; n < networks.size(); ++n) {
    const std::vector<double> more = all_nodes.policies(networks[n].parameters);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += more[i];
  }
  for (double& p : mean) p /= static_cast<double>(networks.size());
  return mean;
}

FittedRBc::FittedRBc(const NetworkShape& shape, std::vector<TrainedNetwork> networks, double loss)
    : shape_(shape), networks_(std::move(networks)), loss_(loss) {}

std::vector<double> FittedRBc::policies(const HistoryTree& tree) const {
  return averaged_policies(shape_, networks_, tree, 1);
}

std::string FittedRBc::to_json() const {
  nlohmann::ordered_json json = {
      {"units", shape_.units}, {"dense_units", shape_.dense_units}, {"loss", loss_}};
  auto networks = nlohmann::ordered_json::array();
  for (const TrainedNetwork& network : networks_) networks.push_back(network_json(shape_, network));
  json["networks"] = std::move(networks);
  return json.dump();
}

std::string FittedRBc::fit_note() const {
  const char* ending = interrupted() ? "stopped by the user" : converged() ? "converged" : "gave up";
  std::vector<int> iterations;
  double set_aside = 0.0;
  for (const TrainedNetwork& network : networks_) {
    iterations.push_back(network.iterations);
    set_aside += network.validation_loss / static_cast<double>(networks_.size());
  }
  std::string text = fmt::format("{}; weights of iteration {}, {:.4f} nats per decision", ending,
                                 fmt::join(iterations, ", "), loss_);
  if (networks_.front().validation_records > 0) {
    text +=
        fmt::format(" ({:.4f} on {} patients set aside)", set_aside, networks_.front().validation_records);
  }
  return text;
}

bool FittedRBc::converged() const {
  return !interrupted() && std::ranges::all_of(networks_, &TrainedNetwork::converged);
}

bool FittedRBc::interrupted() const {
  return std::ranges::any_of(networks_, &TrainedNetwork::interrupted);
}

std::unique_ptr<FittedLearner> load_fitted_r_bc(const std::string& json, const Structure& structure,
                                                const std::string& where) {
  simdjson::dom::parser parser;
  const base::JsonPlace top(where);
  const base::JsonPlace place = top.at("content");
  const auto content = base::json_object(base::parse_json(parser, json, where), place);
  require_keys(content, place, {"units", "dense_units", "loss", "networks"});
  const NetworkShape shape{structure.action_count(), structure.observation_count(),
                           json_width(content, "units", place), json_width(content, "dense_units", place)};
  const NetworkWeights weights(shape);
  const base::JsonPlace list = place.at("networks");
  std::vector<TrainedNetwork> networks;
  for (const simdjson::dom::element entry :
       base::json_array(base::json_member(content, "networks", place), list)) {
    const base::JsonPlace here = list.at(networks.size());
    networks.push_back(read_network(base::json_object(entry, here), weights, here));
  }
  if (networks.empty()) throw input_error(fmt::format("{}: empty; one network at least", list.text()));
  return std::make_unique<FittedRBc>(
      shape, std::move(networks),
      base::json_number(base::json_member(content, "loss", place), place.at("loss")));
}

}  // namespace interpole::learners
