// A record as text: one whole number for each step, blanks between. Short, the same in every warehouse, and
// two records are alike exactly if their texts are.
//
// The number is (action · (Z + 1) + outcome + 1), where an outcome that was not recorded counts as −1; with
// diagnoses, that times (S + 1), plus the state recorded + 1. All count from 0 in the study's order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/records.hpp"

namespace interpole::data {

class StepCodes {
 public:
  StepCodes(const Structure& structure, bool diagnoses);

  std::int64_t count() const { return count_; }  // codes are below
  // What an action, an outcome and a diagnosis add to the code.
  std::int64_t of_action() const { return of_action_; }
  std::int64_t of_outcome() const { return of_outcome_; }

  // The record, its diagnoses beside it (−1: none; left empty if there are none at all). Returns what is
  // wrong with the text, or an empty string.
  std::string decode(std::string_view text, std::vector<Step>& steps,
                     std::vector<std::int32_t>& diagnoses) const;
  std::string encode(std::span<const Step> steps, std::span<const std::int32_t> diagnoses = {}) const;

 private:
  Structure structure_;
  bool diagnoses_;
  std::int64_t of_outcome_;
  std::int64_t of_action_;
  std::int64_t count_;
};

}  // namespace interpole::data
