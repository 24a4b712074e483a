// A file that remembers what was published of one data set (docs/audit.md): tables that come later are made
// safe beside those of the file, or are refused.
//
// Rows are remembered by what they mean, not by their counts, which follow from the data. So the file itself
// may be shown to whoever has seen the tables. It holds for one data set, study and smallest cell; flags
// besides for one model and one set of rules: of others, counts could be subtracted that no pass has looked
// at.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpole/base/files/file_stamp.hpp"
#include "interpole/explain/cohorts/cohorts.hpp"

namespace interpole::explain {

// What must be the same for all that a ledger lists, by its name in messages: {"data's SHA-256", "…"}.
using LedgerFacts = std::vector<std::pair<std::string, std::string>>;

class Ledger {
 public:
  // Begins with what is in the file; nothing if there is none yet. `of`: of sizes and flags; `flags`: of
  // flags alone, empty for what publishes none. Throws an input error if the file is no ledger, or of
  // something else.
  Ledger(std::string path, LedgerFacts of, LedgerFacts flags);

  const std::vector<PublishedCohort>& published() const { return published_; }

  // Writes the file with these added. To be called before they are shown: a ledger that lists too much is
  // safe. Throws an input error if the file is not what it was.
  void add(const std::vector<PublishedCohort>& rows);

 private:
  void read();
  std::string text() const;

  std::string path_;
  LedgerFacts of_, flags_;
  std::vector<PublishedCohort> published_;
  base::FileStamp stamp_;
};

}  // namespace interpole::explain
