// Every decision of many records as rows of a CSV file. What a row says depends on the history alone, so rows
// are written out once for each distinct history and kept as text, up to a limit of memory.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "interpole/base/atomic_file.hpp"
#include "interpole/data/visits.hpp"
#include "interpole/explain/trajectory.hpp"

namespace interpole {

class ExplainTable {
 public:
  // Keeps references to all but the path.
  ExplainTable(const std::string& path, const Structure& structure, const OutcomeFactors& factors,
               const Parameters& agent);

  // The step whose outcome the model calls impossible, if there is one; nothing useful was written then.
  std::optional<std::size_t> add(const RecordView& record);
  void commit() { file_.commit(); }

 private:
  struct Entry {
    std::string text;           // of the row, after patient, step and visit
    std::vector<double> after;  // the next belief; empty: there is none
    bool impossible = false;
  };

  Entry make_entry(std::span<const double> belief, Step step);
  void write_header();
  void write_row(const RecordView& record, std::size_t t, const std::string& text);

  AtomicFile file_;
  const Structure& structure_;
  const OutcomeFactors& factors_;
  const Parameters& agent_;
  DecisionExplainer explainer_;
  std::vector<Entry> entries_;                             // by history and what was done there
  std::unordered_map<std::uint64_t, std::int64_t> index_;  // (entry before, action, outcome) → entry
  std::size_t kept_bytes_ = 0;
  std::string patient_;
  fmt::memory_buffer line_;
};

}  // namespace interpole
