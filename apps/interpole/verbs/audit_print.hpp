// An audit for a terminal.
#pragma once

#include "interpole/service/explain/audit_task.hpp"

namespace interpole::cli {

void print_audit(const service::AuditOutcome& outcome);  // to stdout

}  // namespace interpole::cli
