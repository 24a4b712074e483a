#include "interpole/data/draft/table_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "interpole/base/messages.hpp"
#include "interpole/data/draft/column_names.hpp"
#include "interpole/data/draft/draft_text.hpp"
#include "interpole/data/tables/table_file.hpp"
#include "interpole/data/tables/text_scan.hpp"
#include "interpole/data_files.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kMostMeasurements = 30;   // columns that a long table becomes
constexpr std::size_t kMostVisitColumns = 400;  // of a wide one
constexpr std::size_t kMostConverted = 200;     // columns whose cells are looked at
constexpr std::int64_t kMostVisits = 100;

// A way to write days: what a cell must look like, and DuckDB's format for it.
struct DayFormat {
  const char* shape;  // regular expression for the day
  const char* format;
  const char* words;
};
constexpr std::array<DayFormat, 12> kDayFormats = {{
    {"\\d{1,2}\\.\\d{1,2}\\.\\d{4}", "%d.%m.%Y", "day.month.year"},
    {"\\d{1,2}\\.\\d{1,2}\\.\\d{2}", "%d.%m.%y", "day.month.year"},
    {"\\d{1,2}/\\d{1,2}/\\d{4}", "%m/%d/%Y", "month/day/year"},
    {"\\d{1,2}/\\d{1,2}/\\d{4}", "%d/%m/%Y", "day/month/year"},
    {"\\d{1,2}/\\d{1,2}/\\d{2}", "%m/%d/%y", "month/day/year"},
    {"\\d{1,2}/\\d{1,2}/\\d{2}", "%d/%m/%y", "day/month/year"},
    {"\\d{4}/\\d{1,2}/\\d{1,2}", "%Y/%m/%d", "year/month/day"},
    {"\\d{1,2}-\\d{1,2}-\\d{4}", "%d-%m-%Y", "day-month-year"},
    {"\\d{1,2}-\\d{1,2}-\\d{4}", "%m-%d-%Y", "month-day-year"},
    {"\\d{1,2}-[A-Za-z]{3}-\\d{4}", "%d-%b-%Y", "day-month-year"},
    {"\\d{1,2} [A-Za-z]{3} \\d{4}", "%d %b %Y", "day month year"},
    {"\\d{1,2}[A-Za-z]{3}\\d{4}", "%d%b%Y", "day month year"},
}};
struct ClockFormat {
  const char* shape;
  const char* format;
};
constexpr std::array<ClockFormat, 7> kClockFormats = {{
    {"", ""},
    {" \\d{1,2}:\\d{2}", " %H:%M"},
    {" \\d{1,2}:\\d{2}:\\d{2}", " %H:%M:%S"},
    {" \\d{1,2}:\\d{2} [AaPp][Mm]", " %I:%M %p"},
    {" \\d{1,2}:\\d{2}[AaPp][Mm]", " %I:%M%p"},
    {" \\d{1,2}:\\d{2}:\\d{2} [AaPp][Mm]", " %I:%M:%S %p"},
    {" \\d{1,2}:\\d{2}:\\d{2}[AaPp][Mm]", " %I:%M:%S%p"},
}};

std::string small_letters(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_between(char c) {
  return c == ' ' || c == '_' || c == '.' || c == '-';
}

// Words for visits, as they stand before a number.
constexpr std::array<std::string_view, 19> kVisitWords = {
    "visit", "vis", "v", "t", "time", "timepoint", "tp", "month",  "mo",    "m",
    "week",  "w",   "d", "y", "year", "day",       "wk", "visite", "besuch"};

bool is_visit_word(const std::string& word) {
  return std::find(kVisitWords.begin(), kVisitWords.end(), small_letters(word)) != kVisitWords.end();
}

// Takes the blanks off the end.
void trim_end(std::string& text) {
  while (!text.empty() && is_between(text.back())) text.pop_back();
}

std::vector<const ColumnProfile*> named_so(const TableProfile& profile, int (*rank)(const std::string&)) {
  std::vector<const ColumnProfile*> columns;
  for (const ColumnProfile& column : profile.columns) {
    if (rank(column.name) < kUnnamed) columns.push_back(&column);
  }
  std::stable_sort(columns.begin(), columns.end(),
                   [&](const auto* x, const auto* y) { return rank(x->name) < rank(y->name); });
  return columns;
}

// One column per visit.
struct WideTable {
  std::string id;
  std::vector<std::string> stems;                                     // in the order of the table
  std::vector<std::string> numbers;                                   // of the visits, ascending
  std::map<std::pair<std::string, std::string>, std::string> column;  // [stem, number]
  std::vector<std::string> others;                                    // columns that are about the patient
};

// Rows of a wide table are patients: an id comes once. Where no name says id, the first such column is.
std::string unique_id(const TableProfile& profile, const std::set<std::string>& taken) {
  const auto is_unique = [&](const ColumnProfile& column) {
    return !taken.contains(column.name) && column.filled == profile.rows && column.distinct == profile.rows;
  };
  for (const ColumnProfile* column : named_so(profile, id_rank)) {
    if (is_unique(*column)) return column->name;
  }
  for (const ColumnProfile& column : profile.columns) {
    if (is_unique(column)) return column.name;
  }
  return {};
}

bool find_wide(const TableProfile& profile, WideTable& wide) {
  std::map<std::string, std::set<std::string>> numbers_of;
  std::vector<std::string> stems;
  std::map<std::pair<std::string, std::string>, std::string> found;
  for (const ColumnProfile& column : profile.columns) {
    std::string stem, number;
    if (!split_visit_column(column.name, stem, number)) continue;
    if (!numbers_of.contains(stem)) stems.push_back(stem);
    if (numbers_of[stem].insert(number).second) found[{stem, number}] = column.name;
  }
  // A stem belongs to the visits if it has as many numbers as the commonest, or at least half of them.
  std::size_t most = 0;
  for (const auto& [stem, numbers] : numbers_of) most = std::max(most, numbers.size());
  if (most < 2 || found.size() > kMostVisitColumns) return false;
  std::set<std::string> taken, numbers;
  for (const std::string& stem : stems) {
    if (numbers_of[stem].size() * 2 < most || numbers_of[stem].size() < 2) continue;
    wide.stems.push_back(stem);
    for (const std::string& number : numbers_of[stem]) {
      wide.column[{stem, number}] = found[{stem, number}];
      taken.insert(found[{stem, number}]);
      numbers.insert(number);
    }
  }
  if (numbers.size() > static_cast<std::size_t>(kMostVisits)) return false;
  if (wide.stems.size() < 2 && numbers.size() < 3) return false;
  // Where a patient has several rows, numbered columns are parts of one visit.
  wide.id = unique_id(profile, taken);
  if (wide.id.empty()) return false;
  for (const ColumnProfile& column : profile.columns) {
    if (!taken.contains(column.name) && column.name != wide.id) wide.others.push_back(column.name);
  }
  wide.numbers.assign(numbers.begin(), numbers.end());
  std::sort(wide.numbers.begin(), wide.numbers.end(), [](const std::string& x, const std::string& y) {
    return std::atof(x.c_str()) < std::atof(y.c_str());
  });
  return true;
}

std::string free_name(std::string name, const std::vector<std::string>& taken) {
  while (std::any_of(taken.begin(), taken.end(),
                     [&](const std::string& other) { return small_letters(other) == small_letters(name); })) {
    name += "_";
  }
  return name;
}

std::string wide_sql(const WideTable& wide) {
  std::vector<std::string> names = wide.others;
  names.push_back(wide.id);
  std::vector<std::string> stems;
  for (const std::string& stem : wide.stems) {
    stems.push_back(free_name(stem.empty() ? "value" : stem, names));
    names.push_back(stems.back());
  }
  const std::string visit = free_name("visit", names);
  std::string sql;
  for (const std::string& number : wide.numbers) {
    std::string list = quoted_name(wide.id), filled;
    for (const std::string& other : wide.others) list += ", " + quoted_name(other);
    list += fmt::format(", {} AS {}", number, quoted_name(visit));
    for (std::size_t i = 0; i < stems.size(); ++i) {
      const auto it = wide.column.find({wide.stems[i], number});
      const bool there = it != wide.column.end();
      list += fmt::format(", {} AS {}", there ? quoted_name(it->second) : "NULL", quoted_name(stems[i]));
      if (there) filled += (filled.empty() ? "" : " OR ") + quoted_name(it->second) + " IS NOT NULL";
    }
    sql += fmt::format("{}SELECT {}\n  FROM {{}} WHERE {}", sql.empty() ? "" : "\nUNION ALL ", list, filled);
  }
  return sql;
}

// One row per measurement.
struct LongTable {
  std::string id, order, name, value;
  std::vector<std::string> measurements;
  std::vector<std::string> others;
};

bool find_long(ProfiledTable& table, LongTable& found) {
  const TableProfile& profile = table.profile();
  for (const ColumnProfile* name : named_so(profile, measurement_rank)) {
    if (name->distinct < 2 || name->distinct > ProfiledTable::kMostCategories || name->is_numeric()) continue;
    for (const ColumnProfile* value : named_so(profile, value_rank)) {
      if (value == name || value->filled * 2 < profile.rows) continue;
      for (const ColumnProfile* id : named_so(profile, id_rank)) {
        if (id == name || id == value || id->distinct * 2 > profile.rows) continue;
        for (const ColumnProfile* order : named_so(profile, order_rank)) {
          if (order == name || order == value || order == id || order->filled * 10 < profile.rows * 9)
            continue;
          const std::int64_t shared = table.repeated({id->name, order->name});
          const std::int64_t twice = table.repeated({id->name, order->name, name->name});
          if (shared * 5 < profile.rows || twice * 20 > profile.rows) continue;
          found.id = id->name;
          found.order = order->name;
          found.name = name->name;
          found.value = value->name;
          table.keep_shared_by(id->name);
          for (const CellCount& cell : profile.find(name->name)->categories) {
            if (found.measurements.size() < kMostMeasurements) found.measurements.push_back(cell.text);
          }
          if (found.measurements.empty()) return false;
          for (const ColumnProfile& column : profile.columns) {
            const bool used = &column == id || &column == order || &column == name || &column == value;
            if (used || column.filled == 0) continue;
            if (table.varies_within(column.name, {id->name, order->name}) == 0)
              found.others.push_back(column.name);
          }
          return true;
        }
      }
    }
  }
  return false;
}

std::string long_sql(const LongTable& table) {
  std::string list = quoted_name(table.id) + ", " + quoted_name(table.order);
  std::vector<std::string> names = {table.id, table.order};
  for (const std::string& other : table.others) {
    list += fmt::format(",\n  max({0}) AS {0}", quoted_name(other));
    names.push_back(other);
  }
  for (const std::string& measurement : table.measurements) {
    const std::string name = free_name(measurement, names);
    names.push_back(name);
    list += fmt::format(",\n  max(CASE WHEN {} = {} THEN {} END) AS {}", quoted_name(table.name),
                        quoted_text(measurement), quoted_name(table.value), quoted_name(name));
  }
  return fmt::format("SELECT {}\nFROM {{}} GROUP BY {}, {}", list, quoted_name(table.id),
                     quoted_name(table.order));
}

std::string day_sql(const std::string& format) {
  return fmt::format("strptime({{}}, {})", quoted_text(format));
}

// What must be done to the cells of a column so that they are numbers or days; empty: nothing, or nothing
// that is known here.
struct Conversion {
  std::string sql;  // with {} for the cell
  std::string words;
};

Conversion day_conversion(const ProfiledTable& table, const ColumnProfile& column, const std::string& id) {
  for (const ClockFormat& clock : kClockFormats) {
    std::vector<std::string> conditions;
    conditions.reserve(kDayFormats.size());
    for (const DayFormat& day : kDayFormats) {
      conditions.push_back(fmt::format("regexp_full_match({{}}, {}) AND try_strptime({{}}, {}) IS NOT NULL",
                                       quoted_text(std::string(day.shape) + clock.shape),
                                       quoted_text(std::string(day.format) + clock.format)));
    }
    const auto counts = table.matching(column.name, conditions);
    const DayFormat* best = nullptr;
    std::int64_t most_in_order = -1;
    for (std::size_t i = 0; i < kDayFormats.size(); ++i) {
      if (counts[i] < column.filled) continue;
      // Day and month may be told apart by the order of a patient's rows alone.
      const std::int64_t in_order =
          id.empty()
              ? 0
              : table.ascending(id, column.name, day_sql(std::string(kDayFormats[i].format) + clock.format));
      if (in_order <= most_in_order) continue;
      most_in_order = in_order;
      best = &kDayFormats[i];
    }
    if (best == nullptr) continue;
    const std::string moment = day_sql(std::string(best->format) + clock.format);
    return {*clock.format == '\0' ? fmt::format("CAST({} AS DATE)", moment) : moment,
            fmt::format("days written {}", best->words)};
  }
  return {};
}

Conversion number_conversion(const ProfiledTable& table, const ColumnProfile& column) {
  const auto counts = table.matching(
      column.name, {"regexp_full_match({}, '[-+]?\\d+(,\\d+)?')", "regexp_full_match({}, '[-+]?\\d+,\\d+')",
                    "regexp_full_match({}, '[<>]?=? *[-+]?\\d+([.,]\\d+)? *%?')"});
  if (counts[0] == column.filled && counts[1] > 0) {
    return {"replace({}, ',', '.')", "numbers with a decimal comma"};
  }
  if (counts[2] == column.filled) {
    return {"replace(regexp_replace({}, '[<>=% ]', '', 'g'), ',', '.')",
            "numbers with <, > or %, which are left out"};
  }
  return {};
}

// The column that most likely tells patients apart, for what depends on their rows.
std::string likely_id(const TableProfile& profile) {
  for (const ColumnProfile* id : named_so(profile, id_rank)) {
    if (id->filled * 10 >= profile.rows * 9 && id->distinct < profile.rows) return id->name;
  }
  return {};
}

void convert_cells(const std::string& path, ShapedTable& shaped) {
  const TableProfile& profile = shaped.table->profile();
  const std::string id = likely_id(profile);
  std::string list;
  std::map<std::string, std::vector<std::string>> why;
  std::size_t looked_at = 0;
  for (const ColumnProfile& column : profile.columns) {
    if (column.name == id || column.filled == 0 || column.is_numeric() || column.is_date()) continue;
    if (++looked_at > kMostConverted) break;
    Conversion conversion = number_conversion(*shaped.table, column);
    if (conversion.sql.empty()) conversion = day_conversion(*shaped.table, column, id);
    if (conversion.sql.empty()) continue;
    std::string sql = conversion.sql;
    sql.replace(sql.find("{}"), 2, quoted_name(column.name));
    list += fmt::format("{}\n  {} AS {}", list.empty() ? "" : ",", sql, quoted_name(column.name));
    why[conversion.words].push_back(column.name);
  }
  if (list.empty()) return;
  std::string note;
  for (const auto& [words, columns] : why)
    note += fmt::format("{}{} in {}", note.empty() ? "" : "; ", words, base::name_list(columns));
  shaped.select(path, fmt::format("SELECT * REPLACE ({})\nFROM {{}}", list), "It reads " + note + ".");
}

}  // namespace

std::string quoted_name(const std::string& name) {
  std::string result = "\"";
  for (const char c : name) result.append(c == '"' ? 2 : 1, c);
  return result + "\"";
}

std::string quoted_text(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result.append(c == '\'' ? 2 : 1, c);
  return result + "'";
}

std::string table_name(const std::string& path) {
  const std::string stem = stem_of(path);
  return is_table_name(stem) ? stem : "visits";
}

bool split_visit_column(const std::string& name, std::string& stem, std::string& number) {
  // "… 2": a number at the end, with or without a word for visits before it.
  std::size_t at = name.size();
  while (at > 0 && is_digit(name[at - 1])) --at;
  if (at < name.size()) {
    number = name.substr(at);
    std::string rest = name.substr(0, at);
    trim_end(rest);
    std::size_t word = rest.size();
    while (word > 0 && !is_between(rest[word - 1]) && !is_digit(rest[word - 1])) --word;
    if (is_visit_word(rest.substr(word))) {
      rest.resize(word);
      trim_end(rest);
    } else if (at == 0) {
      return false;  // a bare number says nothing
    }
    stem = rest;
    return number.size() <= 4;
  }
  // "v2 …": a word for visits, a number, and then what was seen.
  std::size_t digits = name.find_first_of("0123456789");
  if (digits == std::string::npos) return false;
  std::string word = name.substr(0, digits);
  trim_end(word);
  if (!word.empty() && !is_visit_word(word)) return false;
  std::size_t end = digits;
  while (end < name.size() && is_digit(name[end])) ++end;
  if (end == name.size() || !is_between(name[end])) return false;
  number = name.substr(digits, end - digits);
  while (end < name.size() && is_between(name[end])) ++end;
  stem = name.substr(end);
  return !stem.empty() && number.size() <= 4;
}

void ShapedTable::select(const std::string& path, const std::string& sql, const std::string& note) {
  const std::string present =
      shape.source.sql.empty() ? shape.source.tables[0] : "(\n" + shape.source.sql + "\n)";
  std::string wrapped = sql;
  for (std::size_t at = wrapped.find("{}"); at != std::string::npos;
       at = wrapped.find("{}", at + present.size()))
    wrapped.replace(at, 2, present);
  shape.source.sql = wrapped;
  shape.notes.push_back(note);
  table = std::make_unique<ProfiledTable>(path, ProfiledTable::Codes::kRead, shape.source);
}

void ShapedTable::number_rows(const std::string& path) {
  select(path, fmt::format("SELECT *, row_number() OVER () AS {} FROM {{}}", quoted_name(kRowColumn)),
         "No column says in which order visits came: rows are taken in the order of the table.");
}

void ShapedTable::keep_first_of(const std::string& path, const std::string& id, const std::string& order,
                                std::int64_t repeats) {
  select(path,
         fmt::format("SELECT * FROM {{}}\nQUALIFY {0} IS NULL OR {1} IS NULL OR row_number() OVER "
                     "(PARTITION BY {0}, {1}) = 1",
                     quoted_name(id), quoted_name(order)),
         fmt::format("{} rows repeat a visit of their record; the first is kept. DECIDE whether that "
                     "is right.",
                     safe_rows(repeats)));
}

ShapedTable shape_table(const std::string& path) {
  ShapedTable shaped;
  const TableLocation location = table_location(path);
  const TableKind kind = table_kind(location.file);
  shaped.shape.source.tables = {table_name(path)};
  if (kind.format == TableFormat::kCsv && !kind.gzipped) {
    require_readable(location.file);
    require_text(location.file);
    if (!is_utf8_file(location.file)) shaped.shape.source.encoding = "latin-1";
  }
  shaped.table = std::make_unique<ProfiledTable>(path, ProfiledTable::Codes::kRead, shaped.shape.source);
  if (shaped.table->profile().rows == 0) return shaped;
  WideTable wide;
  LongTable tall;
  if (find_long(*shaped.table, tall)) {
    shaped.select(
        path, long_sql(tall),
        fmt::format("The table has one row for each measurement; the SELECT makes one of each {} and "
                    "{}.",
                    base::shown(tall.id), base::shown(tall.order)));
  } else if (find_wide(shaped.table->profile(), wide)) {
    shaped.select(path, wide_sql(wide),
                  fmt::format("The table has one row for each patient and columns for {} visits; the SELECT "
                              "makes one row of each visit.",
                              wide.numbers.size()));
  }
  convert_cells(path, shaped);
  return shaped;
}

}  // namespace interpole::data
