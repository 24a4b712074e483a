#include "interpole/data/tables/csv_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";

char likeliest_delimiter(std::string_view line) {
  char best = kDelimiters.front();
  std::ptrdiff_t most = 0;
  for (const char candidate : kDelimiters) {
    bool inside_quotes = false;
    std::ptrdiff_t count = 0;
    for (const char c : line) {
      if (c == '"') inside_quotes = !inside_quotes;
      if (c == candidate && !inside_quotes) ++count;
    }
    if (count > most) {
      best = candidate;
      most = count;
    }
  }
  return best;
}

// Takes one cell off the front of `rest` (which keeps the delimiter). A quote inside a quoted cell is written
// "".
std::string take_cell(std::string_view& rest, char delimiter, const std::string& where) {
  if (rest.empty() || rest.front() != '"') {
    const std::size_t end = std::min(rest.find(delimiter), rest.size());
    std::string cell(rest.substr(0, end));
    rest.remove_prefix(end);
    return cell;
  }
  std::string cell;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] != '"') {
      cell += rest[i];
    } else if (i + 1 < rest.size() && rest[i + 1] == '"') {
      cell += rest[i++];
    } else if (i + 1 == rest.size() || rest[i + 1] == delimiter) {
      rest.remove_prefix(i + 1);
      return cell;
    } else {
      break;
    }
  }
  throw input_error(
      fmt::format("{}: line 1: the quote before {} is not closed in front of a delimiter; write \"\" for a "
                  "quote inside a column's name",
                  where, base::shown(rest.substr(1))));
}

}  // namespace

CsvHeader parse_csv_header(std::string_view line, char delimiter, const std::string& where) {
  if (line.find_first_not_of(" \t") == std::string_view::npos) {
    throw input_error(fmt::format("{}: line 1 is blank; the first line must name the columns", where));
  }
  CsvHeader header{delimiter == '\0' ? likeliest_delimiter(line) : delimiter, {}};
  std::set<std::string> seen;
  for (bool more = true; more;) {
    const std::string name = take_cell(line, header.delimiter, where);
    if (name.empty()) {
      throw input_error(
          fmt::format("{}: line 1: column {} has no name; the first line must name every column", where,
                      header.columns.size() + 1));
    }
    if (!seen.insert(name).second) {
      throw input_error(
          fmt::format("{}: line 1: two columns are called {}; rename one", where, base::shown(name)));
    }
    header.columns.push_back(name);
    more = !line.empty();
    if (more) line.remove_prefix(1);
  }
  return header;
}

}  // namespace interpole::data
