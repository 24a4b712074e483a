#include "interpole/data/tables/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "interpole/data/sources/memory_table.hpp"
#include "interpole/error.hpp"

namespace interpole::data {

namespace fs = std::filesystem;

namespace {

struct Ending {
  std::string_view text;
  TableFormat format;
  char delimiter = '\0';
  bool may_be_gzipped = true;
};

constexpr Ending kEndings[] = {{".csv", TableFormat::kCsv},
                               {".tsv", TableFormat::kCsv, '\t'},
                               {".txt", TableFormat::kCsv},
                               {".json", TableFormat::kJson},
                               {".jsonl", TableFormat::kJsonLines},
                               {".ndjson", TableFormat::kJsonLines},
                               {".parquet", TableFormat::kParquet, '\0', false},
                               {".duckdb", TableFormat::kDatabase, '\0', false},
                               {".db", TableFormat::kDatabase, '\0', false}};

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace

TableLocation table_location(const std::string& path) {
  if (memory_table(path)) return {path, ""};
  for (std::size_t at = path.find('#'); at != std::string::npos; at = path.find('#', at + 1)) {
    const std::string file = lower_case(path.substr(0, at));
    if (file.ends_with(".duckdb") || file.ends_with(".db")) return {path.substr(0, at), path.substr(at + 1)};
  }
  return {path, ""};
}

TableKind table_kind(const std::string& file) {
  if (memory_table(file)) return {TableFormat::kMemory};
  std::string name = lower_case(fs::path(file).filename().string());
  const bool gzipped = name.ends_with(".gz");
  if (gzipped) name.resize(name.size() - 3);
  for (const Ending& ending : kEndings) {
    if (name.ends_with(ending.text) && (!gzipped || ending.may_be_gzipped))
      return {ending.format, gzipped, ending.delimiter};
  }
  throw input_error(fmt::format(
      "{}: the kind of table is told by the file's name, which must end in .csv, .tsv, .txt, .json, "
      ".jsonl or .ndjson (or these with .gz), .parquet, .duckdb or .db",
      file));
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

}  // namespace interpole::data
