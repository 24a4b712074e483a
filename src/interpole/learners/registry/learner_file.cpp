#include "interpole/learners/registry/learner_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "interpole/base/files/text_file.hpp"
#include "interpole/base/json/strict_json.hpp"
#include "interpole/error.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/learners/interpole/fitted_model.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "interpole/model/file/model_document.hpp"
#include "interpole/model_file.hpp"

namespace interpole::learners {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;
using Json = nlohmann::ordered_json;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// A few bytes must not be able to ask for a huge table of masks.
constexpr std::size_t kMostMasks = 100'000'000;

[[noreturn]] void refuse(const base::JsonPlace& place, const std::string& reason) {
  throw input_error(fmt::format("{}: {}", place.text(), reason));
}

std::vector<std::string> read_names(object block, const char* key, const base::JsonPlace& place) {
  std::vector<std::string> names;
  const base::JsonPlace here = place.at(key);
  for (const element name : base::json_array(base::json_member(block, key, place), here)) {
    names.push_back(base::json_text(name, here.at(names.size())));
  }
  return names;
}

// outcomes[a]: the names of what the action can yield; null: it is terminal.
void read_outcomes(element value, const base::JsonPlace& place, Structure& structure) {
  const auto list = base::json_array(value, place);
  if (list.size() != structure.actions.size()) {
    refuse(place, fmt::format("{} entries; {} expected, one for each of the actions", list.size(),
                              structure.actions.size()));
  }
  int action = 0;
  for (const element row : list) {
    const base::JsonPlace here = place.at(static_cast<std::size_t>(action));
    if (row.is_null()) {
      structure.make_terminal(action++);
      continue;
    }
    const std::size_t begin = action * structure.observations.size();
    std::fill_n(structure.allowed.begin() + static_cast<std::ptrdiff_t>(begin), structure.observations.size(),
                0);
    std::size_t i = 0;
    for (const element name : base::json_array(row, here)) {
      const base::JsonPlace entry = here.at(i++);
      const int found = structure.find_observation(base::json_text(name, entry));
      if (found < 0) refuse(entry, fmt::format("{} is not one of the observations", base::describe(name)));
      structure.allowed[begin + found] = 1;
    }
    if (i == 0) refuse(here, "no outcomes; list them, or write null for a terminal action");
    ++action;
  }
}

Structure read_structure(element value, const base::JsonPlace& place) {
  const object block = base::json_object(value, place);
  require_keys(block, place, {"states", "actions", "observations", "outcomes", "not_recorded"});
  auto states = read_names(block, "states", place);
  auto actions = read_names(block, "actions", place);
  auto observations = read_names(block, "observations", place);
  if (actions.size() * observations.size() > kMostMasks) {
    refuse(place, fmt::format("{} actions and {} observations are too many; name fewer", actions.size(),
                              observations.size()));
  }
  Structure structure =
      Structure::unrestricted(std::move(states), std::move(actions), std::move(observations));
  read_outcomes(base::json_member(block, "outcomes", place), place.at("outcomes"), structure);
  element empty;
  if (!block.at_key("not_recorded").get(empty)) {
    const base::JsonPlace here = place.at("not_recorded");
    structure.not_recorded = structure.find_observation(base::json_text(empty, here));
    if (structure.not_recorded < 0)
      refuse(here, fmt::format("{} is not one of the observations", base::describe(empty)));
  }
  structure.validate(place.text());
  return structure;
}

Json structure_json(const Structure& structure) {
  Json outcomes = Json::array();
  for (int a = 0; a < structure.action_count(); ++a) {
    Json names = structure.is_terminal(a) ? Json(nullptr) : Json::array();
    for (int z = 0; z < structure.observation_count(); ++z) {
      if (structure.can_yield(a, z)) names.push_back(structure.observations[z]);
    }
    outcomes.push_back(names);
  }
  Json json = {{"states", structure.states},
               {"actions", structure.actions},
               {"observations", structure.observations},
               {"outcomes", outcomes}};
  if (structure.not_recorded != kMissing) {
    json["not_recorded"] = structure.observations[static_cast<std::size_t>(structure.not_recorded)];
  }
  return json;
}

void check_version(element version, const base::JsonPlace& place) {
  if (!version.is<std::int64_t>() && !version.is<std::uint64_t>()) {
    refuse(place, fmt::format("expected a whole number, found {}", base::describe(version)));
  }
  const double number = base::json_number(version, place);
  if (number > kLearnerFileVersion) {
    refuse(place, fmt::format("{} is from a newer program (this one reads up to {}); update interpole",
                              simdjson::minify(version), kLearnerFileVersion));
  }
  if (number < 1)
    refuse(place, fmt::format("{} does not exist; versions start at 1", simdjson::minify(version)));
}

const Learner& learner_of(const std::string& algorithm, const base::JsonPlace& place) {
  try {
    return learner_named(algorithm);
  } catch (const Error& error) {
    refuse(place, error.what());  // here it is the file that is wrong, not the command
  }
}

SavedLearner read_document(object file, const base::JsonPlace& top, const std::string& where) {
  check_version(base::json_member(file, "version", top), top.at("version"));
  SavedLearner saved;
  saved.algorithm = base::json_text(base::json_member(file, "algorithm", top), top.at("algorithm"));
  const Learner& learner = learner_of(saved.algorithm, top.at("algorithm"));
  saved.structure = read_structure(base::json_member(file, "structure", top), top.at("structure"));
  const element content = base::json_member(file, "content", top);
  base::json_object(content, top.at("content"));
  saved.learner = learner.load(simdjson::minify(content), saved.structure, where);
  return saved;
}

}  // namespace

SavedLearner parse_learner(const std::string& text, const std::string& where) {
  simdjson::dom::parser parser;
  const base::JsonPlace top(where);
  const std::string unmarked = text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : "";
  const object file =
      base::json_object(base::parse_json(parser, unmarked.empty() ? text : unmarked, where), top);
  const std::string format = base::json_text(base::json_member(file, "format", top), top.at("format"));
  if (format == "interpole-learner") return read_document(file, top, where);
  Model found = model::model_of(file, where);
  SavedLearner saved{"interpole", found.structure, nullptr};
  saved.learner = std::make_unique<FittedModel>(std::move(found), "read from " + where, true);
  return saved;
}

SavedLearner read_learner(const std::string& path) {
  return parse_learner(base::read_text_file(path, "model or learner file"), path);
}

std::string format_learner(const std::string& algorithm, const Structure& structure,
                           const FittedLearner& learner, const std::string& extras) {
  if (learner.model() != nullptr) return format_model(*learner.model(), extras);
  Json file = {{"format", "interpole-learner"},
               {"version", kLearnerFileVersion},
               {"algorithm", algorithm},
               {"structure", structure_json(structure)},
               {"content", Json::parse(learner.to_json())}};
  file.update(Json::parse(extras));
  return file.dump(1) + "\n";
}

}  // namespace interpole::learners
