#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/json/strict_json.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/model/time/visit_gaps.hpp"
#include "interpole/model_file.hpp"

namespace interpole {
namespace {

constexpr std::array<std::string_view, 17> kOwnKeys = {
    "time",    "rates",        "factors",        "format",     "version",     "states",
    "actions", "observations", "initial_belief", "transition", "observation", "inverse_temperature",
    "means",   "policy",       "outcomes",       "world",      "not_recorded"};
// Of models without policy terms and with one kind of decision-makers.
constexpr int kFirstVersion = 1;
constexpr int kVersionOfTerms = 2;
constexpr int kVersionOfFactors = 3;
constexpr int kVersionOfTime = 4;
constexpr int kVersionOfEmptyCells = 5;

// The fewest digits that read back as the same double. "-0" would read back as the integer 0.
std::string number_text(double number) {
  return number == 0.0 && std::signbit(number) ? "-0.0" : fmt::format("{}", number);
}

std::string row_text(std::span<const double> row) {
  std::string text = "[";
  for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ", ") + number_text(row[i]);
  return text + "]";
}

std::string names_text(const std::vector<std::string>& names) {
  std::string text = "[";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : ", ") + nlohmann::json(names[i]).dump();
  }
  return text + "]";
}

// Items one per line between brackets, the closing one indented by `indent`.
std::string block_text(const std::vector<std::string>& items, std::string_view brackets, int indent) {
  if (items.empty()) return std::string(brackets);
  std::string text(1, brackets[0]);
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += fmt::format("{}\n{:{}}{}", i == 0 ? "" : ",", "", indent + 2, items[i]);
  }
  return text + fmt::format("\n{:{}}{}", "", indent, brackets[1]);
}

std::string matrix_text(std::span<const double> numbers, std::size_t rows, int indent) {
  std::vector<std::string> lines;
  const std::size_t columns = numbers.size() / rows;
  for (std::size_t r = 0; r < rows; ++r) lines.push_back(row_text(numbers.subspan(r * columns, columns)));
  return block_text(lines, "[]", indent);
}

std::string transition_text(const Structure& structure, const Dynamics& dynamics, int indent) {
  const std::size_t states = structure.states.size();
  std::vector<std::string> matrices;
  for (std::size_t a = 0; a < structure.actions.size(); ++a) {
    matrices.push_back(
        matrix_text({&dynamics.transition[a * states * states], states * states}, states, indent + 2));
  }
  return block_text(matrices, "[]", indent);
}

// "transition": … of one step, or "rates": … where visits have times and rates are learned.
std::string changes_text(const Structure& structure, const Dynamics& dynamics, int indent) {
  if (!model::has_rates(structure)) return "\"transition\": " + transition_text(structure, dynamics, indent);
  std::vector<std::string> matrices;
  matrices.reserve(structure.action_count());
  for (int a = 0; a < structure.action_count(); ++a) {
    matrices.push_back(matrix_text(rates_of(structure, dynamics, a), structure.states.size(), indent + 2));
  }
  return "\"rates\": " + block_text(matrices, "[]", indent);
}

std::string time_text(const Structure& structure) {
  const VisitTime& time = *structure.time;
  std::string text = "{\"unit\": " + nlohmann::json(time.unit).dump();
  if (time.rule == TimeRule::kSteps) {
    return text + fmt::format(", \"step\": {}, \"wait\": {}}}", number_text(*time.typical),
                              nlohmann::json(structure.actions[static_cast<std::size_t>(time.wait)]).dump());
  }
  if (time.typical) text += ", \"typical_gap\": " + number_text(*time.typical);
  return text + "}";
}

std::string observation_text(const Structure& structure, const Dynamics& dynamics, int indent) {
  const std::size_t states = structure.states.size();
  const std::size_t size = states * static_cast<std::size_t>(structure.observation_columns());
  std::vector<std::string> matrices;
  for (std::size_t a = 0; a < structure.actions.size(); ++a) {
    matrices.push_back(structure.is_terminal(static_cast<int>(a))
                           ? "null"
                           : matrix_text({&dynamics.observation[a * size], size}, states, indent + 2));
  }
  return block_text(matrices, "[]", indent);
}

std::string world_text(const Structure& structure, const Dynamics& world, int indent) {
  return block_text(
      {"\"initial_belief\": " + row_text(world.initial), changes_text(structure, world, indent + 2),
       "\"observation\": " + observation_text(structure, world, indent + 2)},
      "{}", indent);
}

std::string covariate_text(const PolicyCovariate& covariate) {
  const std::string name = nlohmann::json(covariate.name).dump();
  if (!covariate.categories.empty()) {
    return fmt::format("{{\"name\": {}, \"categories\": {}}}", name, names_text(covariate.categories));
  }
  return fmt::format("{{\"name\": {}, \"centre\": {}, \"scale\": {}}}", name, number_text(covariate.centre),
                     number_text(covariate.scale));
}

std::string term_text(const Structure& structure, const PolicyTerms& terms, const PolicyTerm& term,
                      int indent) {
  std::vector<std::string> members = {fmt::format("\"kind\": \"{}\"", model::kind_name(term.kind))};
  if (model::follows_covariate(term.kind)) {
    members.push_back("\"covariate\": " + nlohmann::json(terms.covariates[term.covariate].name).dump());
  }
  if (term.period > 0) members.push_back(fmt::format("\"period\": {}", term.period));
  const std::size_t levels = term.weights.size() / structure.actions.size();
  members.push_back("\"weights\": " + matrix_text(term.weights, levels, indent + 2));
  return block_text(members, "{}", indent);
}

std::string kind_text(const Structure& structure, const PolicyKind& kind, int indent) {
  return block_text({"\"share\": " + number_text(kind.share),
                     "\"inverse_temperature\": " + number_text(kind.inverse_temperature),
                     "\"means\": " + matrix_text(kind.means, structure.actions.size(), indent + 2)},
                    "{}", indent);
}

std::string start_text(const StartTerm& term, std::size_t states, int indent) {
  return block_text({"\"covariate\": " + nlohmann::json(term.of.name).dump(),
                     "\"weights\": " + matrix_text(term.weights, term.weights.size() / states, indent + 2)},
                    "{}", indent);
}

std::string policy_text(const Structure& structure, const Parameters& agent, int indent) {
  const Policy& policy = agent.policy;
  const PolicyTerms& terms = policy.terms;
  std::vector<std::string> covariates;
  for (const PolicyCovariate& covariate : terms.covariates) covariates.push_back(covariate_text(covariate));
  std::vector<std::string> additive;
  for (const PolicyTerm& term : terms.additive) {
    additive.push_back(term_text(structure, terms, term, indent + 4));
  }
  std::vector<std::string> members = {"\"inertia\": " + number_text(terms.inertia),
                                      "\"lapse\": " + number_text(terms.lapse),
                                      "\"covariates\": " + block_text(covariates, "[]", indent + 2),
                                      "\"terms\": " + block_text(additive, "[]", indent + 2)};
  if (!agent.dynamics.start.empty()) {
    std::vector<std::string> starts;
    for (const StartTerm& term : agent.dynamics.start) {
      starts.push_back(start_text(term, structure.states.size(), indent + 4));
    }
    members.push_back("\"start\": " + block_text(starts, "[]", indent + 2));
  }
  if (policy.other_kinds.empty()) return block_text(members, "{}", indent);
  std::vector<std::string> kinds;
  for (const PolicyKind& kind : policy.other_kinds) {
    kinds.push_back(kind_text(structure, kind, indent + 4));
  }
  members.push_back("\"kinds\": " + block_text(kinds, "[]", indent + 2));
  if (policy.decision_maker >= 0) {
    members.push_back("\"decision_maker\": " +
                      nlohmann::json(terms.covariates[policy.decision_maker].name).dump());
  }
  return block_text(members, "{}", indent);
}

std::string factor_text(const Structure& structure, const MeasuredFactor& factor) {
  std::string text = fmt::format("{{\"name\": {}, \"family\": \"{}\"", nlohmann::json(factor.name).dump(),
                                 model::name_of(factor.family));
  const auto add = [&](const char* key, double number) {
    if (std::isfinite(number)) text += fmt::format(", \"{}\": {}", key, number_text(number));
  };
  if (factor.has_levels()) text += ", \"levels\": " + names_text(factor.levels);
  if (!factor.unit.empty()) text += ", \"unit\": " + nlohmann::json(factor.unit).dump();
  add("below", factor.lower);
  add("above", factor.upper);
  add("centre", factor.centre.value_or(NAN));
  add("scale", factor.scale.value_or(NAN));
  if (!factor.yielded_by.empty()) {
    std::vector<std::string> names;
    for (std::size_t a = 0; a < structure.actions.size(); ++a) {
      if (factor.yielded_by[a] != 0) names.push_back(structure.actions[a]);
    }
    text += ", \"yielded_by\": " + names_text(names);
  }
  return text + "}";
}

std::string factors_text(const Structure& structure, int indent) {
  std::vector<std::string> items;
  for (const MeasuredFactor& factor : structure.factors) items.push_back(factor_text(structure, factor));
  return block_text(items, "[]", indent);
}

// Empty if every action that is not terminal can yield every outcome: then the key is not needed.
std::string outcomes_text(const Structure& structure, int indent) {
  bool restricted = false;
  std::vector<std::string> lists;
  for (int a = 0; a < structure.action_count(); ++a) {
    std::vector<std::string> names;
    for (int z = 0; z < structure.observation_count(); ++z) {
      if (structure.can_yield(a, z)) names.push_back(structure.observations[static_cast<std::size_t>(z)]);
    }
    if (!structure.is_terminal(a) && names.size() < structure.observations.size()) restricted = true;
    lists.push_back(structure.is_terminal(a) ? "null" : names_text(names));
  }
  return restricted ? block_text(lists, "[]", indent) : std::string();
}

// Objects and tables over several lines, lists of plain values on one.
std::string value_text(simdjson::dom::element value, int indent) {
  std::vector<std::string> items;
  if (value.is_object()) {
    for (const auto member : simdjson::dom::object(value)) {
      items.push_back(nlohmann::json(std::string(member.key)).dump() + ": " +
                      value_text(member.value, indent + 2));
    }
    return block_text(items, "{}", indent);
  }
  if (!value.is_array()) return simdjson::minify(value);
  bool plain = true;
  for (const auto item : simdjson::dom::array(value)) {
    plain = plain && !item.is_array() && !item.is_object();
    items.push_back(value_text(item, indent + 2));
  }
  return plain ? fmt::format("[{}]", fmt::join(items, ", ")) : block_text(items, "[]", indent);
}

void append_extras(const std::string& extras, std::vector<std::string>& members) {
  simdjson::dom::parser parser;
  const std::string where = "extras of the model file";
  const base::JsonPlace top(where);
  for (const auto member : base::json_object(base::parse_json(parser, extras, where), top)) {
    if (std::find(kOwnKeys.begin(), kOwnKeys.end(), member.key) != kOwnKeys.end()) {
      throw runtime_error(fmt::format("{}: this key belongs to the model", top.at(member.key).text()));
    }
    members.push_back(nlohmann::json(std::string(member.key)).dump() + ": " + value_text(member.value, 2));
  }
}

// The oldest that knows all that the model has.
int version_of(const Model& model, bool plain) {
  const Structure& structure = model.structure;
  if (structure.not_recorded != kMissing) return kVersionOfEmptyCells;
  if (structure.timed()) return kVersionOfTime;
  if (structure.measured()) return kVersionOfFactors;
  return plain ? kFirstVersion : kVersionOfTerms;
}

std::string format_checked(const Model& model, const std::string& extras) {
  const Structure& structure = model.structure;
  const Parameters& agent = model.agent;
  const bool plain =
      agent.policy.terms.none() && agent.policy.other_kinds.empty() && agent.dynamics.start.empty();
  std::vector<std::string> members = {
      "\"format\": \"interpole-model\"",
      fmt::format("\"version\": {}", version_of(model, plain)),
      "\"states\": " + names_text(structure.states),
      "\"actions\": " + names_text(structure.actions),
      structure.measured() ? "\"factors\": " + factors_text(structure, 2)
                           : "\"observations\": " + names_text(structure.observations),
      "\"initial_belief\": " + row_text(agent.dynamics.initial),
      changes_text(structure, agent.dynamics, 2),
      "\"observation\": " + observation_text(structure, agent.dynamics, 2),
      "\"inverse_temperature\": " + number_text(agent.policy.inverse_temperature),
      "\"means\": " + matrix_text(agent.policy.means, structure.actions.size(), 2)};
  if (structure.timed()) members.insert(members.begin() + 5, "\"time\": " + time_text(structure));
  if (structure.not_recorded != kMissing) {
    members.push_back(
        "\"not_recorded\": " +
        nlohmann::json(structure.observations[static_cast<std::size_t>(structure.not_recorded)]).dump());
  }
  if (!plain) members.push_back("\"policy\": " + policy_text(structure, agent, 2));
  const std::string outcomes = structure.measured() ? "" : outcomes_text(structure, 2);
  if (!outcomes.empty()) members.push_back("\"outcomes\": " + outcomes);
  if (model.world) members.push_back("\"world\": " + world_text(structure, *model.world, 2));
  append_extras(extras, members);
  return block_text(members, "{}", 0) + "\n";
}

}  // namespace

std::string format_model(const Model& model, const std::string& extras) {
  // A file that could not be read back must not be written. That would be our fault, not the input's.
  try {
    Model copy = model;
    validate_and_normalise(copy, "model to write");
    return format_checked(model, extras);
  } catch (const Error& error) {
    throw runtime_error(fmt::format("{}; this is a bug in the program: please report it", error.what()));
  } catch (const nlohmann::json::exception&) {
    throw runtime_error(
        "model to write: a name is not valid UTF-8; this is a bug in the program: please report it");
  }
}

void write_model(const std::string& path, const Model& model, const std::string& extras) {
  base::write_file_atomically(path, format_model(model, extras));
}

}  // namespace interpole
