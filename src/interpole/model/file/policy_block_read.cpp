#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "interpole/base/messages.hpp"
#include "interpole/model/file/model_document.hpp"
#include "interpole/model/file/model_file_lists.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::model {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// A misspelt key must not silently make another model.
void require_known_keys(object block, const base::JsonPlace& place, const std::vector<std::string>& known) {
  for (const auto member : block) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    refuse(place, fmt::format("there is no key {} here{}", base::in_quotes(member.key),
                              base::suggestion(member.key, known, "the keys are")));
  }
}

double number_or(object block, const char* key, const base::JsonPlace& place, double otherwise) {
  element value;
  return block.at_key(key).get(value) ? otherwise : base::json_number(value, place.at(key));
}

PolicyCovariate read_covariate(element value, const base::JsonPlace& place) {
  const object block = base::json_object(value, place);
  PolicyCovariate covariate;
  covariate.name = base::json_text(base::json_member(block, "name", place), place.at("name"));
  element categories;
  if (!block.at_key("categories").get(categories)) {
    require_known_keys(block, place, {"name", "categories"});
    covariate.categories = read_names(categories, place.at("categories"));
    if (covariate.categories.empty()) {
      refuse(place.at("categories"),
             "the list is empty; name at least one, or write centre and scale for a number");
    }
    return covariate;
  }
  require_known_keys(block, place, {"name", "centre", "scale"});
  covariate.centre = base::json_number(base::json_member(block, "centre", place), place.at("centre"));
  covariate.scale = base::json_number(base::json_member(block, "scale", place), place.at("scale"));
  return covariate;
}

TermKind read_kind(object block, const base::JsonPlace& place) {
  const std::string name = base::json_text(base::json_member(block, "kind", place), place.at("kind"));
  std::vector<std::string> names;
  for (const TermKind kind : kTermKinds) {
    names.emplace_back(kind_name(kind));
    if (names.back() == name) return kind;
  }
  refuse(place.at("kind"), fmt::format("{} is not a kind of term{}", base::in_quotes(name),
                                       base::suggestion(name, names, "the kinds are")));
}

int read_covariate_name(object block, const base::JsonPlace& place,
                        const std::vector<PolicyCovariate>& covariates, const char* key = "covariate") {
  const std::string name = base::json_text(base::json_member(block, key, place), place.at(key));
  std::vector<std::string> names;
  for (const PolicyCovariate& covariate : covariates) {
    if (covariate.name == name) return static_cast<int>(names.size());
    names.push_back(covariate.name);
  }
  const std::string remedy = names.empty() ? std::string("; list it under covariates")
                                           : base::suggestion(name, names, "the covariates are");
  refuse(place.at(key), fmt::format("{} is not one of the covariates{}", base::in_quotes(name), remedy));
}

int read_period(element value, const base::JsonPlace& place) {
  if (!value.is<std::int64_t>() && !value.is<std::uint64_t>()) {
    refuse(place, fmt::format("expected a whole number, found {}", base::describe(value)));
  }
  const double period = base::json_number(value, place);
  if (period < 1 || period > std::numeric_limits<int>::max()) {
    refuse(place, fmt::format("{} is not a number of steps; write how many there are to a period, or "
                              "remove the key",
                              simdjson::minify(value)));
  }
  return static_cast<int>(period);
}

// The levels that a term must have; 0: any number of them.
std::size_t level_count(const Structure& structure, const PolicyTerms& terms, const PolicyTerm& term) {
  if (term.kind == TermKind::kHabit) return structure.actions.size();
  if (term.kind == TermKind::kTime) return static_cast<std::size_t>(term.period);
  if (term.kind == TermKind::kResultMissing) return 1;
  return std::max<std::size_t>(1, terms.covariates[term.covariate].categories.size());
}

const char* levels_of(const PolicyTerms& terms, const PolicyTerm& term) {
  if (term.kind == TermKind::kHabit) return "actions";
  if (term.kind == TermKind::kTime) return "steps of the period";
  if (term.covariate >= 0 && !terms.covariates[term.covariate].categories.empty()) return "categories";
  return "levels";
}

PolicyTerm read_term(element value, const base::JsonPlace& place, const Structure& structure,
                     const PolicyTerms& terms) {
  const object block = base::json_object(value, place);
  PolicyTerm term;
  term.kind = read_kind(block, place);
  std::vector<std::string> keys = {"kind", "weights"};
  if (follows_covariate(term.kind)) {
    keys.emplace_back("covariate");
    term.covariate = read_covariate_name(block, place, terms.covariates);
  }
  element period;
  if (term.kind == TermKind::kTime) {
    keys.emplace_back("period");
    if (!block.at_key("period").get(period)) term.period = read_period(period, place.at("period"));
  }
  require_known_keys(block, place, keys);
  const base::JsonPlace weights = place.at("weights");
  const element rows = base::json_member(block, "weights", place);
  const array list = base::json_array(rows, weights);
  const std::size_t levels = level_count(structure, terms, term);
  if (levels > 0) list_of(rows, weights, levels, levels_of(terms, term));
  if (list.size() == 0) refuse(weights, "the list is empty; write a row for each step");
  std::size_t level = 0;
  for (const element row : list) {
    append_row(row, weights.at(level++), structure.actions.size(), "actions", term.weights);
  }
  return term;
}

StartTerm read_start(element value, const base::JsonPlace& place, const Structure& structure,
                     const std::vector<PolicyCovariate>& covariates) {
  const object block = base::json_object(value, place);
  require_known_keys(block, place, {"covariate", "weights"});
  StartTerm term;
  term.covariate = read_covariate_name(block, place, covariates);
  term.of = covariates[term.covariate];
  const base::JsonPlace weights = place.at("weights");
  const std::size_t levels = std::max<std::size_t>(1, term.of.categories.size());
  std::size_t level = 0;
  for (const element row : list_of(base::json_member(block, "weights", place), weights, levels,
                                   term.of.categories.empty() ? "levels" : "categories")) {
    append_row(row, weights.at(level++), structure.states.size(), "states", term.weights);
  }
  return term;
}

PolicyKind read_kind_of_policy(element value, const base::JsonPlace& place, const Structure& structure) {
  const object block = base::json_object(value, place);
  require_known_keys(block, place, {"share", "inverse_temperature", "means"});
  PolicyKind kind;
  kind.share = base::json_number(base::json_member(block, "share", place), place.at("share"));
  kind.inverse_temperature = base::json_number(base::json_member(block, "inverse_temperature", place),
                                               place.at("inverse_temperature"));
  const base::JsonPlace means = place.at("means");
  std::size_t a = 0;
  for (const element row :
       list_of(base::json_member(block, "means", place), means, structure.actions.size(), "actions")) {
    append_row(row, means.at(a++), structure.states.size(), "states", kind.means);
  }
  return kind;
}

}  // namespace

PolicyTerms policy_terms_of(object file, const Structure& structure, const base::JsonPlace& top) {
  PolicyTerms terms;
  element found;
  if (file.at_key("policy").get(found)) return terms;
  const base::JsonPlace place = top.at("policy");
  const object block = base::json_object(found, place);
  require_known_keys(block, place,
                     {"inertia", "lapse", "covariates", "terms", "start", "kinds", "decision_maker"});
  terms.inertia = number_or(block, "inertia", place, 0.0);
  terms.lapse = number_or(block, "lapse", place, 0.0);
  element list;
  if (!block.at_key("covariates").get(list)) {
    const base::JsonPlace here = place.at("covariates");
    for (const element covariate : base::json_array(list, here)) {
      terms.covariates.push_back(read_covariate(covariate, here.at(terms.covariates.size())));
    }
  }
  if (!block.at_key("terms").get(list)) {
    const base::JsonPlace here = place.at("terms");
    for (const element term : base::json_array(list, here)) {
      terms.additive.push_back(read_term(term, here.at(terms.additive.size()), structure, terms));
    }
  }
  return terms;
}

std::vector<StartTerm> start_terms_of(object file, const Structure& structure, const base::JsonPlace& top,
                                      const std::vector<PolicyCovariate>& covariates) {
  std::vector<StartTerm> terms;
  element found, list;
  if (file.at_key("policy").get(found)) return terms;
  const base::JsonPlace place = top.at("policy");
  if (base::json_object(found, place).at_key("start").get(list)) return terms;
  const base::JsonPlace here = place.at("start");
  for (const element term : base::json_array(list, here)) {
    terms.push_back(read_start(term, here.at(terms.size()), structure, covariates));
  }
  return terms;
}

void read_policy_kinds(object file, const Structure& structure, const base::JsonPlace& top, Policy& policy) {
  element found;
  if (file.at_key("policy").get(found)) return;
  const base::JsonPlace place = top.at("policy");
  const object block = base::json_object(found, place);
  element list;
  if (!block.at_key("kinds").get(list)) {
    const base::JsonPlace here = place.at("kinds");
    for (const element kind : base::json_array(list, here)) {
      policy.other_kinds.push_back(read_kind_of_policy(kind, here.at(policy.other_kinds.size()), structure));
    }
  }
  element who;
  if (block.at_key("decision_maker").get(who)) return;
  if (policy.other_kinds.empty()) {
    refuse(place.at("decision_maker"),
           "there are no kinds of decision-makers; list them under kinds, or "
           "remove the key");
  }
  policy.decision_maker = read_covariate_name(block, place, policy.terms.covariates, "decision_maker");
}

}  // namespace interpole::model
