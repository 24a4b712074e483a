#include "interpole/data/study/study_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "interpole/base/messages.hpp"
#include "interpole/data/study/study_factors.hpp"
#include "interpole/data/study/study_priors.hpp"
#include "interpole/data_files.hpp"
#include "interpole/model/time/visit_gaps.hpp"

namespace interpole::data {
namespace {

SourceTables read_source(const TomlValue& table) {
  table.require_known_keys({"tables", "sql", "delimiter", "encoding", "missing"});
  SourceTables source;
  const TomlValue tables = table.required("tables", "name the table: tables = [\"visits\"]");
  for (const TomlValue& element : tables.elements()) {
    const std::string name = element.text();
    if (!is_table_name(name)) {
      element.refuse(
          fmt::format("{} is not a name for a table; use letters, digits and _, beginning with a letter",
                      base::shown(name)));
    }
    for (const std::string& other : source.tables) {
      if (same_table_name(other, name)) {
        element.refuse(fmt::format("{} is listed twice (case is ignored); rename one", base::shown(name)));
      }
    }
    source.tables.push_back(name);
  }
  if (source.tables.empty()) tables.refuse("the list is empty; name the table");
  if (table.has("sql")) source.sql = filled_text(table.at("sql"));
  if (source.sql.empty() && source.tables.size() > 1) {
    table.refuse_inside("sql", "the key is missing; several tables must be joined by a SELECT");
  }
  if (table.has("delimiter")) {
    const TomlValue delimiter = table.at("delimiter");
    const std::string text = delimiter.text();
    if (text.size() != 1 || std::string_view("\"\n\r").find(text[0]) != std::string_view::npos ||
        static_cast<unsigned char>(text[0]) >= 0x80 || text[0] == '\0') {
      delimiter.refuse(
          fmt::format("{} is not a delimiter; write one character such as \";\"", base::shown(text)));
    }
    source.delimiter = text[0];
  }
  if (table.has("encoding")) {
    const TomlValue encoding = table.at("encoding");
    if (!encoding.is_text("utf-8") && !encoding.is_text("latin-1")) {
      encoding.refuse_type("\"utf-8\" or \"latin-1\" (how CSV files spell letters)");
    }
    if (encoding.is_text("latin-1")) source.encoding = "latin-1";
  }
  if (table.has("missing")) source.missing = table.at("missing").texts();
  return source;
}

void read_order_kind(const TomlValue& table, RecordRule& record) {
  if (table.has("codes") == table.has("kind")) {
    table.refuse_inside("codes", table.has("kind")
                                     ? "stated beside kind; keep one of the two"
                                     : "the key is missing; say how visits are ordered: codes = [ … ], "
                                       "kind = \"number\" or kind = \"date\"");
  }
  if (table.has("kind")) {
    const TomlValue kind = table.at("kind");
    if (!kind.is_text("number") && !kind.is_text("date")) kind.refuse_type("\"number\" or \"date\"");
    record.kind = kind.is_text("date") ? OrderKind::kDate : OrderKind::kNumber;
    return;
  }
  record.kind = OrderKind::kCodes;
  for (const TomlValue& element : table.at("codes").elements()) {
    const std::string code = filled_text(element);
    if (std::find(record.codes.begin(), record.codes.end(), code) != record.codes.end()) {
      element.refuse(fmt::format("{} is listed twice; remove one", base::shown(code)));
    }
    record.codes.push_back(code);
  }
  if (record.codes.empty()) table.at("codes").refuse("the list is empty; list the visit codes in order");
}

void read_spacing(const TomlValue& table, RecordRule& record) {
  if (table.has("spacing")) record.spacing = table.at("spacing").positive_number();
  for (const char* key : {"tolerance", "gaps"}) {
    if (table.has(key) && !record.spacing)
      table.at(key).refuse("means something only with spacing; state it too");
  }
  if (table.has("tolerance")) {
    record.tolerance = table.at("tolerance").number();
    if (record.tolerance < 0.0)
      table.at("tolerance").refuse(fmt::format("{} must not be negative", record.tolerance));
  }
  if (!table.has("gaps")) return;
  const TomlValue gaps = table.at("gaps");
  if (gaps.is_text("cut")) {
    record.gaps = GapRule::kCut;
  } else if (gaps.is_text("drop")) {
    record.gaps = GapRule::kDrop;
  } else if (gaps.is_text("keep")) {
    record.gaps = GapRule::kKeep;
  } else {
    gaps.refuse_type("\"cut\" (end the record there), \"drop\" (leave the record out) or \"keep\"");
  }
}

RecordRule read_record(const TomlValue& table) {
  table.require_known_keys({"id", "order", "codes", "kind", "spacing", "tolerance", "first", "gaps", "seen",
                            "time", "unit", "typical", "steps", "wait"});
  RecordRule record;
  record.id = filled_text(table.required("id", "name the column that tells whose row it is"));
  record.order = filled_text(table.required("order", "name the column that orders the visits"));
  read_order_kind(table, record);
  read_spacing(table, record);
  if (table.has("seen")) record.seen_before = read_seen_before(table.at("seen"));
  if (table.has("time")) {
    record.time = filled_text(table.at("time"));
    // What happens in a gap depends on how long it is: none is too long, unless the study says so.
    if (!table.has("gaps")) record.gaps = GapRule::kKeep;
  }
  if (!table.has("first")) return record;
  const TomlValue first = table.at("first");
  switch (record.kind) {
    case OrderKind::kCodes:
      record.first = read_choice(first, record.codes, "one of the codes");
      break;
    case OrderKind::kNumber:
      record.first = first.number();
      break;
    case OrderKind::kDate:
      first.refuse("records ordered by date have no common first visit; remove the key");
  }
  return record;
}

ActionRule read_action(const TomlValue& table, const std::vector<std::string>& actions) {
  table.require_known_keys({"column", "values", "present", "if_present", "if_absent"});
  ActionRule rule;
  rule.by_presence = table.has("present");
  if (rule.by_presence == table.has("column")) {
    table.refuse_inside("column", rule.by_presence
                                      ? "stated beside present; keep one of the two"
                                      : "the key is missing; name the column that holds the action, or "
                                        "present = the column that is filled in if it was taken");
  }
  for (const char* key : {"if_present", "if_absent"}) {
    if (table.has(key) && !rule.by_presence) table.at(key).refuse("goes with present; remove the key");
  }
  if (!rule.by_presence) {
    rule.column = filled_text(table.at("column"));
    rule.values = read_meanings(table, "values", actions, "an action");
    return rule;
  }
  if (table.has("values")) table.at("values").refuse("goes with column; remove the key");
  rule.column = filled_text(table.at("present"));
  rule.if_present =
      read_choice(table.required("if_present", "name the action taken where the cell is filled in"), actions,
                  "an action");
  rule.if_absent =
      read_choice(table.required("if_absent", "name the action taken where it is not"), actions, "an action");
  return rule;
}

Filters read_filters(const TomlValue& table) {
  table.require_known_keys({"where", "required", "minimum_visits", "drop_if_last"});
  Filters filters;
  if (table.has("where")) filters.where = filled_text(table.at("where"));
  if (table.has("required")) {
    for (const TomlValue& element : table.at("required").elements()) {
      filters.required.push_back(filled_text(element));
      const auto end = filters.required.end() - 1;
      if (std::find(filters.required.begin(), end, *end) != end) {
        element.refuse(fmt::format("{} is listed twice; remove one", base::shown(*end)));
      }
    }
  }
  if (table.has("minimum_visits")) {
    const TomlValue minimum = table.at("minimum_visits");
    const std::int64_t visits = minimum.integer();
    if (visits < 1 || visits > std::numeric_limits<int>::max()) {
      minimum.refuse(fmt::format("{} must be 1 or more", visits));
    }
    filters.minimum_visits = static_cast<int>(visits);
  }
  if (table.has("drop_if_last")) filters.drop_if_last = filled_text(table.at("drop_if_last"));
  return filters;
}

std::vector<Covariate> read_covariates(const TomlValue& list) {
  std::vector<Covariate> covariates;
  for (const TomlValue& table : list.elements()) {
    table.require_known_keys({"name", "sql"});
    const std::string name = filled_text(table.required("name", "every covariate needs one"));
    for (const Covariate& other : covariates) {
      if (other.name == name)
        table.at("name").refuse(fmt::format("{} is there twice; rename one", base::shown(name)));
    }
    covariates.push_back(
        {name, filled_text(table.required("sql", "give an expression, such as \"AGE::DOUBLE > 75\""))});
  }
  return covariates;
}

// The states in the hinted order, each once.
std::vector<int> read_state_order(const TomlValue& list, const Structure& structure) {
  std::vector<int> order;
  for (const TomlValue& name : list.elements(structure.states.size(), "each state once")) {
    order.push_back(read_choice(name, structure.states, "a state"));
    if (std::find(order.begin(), order.end() - 1, order.back()) != order.end() - 1) {
      name.refuse(fmt::format("{} is listed twice; list each state once", base::shown(name.text())));
    }
  }
  return order;
}

LabelHint read_factor_hint(const TomlValue& table, const Structure& structure, const TableMapping& mapping) {
  table.require_known_keys({"factor", "level", "order"});
  std::vector<std::string> names;
  for (const Factor& factor : mapping.factors) names.push_back(factor.name);
  const int k = read_choice(table.at("factor"), names, "a factor");
  const Factor& factor = mapping.factors[k];
  const TomlValue level = table.required("level", "name the level that becomes likelier along the order");
  const int wanted = read_choice(level, factor.levels, "a level of the factor");
  if (wanted >= factor.measured_levels()) {
    level.refuse(fmt::format("{} says that the factor was not measured; name a level that was",
                             base::shown(level.text())));
  }
  LabelHint hint;
  hint.description = fmt::format("{} of {}", base::shown(level.text()), base::shown(factor.name));
  hint.order = read_state_order(
      table.required("order", "list the states, from least to most likely to give the level"), structure);
  for (int a = 0; a < structure.action_count(); ++a) {
    for (int z = 0; z < structure.observation_count(); ++z) {
      if (structure.can_yield(a, z) && mapping.level_of(z, k) == wanted) hint.outcomes.push_back({a, z});
    }
  }
  return hint;
}

}  // namespace

bool maps_a_table(const TomlValue& root, bool measured) {
  if (root.has("source")) return true;
  for (const std::string key : {"record", "action", "factors", "filters", "covariates", "group"}) {
    if (key == "factors" && measured) continue;
    if (key == "record" && root.has(key) && root.at(key).has("time")) continue;
    if (key == "factors" && root.has(key) && !root.has("observations")) {
      root.at(key).refuse(
          "a visits table with a column for each factor needs a study of version 2 without joint = true; for "
          "a "
          "table of its own add [source]");
    }
    if (root.has(key)) root.at(key).refuse("belongs to a study that maps a table of its own; add [source]");
  }
  return false;
}

TableMapping read_mapping(const TomlValue& root, const std::vector<std::string>& actions) {
  TableMapping mapping;
  mapping.source = read_source(root.at("source"));
  mapping.record = read_record(root.required("record", "add [record] with id and order"));
  mapping.action =
      read_action(root.required("action", "add [action] with the column that tells the action"), actions);
  if (root.has("filters")) mapping.filters = read_filters(root.at("filters"));
  if (root.has("covariates")) mapping.covariates = read_covariates(root.at("covariates"));
  if (root.has("group")) {
    const TomlValue group = root.at("group");
    group.require_known_keys({"column"});
    mapping.group = filled_text(group.required("column", "name the column that tells the group"));
  }
  return mapping;
}

std::optional<VisitTime> read_visit_time(const TomlValue& root, const Structure& structure, bool mapped) {
  if (!root.has("record")) return {};
  const TomlValue table = root.at("record");
  if (!table.has("time")) {
    for (const char* key : {"unit", "typical", "steps", "wait"}) {
      if (table.has(key))
        table.at(key).refuse("means something only with time; name the column of times too");
    }
    return {};
  }
  if (!mapped) {
    table.require_known_keys({"time", "unit", "typical", "steps", "wait"});
    if (!table.at("time").is_text("time"))
      table.at("time").refuse_type("\"time\": a visits table has its times in a column of that name");
  }
  VisitTime time;
  const TomlValue unit = table.required("unit", "write the unit of times, such as unit = \"days\"");
  read_choice(unit, model::unit_names(), "a unit of time");
  time.unit = unit.text();
  if (table.has("typical")) time.typical = table.at("typical").positive_number();
  if (!table.has("steps")) {
    if (table.has("wait"))
      table.at("wait").refuse("means something only with steps; state how long a step is");
    return time;
  }
  if (table.has("typical")) table.at("typical").refuse("stated beside steps; keep one of the two");
  time.rule = TimeRule::kSteps;
  time.typical = table.at("steps").positive_number();
  const TomlValue wait =
      table.required("wait", "name the action that stands for the further steps of a longer gap");
  time.wait = read_choice(wait, structure.actions, "an action");
  if (structure.is_terminal(time.wait))
    wait.refuse("the action is terminal; name one after which time goes on");
  return time;
}

void read_mapped_labels(const TomlValue& table, const Structure& structure, TableMapping& mapping,
                        std::optional<LabelHint>& hint) {
  table.require_known_keys({"action", "observation", "factor", "level", "column", "values", "order"});
  for (const char* key : {"factor", "action"}) {
    if (table.has("column") && table.has(key)) {
      table.at(key).refuse("stated beside column; keep one of the two");
    }
  }
  if (table.has("factor") && table.has("action"))
    table.at("action").refuse("stated beside factor; keep one of the two");
  if (table.has("column")) {
    table.require_known_keys({"column", "values"});
    mapping.diagnosis = {filled_text(table.at("column")),
                         read_meanings(table, "values", structure.states, "a state")};
  } else if (table.has("factor")) {
    hint = read_factor_hint(table, structure, mapping);
  } else {
    hint = read_labels(table, structure);
  }
}

}  // namespace interpole::data
