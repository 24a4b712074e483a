#include "interpole/evaluate/paper/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"
#include "interpole/learners/registry/registry.hpp"

namespace interpole::evaluate {
namespace {

// What tables say of a learner beyond its registry row. A learner that is not listed gets a row by its name.
TableRow row_of(const learners::Learner& learner) {
  const std::string name = learner.name();
  if (name == "interpole") return {name, "INTERPOLE, coupled", &learner, {}, "INTERPOLE", 0.3};
  if (name == "interpole-shared") return {name, "INTERPOLE, shared", &learner, {}, "INTERPOLE", 0.1};
  if (name == "interpole-subjective") return {name, "INTERPOLE, subjective", &learner, {}, "", 0.1};
  if (name == "interpole-averaged") return {name, "INTERPOLE, averaged", &learner, {}, "INTERPOLE", 1};
  if (name == "interpole-terms") return {name, "INTERPOLE, with terms", &learner, {}, "", 3};
  if (name == "po-mb-il") return {name, "PO-MB-IL", &learner, {}, "PO-MB-IL", 0.1};
  if (name == "po-irl") return {name, "PO-IRL", &learner, {}, "PO-IRL", 6};
  if (name == "off-po-irl") return {name, "Off. PO-IRL", &learner, {}, "Off. PO-IRL", 8};
  if (name == "r-bc") return {name, "R-BC", &learner, {}, "R-BC", 7};
  if (name == "recurrent-tree") return {name, "recurrent tree", &learner, {}, "", 8};
  if (name == "contextual") return {name, "contextual", &learner, {}, "", 8};
  if (name == "irl") return {name, "IRL", &learner, {}, "", 0.2};
  if (name == "mb-il") return {name, "MB-IL", &learner, {}, "", 0.2};
  if (name == "gail") return {name, "GAIL", &learner, {}, "", 0.2};
  if (name == "logistic") return {name, "logistic regression", &learner, {}, "", 0.5};
  if (name == "previous-action") return {name, "previous action", &learner, {}, "", 0.1};
  if (name == "bc") return {name, "BC", &learner, {}, "", 0.1};
  if (name == "majority") return {name, "majority", &learner, {}, "", 0.1};
  return {name, name, &learner, {}, "", 1};
}

std::vector<TableRow> variants_of(const learners::Learner& learner) {
  const std::string name = learner.name();
  if (name == "po-irl") {
    return {{"po-irl-paper", "PO-IRL, paper's chain", &learner, {{"paper-chain", 1}}, "PO-IRL", 1}};
  }
  if (name == "off-po-irl") {
    return {
        {"off-po-irl-paper", "Off. PO-IRL, paper's chain", &learner, {{"paper-chain", 1}}, "Off. PO-IRL", 2}};
  }
  if (name == "r-bc") {
    // One network, its training loss watched from the first iteration on.
    return {{"r-bc-paper",
             "R-BC, paper's stop",
             &learner,
             {{"networks", 1}, {"start-scale", 1}, {"least-iterations", 1}, {"validation-share", 0}},
             "R-BC",
             80,
             true}};
  }
  return {};
}

Error unknown_row(const std::string& name, const std::vector<TableRow>& rows) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const TableRow& row : rows) names.push_back(row.name);
  const std::string closest = base::closest_name(name, names);
  return usage_error(fmt::format(
      "option learner: {} is not a row of the table; {}known are {}", base::shown(name),
      closest.empty() ? "" : fmt::format("did you mean {}? ", base::shown(closest)), fmt::join(names, ", ")));
}

}  // namespace

std::vector<TableRow> all_table_rows() {
  std::vector<TableRow> rows;
  for (const learners::Learner* learner : learners::all_learners()) {
    rows.push_back(row_of(*learner));
    std::ranges::copy(variants_of(*learner), std::back_inserter(rows));
  }
  return rows;
}

std::vector<TableRow> table_rows_named(const std::vector<std::string>& names) {
  std::vector<TableRow> rows = all_table_rows();
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::ranges::find(rows, *name, &TableRow::name) == rows.end()) throw unknown_row(*name, rows);
    if (std::find(names.begin(), name, *name) != name) {
      throw usage_error(fmt::format("option learner: {} is named twice; name it once", *name));
    }
  }
  std::erase_if(rows, [&](const TableRow& row) {
    return names.empty() ? row.only_named : std::ranges::find(names, row.name) == names.end();
  });
  return rows;
}

}  // namespace interpole::evaluate
