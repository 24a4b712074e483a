// Who belongs to a cohort, said in a small language:
//
//   age > 75        sex = F        "APOE4 carrier"        not (site = 3 or site = 4) and age <= 60
//
// A name is a covariate: a bare word, or in single or double quotes (within them, a quote is written twice).
// Values are numbers or texts. Numbers are compared as numbers, texts letter by letter (= and != only). A
// name alone asks whether its value is true, yes or 1. A value that is not recorded makes a comparison
// unknown; unknown patients are neither in the cohort nor among the rest.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace interpole::explain {

enum class Membership : char { kOut, kIn, kUnknown };

class CohortExpression {
 public:
  // Throws a usage error that names the character at which the text stops making sense. `known`: the
  // covariates there are; empty: any name is taken, and names() says which are needed.
  static CohortExpression parse(const std::string& text, std::span<const std::string> known = {});

  const std::string& text() const { return text_; }
  const std::vector<std::string>& names() const { return names_; }
  // `values`: one for each of names(); an empty text is a value that is not recorded. Throws an input error
  // if a text is to be compared with a number.
  Membership holds(std::span<const std::string> values) const;

 private:
  friend class CohortParser;
  enum class Kind { kCompare, kTrue, kNot, kAnd, kOr };
  enum class Relation { kEqual, kUnequal, kLess, kLessEqual, kMore, kMoreEqual };
  struct Node {
    Kind kind = Kind::kTrue;
    int left = -1, right = -1;  // nodes
    int name = -1;
    Relation relation = Relation::kEqual;
    std::string value;
    bool numeric = false;
    double number = 0.0;
  };
  Membership holds(int node, std::span<const std::string> values) const;
  Membership compare(const Node& node, const std::string& value) const;

  std::string text_;
  std::vector<std::string> names_;
  std::vector<Node> nodes_;
  int root_ = -1;
};

}  // namespace interpole::explain
