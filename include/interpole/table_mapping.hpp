// How a table of the user's own becomes records: what a study's [source], [record], [action], [[factors]],
// [filters], [[covariates]], [group] and [labels] say (docs/study-file.md, docs/mapping.md).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace interpole {

// What a cell stands for: the index of an action, level or state.
using CellMeaning = std::pair<std::string, int>;

struct SourceTables {
  std::vector<std::string> tables;   // names under which SQL sees the files
  std::string sql;                   // one SELECT; empty: all columns of the only table
  char delimiter = '\0';             // of CSV files; '\0': told by their headers
  std::string encoding;              // of CSV files; empty: UTF-8
  std::vector<std::string> missing;  // cells that mean "no value", besides empty ones
};

enum class OrderKind { kCodes, kNumber, kDate };
enum class GapRule { kCut, kDrop, kKeep };

// Which rows make a record, and in which order. Places of visits are numbers: the index of a code, the
// number, or the day.
struct RecordRule {
  std::string id;
  std::string order;
  OrderKind kind = OrderKind::kNumber;
  std::vector<std::string> codes;
  std::optional<double> spacing;
  double tolerance = 0.0;
  std::optional<double> first;  // records must begin here
  GapRule gaps = GapRule::kCut;
  bool seen_before = false;  // a row's measurements led to its action, unless a factor says otherwise
  std::string time;          // the column with the visit's time; empty: visits have none
};

// The action of a row: told by a cell, or by whether the cell is filled in.
struct ActionRule {
  std::string column;
  bool by_presence = false;
  std::vector<CellMeaning> values;
  int if_present = 0;
  int if_absent = 0;
};

enum class BinRule { kCuts, kSpread, kQuantiles };

struct NumericBins {
  BinRule rule = BinRule::kCuts;
  std::vector<double> cuts;       // kCuts, ascending
  bool upper_inclusive = true;    // a value at a cut belongs to the level below it
  double width = 0.0;             // kSpread: mean ± width·SD
  std::optional<double> mean;     // kSpread: stated, or else the population's
  std::optional<double> spread;   // kSpread: SD, stated together with the mean
  std::vector<double> quantiles;  // kQuantiles, ascending, inside (0, 1)

  bool derived() const { return rule == BinRule::kQuantiles || (rule == BinRule::kSpread && !mean); }
};

// One thing that is observed. An outcome is a level of every factor.
struct Factor {
  std::string name;
  std::string column;
  bool numeric = false;
  bool continuous = false;           // numeric, and taken as it is: its one level says that it was measured
  std::vector<std::string> levels;   // with yielded_by, the last one says that it was not measured
  NumericBins bins;                  // of a numeric one
  std::vector<CellMeaning> values;   // of a categorical one
  std::vector<std::string> missing;  // further cells of this column that mean "no value"
  std::vector<char> yielded_by;      // [action]; empty: measured whatever the action
  // What a row holds was known when its action was chosen: it came of the action of the row before.
  bool seen_before = false;

  bool yielded(int action) const { return yielded_by.empty() || yielded_by[action] != 0; }
  int measured_levels() const { return static_cast<int>(levels.size()) - (yielded_by.empty() ? 0 : 1); }
};

struct Filters {
  std::string where;                  // SQL; empty: every row
  std::vector<std::string> required;  // columns
  int minimum_visits = 1;
  std::string drop_if_last;  // SQL; empty: no record is dropped for its last visit
};

// Carried along with a record: an SQL expression on its first visit.
struct Covariate {
  std::string name;
  std::string sql;
};

// A column of diagnoses that names latent states. Other cells say nothing.
struct DiagnosisColumn {
  std::string column;
  std::vector<CellMeaning> values;
};

struct TableMapping {
  std::string study;  // the study's file, for messages
  SourceTables source;
  RecordRule record;
  ActionRule action;
  std::vector<Factor> factors;
  Filters filters;
  std::vector<Covariate> covariates;
  std::string group;  // column; empty: none
  std::optional<DiagnosisColumn> diagnosis;

  // Whether any outcome stands in the row after the action it came of.
  bool sees_before() const {
    for (const Factor& factor : factors) {
      if (factor.seen_before) return true;
    }
    return false;
  }

  // Joint outcomes are numbered with the last factor varying fastest.
  int level_of(int observation, int factor) const {
    int rest = observation;
    for (std::size_t k = factors.size() - 1; static_cast<int>(k) > factor; --k) {
      rest /= static_cast<int>(factors[k].levels.size());
    }
    return rest % static_cast<int>(factors[factor].levels.size());
  }
};

}  // namespace interpole
