// Everything a mapped row says, in one number: what the query sorts and hands over is then one id, one place
// and one number for each row, whatever the study. Internal.
//
// Mixed radix, lowest digit first: verdict, action, one digit for each factor, diagnosis, ending.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpole/study.hpp"

namespace interpole::data {

struct CodedVisit {
  int verdict = 0;  // 0: take the row; otherwise why not (mapped_sql.hpp)
  int action = 0;
  std::vector<int> digits;  // [factor]: see FactorDigit
  int diagnosis = -1;       // a state, or −1 for none
  bool ends_badly = false;
};

// The digit of a factor: 0 missing, 1 + level, or, beyond the levels, "not measured although there is a
// value". Of a factor that is seen before the action, the level as it stands: what it means depends on the
// action of the row before (VisitCodeBook).
struct FactorDigit {
  static constexpr int kMissingValue = 0;
  static int of_level(int level) { return level + 1; }
  static int ignored_value(const Factor& factor) { return static_cast<int>(factor.levels.size()) + 1; }
};

class VisitCode {
 public:
  // Throws an input error if the study's numbers of levels and actions do not fit.
  VisitCode(const Study& study, int verdicts);

  // SQL for the code, from SQL for each digit. Digits other than the verdict's may be NULL where it is not 0.
  std::string sql(const std::string& verdict, const std::string& action,
                  const std::vector<std::string>& factors, const std::string& diagnosis,
                  const std::string& ends_badly) const;

  void unpack(std::int64_t code, CodedVisit& visit) const;

 private:
  std::int64_t verdicts_;
  std::int64_t actions_;
  std::vector<std::int64_t> factors_;
  std::int64_t diagnoses_;
};

}  // namespace interpole::data
