#include "interpole/data/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "interpole/base/error.hpp"
#include "interpole/data/messages.hpp"
#include "interpole/data/study_priors.hpp"
#include "interpole/data/study_toml.hpp"
#include "interpole/data/study_values.hpp"
#include "interpole/data/table_file.hpp"

namespace interpole {
namespace {

constexpr int kStudyVersion = 1;
constexpr std::size_t kMostBytes = 1'000'000;
// States × actions × columns: beyond this a model would not fit in memory, and no study is meant that way.
constexpr double kMostNumbers = 1e7;

void check_format(const TomlValue& root) {
  const TomlValue format = root.required("format", "write format = \"interpole-study\" at the top");
  if (!format.is_text("interpole-study")) {
    format.refuse("not \"interpole-study\"; is this a study file?");
  }
  const TomlValue version = root.required("version", "write version = 1 below the format");
  const std::int64_t number = version.integer();
  if (number > kStudyVersion) {
    version.refuse(
        fmt::format("{} is newer than the {} this program reads; update Interpole", number, kStudyVersion));
  }
  if (number < 1) version.refuse(fmt::format("there is no version {}; write version = 1", number));
}

void read_outcomes(const TomlValue& list, int action, Structure& structure) {
  const std::size_t observations = structure.observations.size();
  std::fill_n(structure.allowed.begin() + static_cast<std::ptrdiff_t>(action * observations), observations,
              0);
  for (const TomlValue& name : list.elements()) {
    const int observation = structure.find_observation(name.text());
    if (observation < 0) {
      name.refuse(fmt::format("{} is not an observation{}", shown(name.text()),
                              suggestion(name.text(), structure.observations, "the observations are")));
    }
    char& allowed = structure.allowed[action * observations + observation];
    if (allowed != 0) name.refuse(fmt::format("{} is listed twice; remove one", shown(name.text())));
    allowed = 1;
  }
  if (list.elements().empty())
    list.refuse("the list is empty; name the outcomes, or write terminal = true instead");
}

Structure read_structure(const TomlValue& root, const std::string& where) {
  const auto states = root.required("states", "list their names").texts();
  const auto observations = root.required("observations", "list their names").texts();
  const TomlValue actions = root.required("actions", "add an [[actions]] table for each, with its name");
  const std::vector<TomlValue> tables = actions.elements();
  const double numbers = static_cast<double>(tables.size()) * static_cast<double>(states.size()) *
                         static_cast<double>(std::max(states.size(), observations.size()));
  if (numbers > kMostNumbers) {
    actions.refuse(
        fmt::format("{} actions with {} states and {} observations make a model of {:.3g} numbers; at most "
                    "{:.3g} are supported",
                    tables.size(), states.size(), observations.size(), numbers, kMostNumbers));
  }
  std::vector<std::string> names;
  for (const TomlValue& table : tables) {
    table.require_known_keys({"name", "outcomes", "terminal"});
    names.push_back(table.required("name", "every action needs one").text());
    if (names.back() == "*") table.at("name").refuse("\"*\" stands for every action; choose another name");
  }
  Structure structure = Structure::unrestricted(states, names, observations);
  for (std::size_t a = 0; a < tables.size(); ++a) {
    const bool terminal = tables[a].has("terminal") && tables[a].at("terminal").truth();
    if (terminal && tables[a].has("outcomes")) {
      tables[a].at("outcomes").refuse("a terminal action yields nothing; remove outcomes or terminal");
    }
    if (terminal) structure.make_terminal(static_cast<int>(a));
    if (tables[a].has("outcomes")) read_outcomes(tables[a].at("outcomes"), static_cast<int>(a), structure);
  }
  structure.validate(where);
  return structure;
}

double read_noise(const TomlValue& value) {
  const double noise = value.number();
  if (noise < 0.0) value.refuse(fmt::format("{} must not be negative", noise));
  return noise;
}

Study read_document(const toml::table& document, const std::string& where) {
  const TomlValue root(where, document, "");
  check_format(root);
  root.require_known_keys({"format", "version", "name", "states", "observations", "actions", "known", "start",
                           "priors", "labels"});
  Study study;
  if (root.has("name")) study.name = root.at("name").text();
  study.structure = read_structure(root, where);
  study.known = known_from_structure(study.structure);
  if (root.has("known")) read_known(root.at("known"), study.structure, study.known);
  complete_known(study.structure, study.known);
  study.start = Parameters::filled(study.structure, std::numeric_limits<double>::quiet_NaN());
  if (root.has("start")) {
    const TomlValue start = root.at("start");
    study.start = read_start(start, study.structure, study.known);
    if (start.has("noise")) study.start_noise = read_noise(start.at("noise"));
  }
  study.priors = Priors::defaults(study.structure);
  if (root.has("priors")) study.priors = read_priors(root.at("priors"), study.structure);
  if (root.has("labels")) study.labels = read_labels(root.at("labels"), study.structure);
  return study;
}

}  // namespace

Study read_study(const std::string& path) {
  require_readable(path);
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
                                  error.description()));
  }
  return read_document(document, where);
}

}  // namespace interpole
