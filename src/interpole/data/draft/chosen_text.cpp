#include "interpole/data/draft/chosen_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "interpole/base/messages.hpp"
#include "interpole/data/draft/draft_text.hpp"

namespace interpole::data {
namespace {

// In the order in which they first come.
std::vector<std::string> without_repeats(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names) {
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  }
  return once;
}

std::string toml_pairs(const std::vector<std::string>& keys, const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i)
    text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", toml_text(keys[i]), toml_text(values[i]));
  return "{ " + text + " }";
}

std::string chosen_source(const TableShape& shape, const std::vector<std::string>& missing) {
  std::string text = fmt::format("[source]\ntables = {}\n", toml_list(shape.source.tables));
  if (!shape.source.encoding.empty())
    text += fmt::format("encoding = {}\n", toml_text(shape.source.encoding));
  for (const std::string& note : shape.notes) text += "# " + note + "\n";
  if (!shape.source.sql.empty()) text += "sql = " + toml_lines(shape.source.sql) + "\n";
  if (!missing.empty()) text += fmt::format("missing = {}\n", toml_list(missing));
  return text + "\n";
}

std::string chosen_record(const StudyChoice& choice, const OrderGuess& order) {
  std::string text =
      fmt::format("[record]\nid = {}\norder = {}\n", toml_text(choice.id), toml_text(order.column));
  if (order.kind == OrderKind::kCodes) {
    text += fmt::format("codes = {}\n", toml_list(order.codes));
  } else {
    text += fmt::format("kind = \"{}\"\n", order.kind == OrderKind::kDate ? "date" : "number");
  }
  return text + "\n";
}

std::string chosen_action(const ActionGuess& action) {
  if (action.by_presence) {
    return fmt::format("[action]\npresent = {}\nif_present = {}\nif_absent = {}\n\n",
                       toml_text(action.column), toml_text(action.names[0]), toml_text(action.names[1]));
  }
  return fmt::format("[action]\ncolumn = {}\nvalues = {}\n\n", toml_text(action.column),
                     toml_pairs(action.cells, action.names));
}

std::string chosen_factor(const FactorChoice& choice, const FactorGuess& factor) {
  const std::vector<std::string>& names = choice.levels.empty() ? factor.levels : choice.levels;
  std::string text = fmt::format("[[factors]]\nname = {0}\ncolumn = {0}\nkind = \"{1}\"\nlevels = {2}\n",
                                 toml_text(factor.column), factor.numeric ? "numeric" : "categorical",
                                 toml_list(factor.numeric ? names : without_repeats(names)));
  if (!factor.numeric) {
    if (names != factor.levels) text += fmt::format("values = {}\n", toml_pairs(factor.levels, names));
  } else if (choice.cuts.empty()) {
    text += fmt::format("bins = {{ quantiles = [{}] }}\n", fmt::join(factor.quantiles, ", "));
  } else {
    text += fmt::format("cuts = [{}]\n", fmt::join(choice.cuts, ", "));
  }
  if (!factor.missing.empty()) text += fmt::format("missing = {}\n", toml_list(factor.missing));
  if (!factor.yielded_by.empty()) {
    text += fmt::format("yielded_by = {}  # because it is empty after other actions\n",
                        toml_list(factor.yielded_by));
  }
  return text + fmt::format("seen = \"{}\"\n\n", factor.seen == Reading::kBefore ? "before" : "after");
}

std::string chosen_filters(const ActionGuess& action) {
  std::string text;
  if (action.other_cells && !action.by_presence) {
    std::string list;
    for (const std::string& cell : action.cells) list += (list.empty() ? "" : ", ") + quoted_text(cell);
    text +=
        fmt::format("# Rows whose action is another, rare one are left out.\nwhere = {}\n",
                    toml_text(fmt::format("CAST({} AS VARCHAR) IN ({})", quoted_name(action.column), list)));
  }
  if (action.empty_cells) text += fmt::format("required = [{}]\n", toml_text(action.column));
  return text.empty() ? "" : "[filters]\n" + text + "\n";
}

std::string chosen_rest(const StudyChoice& choice) {
  std::string text;
  for (const std::string& column : choice.covariates) {
    text += fmt::format("[[covariates]]\nname = {}\nsql = {}\n\n", toml_text(column),
                        toml_text(quoted_name(column)));
  }
  if (!choice.group.empty()) text += fmt::format("[group]\ncolumn = {}\n\n", toml_text(choice.group));
  if (!choice.label_factor.empty()) {
    text += fmt::format("[labels]\nfactor = {}\nlevel = {}\norder = {}\n", toml_text(choice.label_factor),
                        toml_text(choice.label_level), toml_list(choice.states));
  }
  return text;
}

}  // namespace

std::string chosen_text(const std::string& path, const ShapedTable& shaped, const StudyChoice& choice,
                        const ChoiceTable::Roles& roles) {
  std::string text = fmt::format(
      "# Chosen in the study builder, from {}. Every key is explained in docs/study-file.md.\n"
      "format = \"interpole-study\"\nversion = 1\nname = {}\nstates = {}\n\n",
      base::shown(std::filesystem::path(path).filename().string()), toml_text(choice.name),
      toml_list(choice.states));
  for (const std::string& name : without_repeats(roles.action.names)) {
    const bool ends =
        std::find(choice.terminal.begin(), choice.terminal.end(), name) != choice.terminal.end();
    text += action_block(name, ends ? "terminal = true\n" : "");
  }
  text += chosen_source(shaped.shape, shared_missing_codes(shaped.table->profile())) +
          chosen_record(choice, roles.order) + chosen_action(roles.action);
  for (std::size_t k = 0; k < roles.factors.size(); ++k)
    text += chosen_factor(choice.factors[k], roles.factors[k]);
  return text + chosen_filters(roles.action) + chosen_rest(choice);
}

}  // namespace interpole::data
