#include "interpole/data/locked_sql/missing_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace interpole::data {
namespace {

bool is_number(duckdb_type type) {
  constexpr duckdb_type kNumbers[] = {DUCKDB_TYPE_TINYINT,  DUCKDB_TYPE_SMALLINT, DUCKDB_TYPE_INTEGER,
                                      DUCKDB_TYPE_BIGINT,   DUCKDB_TYPE_UTINYINT, DUCKDB_TYPE_USMALLINT,
                                      DUCKDB_TYPE_UINTEGER, DUCKDB_TYPE_UBIGINT,  DUCKDB_TYPE_HUGEINT,
                                      DUCKDB_TYPE_FLOAT,    DUCKDB_TYPE_DOUBLE,   DUCKDB_TYPE_DECIMAL};
  return std::find(std::begin(kNumbers), std::end(kNumbers), type) != std::end(kNumbers);
}

// One comparison for each text: DuckDB is slower with IN, and far slower with nested nullif, which doubles
// the expression with every text.
std::string is_any_of(const std::string& cell, const std::vector<std::string>& texts) {
  std::string sql;
  for (const std::string& text : texts)
    sql += fmt::format("{}{} = {}", sql.empty() ? "" : " OR ", cell, sql_text(text));
  return sql;
}

}  // namespace

MissingCells::MissingCells(const std::vector<std::string>& codes) {
  for (const std::string& code : codes) {
    const std::string text = trimmed(code);
    if (text.empty() || std::find(texts_.begin(), texts_.end(), text) != texts_.end()) continue;
    texts_.push_back(text);
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(number)) continue;
    numbers_ += (numbers_.empty() ? "" : ", ") + sql_text(text) + "::DOUBLE";
  }
}

std::string MissingCells::cleaned(const std::string& column, duckdb_type type) const {
  if (type == DUCKDB_TYPE_VARCHAR) return cleaned_text(column);
  if (type == DUCKDB_TYPE_ENUM) return cleaned_text(fmt::format("CAST({} AS VARCHAR)", column));
  if (!is_number(type) || numbers_.empty()) return column;
  return fmt::format("CASE WHEN {0}::DOUBLE IN ({1}) THEN NULL ELSE {0} END", column, numbers_);
}

// Trimming only what may have blanks around it is worth the longer text: it takes a tenth of the time. Empty
// texts, and those that begin with a blank or a control character, come before '!'.
std::string MissingCells::cleaned_text(const std::string& text) const {
  const std::string core = fmt::format("trim({})", text);
  std::vector<std::string> texts = {""};
  texts.insert(texts.end(), texts_.begin(), texts_.end());
  const std::string plain = texts_.empty() ? "" : fmt::format("WHEN {} THEN NULL ", is_any_of(text, texts_));
  return fmt::format(
      "CASE WHEN {0} < '!' OR {0} LIKE '% ' THEN CASE WHEN {1} THEN NULL ELSE {2} END {3}ELSE {0} END", text,
      is_any_of(core, texts), core, plain);
}

std::string MissingCells::without_codes(const std::string& text) const {
  if (texts_.empty()) return text;
  return fmt::format("CASE WHEN {} THEN NULL ELSE {} END", is_any_of(text, texts_), text);
}

}  // namespace interpole::data
