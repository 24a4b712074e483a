#include "interpole/data/records/patient_ids.hpp"

#include <functional>

namespace interpole::data {

bool PatientIds::seen_before(std::string_view patient) {
  if (2 * used_ >= slots_.size()) grow();
  const std::uint64_t hash = std::hash<std::string_view>{}(patient);
  return !insert(hash == 0 ? 1 : hash);
}

bool PatientIds::insert(std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    if (slots_[slot] == hash) return false;
    slot = (slot + 1) & mask;
  }
  slots_[slot] = hash;
  ++used_;
  return true;
}

void PatientIds::grow() {
  std::vector<std::uint64_t> old(2 * slots_.size(), 0);
  old.swap(slots_);
  used_ = 0;
  for (const std::uint64_t hash : old) {
    if (hash != 0) insert(hash);
  }
}

}  // namespace interpole::data
