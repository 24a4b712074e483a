#include "interpole/data/study/study_measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/messages.hpp"
#include "interpole/data/study/study_factors.hpp"
#include "interpole/model/measured/families.hpp"

namespace interpole::data {
namespace {

constexpr double kMostFactorNumber = 1e100;

Family read_family(const TomlValue& table, const Factor& mapped) {
  const TomlValue kind = table.at("kind");
  if (!mapped.continuous) {
    for (const char* key : {"family", "below", "above", "df", "centre", "scale", "unit"}) {
      if (table.has(key)) table.at(key).refuse("only a continuous factor has one; remove the key");
    }
    return kind.is_text("ordinal") ? Family::kOrdinal : Family::kCategorical;
  }
  const TomlValue family = table.required(
      "family",
      "write family = \"normal\", \"lognormal\", \"student\", \"poisson\" or \"negative-binomial\"");
  const auto found = model::family_named(family.text());
  const std::vector<std::string> known = {"normal", "lognormal", "student", "poisson", "negative-binomial"};
  if (!found || *found == Family::kCategorical || *found == Family::kOrdinal) {
    family.refuse(fmt::format("{} is not a family of continuous factors{}", base::shown(family.text()),
                              base::suggestion(family.text(), known, "the families are")));
  }
  return *found;
}

MeasuredFactor measured_factor(const TomlValue& table, const Factor& mapped) {
  MeasuredFactor factor;
  factor.name = mapped.name;
  factor.family = read_family(table, mapped);
  if (!mapped.continuous)
    factor.levels.assign(mapped.levels.begin(), mapped.levels.begin() + mapped.measured_levels());
  factor.yielded_by = mapped.yielded_by;
  if (table.has("unit")) factor.unit = table.at("unit").text();
  if (table.has("below")) factor.lower = table.at("below").number();
  if (table.has("above")) factor.upper = table.at("above").number();
  if (table.has("centre")) factor.centre = table.at("centre").number();
  if (table.has("scale")) factor.scale = table.at("scale").positive_number(kMostFactorNumber);
  if (table.has("df") && factor.family != Family::kStudent)
    table.at("df").refuse("only family = \"student\" has degrees of freedom; remove the key");
  const std::string complaint = model::complaint_about(factor);
  if (!complaint.empty()) table.refuse(complaint);
  return factor;
}

struct Column {
  std::size_t factor = 0;
  int column = 0;  // among those of all factors
  model::ParameterForm form;
};

// Every action that yields the factor, every state: calls `set(entry, s)`.
template <class Set>
void for_each_row(const Structure& structure, const MeasuredFactor& factor, int column, const Set& set) {
  const auto states = static_cast<std::size_t>(structure.state_count());
  for (int a = 0; a < structure.action_count(); ++a) {
    if (structure.is_terminal(a) || !factor.yielded(a)) continue;
    for (std::size_t s = 0; s < states; ++s)
      set((static_cast<std::size_t>(a) * states + s) * structure.observation_columns() + column, s);
  }
}

std::size_t factor_of(const TomlValue& value, const std::string& name, const Structure& structure) {
  std::vector<std::string> names;
  for (const MeasuredFactor& factor : structure.factors) names.push_back(factor.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    value.refuse(fmt::format("{} is not a factor{}", base::shown(name),
                             base::suggestion(name, names, "the factors are")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

// Calls `read(value, column)` for each parameter of each factor that the table has.
template <class Read>
void for_each_parameter(const TomlValue& table, const Structure& structure, const Read& read) {
  const auto offsets = model::factor_offsets(structure.factors);
  for (const auto& [name, of_factor] : table.members()) {
    const std::size_t f = factor_of(of_factor, name, structure);
    const auto forms = model::forms_of(structure.factors[f]);
    for (const auto& [parameter, value] : of_factor.members()) {
      std::vector<std::string> names;
      names.reserve(forms.size());
      for (const model::ParameterForm& form : forms) names.push_back(form.name);
      const auto found = std::find(names.begin(), names.end(), parameter);
      if (found == names.end()) {
        value.refuse(fmt::format("{} is not a parameter of this factor{}", base::shown(parameter),
                                 base::suggestion(parameter, names, "the parameters are")));
      }
      const auto i = static_cast<std::size_t>(found - names.begin());
      read(value, Column{f, offsets[f] + static_cast<int>(i), forms[i]});
    }
  }
}

// A number for all states, or one for each; "?" is NaN.
std::vector<double> numbers_by_state(const TomlValue& value, const Structure& structure,
                                     const model::ParameterForm& form) {
  const auto one = [&](const TomlValue& element) {
    if (element.is_text("?")) return static_cast<double>(NAN);
    const double number = element.number();
    const bool probability = form.kind == model::ParameterForm::Kind::kProbability;
    if (form.kind == model::ParameterForm::Kind::kLog && number <= 0.0)
      element.refuse(fmt::format("{} is not above 0", number));
    if (probability && !(number >= 0.0 && number <= 1.0))
      element.refuse(fmt::format("{} is not a probability; it lies between 0 and 1", number));
    return number;
  };
  if (!value.is_array()) return std::vector<double>(structure.states.size(), one(value));
  std::vector<double> numbers;
  for (const TomlValue& element : value.elements(structure.states.size(), "one for each state"))
    numbers.push_back(one(element));
  return numbers;
}

}  // namespace

std::vector<MeasuredFactor> measured_factors(const TomlValue& list, const std::vector<Factor>& mapped) {
  std::vector<MeasuredFactor> factors;
  const auto tables = list.elements();
  for (std::size_t k = 0; k < tables.size(); ++k) factors.push_back(measured_factor(tables[k], mapped[k]));
  return factors;
}

void read_stated_degrees(const TomlValue& list, const Structure& structure, Dynamics& known) {
  const auto offsets = model::factor_offsets(structure.factors);
  const auto tables = list.elements();
  for (std::size_t f = 0; f < tables.size(); ++f) {
    if (!tables[f].has("df")) continue;
    const double df = tables[f].at("df").positive_number(kMostFactorNumber);
    for_each_row(structure, structure.factors[f], offsets[f] + 2,
                 [&](std::size_t entry, std::size_t) { known.observation[entry] = df; });
  }
}

void read_factor_values(const TomlValue& table, const Structure& structure, Dynamics& values) {
  for_each_parameter(table, structure, [&](const TomlValue& value, const Column& column) {
    const auto numbers = numbers_by_state(value, structure, column.form);
    for_each_row(structure, structure.factors[column.factor], column.column,
                 [&](std::size_t entry, std::size_t s) { values.observation[entry] = numbers[s]; });
  });
}

void read_factor_priors(const TomlValue& table, const Structure& structure, Priors& priors) {
  if (priors.expected.empty()) priors.expected = Dynamics::filled(structure, NAN).observation;
  for_each_parameter(table, structure, [&](const TomlValue& value, const Column& column) {
    const MeasuredFactor& factor = structure.factors[column.factor];
    auto& widths = priors.concentration.observation;
    if (column.form.kind == model::ParameterForm::Kind::kProbability) {
      const auto numbers = value.is_array() ? value.elements(structure.states.size(), "one for each state")
                                            : std::vector<TomlValue>(structure.states.size(), value);
      for_each_row(structure, factor, column.column, [&](std::size_t entry, std::size_t s) {
        widths[entry] = numbers[s].positive_number(kMostFactorNumber);
      });
      return;
    }
    value.require_known_keys({"at", "sd"});
    if (value.has("at")) {
      const auto numbers = numbers_by_state(value.at("at"), structure, column.form);
      for_each_row(structure, factor, column.column,
                   [&](std::size_t entry, std::size_t s) { priors.expected[entry] = numbers[s]; });
    }
    if (!value.has("sd")) return;
    const double sd = value.at("sd").positive_number(kMostFactorNumber);
    for_each_row(structure, factor, column.column,
                 [&](std::size_t entry, std::size_t) { widths[entry] = sd; });
  });
}

LabelHint read_measured_labels(const TomlValue& table, const Structure& structure) {
  table.require_known_keys({"factor", "level", "order"});
  const TomlValue name = table.required("factor", "name the factor that rises along the order");
  const std::size_t f = factor_of(name, name.text(), structure);
  const MeasuredFactor& factor = structure.factors[f];
  int column = model::factor_offsets(structure.factors)[f];
  LabelHint hint;
  hint.description = base::shown(factor.name);
  if (factor.family == Family::kCategorical) {
    const TomlValue level = table.required("level", "name the level that becomes likelier along the order");
    column += read_choice(level, factor.levels, "a level of the factor");
    hint.description = fmt::format("{} of {}", base::shown(level.text()), base::shown(factor.name));
  } else if (table.has("level")) {
    table.at("level").refuse("only a categorical factor has one here; remove the key");
  }
  for (int a = 0; a < structure.action_count(); ++a) {
    if (!structure.is_terminal(a) && factor.yielded(a)) hint.outcomes.push_back({a, column});
  }
  const TomlValue order = table.required("order", "list the states, from the lowest to the highest");
  for (const TomlValue& state : order.elements(structure.states.size(), "each state once")) {
    hint.order.push_back(read_choice(state, structure.states, "a state"));
    if (std::count(hint.order.begin(), hint.order.end(), hint.order.back()) > 1)
      state.refuse(fmt::format("{} is listed twice; list each state once", base::shown(state.text())));
  }
  return hint;
}

}  // namespace interpole::data
