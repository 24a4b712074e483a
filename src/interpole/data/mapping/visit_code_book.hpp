// The distinct codes met so far, unpacked once: tables repeat few of them millions of times. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "interpole/data/mapping/visit_code.hpp"

namespace interpole::data {

class VisitCodeBook {
 public:
  struct Entry {
    CodedVisit visit;
    int observation = kMissing;  // the joint outcome of its digits
  };

  VisitCodeBook(const Study& study, const VisitCode& code) : study_(study), code_(code) {}

  // The index of a code's entry; indices count up from 0 and stay.
  int index_of(std::int64_t code) {
    Slot& slot = recent_[static_cast<std::uint64_t>(code) * 0x9E3779B97F4A7C15u >> (64 - kSlotBits)];
    if (slot.index < 0 || slot.code != code) slot = {code, find(code)};
    return slot.index;
  }
  const Entry& operator[](int index) const { return entries_[static_cast<std::size_t>(index)]; }

  // The digit of a factor that goes with the action of `visit`: its own, or the one that stands in the
  // record's next visit (null: there is none) where factors are seen before the action.
  int digit_of(std::size_t factor, const CodedVisit& visit, const CodedVisit* next) const;
  // The joint outcome of such digits, one for each factor; kMissing where factors are not joint.
  int joint_outcome(const CodedVisit& visit, std::span<const int> digits) const;
  std::size_t size() const { return entries_.size(); }

 private:
  struct Slot {
    std::int64_t code = 0;
    int index = -1;
  };
  static constexpr int kSlotBits = 10;

  int find(std::int64_t code);

  const Study& study_;
  const VisitCode& code_;
  std::vector<Slot> recent_ = std::vector<Slot>(std::size_t{1} << kSlotBits);
  std::unordered_map<std::int64_t, int> indices_;
  std::vector<Entry> entries_;
};

}  // namespace interpole::data
