// What a table looks like before anyone has said what it means: for each column how much is filled in, with
// what kind of cells, and which categories are common. What a first draft of a study is guessed from.
//
// Nothing here names a patient: a cell's text is kept only if at least kCommon rows share it, or if it is one
// of the usual codes for "no value". Once it is known which column names the patients, as many of them have
// to share it (keep_shared_by): a patient with many visits has many rows. In a table of few patients, fewer
// have to: nothing could be said of it otherwise.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpole/table_mapping.hpp"

namespace interpole::data {

struct CellCount {
  std::string text;
  std::int64_t rows = 0;
};

struct ColumnProfile {
  std::string name;
  std::int64_t filled = 0;    // rows with a value: neither blank nor a missing code
  std::int64_t distinct = 0;  // different values
  std::int64_t numbers = 0;   // rows whose value is a finite number
  std::int64_t dates = 0;     // rows whose value is a date or time
  double minimum = 0.0;       // of the numbers; 0 without any
  double maximum = 0.0;
  std::vector<CellCount> categories;     // shared by at least kCommon rows or ids, most frequent first
  std::vector<CellCount> missing_codes;  // NA, -4, 999 …: cells that seem to mean "no value"
  std::vector<std::string> meant_codes;  // cells that look like such a code but are values here

  bool is_numeric() const { return filled > 0 && numbers == filled; }
  bool is_date() const { return filled > 0 && dates == filled && !is_numeric(); }
  std::int64_t rare() const;  // rows whose value is not among the categories
};

struct TableProfile {
  std::int64_t rows = 0;  // looked at
  bool whole = true;      // false: the table may have more rows than were looked at
  std::vector<ColumnProfile> columns;

  const ColumnProfile* find(const std::string& name) const;  // null: no such column
};

struct Histogram {
  double low = 0.0;
  double high = 0.0;
  std::vector<std::int64_t> counts;
};

// A table that answers questions. Holds a copy of the rows it looks at, on disk where memory does not
// suffice.
class ProfiledTable {
 public:
  static constexpr std::int64_t kCommon = 11;
  static constexpr std::int64_t kCommonOfFew = 3;  // in a table of fewer than kFewIds patients
  static constexpr std::int64_t kFewIds = 100;
  static constexpr std::int64_t kMostCategories = 200;  // a column with more values has no categories
  static constexpr std::int64_t kMostRows = 1'000'000;

  enum class Codes { kRead, kIgnore };  // kIgnore: NA, -4 … are values like any other, as in a visits table

  // Opens what DuckdbTable opens, with the same complaints. Reads at most kMostRows. Columns of lists or
  // objects are left out. `source`: how the table is read, as a study's [source] says it.
  explicit ProfiledTable(const std::string& path, Codes codes = Codes::kRead,
                         const SourceTables& source = {});
  ~ProfiledTable();
  ProfiledTable(const ProfiledTable&) = delete;
  ProfiledTable& operator=(const ProfiledTable&) = delete;

  const TableProfile& profile() const { return profile_; }

  // From here on, categories are those that at least common() values of `id` share. May be asked again with
  // another id.
  void keep_shared_by(const std::string& id);
  // How many must share a cell for its text to be kept.
  std::int64_t common() const { return common_; }

  // Rows, beyond the first, that share their values of all these columns. Rows without one do not count.
  std::int64_t repeated(const std::vector<std::string>& columns) const;

  // How many combinations of values of `within` come with more than one value of `column`.
  std::int64_t varies_within(const std::string& column, const std::vector<std::string>& within) const;

  // For each condition (SQL, with {} for the cell) the rows with a value in `column` that meet it.
  std::vector<std::int64_t> matching(const std::string& column,
                                     const std::vector<std::string>& conditions) const;

  // Of pairs of rows of an id that follow each other in the table, how many are in the order of `value` (SQL,
  // with {} for the cell of `column`).
  std::int64_t ascending(const std::string& id, const std::string& column, const std::string& value) const;

  // How many values of `id` come with more than one value of `column`.
  std::int64_t varies_within(const std::string& column, const std::string& id) const;

  // For each of `cells` of `given`: rows that have it, and how many of these have a value in `column`.
  std::vector<std::pair<std::int64_t, std::int64_t>> filled_by(const std::string& column,
                                                               const std::string& given,
                                                               const std::vector<std::string>& cells) const;

  // Whether cuts at these quantiles of a numeric column leave values in every level between and beyond them.
  bool quantiles_separate(const std::string& column, const std::vector<double>& shares) const;

  // How often the numbers of a column lie in each of `bins` ranges of equal width, from its first to its last
  // hundredth; the others count in the outermost ranges. So neither its smallest nor its largest number
  // shows.
  Histogram histogram(const std::string& column, int bins) const;

  // Aggregates (SQL, with {} for the number) of a column of numbers; 0 where there is none.
  std::vector<double> aggregates(const std::string& column, const std::vector<std::string>& sql) const;

  // The commonest numbers of a column, at most so many: rows and ids that have each.
  struct CommonNumber {
    double value = 0.0;
    std::int64_t rows = 0;
    std::int64_t ids = 0;
  };
  std::vector<CommonNumber> commonest(const std::string& column, const std::string& id, int most) const;

  // Between rows of an id that follow each other by `value` (SQL, with {} for the cell of `column`).
  struct Gaps {
    double count = 0.0;
    std::vector<double> quantiles;
  };
  Gaps gaps(const std::string& id, const std::string& column, const std::string& value,
            const std::vector<double>& shares) const;

  // Of a visits table: rows with this action that have an observation or are not the patient's last.
  std::int64_t goes_on_after(const std::string& action) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
  TableProfile profile_;
  std::int64_t common_ = kCommon;
};

}  // namespace interpole::data
