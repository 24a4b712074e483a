#include "interpole/data/mapping/visit_code.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"

namespace interpole::data {

VisitCode::VisitCode(const Study& study, int verdicts)
    : verdicts_(verdicts),
      actions_(study.structure.action_count()),
      diagnoses_(study.mapping->diagnosis ? study.structure.state_count() + 1 : 1) {
  double size = 2.0 * static_cast<double>(verdicts_ * actions_) * static_cast<double>(diagnoses_);
  for (const Factor& factor : study.mapping->factors) {
    factors_.push_back(static_cast<std::int64_t>(factor.levels.size()) + 2);
    size *= static_cast<double>(factors_.back());
  }
  if (size > 4e18) {
    throw input_error(fmt::format("{}: factors: {} factors have too many levels together; leave some out",
                                  study.mapping->study, factors_.size()));
  }
}

std::string VisitCode::sql(const std::string& verdict, const std::string& action,
                           const std::vector<std::string>& factors, const std::string& diagnosis,
                           const std::string& ends_badly) const {
  std::string sum = fmt::format("CASE WHEN {} THEN 1 ELSE 0 END::BIGINT", ends_badly);
  sum = fmt::format("{} + {} * ({})", diagnosis, diagnoses_, sum);
  for (std::size_t k = factors_.size(); k-- > 0;)
    sum = fmt::format("{} + {} * ({})", factors[k], factors_[k], sum);
  sum = fmt::format("{} + {} * ({})", action, actions_, sum);
  return fmt::format("CASE WHEN {0} > 0 THEN {0} ELSE {1} * ({2}) END::BIGINT", verdict, verdicts_, sum);
}

void VisitCode::unpack(std::int64_t code, CodedVisit& visit) const {
  const auto take = [&code](std::int64_t radix) {
    const auto digit = static_cast<int>(code % radix);
    code /= radix;
    return digit;
  };
  visit.verdict = take(verdicts_);
  visit.action = take(actions_);
  visit.digits.resize(factors_.size());
  for (std::size_t k = 0; k < factors_.size(); ++k) visit.digits[k] = take(factors_[k]);
  visit.diagnosis = take(diagnoses_) - 1;
  visit.ends_badly = take(2) != 0;
}

}  // namespace interpole::data
