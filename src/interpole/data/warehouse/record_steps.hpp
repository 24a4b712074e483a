// The steps of records as SQL, whatever tables they come from. Internal.
//
// Names that a query gives begin with ip_, so that they are no column's.
#pragma once

#include <string>
#include <vector>

namespace interpole::data {

// What stands in place of a sequence where records cannot be read; the place in the list is the number that
// rows carry as ip_problem, from 1.
struct RecordProblems {
  std::vector<std::string> words;
  // Its number, from 1.
  int add(const std::string& what) {
    words.push_back(what);
    return static_cast<int>(words.size());
  }
};

// One of a query's common table expressions.
struct SqlStage {
  std::string name;
  std::string comment;
  std::string sql;
};

// Stages that end in one with the columns ip_id, ip_place (a whole number, no two alike in a record), ip_code
// (step_codes.hpp), ip_problem (0: none), ip_terminal (1: the action ends the record) and what else the
// conditions and covariates below ask for.
struct RecordSteps {
  std::vector<SqlStage> stages;
  RecordProblems problems;
  int tie = 0;  // numbers of problems
  int after_terminal = 0;
  bool numbered = false;  // places were counted up, so that no two are alike; ties are among the problems
  std::vector<std::string> kept;  // conditions on the rows of a record, as aggregates: all must hold
  // As aggregates, one for each covariate: its text, and a condition under which a record has two values
  // (empty: cannot be), which is problem number `varies`.
  struct CovariateSql {
    std::string name;
    std::string value;
    std::string differs;
    int varies = 0;
  };
  std::vector<CovariateSql> covariates;
};

}  // namespace interpole::data
