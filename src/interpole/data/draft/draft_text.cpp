#include "interpole/data/draft/draft_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "interpole/base/messages.hpp"
#include "interpole/data/tables/table_file.hpp"

namespace interpole::data {

std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\u{:04X}", code);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string toml_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + toml_text(text);
  return "[" + list + "]";
}

std::string safe_rows(std::int64_t rows) {
  if (rows == 0) return "no";
  return rows < ProfiledTable::kCommon ? fmt::format("fewer than {}", ProfiledTable::kCommon)
                                       : std::to_string(rows);
}

std::string stem_of(const std::string& path) {
  const TableLocation location = table_location(path);
  if (!location.table.empty()) return location.table;
  const std::string name = std::filesystem::path(path).filename().string();
  return name.substr(0, name.find('.'));
}

std::string toml_lines(const std::string& text) {
  const bool plain = text.find("'''") == std::string::npos && text.back() != '\'' &&
                     std::none_of(text.begin(), text.end(), [](char c) {
                       return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
                     });
  if (!plain) return toml_text(text);
  return "'''\n" + text + "\n'''";
}

std::string draft_head(const std::string& table, const TableProfile& profile, std::int64_t common,
                       int version) {
  return fmt::format(
      "# A first draft of a study, guessed from the {}{} rows of {}.\n"
      "# Read every line: names and counts suggest a meaning, they do not know it. DECIDE marks what only "
      "you can\n"
      "# say. Every key is explained in docs/study-file.md. Values that fewer than {} patients share are not "
      "shown.\n"
      "format = \"interpole-study\"\nversion = {}\nname = {}\n\n"
      "# DECIDE what the patient may be. Never recorded; the decision-maker's belief is a probability for "
      "each.\n"
      "states = [\"state-1\", \"state-2\"]\n\n",
      profile.whole ? "" : "first ", profile.rows,
      base::shown(std::filesystem::path(table).filename().string()), common, version,
      toml_text(stem_of(table)));
}

std::string action_block(const std::string& name, const std::string& rest) {
  return fmt::format("[[actions]]\nname = {}\n{}\n", toml_text(name), rest);
}

std::vector<std::string> common_cells(const ColumnProfile& column) {
  std::vector<std::string> cells;
  for (const CellCount& cell : column.categories) cells.push_back(cell.text);
  std::sort(cells.begin(), cells.end());
  return cells;
}

}  // namespace interpole::data
