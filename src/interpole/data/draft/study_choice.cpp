#include "interpole/data/draft/study_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpole/base/messages.hpp"
#include "interpole/data/draft/chosen_text.hpp"
#include "interpole/data/draft/draft_text.hpp"
#include "interpole/data/draft/guess_seen.hpp"
#include "interpole/error.hpp"
#include "interpole/study.hpp"

namespace interpole::data {
namespace {

void require_one_role_each(const StudyChoice& choice) {
  std::set<std::string> used;
  const auto use = [&](const std::string& column) {
    if (!column.empty() && !used.insert(column).second) {
      throw input_error(fmt::format("column {} has two roles; give it one of them", base::shown(column)));
    }
  };
  use(choice.id);
  use(choice.order);
  if (!choice.by_presence) use(choice.action);  // what was measured may be seen as well
  for (const FactorChoice& factor : choice.factors) use(factor.column);
}

void require_roles(const StudyChoice& choice) {
  if (choice.id.empty()) throw input_error("say which column tells whose row it is");
  if (choice.action.empty()) throw input_error("say which column tells what was done");
  if (choice.factors.empty())
    throw input_error("say what was seen: at least one column, before or after the decision");
}

void name_actions(const StudyChoice& choice, ActionGuess& action) {
  const std::vector<std::string> keys =
      action.by_presence ? std::vector<std::string>{"present", "absent"} : action.cells;
  for (std::size_t a = 0; a < keys.size(); ++a) {
    const auto named = choice.action_names.find(keys[a]);
    if (named != choice.action_names.end() && !named->second.empty()) action.names[a] = named->second;
  }
  if (std::set<std::string>(action.names.begin(), action.names.end()).size() < 2) {
    throw input_error(
        fmt::format("column {} tells fewer than two actions apart: it needs two values that at least {} "
                    "patients share, under different names",
                    base::shown(action.column), ProfiledTable::kCommonOfFew));
  }
}

void require_levels(const FactorChoice& choice, const FactorGuess& factor) {
  const std::size_t needed = choice.cuts.empty() ? factor.levels.size() : choice.cuts.size() + 1;
  if (!choice.levels.empty() && choice.levels.size() != needed) {
    throw input_error(fmt::format("column {}: {} names for {} levels; give each a name",
                                  base::shown(choice.column), choice.levels.size(), needed));
  }
}

}  // namespace

ChoiceTable::ChoiceTable(std::string path) : path_(std::move(path)), shaped_(shape_table(path_)) {
  if (profile().rows == 0) throw input_error(fmt::format("{}: there are no rows", path_));
}

const ColumnProfile& ChoiceTable::column(const ShapedTable& shaped, const std::string& name,
                                         const char* role) const {
  const ColumnProfile* found = shaped.table->profile().find(name);
  if (found == nullptr) {
    throw input_error(fmt::format("{}: the table has no column {}; choose another", role, base::shown(name)));
  }
  return *found;
}

ShapedTable& ChoiceTable::prepared(const StudyChoice& choice) {
  column(shaped_, choice.id, "whose row it is");
  if (!choice.order.empty()) column(shaped_, choice.order, "the order of visits");
  const std::int64_t repeats = choice.order.empty() ? 0 : shaped_.table->repeated({choice.id, choice.order});
  if (!choice.order.empty() && repeats == 0) {
    shaped_.table->keep_shared_by(choice.id);
    return shaped_;
  }
  const std::string key = toml_list({choice.id, choice.order});
  if (reshaped_for_ != key) {
    reshaped_ = shape_table(path_);
    if (choice.order.empty()) {
      reshaped_.number_rows(path_);
    } else {
      reshaped_.keep_first_of(path_, choice.id, choice.order, repeats);
    }
    reshaped_for_ = key;
  }
  reshaped_.table->keep_shared_by(choice.id);
  return reshaped_;
}

StudyChoice ChoiceTable::first_choice(std::string& open) {
  StudyChoice choice;
  choice.name = stem_of(path_);
  choice.states = {"state-1", "state-2"};
  ShapedTable shaped = shape_table(path_);
  try {
    StudyGuess guess = guess_study(shaped, path_);
    guess_seen(path_, shaped, guess);
    choice.id = guess.id;
    choice.order = guess.order.column == kRowColumn ? "" : guess.order.column;
    choice.action = guess.action.column;
    choice.by_presence = guess.action.by_presence;
    for (const FactorGuess& factor : guess.factors)
      choice.factors.push_back({factor.column, factor.seen, {}, {}});
    open = guess.seen.clear() ? ""
                              : "Whether what was seen came before or after the decision is not clear "
                                "from the table: look at it.";
    if (!guess.action.likely) open = "Nothing looks like a decision: say which column tells what was done.";
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    open = error.what();
  }
  return choice;
}

ChoiceTable::Roles ChoiceTable::roles(const StudyChoice& choice) {
  require_roles(choice);
  require_one_role_each(choice);
  const ShapedTable& shaped = prepared(choice);
  const ProfiledTable& table = *shaped.table;
  const std::vector<std::string> missing = shared_missing_codes(table.profile());
  Roles roles;
  const ColumnProfile& order =
      column(shaped, choice.order.empty() ? kRowColumn : choice.order, "the order of visits");
  const auto as_visits = as_order(order);
  if (!as_visits) {
    throw input_error(
        fmt::format("column {} cannot order visits: its cells are neither numbers nor days nor common codes",
                    base::shown(order.name)));
  }
  roles.order = *as_visits;
  const ColumnProfile& action = column(shaped, choice.action, "what was done");
  roles.action = choice.by_presence ? as_presence(action) : as_action(action, table.profile().rows, missing);
  name_actions(choice, roles.action);
  for (const FactorChoice& chosen : choice.factors) {
    const ColumnProfile& seen = column(shaped, chosen.column, "what was seen");
    auto factor = as_factor(table, seen, missing, chosen.cuts.empty() ? kMostChosenLevels : 0);
    if (!factor && !chosen.cuts.empty() && seen.is_numeric()) {
      factor.emplace();  // its quantiles tell nothing apart, but the cuts may
      factor->column = seen.name;
      factor->numeric = true;
      factor->missing = own_missing_codes(seen, missing);
    }
    if (!factor) {
      throw input_error(
          fmt::format("column {} cannot be what was seen: its cells are neither numbers that differ nor 2 to "
                      "{} values that at least {} patients share each",
                      base::shown(seen.name), kMostChosenLevels, table.common()));
    }
    if (!chosen.cuts.empty() && chosen.levels.empty()) {
      factor->levels.clear();
      for (std::size_t i = 0; i <= chosen.cuts.size(); ++i)
        factor->levels.push_back(fmt::format("level {}", i + 1));
      if (chosen.cuts.size() == 1) factor->levels = {"low", "high"};
      if (chosen.cuts.size() == 2) factor->levels = {"low", "middle", "high"};
    }
    require_levels(chosen, *factor);
    factor->seen = chosen.seen;
    if (chosen.seen == Reading::kAfter) factor->yielded_by = yielding_beside(table, seen.name, roles.action);
    roles.factors.push_back(std::move(*factor));
  }
  return roles;
}

std::string ChoiceTable::study_text(const StudyChoice& choice) {
  Roles found = roles(choice);
  const ShapedTable& shaped = prepared(choice);
  std::string text = chosen_text(path_, shaped, choice, found);
  const Study study = parse_study(text, "the study");
  const bool before = std::any_of(found.factors.begin(), found.factors.end(),
                                  [](const FactorGuess& f) { return f.seen == Reading::kBefore; });
  if (!before) return text;
  // What was ordered at one visit stands in the row of the next.
  const CodedRows rows = coded_rows(study, data_file(path_));
  for (std::size_t k = 0; k < found.factors.size(); ++k) {
    if (found.factors[k].seen != Reading::kBefore) continue;
    for (const int action : yielding_actions(rows, k))
      found.factors[k].yielded_by.push_back(study.structure.actions[static_cast<std::size_t>(action)]);
  }
  return chosen_text(path_, shaped, choice, found);
}

}  // namespace interpole::data
