#include "interpole/data/locked_sql/study_sql.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "interpole/base/messages.hpp"
#include "interpole/data/locked_sql/sql_functions.hpp"
#include "interpole/data/tables/duckdb_error.hpp"
#include "interpole/data_files.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::array<std::string_view, 3> kTableFunctions = {"unnest", "range", "generate_series"};

std::string_view text_of(const object& node, std::string_view key) {
  std::string_view text;
  return node[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// DuckDB's own parse of the text, as JSON.
std::string parse_tree(const DuckdbConnection& connection, const std::string& sql, const std::string& where) {
  if (sql.find('\0') != std::string::npos) throw input_error(where + ": SQL with a NUL character; remove it");
  DuckdbQuery query(connection, fmt::format("SELECT CAST(json_serialize_sql({}) AS VARCHAR)", sql_text(sql)),
                    where);
  const duckdb_data_chunk chunk = query.fetch();
  std::vector<Cell> cells;
  if (chunk != nullptr) copy_cells(chunk, 0, cells);
  if (cells.empty() || cells[0].is_null) throw runtime_error(where + ": DuckDB cannot parse SQL here");
  return std::string(cells[0].text);
}

// Walks the parse and refuses whatever reaches outside the study's tables.
class Inspector {
 public:
  Inspector(const std::vector<std::string>& tables, const std::string& where)
      : tables_(tables), where_(where) {}

  void inspect(const element& root) { walk(root); }

 private:
  // A common table expression may be used like a table by those after it and by the query it belongs to, and
  // nowhere else; a recursive one also by itself.
  void walk(const element& node) {
    const std::size_t outside = names_.size();
    object fields;
    array items;
    if (node.get(fields) == simdjson::SUCCESS) {
      check(fields);
      const std::string_view recursive = text_of(fields, "cte_name");
      if (!recursive.empty()) names_.emplace_back(recursive);
      array entries;
      if (node["cte_map"]["map"].get(entries) == simdjson::SUCCESS) walk_expressions(entries);
      for (const auto field : fields) {
        if (field.key != "cte_map") walk(field.value);
      }
    } else if (node.get(items) == simdjson::SUCCESS) {
      for (const element item : items) walk(item);
    }
    names_.resize(outside);
  }

  // Leaves their names known.
  void walk_expressions(const array& entries) {
    for (const element entry : entries) {
      walk(entry["value"]);
      std::string_view key;
      if (entry["key"].get(key) == simdjson::SUCCESS) names_.emplace_back(key);
    }
  }

  void check(const object& node) const {
    const std::string_view type = text_of(node, "type");
    if (type == "BASE_TABLE") return check_table(node);
    if (type == "TABLE_FUNCTION") return check_table_function(node);
    if (type == "SHOW_REF")
      throw input_error(where_ + ": DESCRIBE and SHOW are no tables; select from the study's tables");
    const std::string_view kind = text_of(node, "class");
    if (kind == "FUNCTION" || kind == "WINDOW") check_function(node);
  }

  // Operators are functions too; none of them does more than compute.
  void check_function(const object& node) const {
    const std::string_view name = text_of(node, "function_name");
    bool is_operator = false;
    if (node["is_operator"].get(is_operator) == simdjson::SUCCESS && is_operator) return;
    const std::string_view schema = text_of(node, "schema");
    const std::string_view catalog = text_of(node, "catalog");
    const bool built_in = (schema.empty() || schema == "main") && (catalog.empty() || catalog == "system");
    if (built_in && is_allowed_sql_function(name)) return;
    const std::string nearest = base::closest_name(name, allowed_sql_functions());
    throw input_error(fmt::format(
        "{}: {} is not a function that a study may use: these compute from numbers, text, dates, lists and "
        "JSON, "
        "and tell nothing of the database{}",
        where_, base::shown(name),
        built_in && !nearest.empty() ? fmt::format("; did you mean {}?", base::shown(nearest)) : ""));
  }

  void check_table(const object& node) const {
    const std::string_view name = text_of(node, "table_name");
    const auto is_it = [&](const std::string& known) { return same_table_name(known, name); };
    const bool known = std::any_of(tables_.begin(), tables_.end(), is_it) ||
                       std::any_of(names_.begin(), names_.end(), is_it);
    if (known && text_of(node, "schema_name").empty() && text_of(node, "catalog_name").empty()) return;
    throw input_error(fmt::format("{}: {} is not a table of this study{}", where_, base::shown(name),
                                  base::suggestion(name, tables_, "source.tables lists")));
  }

  void check_table_function(const object& node) const {
    object function;
    std::string_view name;
    if (node["function"].get(function) == simdjson::SUCCESS) name = text_of(function, "function_name");
    const bool known = std::any_of(kTableFunctions.begin(), kTableFunctions.end(),
                                   [&](std::string_view allowed) { return same_table_name(allowed, name); });
    if (known) return;
    throw input_error(
        fmt::format("{}: the table function {} may not be used in a study: SQL reads the study's tables and "
                    "nothing else; list the file under source.tables and give it with option data name=FILE",
                    where_, base::shown(name)));
  }

  const std::vector<std::string>& tables_;
  const std::string& where_;
  std::vector<std::string> names_;  // of the common table expressions that may be used here
};

constexpr std::string_view kOneSelect =
    "one SELECT statement; the SQL of a study reads its tables and does nothing else";
constexpr std::string_view kOneExpression = "one expression, such as \"AGE::DOUBLE >= 55\"";

// The only statement of a parse, inspected. `wanted` says what should have been written.
element only_statement(const element& root, const std::vector<std::string>& tables, const std::string& where,
                       std::string_view wanted) {
  bool failed = true;
  if (root["error"].get(failed) != simdjson::SUCCESS || failed) {
    std::string_view reason = "it cannot be parsed";
    std::string_view kind;
    const bool explained = root["error_message"].get(reason) == simdjson::SUCCESS;
    if (root["error_type"].get(kind) == simdjson::SUCCESS && explained && kind == "parser") {
      throw translate_duckdb_error(fmt::format("Parser Error: {}", reason), where);
    }
    throw input_error(fmt::format("{}: must be {}", where, wanted));
  }
  array statements;
  if (root["statements"].get(statements) != simdjson::SUCCESS || statements.size() != 1) {
    throw input_error(fmt::format("{}: must be {}", where, wanted));
  }
  const element statement = statements.at(0);
  Inspector(tables, where).inspect(statement);
  return statement;
}

element parsed(simdjson::dom::parser& parser, const std::string& tree, const std::string& where) {
  element root;
  if (parser.parse(tree).get(root) != simdjson::SUCCESS) {
    throw input_error(where + ": the SQL is nested too deeply; simplify it");
  }
  return root;
}

}  // namespace

void require_select(const DuckdbConnection& connection, const std::string& sql,
                    const std::vector<std::string>& tables, const std::string& where) {
  simdjson::dom::parser parser;
  only_statement(parsed(parser, parse_tree(connection, sql, where), where), tables, where, kOneSelect);
}

void require_expression(const DuckdbConnection& connection, const std::string& sql,
                        const std::vector<std::string>& tables, const std::string& where) {
  simdjson::dom::parser parser;
  // The line break keeps a comment at the end from swallowing the parenthesis.
  const std::string select = fmt::format("SELECT ({}\n)", sql);
  const element statement = only_statement(parsed(parser, parse_tree(connection, select, where), where),
                                           tables, where, kOneExpression);
  const auto node = statement["node"];
  std::string_view type;
  std::string_view from;
  array columns;
  array modifiers;
  const bool plain = node["type"].get(type) == simdjson::SUCCESS && type == "SELECT_NODE" &&
                     node["from_table"]["type"].get(from) == simdjson::SUCCESS && from == "EMPTY" &&
                     node["select_list"].get(columns) == simdjson::SUCCESS && columns.size() == 1 &&
                     node["modifiers"].get(modifiers) == simdjson::SUCCESS && modifiers.size() == 0 &&
                     node["where_clause"].is_null();
  if (!plain) throw input_error(fmt::format("{}: must be {}", where, kOneExpression));
}

}  // namespace interpole::data
