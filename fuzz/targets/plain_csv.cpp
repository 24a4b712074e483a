#include "interpole/data/locked_sql/plain_csv.hpp"

#include <optional>
#include <string>
#include <vector>

#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {
namespace {

using Cells = std::vector<std::string>;

// One character after the other. None: the text is not plain.
std::optional<Cells> plain_cells(std::string_view text, char delimiter, std::size_t columns) {
  if (text.empty() || text.back() != '\n') return {};
  Cells cells;
  std::size_t at = 0;
  while (at < text.size()) {
    for (std::size_t column = 0; column < columns; ++column) {
      const bool quoted = text[at] == '"';
      if (quoted) ++at;
      std::string cell;
      for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c <= 0 || c == '\r' || (quoted && c == '\n')) return {};
        if (c == '"') break;
        if (!quoted && (c == delimiter || c == '\n')) break;
        cell += c;
      }
      if (at == text.size() || (text[at] == '"') != quoted) return {};
      if (quoted) ++at;
      const char wanted = column + 1 == columns ? '\n' : delimiter;
      if (at == text.size() || text[at] != wanted) return {};
      ++at;
      cells.push_back(cell);
    }
  }
  return cells;
}

}  // namespace

// The reader that looks at 64 characters at a time beside one that looks at one.
void plain_csv(std::string_view input) {
  Bytes bytes(input);
  const std::size_t columns = 2 + bytes.below(4);
  const char delimiter = ",;\t|"[bytes.below(4)];
  const std::string_view text = bytes.rest();
  data::CellEnds ends;
  std::optional<Cells> found;
  if (data::cut_plain_csv(text, delimiter, columns, ends)) {
    found.emplace();
    for (std::size_t i = 0; i < ends.count; ++i) found->emplace_back(data::cell_at(text, ends, i));
  }
  require(found == plain_cells(text, delimiter, columns), "both readers find the same cells");
}

}  // namespace interpole::fuzz
