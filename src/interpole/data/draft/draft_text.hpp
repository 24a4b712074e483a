// Pieces of text that drafts of studies are made of. Internal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/data/draft/table_profile.hpp"

namespace interpole::data {

// A TOML string, and a list of them.
std::string toml_text(std::string_view text);
std::string toml_list(const std::vector<std::string>& texts);
// A text of several lines as it stands, where TOML can say it so.
std::string toml_lines(const std::string& text);

// A number of rows that points at nobody.
std::string safe_rows(std::int64_t rows);

// The file's name up to its first dot.
std::string stem_of(const std::string& path);

// Everything above the actions, or above the observations if nothing is mapped.
// `common`: how many must share a value for it to be shown.
std::string draft_head(const std::string& table, const TableProfile& profile, std::int64_t common,
                       int version = 1);

std::string action_block(const std::string& name, const std::string& rest = "");

// The categories of a column by the alphabet.
std::vector<std::string> common_cells(const ColumnProfile& column);

}  // namespace interpole::data
