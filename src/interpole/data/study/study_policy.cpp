#include "interpole/data/study/study_policy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"
#include "interpole/model/parameter_space.hpp"

namespace interpole::data {
namespace {

constexpr int kLongestPeriod = 1'000;
constexpr int kMostKinds = 6;

PolicyRequest::Use read_use(const TomlValue& table, const char* key) {
  if (!table.has(key)) return PolicyRequest::Use::kByEvidence;
  return table.at(key).truth() ? PolicyRequest::Use::kAlways : PolicyRequest::Use::kNever;
}

int read_whole(const TomlValue& value, int least, int most, const char* remedy) {
  const std::int64_t number = value.integer();
  if (number < least || number > most) {
    value.refuse(fmt::format("{} is not from {} to {}; {}", number, least, most, remedy));
  }
  return static_cast<int>(number);
}

std::string read_covariate_name(const TomlValue& value) {
  std::string name = value.text();
  if (name.empty()) value.refuse("the name is empty; name a covariate, or remove it");
  return name;
}

std::vector<std::string> read_context(const TomlValue& list) {
  std::vector<std::string> names;
  for (const TomlValue& value : list.elements()) {
    std::string name = read_covariate_name(value);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      value.refuse(fmt::format("{} is listed twice; remove one", base::shown(name)));
    }
    names.push_back(std::move(name));
  }
  return names;
}

void read_kinds(const TomlValue& table, PolicyRequest& request) {
  if (table.has("kinds")) {
    request.kinds =
        read_whole(table.at("kinds"), 1, kMostKinds,
                   "write how many kinds of decision-makers there may be at most; 1: all are alike");
  }
  if (!table.has("kinds_by")) return;
  const TomlValue by = table.at("kinds_by");
  const std::string name = by.text();
  if (name != "record" && name != "group") {
    by.refuse(
        fmt::format("{} is not known; write \"record\" (each by itself) or \"group\" (all records of a "
                    "group are of one kind)",
                    base::shown(name)));
  }
  request.kinds_by_group = name == "group";
  if (request.kinds_by_group && request.group.empty()) {
    by.refuse("there is no policy.group; name the covariate that says who decides, or write \"record\"");
  }
}

}  // namespace

PolicyRequest read_policy_request(const TomlValue& table) {
  table.require_known_keys(
      {"habit", "lapse", "time", "missing", "period", "context", "group", "kinds", "kinds_by"});
  PolicyRequest request;
  request.habit = read_use(table, "habit");
  request.lapse = read_use(table, "lapse");
  request.time = read_use(table, "time");
  request.missing = read_use(table, "missing");
  if (table.has("period")) {
    request.period = read_whole(table.at("period"), 2, kLongestPeriod,
                                "write after how many steps a protocol repeats, or remove the key");
    if (request.time == PolicyRequest::Use::kNever) {
      table.at("period").refuse(
          fmt::format("{} steps, but time = false; remove one of the two", request.period));
    }
  }
  if (table.has("context")) request.context = read_context(table.at("context"));
  if (table.has("group")) {
    request.group = read_covariate_name(table.at("group"));
    if (std::find(request.context.begin(), request.context.end(), request.group) != request.context.end()) {
      table.at("group").refuse(
          fmt::format("{} is listed in policy.context too; keep one", base::shown(request.group)));
    }
  }
  read_kinds(table, request);
  return request;
}

StartRequest read_start_request(const TomlValue& table) {
  table.require_known_keys({"by", "always"});
  StartRequest request;
  if (table.has("by")) request.by = read_context(table.at("by"));
  if (table.has("always")) request.always = table.at("always").truth();
  if (request.always && request.by.empty()) {
    table.at("always").refuse("true, but initial_belief.by names no covariate; name one, or remove the key");
  }
  return request;
}

Ties read_ties(const TomlValue& table, const DecisionProblem& problem) {
  table.require_known_keys({"transition", "observation"});
  Ties ties;
  if (table.has("transition")) ties.transition = table.at("transition").truth();
  if (table.has("observation")) ties.observation = table.at("observation").truth();
  try {
    const model::DynamicsSpace agent(problem.structure, problem.known.dynamics, ties);
    const model::DynamicsSpace world(problem.structure, problem.known_world(), ties);
  } catch (const Error& error) {
    table.refuse(error.what());
  }
  return ties;
}

}  // namespace interpole::data
