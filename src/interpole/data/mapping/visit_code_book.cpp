#include "interpole/data/mapping/visit_code_book.hpp"

namespace interpole::data {

int VisitCodeBook::find(std::int64_t code) {
  const auto [it, added] = indices_.try_emplace(code, static_cast<int>(entries_.size()));
  if (added) {
    Entry& entry = entries_.emplace_back();
    code_.unpack(code, entry.visit);
    entry.observation = joint_outcome(entry.visit);
  }
  return it->second;
}

int VisitCodeBook::joint_outcome(const CodedVisit& visit) const {
  if (study_.structure.is_terminal(visit.action)) return kMissing;
  int outcome = 0;
  for (std::size_t k = 0; k < visit.digits.size(); ++k) {
    const Factor& factor = study_.mapping->factors[k];
    const int digit = visit.digits[k];
    if (digit == FactorDigit::kMissingValue) return kMissing;
    const int level = digit == FactorDigit::ignored_value(factor) ? factor.measured_levels() : digit - 1;
    outcome = outcome * static_cast<int>(factor.levels.size()) + level;
  }
  return outcome;
}

}  // namespace interpole::data
