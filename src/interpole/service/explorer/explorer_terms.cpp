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

// The page knows no record's covariates.
std::vector<std::string> start_sentences_of(const Structure& structure, const std::vector<AgentWorld>& draws,
                                            bool individual) {
  if (draws.empty() || draws.front().agent.dynamics.start.empty()) return {};
  std::vector<std::string> sentences;
  if (individual) sentences = explain::start_sentences(explain::starting_beliefs(structure, draws));
  std::vector<std::string> names;
  for (const StartTerm& term : draws.front().agent.dynamics.start) names.push_back(term.of.name);
  sentences.push_back(
      fmt::format("Starting beliefs differ by {}; what is computed on this page begins with the belief about "
                  "a patient of whom that is not known",
                  fmt::join(names, " and ")));
  return sentences;
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

TermsJson explorer_terms_json(const Structure& structure, const Policy& policy,
                              const std::vector<AgentWorld>& draws, bool individual) {
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
  for (const std::string& sentence : start_sentences_of(structure, draws, individual)) {
    sentences.push_back(sentence);
  }
  for (const std::string& name : followed) {
    sentences.push_back(
        fmt::format("Decisions also follow {}, at the same belief; its categories are not named here", name));
  }
  return {{"sentences", sentences}};
}

}  // namespace interpole::service
