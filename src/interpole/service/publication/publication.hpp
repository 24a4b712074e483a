// What a publication is of, for the ledger that makes several of one data set safe together
// (explain/cohorts/ledger.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpole/data_files.hpp"
#include "interpole/explain/cohorts/ledger.hpp"
#include "interpole/record_audit.hpp"

namespace interpole::service {

struct Publication {
  std::string ledger;  // file; empty: none is kept
  std::string study;
  DataFiles data;
  std::int64_t min_cell = 0;
};

// Of the flags in it: by which model, and by what rules. How many draws judge them is not among these.
struct PublishedFlags {
  std::string model;
  std::string draws;
  AuditOptions rules;
};

// Nothing if none is kept. Reads the files to hash them. Throws a usage error if nothing would be withheld.
std::optional<explain::Ledger> open_ledger(const Publication& publication,
                                           const PublishedFlags* flags = nullptr);

}  // namespace interpole::service
