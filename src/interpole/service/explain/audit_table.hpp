// The audit's findings, one row for each patient. Names patients: not for publication.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/data/records/visits.hpp"
#include "interpole/explain/audit/audit.hpp"

namespace interpole::service {

class AuditTable {
 public:
  AuditTable(const std::string& path, const std::vector<std::string>& covariates);
  void add(const data::RecordView& record, const RecordAudit& audit, std::span<const std::string> values);
  void commit() { file_.commit(); }

 private:
  base::AtomicFile file_;
};

// Visits of a record as the table calls them, or their steps.
std::vector<std::string> visit_names(const data::RecordView& record);

}  // namespace interpole::service
