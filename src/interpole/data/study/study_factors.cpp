#include "interpole/data/study/study_factors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"

namespace interpole::data {
namespace {

constexpr std::string_view kJoint = " | ";
constexpr std::string_view kNotMeasured = "not ordered";
const std::vector<std::string> kSpreadLevels = {"below", "within", "above"};

std::vector<std::string> read_levels(const TomlValue& list) {
  std::vector<std::string> levels;
  for (const TomlValue& element : list.elements()) {
    const std::string level = filled_text(element);
    if (level.find(kJoint) != std::string::npos) {
      element.refuse(fmt::format(
          "{} contains \" | \", which joins the levels of factors; choose another name", base::shown(level)));
    }
    if (std::find(levels.begin(), levels.end(), level) != levels.end()) {
      element.refuse(fmt::format("{} is listed twice; remove one", base::shown(level)));
    }
    levels.push_back(level);
  }
  if (levels.empty()) list.refuse("the list is empty; name at least one level");
  return levels;
}

std::vector<double> read_ascending(const TomlValue& list) {
  std::vector<double> numbers;
  for (const TomlValue& element : list.elements()) {
    numbers.push_back(element.number());
    if (numbers.size() > 1 && !(numbers.back() > numbers[numbers.size() - 2])) {
      element.refuse(fmt::format("{} does not come after {}; sort the numbers, each once", numbers.back(),
                                 numbers[numbers.size() - 2]));
    }
  }
  return numbers;
}

void read_spread(const TomlValue& table, NumericBins& bins) {
  table.require_known_keys({"sd", "mean", "spread"});
  bins.rule = BinRule::kSpread;
  bins.width = table.at("sd").positive_number();
  if (table.has("mean") != table.has("spread")) {
    table.refuse("mean and spread go together; state both, or neither to take the population's");
  }
  if (!table.has("mean")) return;
  bins.mean = table.at("mean").number();
  bins.spread = table.at("spread").positive_number();
}

void read_quantiles(const TomlValue& table, NumericBins& bins) {
  table.require_known_keys({"quantiles"});
  bins.rule = BinRule::kQuantiles;
  bins.quantiles = read_ascending(table.at("quantiles"));
  for (const TomlValue& element : table.at("quantiles").elements()) {
    if (!(element.number() > 0.0 && element.number() < 1.0)) {
      element.refuse(
          fmt::format("{} is not between 0 and 1; write quantiles such as 0.33", element.number()));
    }
  }
}

std::size_t levels_of(const NumericBins& bins) {
  if (bins.rule == BinRule::kSpread) return 3;
  return (bins.rule == BinRule::kCuts ? bins.cuts.size() : bins.quantiles.size()) + 1;
}

void read_bins(const TomlValue& table, NumericBins& bins) {
  if (table.has("values")) table.at("values").refuse("only a categorical factor has values; remove the key");
  if (table.has("cuts") == table.has("bins")) {
    table.refuse_inside("cuts", table.has("bins")
                                    ? "stated beside bins; keep one of the two"
                                    : "the key is missing; a numeric factor needs cuts = [ … ], "
                                      "bins = { sd = … } or bins = { quantiles = [ … ] }");
  }
  if (table.has("cuts")) {
    bins.cuts = read_ascending(table.at("cuts"));
  } else {
    const TomlValue rule = table.at("bins");
    rule.require_known_keys({"sd", "mean", "spread", "quantiles"});
    if (rule.has("sd") == rule.has("quantiles")) {
      rule.refuse(
          "write either { sd = 0.5 } (below, within and above the mean ± so many standard deviations) "
          "or { quantiles = [0.33, 0.67] }");
    }
    rule.has("sd") ? read_spread(rule, bins) : read_quantiles(rule, bins);
  }
  if (!table.has("upper")) return;
  const TomlValue upper = table.at("upper");
  if (bins.rule == BinRule::kSpread) {
    upper.refuse("with bins = { sd = … } both ends belong to the middle level; remove the key");
  }
  if (!upper.is_text("inclusive") && !upper.is_text("exclusive")) {
    upper.refuse_type("\"inclusive\" (a value at a cut belongs to the level below) or \"exclusive\"");
  }
  bins.upper_inclusive = upper.is_text("inclusive");
}

void read_numeric(const TomlValue& table, Factor& factor) {
  read_bins(table, factor.bins);
  if (table.has("levels") || factor.bins.rule != BinRule::kSpread) {
    factor.levels = read_levels(table.required("levels", "name the levels, from low to high"));
  } else {
    factor.levels = kSpreadLevels;
  }
  const std::size_t expected = levels_of(factor.bins);
  if (factor.levels.size() != expected) {
    table.at("levels").refuse(
        fmt::format("{} levels for {} bins; name as many levels as there are bins, from low to high",
                    factor.levels.size(), expected));
  }
}

void read_categorical(const TomlValue& table, Factor& factor) {
  for (const char* key : {"cuts", "bins", "upper"}) {
    if (table.has(key))
      table.at(key).refuse("only a numeric factor has bins; write kind = \"numeric\", or remove the key");
  }
  factor.levels = read_levels(table.required("levels", "name the levels"));
  factor.values = read_meanings(table, "values", factor.levels, "a level of this factor");
}

void read_yielding_actions(const TomlValue& table, const ActionNames& actions, Factor& factor) {
  if (!table.has("yielded_by")) {
    if (table.has("otherwise")) {
      table.at("otherwise")
          .refuse("this factor is measured whatever the action; add yielded_by, or remove the key");
    }
    return;
  }
  const TomlValue list = table.at("yielded_by");
  factor.yielded_by.assign(actions.names.size(), 0);
  for (const TomlValue& element : list.elements()) {
    const int action = read_choice(element, actions.names, "an action");
    if (actions.terminal[action] != 0) {
      element.refuse(
          fmt::format("{} is terminal and yields nothing; remove it", base::shown(actions.names[action])));
    }
    factor.yielded_by[action] = 1;
  }
  if (list.elements().empty()) list.refuse("the list is empty; name the actions that yield the factor");
  bool others = false;
  for (std::size_t a = 0; a < actions.names.size(); ++a) {
    others = others || (actions.terminal[a] == 0 && factor.yielded_by[a] == 0);
  }
  if (!others) list.refuse("every action yields it; remove the key");
  const std::string otherwise =
      table.has("otherwise") ? filled_text(table.at("otherwise")) : std::string(kNotMeasured);
  if (std::find(factor.levels.begin(), factor.levels.end(), otherwise) != factor.levels.end()) {
    table.refuse_inside(
        "otherwise",
        fmt::format("{} is also among the levels, to which it is added by itself; remove it there",
                    base::shown(otherwise)));
  }
  factor.levels.push_back(otherwise);
}

// A number as it was measured: its one level says that it was.
void read_continuous(const TomlValue& table, Factor& factor) {
  for (const char* key : {"levels", "cuts", "bins", "upper", "values"}) {
    if (table.has(key))
      table.at(key).refuse("a continuous factor is taken as it was measured; remove the key");
  }
  factor.numeric = factor.continuous = true;
  factor.levels = {"measured"};
}

void read_column(const TomlValue& table, FactorUse use, Factor& factor) {
  if (use != FactorUse::kMeasuredVisits) {
    factor.column = filled_text(table.required("column", "name the column that holds the factor"));
    return;
  }
  factor.column = factor.name;
  for (const char* key : {"column", "values", "missing", "seen"}) {
    if (table.has(key))
      table.at(key).refuse(
          "belongs to a study that maps a table of its own (the column of a visits table has "
          "the factor's name); remove the key, or add [source]");
  }
}

void refuse_measured_kind(const TomlValue& table) {
  if (!table.has("kind")) return;
  const TomlValue kind = table.at("kind");
  if (!kind.is_text("continuous") && !kind.is_text("ordinal")) return;
  kind.refuse(
      "a factor that is measured needs a study of version 2 without joint = true; correct them, or "
      "write kind = \"numeric\" (with cuts) or kind = \"categorical\"");
}

void read_kind(const TomlValue& table, FactorUse use, Factor& factor) {
  const TomlValue kind = table.required("kind", "write kind = \"numeric\" or kind = \"categorical\"");
  const bool more = kind.is_text("continuous") || kind.is_text("ordinal");
  if (kind.is_text("continuous")) return read_continuous(table, factor);
  factor.numeric = kind.is_text("numeric");
  if (!more && !factor.numeric && !kind.is_text("categorical")) {
    kind.refuse_type(use == FactorUse::kJoint
                         ? "\"numeric\" or \"categorical\""
                         : "\"continuous\", \"ordinal\", \"categorical\" or \"numeric\"");
  }
  if (factor.numeric && use == FactorUse::kMeasuredVisits)
    kind.refuse(
        "a visits table holds what was measured; write kind = \"continuous\", or add [source] to cut it");
  factor.numeric ? read_numeric(table, factor) : read_categorical(table, factor);
}

Factor read_factor(const TomlValue& table, const ActionNames& actions, bool seen_before, FactorUse use) {
  if (use == FactorUse::kJoint) {
    refuse_measured_kind(table);  // before its keys are called unknown
    table.require_known_keys({"name", "column", "kind", "levels", "cuts", "upper", "bins", "values",
                              "missing", "yielded_by", "otherwise", "seen"});
  } else {
    table.require_known_keys({"name", "column", "kind", "levels", "cuts", "upper", "bins", "values",
                              "missing", "yielded_by", "otherwise", "seen", "family", "unit", "below",
                              "above", "df", "centre", "scale"});
  }
  Factor factor;
  factor.seen_before = table.has("seen") ? read_seen_before(table.at("seen")) : seen_before;
  factor.name = filled_text(table.required("name", "every factor needs one"));
  read_column(table, use, factor);
  read_kind(table, use, factor);
  if (table.has("missing")) factor.missing = table.at("missing").texts();
  read_yielding_actions(table, actions, factor);
  return factor;
}

}  // namespace

std::string filled_text(const TomlValue& value) {
  std::string text = value.text();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) value.refuse("the text is empty; fill it in");
  return text;
}

int read_choice(const TomlValue& value, const std::vector<std::string>& names, std::string_view what) {
  const std::string name = value.text();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) {
    value.refuse(
        fmt::format("{} is not {}{}", base::shown(name), what, base::suggestion(name, names, "there are")));
  }
  return static_cast<int>(it - names.begin());
}

std::vector<CellMeaning> read_meanings(const TomlValue& table, std::string_view key,
                                       const std::vector<std::string>& names, std::string_view what) {
  std::vector<CellMeaning> meanings;
  if (!table.has(key)) {
    for (std::size_t i = 0; i < names.size(); ++i) meanings.emplace_back(names[i], static_cast<int>(i));
    return meanings;
  }
  const TomlValue values = table.at(key);
  for (const auto& [cell, meaning] : values.members()) {
    meanings.emplace_back(cell, read_choice(meaning, names, what));
  }
  if (meanings.empty()) values.refuse("the table is empty; say what each cell means, or remove the key");
  return meanings;
}

bool read_seen_before(const TomlValue& value) {
  if (!value.is_text("before") && !value.is_text("after")) {
    value.refuse_type("\"before\" (what a row holds led to its action) or \"after\" (it came of the action)");
  }
  return value.is_text("before");
}

std::vector<Factor> read_factors(const TomlValue& list, const ActionNames& actions, bool seen_before,
                                 FactorUse use) {
  std::vector<Factor> factors;
  for (const TomlValue& table : list.elements()) {
    factors.push_back(read_factor(table, actions, seen_before, use));
    for (std::size_t k = 0; k + 1 < factors.size(); ++k) {
      if (factors[k].name == factors.back().name) {
        table.at("name").refuse(fmt::format("{} is there twice; rename one", base::shown(factors[k].name)));
      }
    }
  }
  if (factors.empty()) list.refuse("the list is empty; add a [[factors]] table for each thing observed");
  return factors;
}

double joint_outcome_count(const std::vector<Factor>& factors) {
  double count = 1.0;
  for (const Factor& factor : factors) count *= static_cast<double>(factor.levels.size());
  return count;
}

std::vector<std::string> joint_outcomes(const std::vector<Factor>& factors) {
  std::vector<std::string> outcomes = {""};
  for (const Factor& factor : factors) {
    std::vector<std::string> longer;
    for (const std::string& outcome : outcomes) {
      for (const std::string& level : factor.levels) {
        longer.push_back(outcome.empty() ? level : fmt::format("{}{}{}", outcome, kJoint, level));
      }
    }
    outcomes.swap(longer);
  }
  return outcomes;
}

void mask_outcomes(const TableMapping& mapping, Structure& structure) {
  for (int a = 0; a < structure.action_count(); ++a) {
    if (structure.is_terminal(a)) continue;
    for (int z = 0; z < structure.observation_count(); ++z) {
      bool can = true;
      for (std::size_t k = 0; k < mapping.factors.size(); ++k) {
        const Factor& factor = mapping.factors[k];
        const bool measured = mapping.level_of(z, static_cast<int>(k)) < factor.measured_levels();
        can = can && measured == factor.yielded(a);
      }
      structure.allowed[static_cast<std::size_t>(a) * structure.observations.size() + z] = can ? 1 : 0;
    }
  }
}

}  // namespace interpole::data
