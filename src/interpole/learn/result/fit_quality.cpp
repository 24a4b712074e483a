#include "interpole/learn/result/fit_quality.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "interpole/base/json/json_number.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/model/parameter_words.hpp"
#include "interpole/version.hpp"

namespace interpole::learn {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinities: what is not finite is null.
template <class Value, class Total>
Json log_likelihood(const Value& value, const Total& total) {
  return {{"actions", base::json_number(value.actions)},
          {"observations", base::json_number(value.observations)},
          {"total", base::json_number(total)}};
}

Json mode_details(const FitSummary& summary) {
  Json modes = Json::array();
  for (const Mode& mode : summary.modes) {
    modes.push_back({{"log_posterior", base::json_number(mode.log_posterior)},
                     {"restarts", mode.members.size()},
                     {"belief_distance", base::json_number(mode.from_best.belief)},
                     {"policy_distance", base::json_number(mode.from_best.policy)}});
  }
  return modes;
}

Json scales_json(const CouplingScales& scales, const std::vector<ScaleChoice::OfKind>* kinds) {
  Json json = Json::object();
  const auto learned = [&](Field field) {
    if (kinds == nullptr) return true;
    return std::any_of(kinds->begin(), kinds->end(), [&](const auto& kind) { return kind.field == field; });
  };
  if (learned(Field::kInitial)) json["initial_belief"] = base::json_number(scales.initial);
  if (learned(Field::kTransition)) json["transition"] = base::json_number(scales.transition);
  if (learned(Field::kObservation)) json["observation"] = base::json_number(scales.observation);
  return json;
}

// Every row of the agent's, with the chance that it is not the world's.
Json rows_json(const DecisionProblem& problem, const ScaleChoice& choice) {
  const model::DynamicsSpace agent(problem.structure, problem.known.dynamics, problem.ties);
  const auto probabilities = choice.row_probabilities();
  const auto ratios = choice.row_log_ratios();
  Json rows = Json::array();
  for (std::size_t r = 0; r < probabilities.size(); ++r) {
    Json row = {{"row", agent.blocks()[r].name},
                {"probability", base::json_number(probabilities[r])},
                {"log_evidence_ratio", base::json_number(ratios[r])}};
    if (!choice.scales.rows.empty()) row["scale"] = base::json_number(choice.scales.rows[r]);
    rows.push_back(std::move(row));
  }
  return rows;
}

// How far agent and world are apart, and the evidence that they are.
Json coupling_json(const FitSummary& summary) {
  if (!summary.scale_choice) return {{"scales", scales_json(summary.scales, nullptr)}, {"chosen_by", "user"}};
  const ScaleChoice& choice = *summary.scale_choice;
  Json profile = Json::array();
  for (std::size_t j = 0; j < choice.common.sigma.size(); ++j) {
    profile.push_back({{"scale", choice.common.sigma[j]},
                       {"log_evidence", base::json_number(choice.common.log_evidence[j])}});
  }
  Json json = {{"scales", scales_json(choice.scales, &choice.kinds)},
               {"chosen_by", "evidence"},
               {"log_evidence", base::json_number(choice.log_evidence)},
               {"log_evidence_shared", base::json_number(choice.log_evidence_of_one)},
               {"log_bayes_factor", base::json_number(choice.log_bayes_factor())},
               {"profile", profile}};
  if (!choice.sparse.empty()) json["rows"] = rows_json(summary.problem, choice);
  return json;
}

// What was weighed beside belief.
Json terms_json(const TermChoice& choice) {
  Json list = Json::array();
  for (const WeighedTerm& term : choice.weighed) {
    Json entry = {{"name", term.candidate.name},
                  {"taken", term.taken},
                  {"log_evidence_ratio", base::json_number(term.log_ratio)}};
    if (term.taken && term.scale > 0.0) entry["scale"] = base::json_number(term.scale);
    list.push_back(std::move(entry));
  }
  return list;
}

// Where records differ more than one policy lets them: how many kinds of decision-makers there are.
Json kinds_json(const WeighedKinds& kinds) {
  return {{"most", kinds.most},
          {"taken", kinds.taken},
          {"log_evidence_ratio", base::json_number(kinds.log_ratio)},
          {"records_differ", base::json_number(kinds.deviation)}};
}

Json weak_json(const Structure& structure, const Uncertainty& uncertainty) {
  Json list = Json::array();
  for (const WeakDirection& weak : uncertainty.weak) {
    list.push_back({{"information", base::json_number(weak.information)},
                    {"involved", weak.involved},
                    {"in_words", model::parameter_words(structure, weak.involved)}});
  }
  return list;
}

Json quality(const Structure& structure, const FitSummary& summary) {
  Json json = {{"log_posterior", base::json_number(summary.log_posterior)},
               {"log_prior", base::json_number(summary.log_prior)},
               {"log_likelihood", log_likelihood(summary.log_likelihood, summary.log_likelihood.total())},
               {"evaluations", summary.evaluations},
               {"stop_reason", summary.interrupted ? "interrupted" : describe(summary.best().stop)},
               {"converged", summary.converged() && !summary.interrupted},
               {"gradient_norm", base::json_number(summary.best().gradient_norm)},
               {"parameters_learned", summary.parameters_learned},
               {"restarts", summary.restarts.size()},
               {"best_restart", summary.best_restart},
               {"modes", summary.modes.size()},
               {"mode_details", mode_details(summary)},
               {"labels", {{"ambiguous", summary.labels.ambiguous}, {"how", summary.labels.sentence}}},
               {"policy_identified", summary.policy.free_directions == 0}};
  if (summary.terms) json["terms"] = terms_json(*summary.terms);
  if (summary.terms && summary.terms->kinds.searched()) json["kinds"] = kinds_json(summary.terms->kinds);
  if (!summary.policy.sentence.empty()) json["policy_note"] = summary.policy.sentence;
  if (summary.world) json["coupling"] = coupling_json(summary);
  if (summary.uncertainty) {
    json["decided_by_prior"] = weak_json(structure, *summary.uncertainty);
    json["curvature_of_a_maximum"] = summary.uncertainty->proper;
  }
  return json;
}

// The value if it is there and of that type, else the fallback.
template <class T>
T value_or(const Json& object, const char* key, T fallback) {
  try {
    return object.is_object() ? object.value(key, fallback) : fallback;
  } catch (const Json::exception&) {
    return fallback;
  }
}

Json member(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object.at(key) : Json();
}

template <class T>
std::optional<T> optional_member(const Json& object, const char* key, bool (Json::*is)() const noexcept) {
  const Json value = member(object, key);
  return (value.*is)() ? std::optional<T>(value.get<T>()) : std::nullopt;
}

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> result;
  for (const Json& text : list) {
    if (text.is_string()) result.push_back(text.get<std::string>());
  }
  return result;
}

std::vector<std::string> warnings_of(const FitQuality& quality) {
  std::vector<std::string> warnings;
  if (!quality.converged.value_or(true)) {
    warnings.emplace_back(
        "The search for the best explanation did not converge: read nothing into the numbers.");
  }
  if (quality.names_ambiguous) warnings.push_back("State names: " + quality.label_note + ".");
  if (!quality.policy_note.empty()) {
    std::string note = quality.policy_note;
    note.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(note.front())));
    warnings.push_back(note + ".");
  }
  return warnings;
}

}  // namespace

std::string format_quality(const Structure& structure, const FitSummary& summary) {
  return quality(structure, summary).dump();
}

std::string format_provenance(const std::string& counts, const std::string& options) {
  const Json json = {{"program", "interpole"},
                     {"version", version()},
                     {"data", Json::parse(counts)},
                     {"options", Json::parse(options)}};
  return json.dump();
}

std::string counts_json(const HistoryTree& tree) {
  const Json json = {
      {"patients", tree.records}, {"decisions", tree.decisions}, {"histories", tree.node_count()}};
  return json.dump();
}

std::string options_json(const FitOptions& options) {
  Json json = {{"dynamics", name_of(options.dynamics)},
               {"optimizer", name_of(options.optimizer)},
               {"policy", name_of(options.policy)},
               {"seed", options.seed}};
  if (options.restarts != kUntilFound) json["restarts"] = options.restarts;
  if (options.optimizer == Optimizer::kAlgorithm1) {
    json["monitor"] = options.monitor == Monitor::kExpected ? "expected" : "exact";
  }
  return json.dump();
}

FitQuality parse_quality(const std::string& json) {
  FitQuality quality;
  quality.json = json;
  if (json.empty()) return quality;
  const Json fit = Json::parse(json);
  const Json labels = member(fit, "labels");
  quality.converged = optional_member<bool>(fit, "converged", &Json::is_boolean);
  quality.stop_reason = value_or<std::string>(fit, "stop_reason", "");
  quality.parameters_learned = value_or(fit, "parameters_learned", 0);
  quality.restarts = value_or(fit, "restarts", 0);
  quality.modes_found = value_or(fit, "modes", 0);
  for (const Json& mode : member(fit, "mode_details")) {
    if (!mode.is_object()) continue;
    quality.modes.push_back({value_or(mode, "log_posterior", 0.0), value_or(mode, "restarts", 0),
                             value_or(mode, "belief_distance", 0.0), value_or(mode, "policy_distance", 0.0)});
  }
  quality.names_ambiguous = value_or(labels, "ambiguous", false);
  quality.label_note =
      value_or<std::string>(labels, "how", quality.names_ambiguous ? "they may be exchanged" : "");
  quality.curvature_of_a_maximum = optional_member<bool>(fit, "curvature_of_a_maximum", &Json::is_boolean);
  quality.policy_identified = optional_member<bool>(fit, "policy_identified", &Json::is_boolean);
  quality.policy_note = value_or<std::string>(fit, "policy_note", "");
  quality.log_bayes_factor =
      optional_member<double>(member(fit, "coupling"), "log_bayes_factor", &Json::is_number);
  for (const Json& row : member(member(fit, "coupling"), "rows")) {
    if (!row.is_object()) continue;
    quality.wrong_rows.push_back({value_or<std::string>(row, "row", ""), value_or(row, "probability", 0.0),
                                  value_or(row, "log_evidence_ratio", 0.0)});
  }
  for (const Json& weak : member(fit, "decided_by_prior")) {
    if (!weak.is_object()) continue;
    quality.decided_by_prior.push_back({value_or(weak, "information", 0.0), texts(member(weak, "involved")),
                                        texts(member(weak, "in_words"))});
  }
  quality.fit_note = value_or<std::string>(fit, "how_it_went", "");
  quality.warnings = warnings_of(quality);
  return quality;
}

Provenance parse_provenance(const std::string& json) {
  Provenance provenance;
  provenance.json = json;
  if (json.empty()) return provenance;
  const Json block = Json::parse(json);
  const Json options = member(block, "options");
  provenance.program = value_or<std::string>(block, "program", "");
  provenance.version = value_or<std::string>(block, "version", "");
  provenance.study = value_or<std::string>(member(block, "study"), "file", "");
  provenance.data = value_or<std::string>(member(block, "data"), "file", "");
  provenance.algorithm = value_or<std::string>(options, "algorithm", "");
  provenance.dynamics = value_or<std::string>(options, "dynamics", "");
  provenance.restarts = value_or(options, "restarts", 0);
  provenance.seed = value_or<std::uint64_t>(options, "seed", 0);
  return provenance;
}

}  // namespace interpole::learn
