// The rules of the audit: which action is a test, what an outcome could have been instead, and the thresholds
// (docs/audit.md; the paper's appendix C.3).
#pragma once

#include <string>
#include <vector>

#include "interpole/outcome_factors.hpp"
#include "interpole/record_audit.hpp"
#include "interpole/records.hpp"

namespace interpole::explain {

struct AuditRules {
  std::vector<char> test;  // [action]
  // What outcome z of test a could have been instead, z included: [a·Z + z]. Only what the test alone
  // measures varies; what would have been seen without it stays as it was.
  std::vector<std::vector<int>> instead;
  // Of measured factors, which have no list of outcomes: what the test alone measures, [a·K + k].
  std::vector<char> own;
  int factors = 0;               // K
  std::string no_belated;        // why belatedness cannot be judged here; empty: it can. No flag is then set
  std::string no_uninformative;  // the same of tests

  bool is_test(int action) const { return test[action] != 0; }
  bool is_own(int action, int factor) const { return own[action * factors + factor] != 0; }
  // The step is a test whose own result is recorded.
  bool has_result(const Structure& structure, Step step) const;
  std::vector<int> tests() const;
};

// Throws a usage error for a name that is no action, or a terminal one.
AuditRules audit_rules(const Structure& structure, const OutcomeFactors& factors,
                       const AuditOptions& options);

}  // namespace interpole::explain
