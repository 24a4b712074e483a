#include "interpole/service/explain/audit_table.hpp"

#include <fmt/format.h>

#include "interpole/base/files/csv.hpp"

namespace interpole::service {
namespace {

std::string probability(const std::optional<double>& p) {
  return p ? fmt::format("{:.6g}", *p) : std::string();
}

}  // namespace

std::vector<std::string> visit_names(const data::RecordView& record) {
  std::vector<std::string> names(record.visits.begin(), record.visits.end());
  if (!names.empty()) return names;
  for (const auto number : record.numbers) names.push_back(std::to_string(number));
  return names;
}

AuditTable::AuditTable(const std::string& path, const std::vector<std::string>& covariates)
    : file_(path, base::NewFile::kPrivate) {
  std::string header =
      "patient,visits,belated,belated_probability,left_out_visits,confirmed_visit,tests,uninformative,"
      "uninformative_visits,uninformative_probabilities,unlikely,excess_surprise_nats,tail_probability";
  for (const auto& name : covariates) header += "," + base::shown_csv_cell(name);
  file_.write(header + "\n");
}

void AuditTable::add(const data::RecordView& record, const RecordAudit& audit,
                     std::span<const std::string> values) {
  const auto names = visit_names(record);
  std::string left_out, visits, probabilities;
  for (const int t : audit.left_out) left_out += (left_out.empty() ? "" : ";") + names[t];
  int uninformative = 0;
  for (const auto& test : audit.tests) {
    if (!test.uninformative) continue;
    ++uninformative;
    visits += (visits.empty() ? "" : ";") + names[test.visit];
    probabilities += (uninformative == 1 ? "" : ";") + probability(test.probability);
  }
  std::string row = fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{:.6g},{}", base::shown_csv_cell(record.patient), record.steps.size(),
      audit.belated ? 1 : 0, probability(audit.belated_probability), base::shown_csv_cell(left_out),
      audit.confirmed < 0 ? std::string() : base::shown_csv_cell(names[audit.confirmed]), audit.tests.size(),
      uninformative, base::shown_csv_cell(visits), probabilities, audit.unlikely ? 1 : 0, audit.excess,
      probability(audit.tail));
  for (const auto& value : values) row += "," + base::shown_csv_cell(value);
  file_.write(row + "\n");
}

}  // namespace interpole::service
