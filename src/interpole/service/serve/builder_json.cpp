#include "interpole/service/serve/builder_json.hpp"

#include <nlohmann/json.hpp>

#include "interpole/base/json/json_number.hpp"
#include "interpole/base/json/strict_json.hpp"
#include "interpole/error.hpp"

namespace interpole::service {
namespace {

using BuilderJson = nlohmann::ordered_json;
using Element = simdjson::dom::element;

std::vector<std::string> texts_in(Element value, const base::JsonPlace& place) {
  std::vector<std::string> texts;
  for (const Element element : base::json_array(value, place))
    texts.push_back(base::json_text(element, place.at(texts.size())));
  return texts;
}

std::vector<double> numbers_in(Element value, const base::JsonPlace& place) {
  std::vector<double> numbers;
  for (const Element element : base::json_array(value, place))
    numbers.push_back(base::json_number(element, place.at(numbers.size())));
  return numbers;
}

bool flag_in(Element value, const base::JsonPlace& place) {
  bool flag = false;
  if (value.get(flag) != simdjson::SUCCESS) {
    throw input_error(place.text() + ": " + base::describe(value) + " is neither true nor false");
  }
  return flag;
}

data::Reading reading_in(Element value, const base::JsonPlace& place) {
  const std::string word = base::json_text(value, place);
  if (word == "before") return data::Reading::kBefore;
  if (word == "after") return data::Reading::kAfter;
  throw input_error(place.text() + ": choose \"before\" or \"after\"");
}

data::FactorChoice factor_in(Element value, const base::JsonPlace& place) {
  data::FactorChoice factor;
  for (const auto [key, member] : base::json_object(value, place)) {
    const base::JsonPlace at = place.at(key);
    if (key == "column") {
      factor.column = base::json_text(member, at);
    } else if (key == "seen") {
      factor.seen = reading_in(member, at);
    } else if (key == "cuts") {
      factor.cuts = numbers_in(member, at);
    } else if (key == "levels") {
      factor.levels = texts_in(member, at);
    } else {
      throw input_error(at.text() + ": not known; choose column, seen, cuts or levels");
    }
  }
  return factor;
}

// False: there is no such key.
bool take_text(std::string_view key, Element value, const base::JsonPlace& at, data::StudyChoice& choice) {
  const std::pair<std::string_view, std::string*> texts[] = {{"name", &choice.name},
                                                             {"id", &choice.id},
                                                             {"order", &choice.order},
                                                             {"action", &choice.action},
                                                             {"group", &choice.group},
                                                             {"label_factor", &choice.label_factor},
                                                             {"label_level", &choice.label_level}};
  for (const auto& [name, text] : texts) {
    if (name != key) continue;
    *text = base::json_text(value, at);
    return true;
  }
  return false;
}

BuilderJson choice_json(const data::StudyChoice& choice) {
  BuilderJson factors = BuilderJson::array();
  for (const data::FactorChoice& factor : choice.factors) {
    factors.push_back({{"column", factor.column},
                       {"seen", factor.seen == data::Reading::kBefore ? "before" : "after"},
                       {"cuts", factor.cuts},
                       {"levels", factor.levels}});
  }
  return {{"name", choice.name},
          {"states", choice.states},
          {"id", choice.id},
          {"order", choice.order},
          {"action", choice.action},
          {"by_presence", choice.by_presence},
          {"action_names", choice.action_names},
          {"terminal", choice.terminal},
          {"factors", factors},
          {"group", choice.group},
          {"covariates", choice.covariates},
          {"label_factor", choice.label_factor},
          {"label_level", choice.label_level}};
}

BuilderJson column_json(const data::ColumnProfile& column) {
  BuilderJson cells = BuilderJson::array();
  for (const data::CellCount& cell : column.categories) cells.push_back(cell.text);
  const char* kind = column.filled == 0    ? "empty"
                     : column.is_numeric() ? "numbers"
                     : column.is_date()    ? "days"
                                           : "words";
  return {{"name", column.name},
          {"kind", kind},
          {"filled", column.filled},
          {"distinct", column.distinct},
          {"common", cells}};
}

BuilderJson histogram_json(const data::Histogram& histogram) {
  if (histogram.counts.empty()) return nullptr;
  BuilderJson counts = BuilderJson::array();
  for (const std::int64_t count : histogram.counts) {
    const bool few = count > 0 && count < data::ProfiledTable::kCommon;
    counts.push_back(few ? BuilderJson() : BuilderJson(count));
  }
  return {{"low", histogram.low}, {"high", histogram.high}, {"counts", counts}};
}

BuilderJson roles_json(const BuiltStudy& built) {
  const data::ActionGuess& action = built.roles->action;
  BuilderJson actions = BuilderJson::array();
  const std::vector<std::string> keys =
      action.by_presence ? std::vector<std::string>{"present", "absent"} : action.cells;
  for (std::size_t a = 0; a < keys.size(); ++a)
    actions.push_back({{"cell", keys[a]}, {"name", action.names[a]}});
  BuilderJson factors = BuilderJson::array();
  for (std::size_t k = 0; k < built.roles->factors.size(); ++k) {
    const data::FactorGuess& factor = built.roles->factors[k];
    BuilderJson json = {{"column", factor.column},
                        {"numeric", factor.numeric},
                        {"levels", factor.levels},
                        {"yielded_by", factor.yielded_by},
                        {"histogram", histogram_json(built.histograms[k])}};
    json["cuts"] = built.check && built.check->mapping
                       ? BuilderJson(built.check->mapping->factors[k].bins.cuts)
                       : BuilderJson::array();
    factors.push_back(json);
  }
  return {{"actions", actions}, {"factors", factors}};
}

BuilderJson preview_json(const BuiltStudy& built) {
  const Structure& structure = built.check->study.structure;
  BuilderJson records = BuilderJson::array();
  for (const std::vector<Step>& record : built.preview) {
    BuilderJson steps = BuilderJson::array();
    for (const Step& step : record) {
      steps.push_back(
          {{"did", structure.actions[static_cast<std::size_t>(step.action)]},
           {"saw", step.observation == kMissing
                       ? BuilderJson()
                       : BuilderJson(structure.observations[static_cast<std::size_t>(step.observation)])}});
    }
    records.push_back(steps);
  }
  return records;
}

std::string text_of(const BuilderJson& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

data::StudyChoice parse_choice(const std::string& body) {
  data::StudyChoice choice;
  simdjson::dom::parser parser;
  const std::string name = "the choice";
  const base::JsonPlace place(name);
  for (const auto [key, value] : base::json_object(base::parse_json(parser, body, name), place)) {
    const base::JsonPlace at = place.at(key);
    if (take_text(key, value, at, choice)) continue;
    if (key == "states") {
      choice.states = texts_in(value, at);
    } else if (key == "by_presence") {
      choice.by_presence = flag_in(value, at);
    } else if (key == "action_names") {
      for (const auto [cell, action] : base::json_object(value, at))
        choice.action_names[std::string(cell)] = base::json_text(action, at.at(cell));
    } else if (key == "terminal") {
      choice.terminal = texts_in(value, at);
    } else if (key == "covariates") {
      choice.covariates = texts_in(value, at);
    } else if (key == "factors") {
      for (const Element element : base::json_array(value, at))
        choice.factors.push_back(factor_in(element, at.at(choice.factors.size())));
    } else {
      throw input_error(at.text() + ": not known");
    }
  }
  return choice;
}

std::string builder_state_json(const data::ChoiceTable* table, const std::string& name,
                               const std::string& open, const data::StudyChoice& choice) {
  if (table == nullptr) return text_of({{"table", nullptr}});
  BuilderJson columns = BuilderJson::array();
  for (const data::ColumnProfile& column : table->profile().columns) columns.push_back(column_json(column));
  return text_of({{"table",
                   {{"name", name},
                    {"rows", table->profile().rows},
                    {"whole", table->profile().whole},
                    {"notes", table->shape().notes},
                    {"columns", columns}}},
                  {"open", open},
                  {"choice", choice_json(choice)}});
}

std::string built_study_json(const BuiltStudy& built) {
  BuilderJson json = {{"trouble", built.trouble}, {"study", built.text}};
  json["roles"] = built.roles ? roles_json(built) : BuilderJson();
  json["check"] = built.check ? BuilderJson::parse(to_json(*built.check)) : BuilderJson();
  json["preview"] = built.check ? preview_json(built) : BuilderJson::array();
  return text_of(json);
}

}  // namespace interpole::service
