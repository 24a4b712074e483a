#include "interpole/service/explorer/explorer_terms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "interpole/explain/policy/kind_words.hpp"
#include "interpole/explain/policy/start_words.hpp"
#include "interpole/explain/policy/term_words.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::service {
namespace {

using TermsJson = nlohmann::ordered_json;

TermsJson term_json(const PolicyTerms& terms, const PolicyTerm& term, std::size_t actions) {
  TermsJson json = {{"kind", model::kind_name(term.kind)}};
  if (model::follows_covariate(term.kind)) json["covariate"] = terms.covariates[term.covariate].name;
  if (term.period > 0) json["period"] = term.period;
  TermsJson& rows = json["weights"] = TermsJson::array();
  for (auto row = term.weights.begin(); row != term.weights.end(); row += static_cast<int>(actions)) {
    rows.push_back(std::vector<double>(row, row + static_cast<int>(actions)));
  }
  return json;
}

TermsJson covariate_json(const PolicyCovariate& covariate) {
  if (!covariate.categories.empty()) {
    return {{"name", covariate.name}, {"categories", covariate.categories}};
  }
  return {{"name", covariate.name}, {"centre", covariate.centre}, {"scale", covariate.scale}};
}

// No covariate of a patient is in the page, so it begins every record with the common belief; empty: so do
// all.
std::string start_note(const std::vector<StartTerm>& start) {
  if (start.empty()) return "";
  std::vector<std::string> names;
  names.reserve(start.size());
  for (const StartTerm& term : start) names.push_back(term.of.name);
  return fmt::format(
      "Starting beliefs differ by {}, which this page does not know of any patient: what it computes begins "
      "with the belief about a patient of whom that is not known",
      fmt::join(names, " and "));
}

}  // namespace

TermsJson explorer_policy_json(const Structure& structure, const PolicyTerms& terms) {
  TermsJson json = {{"inertia", terms.inertia},
                    {"lapse", terms.lapse},
                    {"covariates", TermsJson::array()},
                    {"terms", TermsJson::array()}};
  for (const PolicyCovariate& covariate : terms.covariates) {
    json["covariates"].push_back(covariate_json(covariate));
  }
  for (const PolicyTerm& term : terms.additive) {
    json["terms"].push_back(term_json(terms, term, structure.actions.size()));
  }
  return json;
}

PolicyTerms without_covariates(PolicyTerms terms) {
  std::erase_if(terms.additive, [](const PolicyTerm& term) { return model::follows_covariate(term.kind); });
  terms.covariates.clear();
  return terms;
}

TermsJson explorer_terms_json(const Structure& structure, const Parameters& agent,
                              const std::vector<AgentWorld>& draws, bool individual) {
  const Policy& policy = agent.policy;
  std::set<std::string> unnamed;
  if (!individual && !draws.empty()) {
    for (const PolicyCovariate& covariate : draws.front().agent.policy.terms.covariates) {
      if (!covariate.categories.empty()) unnamed.insert(covariate.name);
    }
  }
  std::vector<explain::TermEffect> effects;
  if (!draws.empty()) effects = explain::term_effects(structure, draws);
  const auto names_category = [&](const explain::TermEffect& effect) {
    return unnamed.contains(effect.term);
  };
  std::set<std::string> followed;
  for (const explain::TermEffect& effect : effects) {
    if (names_category(effect)) followed.insert(effect.term);
  }
  std::erase_if(effects, names_category);
  std::vector<std::string> sentences = explain::kind_sentences(structure, policy, draws);
  if (!policy.other_kinds.empty()) {
    sentences.emplace_back("What is drawn and computed on this page is of kind 1, the commonest");
  }
  for (std::string& sentence : explain::term_sentences(effects)) sentences.push_back(std::move(sentence));
  if (individual) {
    for (std::string& sentence : explain::start_sentences(explain::starting_beliefs(structure, draws))) {
      sentences.push_back(std::move(sentence));
    }
  }
  const std::string note = start_note(agent.dynamics.start);
  if (!note.empty()) sentences.push_back(note);
  for (const std::string& name : followed) {
    sentences.push_back(
        fmt::format("Decisions also follow {}, at the same belief; its categories are not named here", name));
  }
  TermsJson json = {{"sentences", sentences}};
  if (!note.empty()) json["starts"] = note;
  return json;
}

}  // namespace interpole::service
