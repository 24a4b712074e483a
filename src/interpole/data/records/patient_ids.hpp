// The patients met so far, as 64-bit hashes: 8 bytes each (at most 32 with the free slots of the table), so
// that a table of millions of patients can be checked without holding their names.
//
// Two different names share a hash with probability n²/2⁶⁵ among n patients (3 in a million for ten million).
// Whoever acts on "seen" must therefore look again; visits.cpp reads the table a second time before it
// complains.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace interpole::data {

class PatientIds {
 public:
  // True if the name, or one with the same hash, was there before.
  bool seen_before(std::string_view patient) { return hash_seen_before(hash_of(patient)); }
  bool hash_seen_before(std::uint64_t hash);
  static std::uint64_t hash_of(std::string_view patient);  // never 0

 private:
  void grow();
  bool insert(std::uint64_t hash);

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024, 0);  // open addressing; 0: free
  std::size_t used_ = 0;
};

}  // namespace interpole::data
