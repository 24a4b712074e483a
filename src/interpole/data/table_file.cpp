#include "interpole/data/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "interpole/base/error.hpp"

namespace interpole {

namespace fs = std::filesystem;

TableKind table_kind(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  TableKind kind;
  kind.parquet = name.ends_with(".parquet");
  kind.gzipped = name.ends_with(".gz");
  if (kind.gzipped) name.resize(name.size() - 3);
  if (name.ends_with(".tsv")) kind.delimiter = '\t';
  if (!kind.parquet && !name.ends_with(".csv") && !name.ends_with(".tsv") && !name.ends_with(".txt")) {
    throw input_error(
        fmt::format("{}: the kind of table is told by the file's name, which must end in .csv, .tsv, .txt "
                    "(or these with .gz) or .parquet",
                    path));
  }
  return kind;
}

void require_readable(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw input_error(fmt::format("{}: is a folder; name a file in it", path));
  errno = 0;
  const std::ifstream probe(path);
  if (!probe) {
    throw input_error(fmt::format("{}: cannot be read: {}; check the name and its permissions", path,
                                  errno == 0 ? "unknown reason" : std::strerror(errno)));
  }
}

std::string absolute_path(const std::string& path) {
  const fs::path absolute = fs::absolute(path);
  const bool climbs = std::find(absolute.begin(), absolute.end(), "..") != absolute.end();
  std::error_code problem;
  const fs::path canonical = climbs ? fs::canonical(absolute, problem) : fs::path();
  return !climbs || problem ? absolute.string() : canonical.string();
}

std::string sql_path_literal(const std::string& path) {
  constexpr std::string_view kPattern = "*?[";
  const std::string absolute = absolute_path(path);
  // DuckDB takes a backslash in a pattern for a folder's end, and has no way to say otherwise.
  if (absolute.find_first_of(kPattern) != std::string::npos && absolute.find('\\') != std::string::npos) {
    throw input_error(
        fmt::format("{}: a name with a backslash and one of * ? [ cannot be read; rename the file", path));
  }
  std::string result = "'";
  for (const char c : absolute) {
    if (kPattern.find(c) != std::string_view::npos) {
      result += {'[', c, ']'};
    } else if (c == '\'') {
      result += "''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

}  // namespace interpole
