#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "interpole/base/files/text_file.hpp"
#include "interpole/base/json/strict_json.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/model/file/factors_read.hpp"
#include "interpole/model/file/model_document.hpp"
#include "interpole/model/file/model_file_lists.hpp"
#include "interpole/model/time/visit_gaps.hpp"
#include "interpole/model_file.hpp"

namespace interpole {
namespace {

using model::append_row;
using model::list_of;
using model::read_names;
using model::refuse;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kMostNumbers = 100'000'000;  // of one table: 800 MB
constexpr int kVersionWithTerms = 2;
constexpr int kVersionWithFactors = 3;
constexpr int kVersionWithTime = 4;
constexpr int kVersionWithEmptyCells = 5;
constexpr double kSumTolerance = 1e-8;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void append_rows(element value, const base::JsonPlace& place, const Structure& structure, std::size_t columns,
                 const char* what, std::vector<double>& to) {
  std::size_t s = 0;
  for (const element row : list_of(value, place, structure.states.size(), "states")) {
    append_row(row, place.at(s++), columns, what, to);
  }
}

void check_header(object file, const base::JsonPlace& top) {
  const std::string format = base::json_text(base::json_member(file, "format", top), top.at("format"));
  if (format == "interpole-learner") {
    const std::string algorithm =
        base::json_text(base::json_member(file, "algorithm", top), top.at("algorithm"));
    refuse(top.at("format"),
           fmt::format(
               "this is a file of the learner {}, which has no model of beliefs and boundaries; "
               "`interpole evaluate` reads it, for anything else fit a model with option algorithm interpole",
               base::in_quotes(algorithm)));
  }
  if (format != "interpole-model") {
    refuse(top.at("format"),
           fmt::format("{} is not \"interpole-model\"; this is not a model file", base::in_quotes(format)));
  }
  const base::JsonPlace place = top.at("version");
  const element version = base::json_member(file, "version", top);
  if (!version.is<std::int64_t>() && !version.is<std::uint64_t>()) {
    refuse(place, fmt::format("expected a whole number, found {}", base::describe(version)));
  }
  const double number = base::json_number(version, place);
  if (number > kModelFileVersion) {
    refuse(place, fmt::format("{} is from a newer program (this one reads up to {}); update interpole",
                              simdjson::minify(version), kModelFileVersion));
  }
  if (number < 1)
    refuse(place, fmt::format("{} does not exist; versions start at 1", simdjson::minify(version)));
  element factors;
  if (number < kVersionWithFactors && !file.at_key("factors").get(factors)) {
    refuse(top.at("factors"),
           fmt::format("a file of version {} has no measured factors; write \"version\": {}",
                       simdjson::minify(version), kVersionWithFactors));
  }
  element time;
  if (number < kVersionWithTime && !file.at_key("time").get(time)) {
    refuse(top.at("time"),
           fmt::format("a file of version {} has no time between visits; write \"version\": {}",
                       simdjson::minify(version), kVersionWithTime));
  }
  element empty;
  if (number < kVersionWithEmptyCells && !file.at_key("not_recorded").get(empty)) {
    refuse(top.at("not_recorded"),
           fmt::format("a file of version {} has no outcome for empty cells; write \"version\": {}",
                       simdjson::minify(version), kVersionWithEmptyCells));
  }
  element policy;
  if (number < kVersionWithTerms && !file.at_key("policy").get(policy)) {
    refuse(top.at("policy"),
           fmt::format("a file of version {} has no policy terms; write \"version\": {}, or "
                       "remove the key",
                       simdjson::minify(version), kVersionWithTerms));
  }
}

// Arrays grow with the numbers that are really in the file. Only the zeros of terminal actions are not, so a
// few bytes must not be able to ask for a huge table.
void check_table_size(const Structure& names, const base::JsonPlace& top) {
  const auto size = [](const std::vector<std::string>& list) {
    return std::max(1.0, static_cast<double>(list.size()));
  };
  const double rows = size(names.actions) * size(names.states);
  const double most = kMostNumbers;
  const char* table = rows * size(names.states) > most         ? "transition"
                      : rows * size(names.observations) > most ? "observation"
                                                               : nullptr;
  if (table == nullptr) return;
  refuse(top.at(table),
         fmt::format("{} actions, {} states and {} observations make more than {} numbers; name fewer",
                     names.actions.size(), names.states.size(), names.observations.size(), kMostNumbers));
}

// Replaces "every outcome of every action that is not terminal" by the outcomes listed.
void read_masks(element value, const base::JsonPlace& place, Structure& structure) {
  std::map<std::string_view, std::size_t> index_of;
  for (std::size_t z = 0; z < structure.observations.size(); ++z)
    index_of.emplace(structure.observations[z], z);
  std::size_t a = 0;
  std::fill(structure.allowed.begin(), structure.allowed.end(), 0);
  for (const element row : list_of(value, place, structure.actions.size(), "actions")) {
    const base::JsonPlace here = place.at(a);
    const auto names = row.is_null() ? std::vector<std::string>{} : read_names(row, here);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto found = index_of.find(names[i]);
      if (found == index_of.end()) {
        refuse(here.at(i),
               fmt::format("{} is not one of the observations; correct the name", base::in_quotes(names[i])));
      }
      char& allowed = structure.allowed[a * structure.observations.size() + found->second];
      if (allowed != 0)
        refuse(here.at(i), fmt::format("{} is listed twice; remove one", base::in_quotes(names[i])));
      allowed = 1;
    }
    const bool terminal = structure.is_terminal(static_cast<int>(a));
    if (terminal && !names.empty()) {
      refuse(here, fmt::format("outcomes of a terminal action (observation[{}] is null); remove them", a));
    }
    if (!terminal && names.empty()) {
      refuse(here, fmt::format("no outcomes, but observation[{}] is not null; list them", a));
    }
    ++a;
  }
}

VisitTime read_time(object block, const base::JsonPlace& place, const std::vector<std::string>& actions) {
  VisitTime time;
  time.unit = base::json_text(base::json_member(block, "unit", place), place.at("unit"));
  element value;
  if (!block.at_key("typical_gap").get(value))
    time.typical = base::json_number(value, place.at("typical_gap"));
  if (block.at_key("step").get(value)) return time;
  time.rule = TimeRule::kSteps;
  time.typical = base::json_number(value, place.at("step"));
  const base::JsonPlace wait_place = place.at("wait");
  const std::string wait = base::json_text(base::json_member(block, "wait", place), wait_place);
  const auto found = std::find(actions.begin(), actions.end(), wait);
  if (found == actions.end())
    refuse(wait_place, fmt::format("{} is not one of the actions; correct the name", base::in_quotes(wait)));
  time.wait = static_cast<int>(found - actions.begin());
  return time;
}

// Names and masks: everything that decides the dimensions.
Structure read_structure(object file, const base::JsonPlace& top) {
  Structure names;
  names.states = read_names(base::json_member(file, "states", top), top.at("states"));
  names.actions = read_names(base::json_member(file, "actions", top), top.at("actions"));
  element factors;
  const bool measured = !file.at_key("factors").get(factors);
  if (!measured) {
    names.observations = read_names(base::json_member(file, "observations", top), top.at("observations"));
  }
  check_table_size(names, top);
  Structure structure =
      measured ? Structure::of_factors(names.states, names.actions,
                                       model::read_factors(factors, top.at("factors"), names.actions))
               : Structure::unrestricted(names.states, names.actions, names.observations);
  element time;
  if (!file.at_key("time").get(time)) {
    const base::JsonPlace here = top.at("time");
    structure.set_time(read_time(base::json_object(time, here), here, names.actions));
  }
  const base::JsonPlace place = top.at("observation");
  int action = 0;
  for (const element rows :
       list_of(base::json_member(file, "observation", top), place, names.actions.size(), "actions")) {
    if (rows.is_null()) structure.make_terminal(action);
    ++action;
  }
  element outcomes;
  if (!file.at_key("outcomes").get(outcomes)) read_masks(outcomes, top.at("outcomes"), structure);
  element empty;
  if (!file.at_key("not_recorded").get(empty)) {
    const std::string name = base::json_text(empty, top.at("not_recorded"));
    structure.not_recorded = structure.find_observation(name);
    if (structure.not_recorded < 0) {
      refuse(top.at("not_recorded"),
             fmt::format("{} is not one of the observations; correct the name", base::in_quotes(name)));
    }
  }
  structure.validate(top.text());
  return structure;
}

std::vector<double> read_observation(element value, const base::JsonPlace& place,
                                     const Structure& structure) {
  std::vector<double> table;
  std::size_t a = 0;
  for (const element rows : list_of(value, place, structure.actions.size(), "actions")) {
    const base::JsonPlace here = place.at(a);
    const bool terminal = structure.is_terminal(static_cast<int>(a));
    if (rows.is_null() != terminal) {
      refuse(here, fmt::format(
                       "{}, but the agent's observation[{}] is {}; an action is terminal for both or neither",
                       rows.is_null() ? "null" : "given", a, terminal ? "null" : "given"));
    }
    const auto outcomes = static_cast<std::size_t>(structure.observation_columns());
    if (terminal) {
      table.resize(table.size() + structure.states.size() * outcomes, 0.0);
    } else {
      append_rows(rows, here, structure, outcomes,
                  structure.measured() ? "parameters of the factors" : "observations", table);
    }
    ++a;
  }
  return table;
}

// Rates in 1/unit: not negative off the diagonal, rows that sum to zero.
void read_rates(object block, const base::JsonPlace& place, const Structure& structure, Dynamics& dynamics) {
  const std::size_t S = structure.states.size();
  const base::JsonPlace list = place.at("rates");
  dynamics.transition.assign(structure.actions.size() * S * S, 0.0);
  int a = 0;
  for (const element rows :
       list_of(base::json_member(block, "rates", place), list, structure.actions.size(), "actions")) {
    const base::JsonPlace here = list.at(static_cast<std::size_t>(a));
    std::vector<double> rates;
    append_rows(rows, here, structure, S, "states", rates);
    for (std::size_t s = 0; s < S; ++s) {
      double sum = 0.0, leaving = 0.0;
      for (std::size_t to = 0; to < S; ++to) {
        const double rate = rates[s * S + to];
        sum += rate;
        if (to == s) continue;
        leaving += rate;
        if (rate < 0.0)
          refuse(here.at(s).at(to),
                 fmt::format("{} is negative; how often a state changes is 0 or more", rate));
      }
      if (std::abs(sum) > kSumTolerance * std::max(1.0, leaving))
        refuse(here.at(s), fmt::format("the row sums to {}, not to 0; correct its entries", sum));
    }
    set_rates(structure, a++, rates, dynamics);
  }
}

Dynamics read_dynamics(object block, const base::JsonPlace& place, const Structure& structure) {
  Dynamics dynamics;
  const std::size_t states = structure.states.size();
  append_row(base::json_member(block, "initial_belief", place), place.at("initial_belief"), states, "states",
             dynamics.initial);
  if (model::has_rates(structure)) {
    read_rates(block, place, structure, dynamics);
  } else {
    const base::JsonPlace transition = place.at("transition");
    std::size_t a = 0;
    for (const element rows : list_of(base::json_member(block, "transition", place), transition,
                                      structure.actions.size(), "actions")) {
      append_rows(rows, transition.at(a++), structure, states, "states", dynamics.transition);
    }
  }
  dynamics.observation =
      read_observation(base::json_member(block, "observation", place), place.at("observation"), structure);
  return dynamics;
}

Policy read_policy(object file, const base::JsonPlace& top, const Structure& structure) {
  Policy policy;
  policy.inverse_temperature =
      base::json_number(base::json_member(file, "inverse_temperature", top), top.at("inverse_temperature"));
  const base::JsonPlace means = top.at("means");
  std::size_t a = 0;
  for (const element row :
       list_of(base::json_member(file, "means", top), means, structure.actions.size(), "actions")) {
    append_row(row, means.at(a++), structure.states.size(), "states", policy.means);
  }
  policy.terms = model::policy_terms_of(file, structure, top);
  model::read_policy_kinds(file, structure, top, policy);
  return policy;
}

}  // namespace

Model model::model_of(simdjson::dom::object file, const std::string& where) {
  const base::JsonPlace top(where);
  check_header(file, top);
  Model result;
  result.structure = read_structure(file, top);
  result.agent.dynamics = read_dynamics(file, top, result.structure);
  result.agent.policy = read_policy(file, top, result.structure);
  result.agent.dynamics.start =
      model::start_terms_of(file, result.structure, top, result.agent.policy.terms.covariates);
  element world;
  if (!file.at_key("world").get(world)) {
    const base::JsonPlace place = top.at("world");
    result.world = read_dynamics(base::json_object(world, place), place, result.structure);
    result.world->start = result.agent.dynamics.start;
  }
  validate_and_normalise(result, where);
  // A block that adds nothing is no block: such a model is written without.
  if (result.agent.policy.terms.none() && result.agent.dynamics.start.empty() &&
      result.agent.policy.decision_maker < 0) {
    result.agent.policy.terms = {};
  }
  return result;
}

Model parse_model(const std::string& text, const std::string& where) {
  simdjson::dom::parser parser;
  std::string unmarked;
  const bool marked = text.starts_with(kByteOrderMark);
  if (marked) unmarked = text.substr(kByteOrderMark.size());
  const element root = base::parse_json(parser, marked ? unmarked : text, where);
  return model::model_of(base::json_object(root, base::JsonPlace(where)), where);
}

Model read_model(const std::string& path) {
  return parse_model(base::read_text_file(path, "model file"), path);
}

}  // namespace interpole
