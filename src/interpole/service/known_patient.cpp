#include "interpole/service/known_patient.hpp"

#include <fmt/format.h>

#include "interpole/base/messages.hpp"
#include "interpole/data/study_data.hpp"

namespace interpole {

Error unknown_patient(const Study& study, const DataFiles& data, const std::string& patient) {
  std::vector<std::string> names;
  for_each_record(
      study, data, [&](const RecordView& record) { names.emplace_back(record.patient); },
      RecordDetails::kVisits);
  const char* const left_out =
      study.mapping ? " (a patient whose visits the study leaves out has no record: interpole study check)"
                    : "";
  return input_error(fmt::format("{}: there is no patient {} among its {}{}{}", data.shown(), shown(patient),
                                 names.size(), suggestion(patient, names, "the patients are"), left_out));
}

}  // namespace interpole
