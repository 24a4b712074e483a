// A study chosen column by column, as the study builder of a live session does it: what a person says of a
// table's columns, and the study file that says the same. What is not said is taken as a draft takes it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpole/data/draft/column_roles.hpp"
#include "interpole/data/draft/study_guess.hpp"
#include "interpole/data/draft/table_shape.hpp"

namespace interpole::data {

struct FactorChoice {
  std::string column;
  Reading seen = Reading::kBefore;
  // Of numbers: where levels end. Empty: its categories if it has few, else at quantiles.
  std::vector<double> cuts;
  // Names of the levels: from low to high, or one for each category in order (a name given twice makes one
  // level of both). Empty: as a draft names them.
  std::vector<std::string> levels;
};

struct StudyChoice {
  std::string name;
  std::vector<std::string> states;
  std::string id;
  std::string order;                                // empty: rows are visits in the order of the table
  std::string action;                               // column
  bool by_presence = false;                         // what was done is whether the column is filled in
  std::map<std::string, std::string> action_names;  // by cell; by presence: "present" and "absent"
  std::vector<std::string> terminal;                // names of actions that end a record
  std::vector<FactorChoice> factors;
  std::string group;
  std::vector<std::string> covariates;
  // Which state is which: this level of this factor (by its column) is likelier along the order of the
  // states. Empty: nothing tells them apart.
  std::string label_factor;
  std::string label_level;
};

inline constexpr std::size_t kMostChosenLevels = 40;

// A table that studies are chosen from.
class ChoiceTable {
 public:
  // Opens what shape_table opens, with the same complaints; also complains of a table without rows.
  explicit ChoiceTable(std::string path);

  const std::string& path() const { return path_; }
  const TableShape& shape() const { return shaped_.shape; }
  const TableProfile& profile() const { return shaped_.table->profile(); }
  std::int64_t common() const { return shaped_.table->common(); }

  // What a draft would say, as choices; what could not be guessed is empty, and `open` says why.
  StudyChoice first_choice(std::string& open);

  // What the chosen columns would be: cells of actions, levels of factors. Throws an input error naming the
  // column where one cannot have the role it is given.
  struct Roles {
    OrderGuess order;
    ActionGuess action;                // names as chosen, in the order of its cells
    std::vector<FactorGuess> factors;  // levels as a draft names them
  };
  Roles roles(const StudyChoice& choice);

  // The study file. Throws an input error if no such study can be, in words that name the column or the key.
  std::string study_text(const StudyChoice& choice);

  Histogram histogram(const std::string& column, int bins) const {
    return shaped_.table->histogram(column, bins);
  }

 private:
  // In the shape that these choices ask for: rows numbered, repeated visits left out.
  ShapedTable& prepared(const StudyChoice& choice);
  const ColumnProfile& column(const ShapedTable& shaped, const std::string& name, const char* role) const;

  std::string path_;
  ShapedTable shaped_;
  ShapedTable reshaped_;  // where a choice asks for another shape
  std::string reshaped_for_;
};

}  // namespace interpole::data
