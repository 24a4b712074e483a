// DuckDB explains itself in pages of hints about its own options. This makes one sentence of them.
#pragma once

#include <string>
#include <string_view>

#include "interpole/error.hpp"

namespace interpole::data {

// `message` as DuckDB gave it while reading `path`. An input error, or a runtime error if memory ran out.
Error translate_duckdb_error(std::string_view message, const std::string& path);

}  // namespace interpole::data
