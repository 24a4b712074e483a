#include "interpole/data/mapping/visit_code_book.hpp"

namespace interpole::data {

int VisitCodeBook::find(std::int64_t code) {
  const auto [it, added] = indices_.try_emplace(code, static_cast<int>(entries_.size()));
  if (added) {
    Entry& entry = entries_.emplace_back();
    code_.unpack(code, entry.visit);
    entry.observation = joint_outcome(entry.visit, entry.visit.digits);
  }
  return it->second;
}

int VisitCodeBook::digit_of(std::size_t k, const CodedVisit& visit, const CodedVisit* next) const {
  const Factor& factor = study_.mapping->factors[k];
  if (!factor.seen_before) return visit.digits[k];
  const int found = next == nullptr ? FactorDigit::kMissingValue : next->digits[k];
  if (study_.structure.is_terminal(visit.action)) return FactorDigit::kMissingValue;
  if (factor.yielded(visit.action)) return found;
  return found == FactorDigit::kMissingValue ? FactorDigit::of_level(factor.measured_levels())
                                             : FactorDigit::ignored_value(factor);
}

int VisitCodeBook::joint_outcome(const CodedVisit& visit, std::span<const int> digits) const {
  if (study_.structure.is_terminal(visit.action) || study_.structure.measured()) return kMissing;
  int outcome = 0;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const Factor& factor = study_.mapping->factors[k];
    const int digit = digits[k];
    if (digit == FactorDigit::kMissingValue) return kMissing;
    const int level = digit == FactorDigit::ignored_value(factor) ? factor.measured_levels() : digit - 1;
    outcome = outcome * static_cast<int>(factor.levels.size()) + level;
  }
  return outcome;
}

}  // namespace interpole::data
