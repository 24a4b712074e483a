#include "interpole/data/draft/column_names.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace interpole::data {
namespace {

using Names = std::span<const std::string_view>;

// Whole names first, then parts of names; earlier ones are likelier.
constexpr std::string_view kIdNames[] = {
    "patient",       "patientid", "patid",       "rid",         "subject",    "subjectid", "subjid",
    "usubjid",       "ptid",      "person",      "personid",    "stayid",     "hadmid",    "recordid",
    "participantid", "caseid",    "id",          "pid",         "patientno",  "patientnr", "patientnumber",
    "patnr",         "patno",     "subjectno",   "mrn",         "nhi",        "nhsnumber", "participant",
    "client",        "clientid",  "case",        "caseno",      "fallnummer", "fallnr",    "userid",
    "memberid",      "beneid",    "encounterid", "admissionid", "animal",     "animalid",  "subj",
    "patientin",     "studyid",   "record",      "identifiant", "paciente",   "name"};
constexpr std::string_view kIdParts[] = {"patient", "subject", "participant", "person"};
constexpr std::string_view kOrderNames[] = {
    "viscode",  "visitcode", "visit",     "visitnumber", "visitnum", "step",      "t",
    "time",     "window",    "examdate",  "visitdate",   "date",     "month",     "day",
    "week",     "hour",      "months",    "days",        "weeks",    "hours",     "year",
    "seq",      "visitno",   "visitnr",   "datum",       "besuch",   "visite",    "zeitpunkt",
    "tag",      "monat",     "woche",     "jahr",        "fecha",    "timepoint", "timestamp",
    "datetime", "charttime", "sequence",  "occasion",    "wave",     "session",   "round",
    "cycle",    "period",    "encounter", "episode",     "index",    "when",      "rowinthetable"};
constexpr std::string_view kOrderParts[] = {"visit", "viscode", "date", "time",  "month",
                                            "datum", "besuch",  "week", "cycle", "session"};
constexpr std::string_view kActionNames[] = {
    "action",     "decision",   "a",           "act",          "ordered",      "order",
    "treatment",  "treat",      "therapy",     "intervention", "drug",         "medication",
    "med",        "meds",       "rx",          "prescribed",   "prescription", "given",
    "plan",       "management", "procedure",   "referral",     "referred",     "disposition",
    "regimen",    "massnahme",  "behandlung",  "entscheidung", "therapie",     "medikation",
    "medikament", "traitement", "tratamiento", "done",         "dose",         "dosis",
    "did",        "choice",     "chosen"};
constexpr std::string_view kActionParts[] = {
    "action", "decision", "treat",    "therap",   "ordered", "drug",   "medic",   "prescri", "referr",
    "given",  "behandl",  "massnahm", "interven", "regimen", "manage", "started", "admit",   "discharge"};
constexpr std::string_view kDiagnosisNames[] = {"dx", "diagnosis", "diag", "dxcurrent", "diagnose"};
constexpr std::string_view kGroupNames[] = {"site",      "siteid",     "clinic", "hospital", "center",
                                            "clinician", "centre",     "ward",   "doctor",   "physician",
                                            "provider",  "department", "klinik", "arzt",     "station"};
constexpr std::string_view kMeasurementNames[] = {
    "test",    "testname", "parameter", "variable", "item",    "measure",   "measurement",  "analyte",
    "label",   "lab",      "labtest",   "labname",  "concept", "attribute", "question",     "component",
    "what",    "type",     "kind",      "name",     "code",    "itemid",    "messwert",     "observationname",
    "paramcd", "param",    "testcode",  "feature",  "signal",  "marker",    "untersuchung", "variablename",
    "key"};
constexpr std::string_view kMeasurementParts[] = {"test", "param", "measure", "variable", "analyt", "item"};
constexpr std::string_view kValueNames[] = {
    "value",    "result",      "val",     "wert",        "valuenum",    "reading",
    "labvalue", "testresult",  "aval",    "resultvalue", "amount",      "ergebnis",
    "finding",  "observation", "outcome", "score",       "measurement", "level"};
constexpr std::string_view kValueParts[] = {"value", "result", "wert", "ergebnis"};

// Small letters and digits only; the commonest letters with marks as they are spelled without.
std::string plain(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kMarked[] = {
      {"ß", "ss"}, {"ä", "a"}, {"ö", "o"}, {"ü", "u"}, {"Ä", "a"}, {"Ö", "o"}, {"Ü", "u"},
      {"é", "e"},  {"è", "e"}, {"á", "a"}, {"ó", "o"}, {"í", "i"}, {"ç", "c"}};
  std::string result;
  while (!name.empty()) {
    const auto marked = std::find_if(std::begin(kMarked), std::end(kMarked),
                                     [&](const auto& letter) { return name.starts_with(letter.first); });
    if (marked != std::end(kMarked)) {
      result += marked->second;
      name.remove_prefix(marked->first.size());
      continue;
    }
    const char c = name.front();
    name.remove_prefix(1);
    if (c >= 'A' && c <= 'Z') result += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) result += c;
  }
  return result;
}

int rank_of_name(const std::string& name, Names names, Names parts) {
  const std::string text = plain(name);
  const auto it = std::find(names.begin(), names.end(), text);
  if (it != names.end()) return static_cast<int>(it - names.begin());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (text.find(parts[i]) != std::string::npos) return 100 + static_cast<int>(i);
  }
  return kUnnamed;
}

}  // namespace

int id_rank(const std::string& name) {
  const int rank = rank_of_name(name, kIdNames, kIdParts);
  // Not OPIOID or STEROID.
  const bool own_word = name.size() > 2 && !(name[name.size() - 3] >= 'A' && name[name.size() - 3] <= 'Z');
  const bool ends_so = name.ends_with("_id") || ((name.ends_with("ID") || name.ends_with("Id")) && own_word);
  return rank == kUnnamed && ends_so ? kUnnamed - 1 : rank;
}

int order_rank(const std::string& name) {
  return rank_of_name(name, kOrderNames, kOrderParts);
}

int action_rank(const std::string& name) {
  return rank_of_name(name, kActionNames, kActionParts);
}

int diagnosis_rank(const std::string& name) {
  return rank_of_name(name, kDiagnosisNames, {});
}

int group_rank(const std::string& name) {
  return rank_of_name(name, kGroupNames, {});
}

int measurement_rank(const std::string& name) {
  return rank_of_name(name, kMeasurementNames, kMeasurementParts);
}

int value_rank(const std::string& name) {
  return rank_of_name(name, kValueNames, kValueParts);
}

bool is_baseline(const std::string& code) {
  const std::string text = plain(code);
  return text == "bl" || text == "baseline" || text == "base";
}

}  // namespace interpole::data
