#include "interpole/service/study/study_task.hpp"

#include "interpole/base/stop.hpp"
#include "interpole/data/mapping/mapped_table.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"
#include "interpole/service/study/study_warnings.hpp"

namespace interpole::service {

namespace {

// What the study says of each factor; a visits table holds what came of its actions.
std::vector<data::Reading> declared_reading(const Study& study) {
  if (!study.mapping) return {data::Reading::kAfter};
  std::vector<data::Reading> reading;
  for (const Factor& factor : study.mapping->factors) {
    reading.push_back(factor.seen_before ? data::Reading::kBefore : data::Reading::kAfter);
  }
  return reading;
}

}  // namespace

StudyCheck run_study_check(const StudyCheckRequest& request, Sink& sink) {
  StudyCheck check{read_study(request.study), {}, {}, {}, {}};
  if (request.data.tables.empty()) return check;
  const Structure& structure = check.study.structure;
  data::DataSummary& summary = check.summary.emplace(structure);
  const auto add = [&](const data::RecordView& record) {
    base::stop_if_asked(sink, "stopped");
    summary.add(structure, record.steps);
  };
  if (check.study.mapping) {
    data::check_covariates(check.study, request.data);
    summary.histories =
        data::read_mapped_tree(check.study, request.data, &check.mapping.emplace(), add).node_count();
  } else {
    HistoryTreeBuilder builder(structure.action_count());
    data::for_each_record(check.study, request.data, [&](const data::RecordView& record) {
      add(record);
      builder.add(record.steps);
    });
    summary.histories = builder.build().node_count();
  }
  summary.find_quantiles(structure);
  if (summary.patients > 0 && (check.mapping || !structure.measured())) {
    check.seen_doubt =
        data::doubt_reading(data::coded_rows(check.study, request.data), declared_reading(check.study));
  }
  check.warnings = study_warnings(check);
  return check;
}

}  // namespace interpole::service
