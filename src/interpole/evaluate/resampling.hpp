// Bootstrap over patients, without the patients: a record is told by the history it ended at and the action
// that ended it, so the tree knows how many patients have each record. A replicate gives each patient a
// Poisson(1) weight, hence each record of m patients a Poisson(m) weight, and sums the weights up the tree.
#pragma once

#include <functional>

#include "interpole/base/random.hpp"
#include "interpole/history_tree.hpp"

namespace interpole::evaluate {

class PatientResampler {
 public:
  // Keeps a reference to the tree.
  explicit PatientResampler(const HistoryTree& tree);

  // The tree's histories with a replicate's counts. `replicate` begins as a copy of the tree. Recorded
  // diagnoses are left as they are. O(records that differ + nodes · A).
  void draw(base::RandomStream& random, HistoryTree& replicate) const;
  // The same with a weight(m) of one's own for each record of m patients.
  void reweight(const std::function<std::int64_t(std::int64_t)>& weight, HistoryTree& replicate) const;

 private:
  struct Ending {
    std::int32_t node = 0;
    std::int32_t action = -1;  // taken there, with nothing seen afterwards; −1: the record ended before one
    std::int64_t patients = 0;
  };

  std::vector<std::int32_t> action_into_;  // [node]; −1 for a root
  std::vector<Ending> endings_;
};

}  // namespace interpole::evaluate
