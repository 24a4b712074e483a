// Plain CSV cut into cells, some ten times as fast as a reader that takes everything.
//
// Plain is what programs write: '\n' ends a line and nothing else does, quotes stand around whole cells or
// nowhere, every line has as many cells as the first, and all is ASCII. What is not plain is not wrong: it is
// for another reader to take or refuse, so nothing is said here about why. Internal.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace interpole::data {

// Where each cell of some lines ends: the places of the separators.
struct CellEnds {
  std::vector<std::uint32_t> ends;
  std::size_t count = 0;  // of `ends`, which may be longer
  std::size_t lines = 0;
};

// Cuts whole lines, each with its '\n', of less than 4 GB. False if they are not plain or a line has not
// `columns` (two or more) cells; `cells` holds nothing of use then.
bool cut_plain_csv(std::string_view lines, char delimiter, std::size_t columns, CellEnds& cells);

// Cell number `index` of all, line by line, without its quotes.
inline std::string_view cell_at(std::string_view lines, const CellEnds& cells, std::size_t index) {
  std::size_t begin = index == 0 ? 0 : cells.ends[index - 1] + std::size_t{1};
  std::size_t end = cells.ends[index];
  if (begin < end && lines[begin] == '"') {
    ++begin;
    --end;
  }
  return lines.substr(begin, end - begin);
}

}  // namespace interpole::data
