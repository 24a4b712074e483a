#include "interpole/service/model_notes.hpp"

#include <fmt/format.h>

#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

// The value if it is there and of that type, else the fallback: these blocks are optional and may be
// anybody's.
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

}  // namespace

ModelNotes read_model_notes(const std::string& path, bool file_names) {
  ModelNotes notes;
  std::ifstream file(path, std::ios::binary);
  const Json model = Json::parse(file, nullptr, false);
  const Json provenance = member(model, "provenance");
  const Json fit = member(model, "fit");
  if (provenance.is_object()) {
    const Json options = member(provenance, "options");
    const Json data = member(provenance, "data");
    const auto algorithm = value_or<std::string>(options, "algorithm", "");
    const auto dynamics = value_or<std::string>(options, "dynamics", "");
    for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kCoupled, DynamicsMode::kSubjective}) {
      if (dynamics == name_of(mode)) notes.dynamics = mode;
    }
    notes.facts.push_back(algorithm.empty()
                              ? fmt::format("Fitted by {} {} with {} dynamics, {} restarts, seed {}.",
                                            value_or<std::string>(provenance, "program", "?"),
                                            value_or<std::string>(provenance, "version", "?"),
                                            value_or<std::string>(options, "dynamics", "?"),
                                            value_or(options, "restarts", 0),
                                            value_or<std::uint64_t>(options, "seed", 0))
                              : fmt::format("Fitted by {} {} with the learner {}, seed {}.",
                                            value_or<std::string>(provenance, "program", "?"),
                                            value_or<std::string>(provenance, "version", "?"), algorithm,
                                            value_or<std::uint64_t>(options, "seed", 0)));
    if (file_names) {
      notes.facts.push_back(fmt::format("Study {}, data {}.",
                                        value_or<std::string>(member(provenance, "study"), "file", "?"),
                                        value_or<std::string>(data, "file", "?")));
    }
  }
  if (fit.is_object()) {
    const Json labels = member(fit, "labels");
    const Json evidence = member(member(fit, "coupling"), "log_bayes_factor");
    if (evidence.is_number()) notes.log_bayes_factor = evidence.get<double>();
    const auto learner = value_or<std::string>(fit, "how_it_went", "");
    if (!learner.empty()) notes.facts.push_back(fmt::format("How the fit went: {}.", learner));
    if (learner.empty())
      notes.facts.push_back(
          fmt::format("{} parameters learned; search ended: {}; distinct explanations found: {}.",
                      value_or(fit, "parameters_learned", 0), value_or<std::string>(fit, "stop_reason", "?"),
                      value_or(fit, "modes", 0)));
    if (!value_or(fit, "converged", true)) {
      notes.warnings.push_back(
          "The search for the best explanation did not converge: read nothing into the numbers.");
    }
    if (value_or(labels, "ambiguous", false)) {
      notes.warnings.push_back(
          "State names: " + value_or<std::string>(labels, "how", "they may be exchanged") + ".");
    }
    auto policy = value_or<std::string>(fit, "policy_note", "");
    if (!policy.empty()) {
      policy.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(policy.front())));
      notes.warnings.push_back(policy + ".");
    }
  }
  return notes;
}

}  // namespace interpole::service
