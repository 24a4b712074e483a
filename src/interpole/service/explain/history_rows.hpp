// Rows of a CSV file, one for each decision of many records. What such a row says beyond patient, step and
// visit depends on the history alone, and on the covariates that the policy follows, so it is worked out once
// for each distinct history of each class of records and kept as text, up to a limit of memory.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/belief.hpp"
#include "interpole/data/records/visits.hpp"
#include "interpole/data_files.hpp"
#include "interpole/sink.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

class HistoryRows {
 public:
  struct Entry {
    std::string text;           // of the row after patient, step and visit, with its comma and line end
    std::vector<double> after;  // the next belief (and what goes along, see below); empty: there is none
    bool impossible = false;    // the outcome has probability zero
  };
  // What is said of a step that is taken at a belief, in the context that its history makes.
  using Maker =
      std::function<Entry(std::span<const double> belief, Step step, const DecisionContext& context)>;

  // What a record with these covariates begins with.
  using Start = std::function<std::vector<double>(std::span<const double> covariates)>;

  struct Options {
    bool name_visits = false;  // a column with the visit as the table calls it
    std::size_t most_bytes = std::size_t{256} << 20;
  };

  // Keeps a reference to the structure. `header` is the first line, without its end.
  HistoryRows(const std::string& path, const std::string& header, const Structure& structure, Start start,
              Maker make, Options options);

  // The step whose outcome is impossible, if there is one; nothing useful was written then.
  std::optional<std::size_t> add(const data::RecordView& record, std::span<const double> covariates = {});
  void commit() { file_.commit(); }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::int32_t entry = -1;
  };

  std::size_t slot_of(std::uint64_t key) const;
  void keep(std::uint64_t key, Entry entry);
  void grow();
  std::uint64_t first_key(std::span<const double> covariates);
  void write_row(const data::RecordView& record, std::size_t t, const std::string& text);

  base::AtomicFile file_;
  Start start_;
  Maker make_;
  Options options_;
  std::uint64_t outcomes_;  // with "none"
  std::uint64_t branches_;  // of a history: actions times outcomes
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // (entry before, action, outcome) → entry; open addressing
  int slot_bits_;
  std::map<std::vector<std::uint64_t>, std::uint64_t> class_of_;  // by the bits of the covariates
  std::size_t kept_bytes_ = 0;
  std::string patient_;  // with its comma
  fmt::memory_buffer line_;
};

// A row may follow more than the belief: where there are several kinds of decision-makers, how likely each is
// goes along behind it.
HistoryRows::Start row_start(const Parameters& agent);  // keeps a reference
struct RowPlace {
  std::span<const double> belief;
  DecisionContext context;
};
RowPlace row_place(std::span<const double> carried, std::size_t states, const DecisionContext& context);
// Completes a next belief by what goes along with it.
void carry_kinds(const Structure& structure, const Policy& policy, const RowPlace& at, int action,
                 std::vector<double>& after);

struct RowCounts {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
};
// The rows of all records of a study's data, or of one patient's if named; `covariates`: what the policy
// follows (data/record_contexts.hpp). Throws an input error if the model
// calls an outcome impossible. The caller commits.
RowCounts add_records(HistoryRows& rows, const Study& study, const DataFiles& data,
                      const std::vector<PolicyCovariate>& covariates, const std::string& patient, Sink& sink);

}  // namespace interpole::service
