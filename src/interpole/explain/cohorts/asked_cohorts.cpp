#include "interpole/explain/cohorts/asked_cohorts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/data/covariate_source.hpp"
#include "interpole/error.hpp"

namespace interpole::explain {

std::vector<CohortExpression> asked_cohorts(const std::vector<std::string>& texts, const Study& study,
                                            const DataFiles& data) {
  std::vector<CohortExpression> cohorts;
  if (texts.empty()) return cohorts;
  const auto known = data::covariate_names(study, data);
  if (known.empty()) {
    throw usage_error(
        fmt::format("option cohort: {} has no columns beyond those of a visits table; add the covariate as "
                    "a column",
                    data.shown()));
  }
  for (const std::string& text : texts) cohorts.push_back(CohortExpression::parse(text, known));
  return cohorts;
}

std::vector<CohortExpression> with_published(std::vector<CohortExpression> cohorts,
                                             const std::vector<PublishedCohort>& published) {
  for (const PublishedCohort& row : published) {
    if (!row.group && row.cohort != kAllPatients) cohorts.push_back(CohortExpression::parse(row.cohort));
  }
  return cohorts;
}

std::vector<std::string> needed_covariates(const Study& study, const std::vector<CohortExpression>& cohorts) {
  std::vector<std::string> names = data::declared_covariates(study);
  for (const auto& cohort : cohorts) {
    for (const auto& name : cohort.names()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

PatientFlags flags_of(const RecordAudit& audit, const ImputedFlags& imputed) {
  PatientFlags flags;
  flags.belated = audit.belated;
  flags.unlikely = audit.unlikely;
  flags.tests = static_cast<int>(audit.tests.size());
  for (const auto& test : audit.tests) flags.uninformative += test.uninformative ? 1 : 0;
  flags.imputed = static_cast<int>(imputed.uninformative.size());
  flags.belated_in = imputed.belated;
  std::ranges::copy(imputed.uninformative, flags.uninformative_in.begin());
  return flags;
}

}  // namespace interpole::explain
