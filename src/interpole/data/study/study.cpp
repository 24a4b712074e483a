#include "interpole/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "interpole/base/files/text_file.hpp"
#include "interpole/base/memory/memory_file.hpp"
#include "interpole/base/messages.hpp"
#include "interpole/base/text/printable.hpp"
#include "interpole/data/study/study_factors.hpp"
#include "interpole/data/study/study_mapping.hpp"
#include "interpole/data/study/study_measured.hpp"
#include "interpole/data/study/study_policy.hpp"
#include "interpole/data/study/study_priors.hpp"
#include "interpole/data/study/study_toml.hpp"
#include "interpole/data/study/study_values.hpp"
#include "interpole/data/study/study_words.hpp"
#include "interpole/data/study/study_world.hpp"
#include "interpole/data/tables/table_file.hpp"
#include "interpole/error.hpp"

namespace interpole {
namespace {

constexpr int kStudyVersion = 2;
constexpr int kMeasuredVersion = 2;  // from it on, factors are independent given the state
constexpr std::size_t kMostBytes = 1'000'000;
// States × actions × columns: beyond this a model would not fit in memory, and no study is meant that way.
constexpr double kMostNumbers = 1e7;

void check_format(const data::TomlValue& root) {
  const data::TomlValue format = root.required("format", "write format = \"interpole-study\" at the top");
  if (!format.is_text("interpole-study")) {
    format.refuse("not \"interpole-study\"; is this a study file?");
  }
  const data::TomlValue version = root.required("version", "write version = 1 below the format");
  const std::int64_t number = version.integer();
  if (number > kStudyVersion) {
    version.refuse(
        fmt::format("{} is newer than the {} this program reads; update Interpole", number, kStudyVersion));
  }
  if (number < 1) version.refuse(fmt::format("there is no version {}; write version = 1", number));
}

// Whether the study's factors are independent given the state, instead of one joint outcome.
bool measures_factors(const data::TomlValue& root) {
  const bool new_enough = root.at("version").integer() >= kMeasuredVersion;
  if (root.has("joint") && !new_enough)
    root.at("joint").refuse(
        "factors of a study of version 1 are joint; remove the key, or write version = 2");
  return new_enough && root.has("factors") && !(root.has("joint") && root.at("joint").truth());
}

void read_outcomes(const data::TomlValue& list, int action, Structure& structure) {
  const std::size_t observations = structure.observations.size();
  std::fill_n(structure.allowed.begin() + static_cast<std::ptrdiff_t>(action * observations), observations,
              0);
  for (const data::TomlValue& name : list.elements()) {
    const int observation = structure.find_observation(name.text());
    if (observation < 0) {
      name.refuse(fmt::format("{} is not an observation{}", base::shown(name.text()),
                              base::suggestion(name.text(), structure.observations, "the observations are")));
    }
    char& allowed = structure.allowed[action * observations + observation];
    if (allowed != 0) name.refuse(fmt::format("{} is listed twice; remove one", base::shown(name.text())));
    allowed = 1;
  }
  if (list.elements().empty())
    list.refuse("the list is empty; name the outcomes, or write terminal = true instead");
}

// Refuses a study whose model would not fit in memory, before anything of that size is made.
void check_size(const data::TomlValue& actions, std::size_t states, double observations) {
  const double numbers = static_cast<double>(actions.elements().size()) * static_cast<double>(states) *
                         std::max(static_cast<double>(states), observations);
  if (numbers > kMostNumbers) {
    actions.refuse(
        fmt::format("{} actions with {} states and {} observations make a model of {:.3g} numbers; at most "
                    "{:.3g} are supported; use fewer states, or fewer factors and levels",
                    actions.elements().size(), states, observations, numbers, kMostNumbers));
  }
}

data::ActionNames read_action_names(const std::vector<data::TomlValue>& tables) {
  data::ActionNames actions;
  for (const data::TomlValue& table : tables) {
    table.require_known_keys({"name", "outcomes", "terminal"});
    actions.names.push_back(table.required("name", "every action needs one").text());
    if (actions.names.back() == "*") {
      table.at("name").refuse("\"*\" stands for every action; choose another name");
    }
    actions.terminal.push_back(table.has("terminal") && table.at("terminal").truth());
    if (actions.terminal.back() != 0 && table.has("outcomes")) {
      table.at("outcomes").refuse("a terminal action yields nothing; remove outcomes or terminal");
    }
  }
  return actions;
}

// Which outcome an empty cell of the visits table stands for.
void read_not_recorded(const data::TomlValue& value, bool listed, Structure& structure) {
  if (!listed) {
    value.refuse(
        "observations of this study follow from factors, and an empty cell of a factor is missing; remove "
        "the "
        "key");
  }
  structure.not_recorded = structure.find_observation(value.text());
  if (structure.not_recorded < 0) {
    value.refuse(fmt::format("{} is not an observation; add it to observations{}", base::shown(value.text()),
                             base::suggestion(value.text(), structure.observations, "they are")));
  }
}

// The outcomes are listed, or follow from the factors of a mapping.
Structure read_structure(const data::TomlValue& root, const std::string& where,
                         std::optional<TableMapping>& mapping) {
  const auto states = root.required("states", "list their names").texts();
  std::vector<std::string> observations;
  std::vector<MeasuredFactor> measured;
  const bool measures = measures_factors(root);
  if (!mapping && !measures) observations = root.required("observations", "list their names").texts();
  const data::TomlValue list = root.required("actions", "add an [[actions]] table for each, with its name");
  const std::vector<data::TomlValue> tables = list.elements();
  check_size(list, states.size(), static_cast<double>(observations.size()));
  const data::ActionNames actions = read_action_names(tables);
  for (const data::TomlValue& table : tables) {
    if ((mapping || measures) && table.has("outcomes")) {
      table.at("outcomes")
          .refuse(fmt::format("follows from the factors' yielded_by in a study with {}; remove the key",
                              mapping ? "[source]" : "[[factors]]"));
    }
  }
  const auto use = [&](data::FactorUse if_measured) {
    return measures ? if_measured : data::FactorUse::kJoint;
  };
  if (mapping) {
    *mapping = data::read_mapping(root, actions.names);
    mapping->study = where;
    mapping->factors =
        data::read_factors(root.required("factors", "add a [[factors]] table for each thing observed"),
                           actions, mapping->record.seen_before, use(data::FactorUse::kMeasured));
  }
  if (measures) {
    const data::TomlValue factors = root.at("factors");
    measured = data::measured_factors(
        factors, mapping ? mapping->factors
                         : data::read_factors(factors, actions, false, data::FactorUse::kMeasuredVisits));
  } else if (mapping) {
    check_size(list, states.size(), data::joint_outcome_count(mapping->factors));
    observations = data::joint_outcomes(mapping->factors);
  }
  Structure structure = measures ? Structure::of_factors(states, actions.names, measured)
                                 : Structure::unrestricted(states, actions.names, observations);
  for (std::size_t a = 0; a < tables.size(); ++a) {
    if (actions.terminal[a] != 0) structure.make_terminal(static_cast<int>(a));
    if (tables[a].has("outcomes")) read_outcomes(tables[a].at("outcomes"), static_cast<int>(a), structure);
  }
  if (mapping && !measures) data::mask_outcomes(*mapping, structure);
  if (root.has("not_recorded")) read_not_recorded(root.at("not_recorded"), !mapping && !measures, structure);
  if (const auto time = data::read_visit_time(root, structure, mapping.has_value()))
    structure.set_time(*time);
  structure.validate(where);
  return structure;
}

double read_noise(const data::TomlValue& value) {
  const double noise = value.number();
  if (noise < 0.0) value.refuse(fmt::format("{} must not be negative", noise));
  return noise;
}

Study read_document(const toml::table& document, const std::string& where) {
  const data::TomlValue root(where, document, "");
  check_format(root);
  root.require_known_keys(
      {"format",  "version", "name",       "states", "observations",   "actions", "known",  "start",
       "priors",  "labels",  "world",      "policy", "ties",           "source",  "record", "action",
       "factors", "filters", "covariates", "group",  "initial_belief", "joint",   "words",  "not_recorded"});
  Study study;
  if (root.has("name")) study.name = root.at("name").text();
  if (root.has("words")) data::read_words(root.at("words"));  // only the page uses them, and asks for them
  const bool measures = measures_factors(root);
  if (data::maps_a_table(root, measures)) study.mapping.emplace();
  if ((study.mapping || measures) && root.has("observations")) {
    root.at("observations")
        .refuse(fmt::format("follow from the factors in a study with {}; remove the key",
                            study.mapping ? "[source]" : "[[factors]]"));
  }
  study.structure = read_structure(root, where, study.mapping);
  study.known = data::known_from_structure(study.structure);
  if (measures) data::read_stated_degrees(root.at("factors"), study.structure, study.known.dynamics);
  if (root.has("known")) data::read_known(root.at("known"), study.structure, study.known);
  data::complete_known(study.structure, study.known);
  if (root.has("world")) {
    study.world = data::read_world(root.at("world"), study.structure, study.known.dynamics);
  }
  study.start = Parameters::filled(study.structure, std::numeric_limits<double>::quiet_NaN());
  if (root.has("start")) {
    const data::TomlValue start = root.at("start");
    study.start = data::read_start(start, study.structure, study.known);
    if (start.has("noise")) study.start_noise = read_noise(start.at("noise"));
  }
  study.priors = Priors::defaults(study.structure);
  if (root.has("priors")) study.priors = data::read_priors(root.at("priors"), study.structure);
  if (root.has("policy")) study.policy = data::read_policy_request(root.at("policy"));
  if (root.has("initial_belief")) study.starts = data::read_start_request(root.at("initial_belief"));
  if (root.has("ties")) study.ties = data::read_ties(root.at("ties"), study);
  if (root.has("labels") && measures && !root.at("labels").has("column")) {
    study.labels = data::read_measured_labels(root.at("labels"), study.structure);
  } else if (root.has("labels") && study.mapping) {
    data::read_mapped_labels(root.at("labels"), study.structure, *study.mapping, study.labels);
  } else if (root.has("labels")) {
    study.labels = data::read_labels(root.at("labels"), study.structure);
  }
  return study;
}

// Written \u0000 in TOML, and the end of a text for DuckDB.
bool has_zero(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

void refuse_zeros(const toml::node& node, const std::string& where) {
  bool found = node.is_string() && has_zero(node.ref<std::string>());
  if (const toml::array* items = node.as_array()) {
    for (const toml::node& item : *items) refuse_zeros(item, where);
  }
  if (const toml::table* members = node.as_table()) {
    for (const auto& [key, member] : *members) {
      found |= has_zero(key.str());
      refuse_zeros(member, where);
    }
  }
  if (found) {
    throw input_error(
        fmt::format("{}:{}: a text with a NUL character; remove it", where, node.source().begin.line));
  }
}

}  // namespace

Study read_study(const std::string& path) {
  if (base::memory_content(path)) return parse_study(base::read_text_file(path, "study file"), path);
  data::require_readable(path);
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw runtime_error(fmt::format("{}: reading failed", path));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse_study(text, path);
}

Study parse_study(const std::string& text, const std::string& where) {
  if (text.size() > kMostBytes) {
    throw input_error(fmt::format("{}: larger than 1 MB; is this a study file?", where));
  }
  toml::table document;
  try {
    document = toml::parse(text, where);
  } catch (const toml::parse_error& error) {
    throw input_error(fmt::format("{}:{}:{}: {}; correct the TOML syntax there", where,
                                  error.source().begin.line, error.source().begin.column,
                                  base::printable(error.description())));
  }
  refuse_zeros(document, where);
  return read_document(document, where);
}

}  // namespace interpole
