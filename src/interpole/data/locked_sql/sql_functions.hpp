// Functions that the SQL of a study may call. Internal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interpole::data {

// In order. Functions of DuckDB 1.4 that compute a value from their arguments (numbers, text, dates, lists,
// JSON), chance and the clock among them; none that tells of the database, its settings, its catalogue or its
// connection, or changes any of them. A function that a later DuckDB adds is not allowed until it is listed.
const std::vector<std::string>& allowed_sql_functions();

// Whatever its case.
bool is_allowed_sql_function(std::string_view name);

}  // namespace interpole::data
