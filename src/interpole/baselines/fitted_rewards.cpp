#include "interpole/baselines/fitted_rewards.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/base/error.hpp"
#include "interpole/baselines/content_json.hpp"

namespace interpole {
namespace {

using Json = nlohmann::ordered_json;

Json rows_of(std::span<const double> values, std::size_t columns) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < values.size(); i += columns) rows.push_back(values.subspan(i, columns));
  return rows;
}

// Numbers of nested lists, one after the other. `sizes`: of each level; the first may be 0 for "any".
void read_nested(simdjson::dom::element value, const JsonPlace& place, std::span<const std::size_t> sizes,
                 std::vector<double>& numbers) {
  if (sizes.empty()) {
    numbers.push_back(json_number(value, place));
    return;
  }
  const simdjson::dom::array list = json_array(value, place);
  if (list.size() == 0 || (sizes[0] != 0 && list.size() != sizes[0])) {
    throw input_error(fmt::format("{}: {} entries; {} expected", place.text(), list.size(),
                                  sizes[0] == 0 ? "at least one" : std::to_string(sizes[0])));
  }
  std::size_t i = 0;
  for (const simdjson::dom::element entry : list) {
    read_nested(entry, place.at(i++), sizes.subspan(1), numbers);
  }
}

std::vector<double> nested(simdjson::dom::object content, const char* key, const JsonPlace& place,
                           std::initializer_list<std::size_t> sizes) {
  std::vector<double> numbers;
  read_nested(json_member(content, key, place), place.at(key), {sizes.begin(), sizes.size()}, numbers);
  return numbers;
}

FittedModel believer_of(const Structure& structure, Dynamics dynamics, std::string how_it_went,
                        bool converged, const std::string& where) {
  validate_and_normalise(structure, dynamics, where);
  return {Model{structure, {std::move(dynamics), Policy::filled(structure, 0.0)}, {}}, std::move(how_it_went),
          converged};
}

}  // namespace

FittedRewards::FittedRewards(const RewardAgent& agent, Dynamics dynamics, std::vector<double> rewards,
                             std::string how_it_went, std::string doubt)
    : believer_(believer_of(agent.structure, std::move(dynamics), std::move(how_it_went), doubt.empty(),
                            "learned dynamics")),
      plan_(agent.plan(believer_.model()->agent.dynamics, rewards)),
      inverse_temperature_(agent.inverse_temperature),
      horizon_(agent.horizon),
      doubt_(std::move(doubt)) {}

FittedRewards::FittedRewards(FittedModel believer, ValueFunction plan, double inverse_temperature,
                             int horizon)
    : believer_(std::move(believer)),
      plan_(std::move(plan)),
      inverse_temperature_(inverse_temperature),
      horizon_(horizon) {}

std::vector<double> FittedRewards::policies(const HistoryTree& tree) const {
  return policies_at(*believer_.beliefs(tree));
}

std::vector<double> FittedRewards::policies_at(std::span<const double> beliefs) const {
  return softmax_policies(BeliefTable::of(beliefs, plan_.pomdp().state_count()), inverse_temperature_, plan_);
}

std::string FittedRewards::to_json() const {
  const std::size_t S = plan_.pomdp().states.size();
  const std::size_t Z = plan_.pomdp().observations.size();
  const Dynamics& dynamics = this->dynamics();
  Json transition = Json::array();
  Json observation = Json::array();
  for (std::size_t a = 0; a < plan_.pomdp().actions.size(); ++a) {
    transition.push_back(rows_of({&dynamics.transition[a * S * S], S * S}, S));
    observation.push_back(rows_of({&dynamics.observation[a * S * Z], S * Z}, Z));
  }
  return Json({{"initial_belief", dynamics.initial},
               {"transition", transition},
               {"observation", observation},
               {"rewards", rows_of(rewards(), S)},
               {"inverse_temperature", inverse_temperature_},
               {"discount", plan_.pomdp().discount},
               {"horizon", horizon_},
               {"next_values", rows_of(plan_.next().values, S)}})
      .dump();
}

std::unique_ptr<FittedLearner> load_fitted_rewards(const std::string& json, const Structure& structure,
                                                   const std::string& where) {
  simdjson::dom::parser parser;
  const JsonPlace top(where);
  const JsonPlace place = top.at("content");
  const auto content = json_object(parse_json(parser, json, where), place);
  require_keys(content, place,
               {"initial_belief", "transition", "observation", "rewards", "inverse_temperature", "discount",
                "horizon", "next_values"});
  const std::size_t S = structure.states.size();
  const std::size_t A = structure.actions.size();
  const std::size_t Z = structure.observations.size();
  const auto positive = [&](const char* key) {
    return json_positive(json_member(content, key, place), place.at(key));
  };
  FittedModel believer = believer_of(
      structure,
      {nested(content, "initial_belief", place, {S}), nested(content, "transition", place, {A, S, S}),
       nested(content, "observation", place, {A, S, Z})},
      "read from " + where, true, place.text());
  const double discount = json_number(json_member(content, "discount", place), place.at("discount"));
  if (!(discount >= 0.0 && discount <= 1.0)) {
    throw input_error(
        fmt::format("{}: {} is not between 0 and 1; correct it", place.at("discount").text(), discount));
  }
  const double horizon = positive("horizon");
  if (horizon != std::floor(horizon) || horizon > 1e6) {
    throw input_error(
        fmt::format("{}: {} is not a number of stages; correct it", place.at("horizon").text(), horizon));
  }
  AlphaVectors next{structure.state_count(), {}, nested(content, "next_values", place, {0, S})};
  next.actions.assign(next.values.size() / S, kNoAction);
  auto pomdp = std::make_shared<const Pomdp>(pomdp_of(structure, believer.model()->agent.dynamics,
                                                      nested(content, "rewards", place, {A, S}), discount));
  ValueFunction plan(std::move(pomdp), next, next);
  return std::unique_ptr<FittedRewards>(new FittedRewards(
      std::move(believer), std::move(plan), positive("inverse_temperature"), static_cast<int>(horizon)));
}

}  // namespace interpole
