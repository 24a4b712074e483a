#include "interpole/data/tables/json_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The first two characters that are not white space, of a plain or gzipped file; fewer if it has fewer.
std::string first_characters(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), &gzclose);
  std::array<char, 4096> bytes{};
  std::string found;
  bool first = true;
  for (int count = 0;
       file && found.size() < 2 && (count = gzread(file.get(), bytes.data(), bytes.size())) > 0;
       first = false) {
    const std::string_view text(bytes.data(), static_cast<std::size_t>(count));
    if (first && text.starts_with(kByteOrderMark)) {
      throw input_error(fmt::format(
          "{}: begins with a byte order mark, which JSON has not; save it as UTF-8 without one", path));
    }
    for (const char c : text) {
      if (std::isspace(static_cast<unsigned char>(c)) == 0 && found.size() < 2) found += c;
    }
  }
  return found;
}

void check_beginning(const std::string& path, bool lines) {
  const std::string found = first_characters(path);
  if (found.empty()) {
    throw input_error(fmt::format("{}: the file is empty; it must hold objects, one for each row", path));
  }
  if (found == "[]") throw input_error(fmt::format("{}: there are no rows; nothing to learn from", path));
  if (found[0] == '{') return;
  if (lines) {
    throw input_error(fmt::format("{}: must hold one object {{…}} a line{}", path,
                                  found[0] == '[' ? "; an array of objects is a .json file: rename it" : ""));
  }
  if (found != "[{") {
    throw input_error(
        fmt::format("{}: must be an array of objects, [{{…}}, {{…}}], or one object a line; "
                    "each object is a row",
                    path));
  }
}

// DuckDB renames keys that differ in case only, and an empty one; under such a name nothing would be found.
void require_own_names(const DuckdbConnection& connection, const std::string& file_and_format,
                       const std::vector<std::string>& names, const std::string& path) {
  const auto ends_in_digit = [](const std::string& name) {
    return std::isdigit(static_cast<unsigned char>(name.back())) != 0;
  };
  for (const std::string& name : names) {
    if (!ends_in_digit(name)) continue;
    DuckdbQuery probe(
        connection,
        fmt::format("SELECT 1 FROM read_json_objects({}) WHERE list_contains(json_keys(json), {}) LIMIT 1",
                    file_and_format, sql_text(name)),
        path);
    if (probe.fetch() != nullptr) continue;
    throw input_error(
        fmt::format("{}: two keys differ in case only, or a key is empty (DuckDB would call it {}); "
                    "give every key a name of its own",
                    path, base::shown(name)));
  }
}

}  // namespace

DuckdbSource open_json(const DuckdbConnection& connection, const std::string& path, const TableKind& kind) {
  const bool lines = kind.format == TableFormat::kJsonLines;
  check_beginning(path, lines);
  const std::string file =
      fmt::format("{}, format='{}', compression='{}'", sql_path_literal(path),
                  lines ? "newline_delimited" : "auto", kind.gzipped ? "gzip" : "uncompressed");
  const std::string common = file + ", records=true, hive_partitioning=false";
  const DuckdbQuery sample(
      connection,
      fmt::format("SELECT * FROM read_json({}, sample_size={}, maximum_depth=2, map_inference_threshold=-1, "
                  "field_appearance_threshold=0, convert_strings_to_integers=false)",
                  common, kJsonSample),
      path);
  DuckdbSource source;
  source.columns = sample.column_names();
  require_own_names(connection, file, source.columns, path);
  std::string types;
  for (const std::string& column : source.columns) {
    types += fmt::format("{}{}: 'VARCHAR'", types.empty() ? "" : ", ", sql_identifier(column));
    source.names.push_back(sql_identifier(column));
  }
  for (const duckdb_type type : sample.column_types())
    source.types.push_back(is_nested(type) ? type : DUCKDB_TYPE_VARCHAR);
  source.sql = fmt::format("read_json({}, columns={{{}}})", common, types);
  source.first_row = 1;
  return source;
}

}  // namespace interpole::data
