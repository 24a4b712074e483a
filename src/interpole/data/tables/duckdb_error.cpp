#include "interpole/data/tables/duckdb_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace interpole::data {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The digits that follow `label`, or nothing.
std::string_view number_after(std::string_view text, std::string_view label) {
  const std::size_t at = text.find(label);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + label.size());
  return rest.substr(0, std::min(rest.find_first_not_of("0123456789"), rest.size()));
}

constexpr std::size_t kLongestSentence = 300;

// The first line without "Invalid Input Error: ", DuckDB's name for the kind of error, and without its "!".
// It may quote a cell: control characters are spelled out and what is very long is cut.
std::string first_sentence(std::string_view message) {
  message = message.substr(0, std::min(message.find('\n'), message.size()));
  const std::size_t kind = message.find("Error: ");
  if (kind != std::string_view::npos) message.remove_prefix(kind + 7);
  while (!message.empty() && (message.back() == '!' || message.back() == '.')) message.remove_suffix(1);
  std::string sentence;
  for (const char c : message) {
    const bool begins_character = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    if (begins_character && sentence.size() >= kLongestSentence) return sentence + "…";
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      sentence += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      sentence += c;
    }
  }
  return sentence;
}

std::string counted(std::string_view count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == "1" ? "" : "s");
}

// What is wrong with a line of a CSV file, and what to do. The texts on the left are DuckDB 1.4's.
std::string csv_complaint(std::string_view message) {
  const std::string_view found = number_after(message, "Found: ");
  // The header is read as lines without quotes or delimiter; only a zero byte divides those.
  if (!found.empty() && contains(message, "quote = (empty)")) {
    return "a zero byte, which text has not; save the table as CSV in UTF-8 encoding (is this a spreadsheet "
           "or another kind of file under the name of a table?)";
  }
  if (!found.empty()) {
    return fmt::format(
        "{} where the header names {}; give every row one cell per column, an empty one "
        "where there is nothing, and quote cells that contain the delimiter",
        counted(found, "cell"), counted(number_after(message, "Expected Number of Columns: "), "column"));
  }
  if (contains(message, "Invalid unicode")) return "not UTF-8 text; save the file in UTF-8 encoding";
  if (contains(message, "unterminated quote")) {
    return "a quoted cell does not end where it should; close it with \" before the delimiter, and write "
           "\"\" for a "
           "quote inside";
  }
  if (contains(message, "Maximum line size"))
    return "the line is longer than 2 MB; look for a quote that is never closed";
  return first_sentence(message);
}

// Which record of a JSON file, as "line 3" or "record 3". DuckDB counts one too many where text is malformed.
std::string json_place(std::string_view message, bool malformed) {
  for (const auto& [label, name] :
       {std::pair{" in line ", "line"}, std::pair{" in record/value ", "record"}}) {
    const std::string number(number_after(message, label));
    if (!number.empty()) return fmt::format("{} {}: ", name, std::stoll(number) - (malformed ? 1 : 0));
  }
  return "";
}

// What is wrong with a JSON file, or nothing if that is not the trouble.
std::string json_complaint(std::string_view message) {
  if (contains(message, "expected records, but got non-record JSON")) {
    return "not every element is an object with keys; write an array of objects, or one object a line: each "
           "is "
           "a row";
  }
  if (contains(message, "Malformed JSON")) {
    const std::string_view reason = message.substr(message.find(": ", message.find("Malformed JSON")) + 2);
    return fmt::format("{}not well-formed JSON: {}; correct the file", json_place(message, true),
                       first_sentence(reason.substr(0, reason.find(". "))));
  }
  if (!contains(message, "JSON transform error")) return {};
  const std::string place = json_place(message, false);
  if (contains(message, "has duplicate key")) return place + "a key is there twice; keep one of them";
  if (contains(message, "Expected OBJECT")) return place + "not an object with keys; each row must be one";
  return place + first_sentence(message);
}

// What is wrong with a database file, or nothing if that is not the trouble.
std::string database_complaint(std::string_view message) {
  if (contains(message, "not a valid DuckDB database file"))
    return "not a DuckDB database; write it again, or rename it if it is another kind of file";
  if (contains(message, "database file with version number") ||
      contains(message, "storage version greater")) {
    return "the database was written by another version of DuckDB than this program can read (1.4 and what "
           "it "
           "reads); export the table as Parquet or CSV";
  }
  if (contains(message, "Could not set lock on file")) {
    return "another program has the database open for writing; close it there, or give a copy of the file";
  }
  if (contains(message, "Cannot open encrypted database"))
    return "the database is encrypted; export the table as Parquet or CSV";
  if (contains(message, "Corrupt database file") || contains(message, "Could not read enough bytes")) {
    return "the database is damaged or was cut off; copy it again";
  }
  return {};
}

constexpr std::string_view kCandidates = "\nCandidate bindings: ";

// The columns DuckDB takes for likely.
std::string candidates(std::string_view message) {
  const std::size_t begin = message.find(kCandidates) + kCandidates.size();
  return first_sentence(message.substr(begin));
}

// What is wrong with SQL that a study brought along, or nothing if that is not the trouble.
std::string sql_complaint(std::string_view message) {
  const auto begins = [&](std::string_view kind) { return message.substr(0, kind.size()) == kind; };
  if (contains(message, "Max expression depth limit") || contains(message, "memory exhausted at or near")) {
    return "the SQL is nested too deeply; simplify it";
  }
  if (contains(message, "explicit cast is required") || contains(message, "explicit type casts")) {
    return fmt::format("{}; cells of a CSV file are text: write AGE::DOUBLE for the number in column AGE",
                       first_sentence(message));
  }
  if (begins("Conversion Error") && !contains(message, "CSV Error")) {
    return fmt::format("{}; correct the cell, or the SQL that converts it", first_sentence(message));
  }
  if (begins("Binder Error") && contains(message, kCandidates)) {
    return fmt::format("{}; the nearest columns are {}", first_sentence(message), candidates(message));
  }
  if (begins("Binder Error") || begins("Catalog Error") || begins("Parser Error")) {
    return fmt::format("{}; correct the SQL", first_sentence(message));
  }
  if (begins("Permission Error")) {
    return fmt::format("{}; the SQL of a study reads the study's tables and nothing else",
                       first_sentence(message));
  }
  return {};
}

}  // namespace

Error translate_duckdb_error(std::string_view message, const std::string& path) {
  if (message.substr(0, 13) == "Out of Memory") {
    return runtime_error(
        fmt::format("{}: not enough memory to read the table: {}", path, first_sentence(message)));
  }
  for (const auto complain : {json_complaint, database_complaint, sql_complaint}) {
    if (const std::string complaint = complain(message); !complaint.empty())
      return input_error(fmt::format("{}: {}", path, complaint));
  }
  const std::string_view line = number_after(message, "CSV Error on Line: ");
  if (!line.empty()) return input_error(fmt::format("{}: line {}: {}", path, line, csv_complaint(message)));
  if (contains(message, "state machine reached an invalid state")) {
    return input_error(
        fmt::format("{}: not a well-formed CSV file; look for line endings of two kinds (LF and CRLF) and "
                    "for quotes in the middle of a cell",
                    path));
  }
  if (contains(message, "GZIP") || contains(message, "gzip") || contains(message, "decode gzip")) {
    return input_error(
        fmt::format("{}: not a complete gzip file although its name ends in .gz; compress it again, or "
                    "rename it if it is plain text",
                    path));
  }
  if (contains(message, "Parquet") || contains(message, "parquet") || contains(message, "magic bytes")) {
    return input_error(
        fmt::format("{}: not a readable Parquet file; write it again, or rename it if it is CSV", path));
  }
  return input_error(fmt::format("{}: {}", path, csv_complaint(message)));
}

}  // namespace interpole::data
