#include "interpole/service/plan/export_task.hpp"

#include <fmt/format.h>

#include "interpole/base/files/text_file.hpp"
#include "interpole/base/json/strict_json.hpp"
#include "interpole/error.hpp"
#include "interpole/model_file.hpp"
#include "interpole/planning/files/pomdp_file.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/run_files.hpp"

namespace interpole::service {
namespace {

void require_size(simdjson::dom::array list, std::size_t size, const char* what,
                  const base::JsonPlace& place) {
  if (list.size() == size) return;
  throw input_error(fmt::format("{}: {} entries; {} expected, one for each of the model's {}", place.text(),
                                list.size(), size, what));
}

std::vector<double> rewards_of(simdjson::dom::element value, const base::JsonPlace& place,
                               const Structure& structure) {
  const simdjson::dom::array by_action = base::json_array(value, place);
  require_size(by_action, structure.actions.size(), "actions", place);
  std::vector<double> rewards;
  std::size_t a = 0;
  for (const simdjson::dom::element row : by_action) {
    const base::JsonPlace at_action = place.at(a++);
    const simdjson::dom::array by_state = base::json_array(row, at_action);
    require_size(by_state, structure.states.size(), "states", at_action);
    std::size_t s = 0;
    for (const simdjson::dom::element reward : by_state) {
      rewards.push_back(base::json_number(reward, at_action.at(s++)));
    }
  }
  return rewards;
}

}  // namespace

std::vector<double> read_rewards(const std::string& path, const Structure& structure) {
  const std::string text = base::read_text_file(path, "rewards file");
  simdjson::dom::parser parser;
  const base::JsonPlace top(path);
  const simdjson::dom::element document = base::parse_json(parser, text, path);
  if (document.is_array()) return rewards_of(document, top, structure);
  const auto object = base::json_object(document, top);
  simdjson::dom::element content;
  if (object["content"].get(content) == simdjson::SUCCESS) {
    const base::JsonPlace place = top.at("content");
    return rewards_of(base::json_member(base::json_object(content, place), "rewards", place),
                      place.at("rewards"), structure);
  }
  return rewards_of(base::json_member(object, "rewards", top), top.at("rewards"), structure);
}

void run_export(const ExportRequest& request, Sink& sink) {
  if (request.format != "pomdp") {
    throw usage_error(fmt::format("option format: \"{}\" is not a format; known is pomdp", request.format));
  }
  if (request.dynamics != "agent" && request.dynamics != "world") {
    throw usage_error(fmt::format("option dynamics: \"{}\"; choose agent or world", request.dynamics));
  }
  if (!(request.discount >= 0.0 && request.discount <= 1.0)) {
    throw usage_error(fmt::format("option discount: {} is not between 0 and 1", request.discount));
  }
  require_separate_files({{"option output", request.output}},
                         {{"option model", request.model}, {"option rewards", request.rewards}});
  const Model model = read_model(request.model);
  require_listed_outcomes(model.structure, "export");
  if (request.dynamics == "world" && !model.world) {
    throw input_error(
        fmt::format("{}: the model has no world beside its agent; fit it with option dynamics coupled, or "
                    "export the agent's",
                    request.model));
  }
  const Structure& structure = model.structure;
  const std::vector<double> rewards =
      request.rewards.empty() ? std::vector<double>(structure.actions.size() * structure.states.size(), 0.0)
                              : read_rewards(request.rewards, structure);
  const Dynamics& dynamics = request.dynamics == "world" ? *model.world : model.agent.dynamics;
  planning::write_pomdp(planning::pomdp_of(structure, dynamics, rewards, request.discount), request.output);
  if (request.rewards.empty()) {
    sink.note("all rewards are zero; give option rewards, or write R lines into the file before planning");
  }
}

}  // namespace interpole::service
