#include "interpole/service/checked_records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/data/policy_covariates.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/rare_records.hpp"

namespace interpole::service {

CheckedRecords read_checked_records(Study study, const DataFiles& data, const Model& model,
                                    RecordClasses classes, Sink& sink) {
  const PolicyTerms& terms = model.agent.policy.terms;
  CheckedRecords records;
  warn_of_rare_records(study, data, sink);
  records.covariates = covariates_of(model.agent, study, data, sink);
  data::describe_covariates(study, data);
  for (const PolicyCovariate& named : study.known.policy.terms.covariates) {
    const auto known =
        std::find_if(terms.covariates.begin(), terms.covariates.end(),
                     [&](const PolicyCovariate& covariate) { return covariate.name == named.name; });
    if (known == terms.covariates.end()) {
      records.covariates.push_back(named);
    } else {
      records.covariates[static_cast<std::size_t>(known - terms.covariates.begin())] = *known;
    }
  }
  records.tree = data::read_tree_in_context(study, data, records.covariates, classes,
                                            data::start_places(model.agent.dynamics.start));
  return records;
}

ModelChecks check_on_files(const FitResult& fit, const HistoryTree& tree, const ModelCheckOptions& options,
                           const DataFiles& data) {
  try {
    return check_model(fit, tree, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput || data.tables.empty()) throw;
    throw input_error(fmt::format("{}: {}", data.shown(), error.what()));
  }
}

}  // namespace interpole::service
