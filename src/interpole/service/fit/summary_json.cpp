#include "interpole/service/fit/summary_json.hpp"

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

// One file as before; several by the names of their tables.
Json source(const DataFiles& data) {
  if (data.tables.size() == 1) return source(data.tables[0].second);
  Json tables = Json::object();
  std::string names;
  for (const auto& [name, file] : data.tables) {
    tables[name] = source(file);
    names += (names.empty() ? "" : ", ") + std::filesystem::path(file).filename().string();
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
