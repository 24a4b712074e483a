#include "interpole/service/model_notes.hpp"

#include <fmt/format.h>

namespace interpole::service {
namespace {

const std::string& or_unknown(const std::string& text) {
  static const std::string unknown = "?";
  return text.empty() ? unknown : text;
}

}  // namespace

std::vector<std::string> facts_of(const FitResult& fit, bool file_names) {
  std::vector<std::string> facts;
  const Provenance& provenance = fit.provenance;
  const FitQuality& quality = fit.quality;
  if (!provenance.json.empty()) {
    facts.push_back(provenance.algorithm.empty()
                        ? fmt::format("Fitted by {} {} with {} dynamics, {} restarts, seed {}.",
                                      or_unknown(provenance.program), or_unknown(provenance.version),
                                      or_unknown(provenance.dynamics), provenance.restarts, provenance.seed)
                        : fmt::format("Fitted by {} {} with the learner {}, seed {}.",
                                      or_unknown(provenance.program), or_unknown(provenance.version),
                                      provenance.algorithm, provenance.seed));
    if (file_names) {
      facts.push_back(
          fmt::format("Study {}, data {}.", or_unknown(provenance.study), or_unknown(provenance.data)));
    }
  }
  if (!quality.fit_note.empty()) {
    facts.push_back(fmt::format("How the fit went: {}.", quality.fit_note));
  } else if (!quality.json.empty()) {
    facts.push_back(fmt::format("{} parameters learned; search ended: {}; distinct explanations found: {}.",
                                quality.parameters_learned, or_unknown(quality.stop_reason),
                                quality.modes_found));
  }
  return facts;
}

}  // namespace interpole::service
