// Cohorts a user asks for, and what must be read of the data to form them.
#pragma once

#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/explain/audit/audit.hpp"
#include "interpole/explain/cohorts/cohorts.hpp"
#include "interpole/study.hpp"

namespace interpole::explain {

// The expressions, checked against the covariates the data have. Throws a usage error.
std::vector<CohortExpression> asked_cohorts(const std::vector<std::string>& texts, const Study& study,
                                            const DataFiles& data);

// With those of rows that are public already.
std::vector<CohortExpression> with_published(std::vector<CohortExpression> cohorts,
                                             const std::vector<PublishedCohort>& published);

// Those the study declares, then further ones that expressions name.
std::vector<std::string> needed_covariates(const Study& study, const std::vector<CohortExpression>& cohorts);

// What tables need to know of a patient's audit, and of what posterior draws say of it.
PatientFlags flags_of(const RecordAudit& audit, const ImputedFlags& imputed = {});

}  // namespace interpole::explain
