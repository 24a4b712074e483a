#include "interpole/service/fit/summary_json.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "interpole/base/files/hash.hpp"
#include "interpole/base/json/json_number.hpp"
#include "interpole/data/tables/table_file.hpp"
#include "interpole/explain/policy/bias_words.hpp"
#include "interpole/service/checks_json.hpp"
#include "interpole/service/intervals_json.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

Json source(const std::string& path) {
  return {{"file", std::filesystem::path(path).filename().string()},
          {"sha256", base::sha256_of_file(data::table_location(path).file)}};
}

// One file, or the parts of a table.
Json source(const std::vector<std::string>& parts) {
  if (parts.size() == 1) return source(parts[0]);
  Json all = Json::array();
  DataFiles named;
  for (const std::string& part : parts) {
    all.push_back(source(part));
    named.tables.emplace_back("", all.back()["file"]);
  }
  return {{"file", named.shown()}, {"parts", all}};
}

// One table as it is; several by their names.
Json source(const DataFiles& data) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_name;
  for (const auto& [name, file] : data.tables) {
    const auto is_it = [&name = name](const auto& table) { return table.first == name; };
    const auto known = std::find_if(by_name.begin(), by_name.end(), is_it);
    if (known == by_name.end()) {
      by_name.push_back({name, {file}});
    } else {
      known->second.push_back(file);
    }
  }
  if (by_name.size() == 1) return source(by_name[0].second);
  Json tables = Json::object();
  std::string names;
  for (const auto& [name, parts] : by_name) {
    tables[name] = source(parts);
    names += (names.empty() ? "" : ", ") + tables[name]["file"].get<std::string>();
  }
  return {{"file", names}, {"tables", tables}};
}

Json provenance(const std::string& study, const DataFiles& files, const Json& counts, const Json& options) {
  Json data = source(files);
  data.update(counts);
  return {{"program", "interpole"},
          {"version", version()},
          {"study", source(study)},
          {"data", data},
          {"options", options}};
}

}  // namespace

std::string provenance_json(const std::string& study, const DataFiles& data, const std::string& counts,
                            const std::string& options) {
  return provenance(study, data, Json::parse(counts), Json::parse(options)).dump();
}

std::string to_json(const FitOutcome& outcome) {
  Json json = Json::parse(outcome.result.quality.json);
  json["patients"] = outcome.data.patients;
  json["decisions"] = outcome.data.decisions;
  json["histories"] = outcome.data.histories;
  if (outcome.intervals) {
    json["intervals"] = intervals_json(outcome.result.model.structure, *outcome.intervals);
  }
  if (!outcome.starting_beliefs.empty()) {
    Json& starts = json["starting_beliefs"] = Json::array();
    for (const explain::StartingBelief& start : outcome.starting_beliefs) {
      starts.push_back({{"covariate", start.covariate},
                        {"level", start.level},
                        {"state", start.state},
                        {"belief", estimate_json(start.belief)}});
    }
  }
  json["checks"] = checks_json(outcome.checks, false);
  if (outcome.result.model.world) {
    const explain::DifferenceVerdict judged = explain::judge_difference(outcome.result, outcome.checks);
    json["agent_and_world"] = {
        {"verdict", name_of(judged.verdict)},
        {"reasons", judged.reasons},
        {"tempered_log_bayes_factor", judged.log_odds ? Json(*judged.log_odds) : Json(nullptr)}};
  }
  json["seconds"] = base::json_number(outcome.summary.seconds);
  return json.dump(2);
}

}  // namespace interpole::service
