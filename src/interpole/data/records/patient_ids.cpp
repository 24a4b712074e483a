#include "interpole/data/records/patient_ids.hpp"

#include <functional>

#include "interpole/base/open_addressing.hpp"

namespace interpole::data {

std::uint64_t PatientIds::hash_of(std::string_view patient) {
  const std::uint64_t hash = std::hash<std::string_view>{}(patient);
  return hash == 0 ? 1 : hash;
}

bool PatientIds::hash_seen_before(std::uint64_t hash) {
  if (2 * used_ >= slots_.size()) grow();
  return !insert(hash);
}

bool PatientIds::insert(std::uint64_t hash) {
  std::uint64_t& slot = slots_[base::probe(slots_, hash, [&](auto x) { return x == 0 || x == hash; })];
  if (slot == hash) return false;
  slot = hash;
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
