#include "interpole/learn/uncertainty/uncertainty_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/base/json/strict_json.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/coupled_space.hpp"
#include "interpole/model/file/model_document.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::learn {
namespace {

using Json = nlohmann::ordered_json;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// The spread of a distribution needs no more than this many digits.
constexpr int kFactorDigits = 9;

double shortened(double x) {
  return std::stod(fmt::format("{:.{}g}", x, kFactorDigits));
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(std::isnan(x) ? Json(nullptr) : Json(x));
  return list;
}

Json known_json(const Dynamics& known) {
  return {{"initial_belief", numbers(known.initial)},
          {"transition", numbers(known.transition)},
          {"observation", numbers(known.observation)}};
}

Json component_json(const UncertaintyComponent& component) {
  const Laplace& laplace = component.laplace;
  const std::size_t n = laplace.centre.size();
  Json rows = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j <= i; ++j) {
      row.push_back(shortened(laplace.factor[i * n + j]));
    }
    rows.push_back(std::move(row));
  }
  Json scales = {{"initial_belief", component.scales.initial},
                 {"transition", component.scales.transition},
                 {"observation", component.scales.observation}};
  if (!component.scales.rows.empty()) scales["rows"] = numbers(component.scales.rows);
  return {{"scales", std::move(scales)}, {"centre", numbers(laplace.centre)}, {"factor", std::move(rows)}};
}

[[noreturn]] void refuse(const base::JsonPlace& place, const std::string& reason) {
  throw input_error(fmt::format("{}: {}; fit the model again", place.text(), reason));
}

std::vector<double> read_numbers(element value, const base::JsonPlace& place, std::size_t size) {
  const array list = base::json_array(value, place);
  if (list.size() != size) refuse(place, fmt::format("{} numbers where {} belong", list.size(), size));
  std::vector<double> result;
  for (const element number : list) {
    result.push_back(number.is_null() ? NAN : base::json_number(number, place.at(result.size())));
  }
  return result;
}

Dynamics read_known(element value, const base::JsonPlace& place, const Structure& structure) {
  const Dynamics size = Dynamics::filled(structure, 0.0);
  const object known = base::json_object(value, place);
  const auto numbers_of = [&](const char* key, const std::vector<double>& like) {
    return read_numbers(base::json_member(known, key, place), place.at(key), like.size());
  };
  return {numbers_of("initial_belief", size.initial), numbers_of("transition", size.transition),
          numbers_of("observation", size.observation)};
}

double read_scale(object scales, const char* key, const base::JsonPlace& place) {
  const double sigma = base::json_number(base::json_member(scales, key, place), place.at(key));
  if (!(sigma >= 0.0)) refuse(place.at(key), fmt::format("{} is negative", sigma));
  return sigma;
}

// σ row by row, where the file has them.
std::vector<double> read_rows(object scales, const base::JsonPlace& place, std::size_t rows) {
  element found;
  if (scales["rows"].get(found) != simdjson::SUCCESS) return {};
  auto result = read_numbers(found, place.at("rows"), rows);
  for (std::size_t r = 0; r < result.size(); ++r) {
    if (!(result[r] >= 0.0))
      refuse(place.at("rows").at(r), fmt::format("{} is not a scale from 0", result[r]));
  }
  return result;
}

// `size`: of coordinates; `row_count`: of the agent's rows.
UncertaintyComponent read_component(element value, const base::JsonPlace& place, std::size_t size,
                                    std::size_t row_count) {
  const object members = base::json_object(value, place);
  UncertaintyComponent component;
  const base::JsonPlace scales_place = place.at("scales");
  const object scales = base::json_object(base::json_member(members, "scales", place), scales_place);
  component.scales = {
      read_scale(scales, "initial_belief", scales_place), read_scale(scales, "transition", scales_place),
      read_scale(scales, "observation", scales_place), read_rows(scales, scales_place, row_count)};
  Laplace& laplace = component.laplace;
  laplace.centre = read_numbers(base::json_member(members, "centre", place), place.at("centre"), size);
  laplace.factor.assign(size * size, 0.0);
  const base::JsonPlace factor_place = place.at("factor");
  const array rows = base::json_array(base::json_member(members, "factor", place), factor_place);
  if (rows.size() != size) refuse(factor_place, fmt::format("{} rows where {} belong", rows.size(), size));
  std::size_t i = 0;
  for (const element row : rows) {
    const auto entries = read_numbers(row, factor_place.at(i), i + 1);
    std::copy(entries.begin(), entries.end(), laplace.factor.begin() + static_cast<std::ptrdiff_t>(i * size));
    ++i;
  }
  for (const auto* list : {&laplace.centre, &laplace.factor}) {
    for (const double x : *list) {
      if (std::isnan(x)) refuse(place, "null where a number belongs");
    }
  }
  return component;
}

// All numbers of a model's terms are learned; its file says which terms there are.
PolicyTerms learned_terms(const Structure& structure, PolicyTerms terms) {
  for (double* share : {&terms.inertia, &terms.lapse}) *share = *share > 0.0 ? NAN : 0.0;
  for (PolicyTerm& term : terms.additive) {
    const int levels = static_cast<int>(term.weights.size() / structure.actions.size());
    term = model::term_filled(structure, terms, term.kind, NAN, term.covariate, levels, term.period);
  }
  return terms;
}

std::size_t coordinate_count(const DecisionProblem& problem, DynamicsMode dynamics) {
  return dynamics == DynamicsMode::kCoupled ? CoupledSpace(problem, {}).size()
                                            : StudySpace(problem, dynamics).size();
}

std::size_t coupled_rows(const DecisionProblem& problem) {
  return CoupledSpace(problem, {}).links().size();
}

DynamicsMode read_dynamics(object block, const base::JsonPlace& place) {
  const std::string name = base::json_text(base::json_member(block, "dynamics", place), place.at("dynamics"));
  try {
    return dynamics_mode_named(name);
  } catch (const Error&) {
    refuse(place.at("dynamics"),
           fmt::format("{} is not shared, coupled or subjective", base::in_quotes(name)));
  }
}

}  // namespace

std::string format_uncertainty(const DecisionProblem& problem, const Uncertainty& uncertainty) {
  Json known = known_json(problem.known.dynamics);
  known["inverse_temperature"] = numbers({problem.known.policy.inverse_temperature})[0];
  known["means"] = numbers(problem.known.policy.means);
  Json json = {{"method", "laplace"}, {"dynamics", name_of(uncertainty.dynamics)}, {"known", known}};
  if (uncertainty.misfit > 0.0) json["misfit"] = uncertainty.misfit;
  if (problem.world) json["known_world"] = known_json(*problem.world);
  if (problem.ties.any()) {
    json["ties"] = {{"transition", problem.ties.transition}, {"observation", problem.ties.observation}};
  }
  json["components"] = Json::array();
  for (const auto& component : uncertainty.components) {
    json["components"].push_back(component_json(component));
  }
  return json.dump();
}

StoredUncertainty stored_uncertainty(const DecisionProblem& problem, const Uncertainty& uncertainty) {
  StoredUncertainty result{DecisionProblem::open(problem.structure), uncertainty};
  result.problem.known = problem.known;
  result.problem.world = problem.world;
  result.problem.ties = problem.ties;
  for (UncertaintyComponent& component : result.uncertainty.components) {
    for (double& x : component.laplace.factor) x = shortened(x);
  }
  return result;
}

std::optional<StoredUncertainty> uncertainty_of(object file, const Structure& structure,
                                                const std::string& where) {
  const base::JsonPlace top(where);
  element found;
  if (file["uncertainty"].get(found) != simdjson::SUCCESS) return {};
  const base::JsonPlace place = top.at("uncertainty");
  const object block = base::json_object(found, place);
  StoredUncertainty result{DecisionProblem::open(structure), {}};
  const base::JsonPlace known_place = place.at("known");
  const element known = base::json_member(block, "known", place);
  result.problem.known.dynamics = read_known(known, known_place, structure);
  const object known_members = base::json_object(known, known_place);
  const element temperature = base::json_member(known_members, "inverse_temperature", known_place);
  result.problem.known.policy.inverse_temperature =
      temperature.is_null() ? NAN : base::json_number(temperature, known_place.at("inverse_temperature"));
  result.problem.known.policy.means =
      read_numbers(base::json_member(known_members, "means", known_place), known_place.at("means"),
                   structure.actions.size() * structure.states.size());
  Policy& policy = result.problem.known.policy;
  policy.terms = learned_terms(structure, model::policy_terms_of(file, structure, top));
  model::read_policy_kinds(file, structure, top, policy);
  auto& starts = result.problem.known.dynamics.start;
  starts = model::start_terms_of(file, structure, top, policy.terms.covariates);
  for (StartTerm& term : starts) std::fill(term.weights.begin(), term.weights.end(), NAN);
  for (PolicyKind& kind : policy.other_kinds) kind = {NAN, policy.inverse_temperature, policy.means};
  if (element world; block["known_world"].get(world) == simdjson::SUCCESS) {
    result.problem.world = read_known(world, place.at("known_world"), structure);
    result.problem.world->start = starts;
  }
  if (element ties; block["ties"].get(ties) == simdjson::SUCCESS) {
    const base::JsonPlace ties_place = place.at("ties");
    const object members = base::json_object(ties, ties_place);
    const auto flag = [&](const char* key) {
      bool value = false;
      if (members[key].get(value) != simdjson::SUCCESS) refuse(ties_place.at(key), "not true or false");
      return value;
    };
    result.problem.ties = {flag("transition"), flag("observation")};
  }
  Uncertainty& uncertainty = result.uncertainty;
  uncertainty.dynamics = read_dynamics(block, place);
  if (element misfit; block["misfit"].get(misfit) == simdjson::SUCCESS) {
    uncertainty.misfit = base::json_number(misfit, place.at("misfit"));
    if (!(uncertainty.misfit >= 0.0))
      refuse(place.at("misfit"), fmt::format("{} is negative", uncertainty.misfit));
  }
  const std::size_t size = coordinate_count(result.problem, uncertainty.dynamics);
  const base::JsonPlace components_place = place.at("components");
  for (const element component :
       base::json_array(base::json_member(block, "components", place), components_place)) {
    uncertainty.components.push_back(read_component(
        component, components_place.at(uncertainty.components.size()), size, coupled_rows(result.problem)));
  }
  if (uncertainty.components.empty()) refuse(components_place, "the list is empty");
  return result;
}

}  // namespace interpole::learn
