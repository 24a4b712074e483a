// How rewards are saved and read back.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/error.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/learners/inverse_rl/fitted_rewards.hpp"

namespace interpole::learners {
namespace {

using Json = nlohmann::ordered_json;

Json rows_of(std::span<const double> values, std::size_t columns) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < values.size(); i += columns) rows.push_back(values.subspan(i, columns));
  return rows;
}

void add_dynamics(Json& json, const Structure& structure, const Dynamics& dynamics) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  json["initial_belief"] = dynamics.initial;
  json["transition"] = Json::array();
  json["observation"] = Json::array();
  for (std::size_t a = 0; a < structure.actions.size(); ++a) {
    json["transition"].push_back(rows_of({&dynamics.transition[a * S * S], S * S}, S));
    json["observation"].push_back(rows_of({&dynamics.observation[a * S * Z], S * Z}, Z));
  }
}

std::vector<double> points_in_order(const planning::BeliefTable& table, std::size_t states) {
  std::vector<double> beliefs(table.by_state.size());
  for (std::size_t i = 0; i < table.count; ++i) {
    for (std::size_t s = 0; s < states; ++s) beliefs[i * states + s] = table.by_state[s * table.count + i];
  }
  return beliefs;
}

// Numbers of nested lists, one after the other. `sizes`: of each level; the first may be 0 for "any".
void read_nested(simdjson::dom::element value, const base::JsonPlace& place,
                 std::span<const std::size_t> sizes, std::vector<double>& numbers) {
  if (sizes.empty()) {
    numbers.push_back(base::json_number(value, place));
    return;
  }
  const simdjson::dom::array list = base::json_array(value, place);
  if (list.size() == 0 || (sizes[0] != 0 && list.size() != sizes[0])) {
    throw input_error(fmt::format("{}: {} entries; {} expected", place.text(), list.size(),
                                  sizes[0] == 0 ? "at least one" : std::to_string(sizes[0])));
  }
  std::size_t i = 0;
  for (const simdjson::dom::element entry : list) {
    read_nested(entry, place.at(i++), sizes.subspan(1), numbers);
  }
}

// The object at one place of the file.
struct Content {
  simdjson::dom::object object;
  const base::JsonPlace& place;
  const Structure& structure;

  bool has(const char* key) const { return object[key].error() == simdjson::SUCCESS; }
  std::vector<double> nested(const char* key, std::initializer_list<std::size_t> sizes) const {
    std::vector<double> numbers;
    read_nested(base::json_member(object, key, place), place.at(key), {sizes.begin(), sizes.size()}, numbers);
    return numbers;
  }
  double positive(const char* key) const {
    return json_positive(base::json_member(object, key, place), place.at(key));
  }
  Dynamics dynamics() const {
    const std::size_t S = structure.states.size();
    const std::size_t A = structure.actions.size();
    return {nested("initial_belief", {S}), nested("transition", {A, S, S}),
            nested("observation", {A, S, structure.observations.size()})};
  }
  std::vector<double> rewards() const {
    return nested("rewards", {structure.actions.size(), structure.states.size()});
  }
};

double read_discount(const Content& content) {
  const base::JsonPlace place = content.place.at("discount");
  const double discount =
      base::json_number(base::json_member(content.object, "discount", content.place), place);
  if (discount >= 0.0 && discount <= 1.0) return discount;
  throw input_error(fmt::format("{}: {} is not between 0 and 1; correct it", place.text(), discount));
}

int read_horizon(const Content& content) {
  const double horizon = content.positive("horizon");
  if (horizon == std::floor(horizon) && horizon <= 1e6) return static_cast<int>(horizon);
  throw input_error(fmt::format("{}: {} is not a number of stages; correct it",
                                content.place.at("horizon").text(), horizon));
}

planning::BeliefTable read_points(const Content& content) {
  const std::size_t S = content.structure.states.size();
  const std::vector<double> points = content.nested("planning_points", {0, S});
  for (std::size_t i = 0; i < points.size(); i += S) {
    double sum = 0.0;
    for (std::size_t s = 0; s < S; ++s) sum += points[i + s] >= 0.0 ? points[i + s] : NAN;
    if (std::abs(sum - 1.0) <= 1e-6) continue;
    throw input_error(fmt::format("{}: not a belief; its entries must be probabilities that sum to 1",
                                  content.place.at("planning_points").at(i / S).text()));
  }
  return planning::BeliefTable::of(points, static_cast<int>(S));
}

RewardDraw read_draw(const Content& draw) {
  require_keys(draw.object, draw.place, {"initial_belief", "transition", "observation", "rewards"});
  RewardDraw result{std::nullopt, draw.rewards()};
  if (draw.has("initial_belief") || draw.has("transition") || draw.has("observation")) {
    result.dynamics = draw.dynamics();
  }
  return result;
}

}  // namespace

std::string FittedRewards::to_json() const {
  const std::size_t S = agent_.structure.states.size();
  Json json = Json::object();
  add_dynamics(json, agent_.structure, dynamics());
  json["rewards"] = rows_of(rewards(), S);
  json["inverse_temperature"] = agent_.inverse_temperature;
  json["discount"] = agent_.discount;
  json["horizon"] = agent_.horizon;
  json["next_values"] = rows_of(mean_.plan.next().values, S);
  if (draws_.empty()) return json.dump();
  if (S != 2) json["planning_points"] = rows_of(points_in_order(agent_.points, S), S);
  json["draws"] = Json::array();
  for (const Mind& draw : draws_) {
    Json entry = Json::object();
    if (draw.believer != mean_.believer) {
      add_dynamics(entry, agent_.structure, draw.believer->model()->agent.dynamics);
    }
    entry["rewards"] = rows_of(draw.plan.pomdp().reward, S);
    json["draws"].push_back(std::move(entry));
  }
  return json.dump();
}

std::unique_ptr<FittedLearner> load_fitted_rewards(const std::string& json, const Structure& structure,
                                                   const std::string& where) {
  simdjson::dom::parser parser;
  const base::JsonPlace top(where);  // places refer to the one they are in
  const base::JsonPlace place = top.at("content");
  const Content content{base::json_object(base::parse_json(parser, json, where), place), place, structure};
  require_keys(content.object, place,
               {"initial_belief", "transition", "observation", "rewards", "inverse_temperature", "discount",
                "horizon", "next_values", "planning_points", "draws"});
  RewardAgent agent{
      structure, content.positive("inverse_temperature"), read_discount(content), read_horizon(content), {}};
  if (content.has("draws") && structure.state_count() != 2) agent.points = read_points(content);
  planning::AlphaVectors next{
      structure.state_count(), {}, content.nested("next_values", {0, structure.states.size()})};
  next.actions.assign(next.values.size() / structure.states.size(), planning::kNoAction);
  std::unique_ptr<FittedRewards> fitted(
      new FittedRewards(agent, content.dynamics(), content.rewards(), next, where));
  if (!content.has("draws")) return fitted;
  const base::JsonPlace list = place.at("draws");
  std::size_t i = 0;
  for (const simdjson::dom::element entry :
       base::json_array(base::json_member(content.object, "draws", place), list)) {
    const base::JsonPlace here = list.at(i++);
    fitted->add_draw(read_draw({base::json_object(entry, here), here, structure}), here.text());
  }
  if (i == 0) throw input_error(fmt::format("{}: no draws; leave the key out, or fit again", list.text()));
  return fitted;
}

}  // namespace interpole::learners
