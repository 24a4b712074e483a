#include "interpole/service/known_patient.hpp"

#include <fmt/format.h>

#include "interpole/base/messages.hpp"
#include "interpole/data/study_data.hpp"

namespace interpole::service {

Error unknown_patient(const Study& study, const DataFiles& data, const std::string& patient) {
  std::vector<std::string> names;
  data::for_each_record(
      study, data, [&](const data::RecordView& record) { names.emplace_back(record.patient); },
      data::RecordDetails::kVisits);
  const char* const left_out =
      study.mapping ? " (a patient whose visits the study leaves out has no record: interpole study check)"
                    : "";
  return input_error(fmt::format("{}: there is no patient {} among its {}{}{}", data.shown(),
                                 base::shown(patient), names.size(),
                                 base::suggestion(patient, names, "the patients are"), left_out));
}

}  // namespace interpole::service
