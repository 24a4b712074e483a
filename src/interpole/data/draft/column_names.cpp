#include "interpole/data/draft/column_names.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace interpole::data {
namespace {

using Names = std::span<const std::string_view>;

// Whole names first, then parts of names; earlier ones are likelier.
constexpr std::array<std::string_view, 18> kIdNames = {
    "patient", "patientid", "patid",  "rid",    "subject",  "subjectid",     "subjid", "usubjid", "ptid",
    "person",  "personid",  "stayid", "hadmid", "recordid", "participantid", "caseid", "id",      "pid"};
constexpr std::array<std::string_view, 2> kIdParts = {"patient", "subject"};
constexpr std::array<std::string_view, 22> kOrderNames = {
    "viscode", "visitcode", "visit",     "visitnumber", "visitnum", "step", "t",    "time",
    "window",  "examdate",  "visitdate", "date",        "month",    "day",  "week", "hour",
    "months",  "days",      "weeks",     "hours",       "year",     "seq"};
constexpr std::array<std::string_view, 5> kOrderParts = {"visit", "viscode", "date", "time", "month"};
constexpr std::array<std::string_view, 10> kActionNames = {
    "action", "decision", "a", "act", "ordered", "order", "treatment", "treat", "therapy", "intervention"};
constexpr std::array<std::string_view, 5> kActionParts = {"action", "decision", "treat", "therap", "ordered"};
constexpr std::array<std::string_view, 4> kDiagnosisNames = {"dx", "diagnosis", "diag", "dxcurrent"};
constexpr std::array<std::string_view, 6> kGroupNames = {"site",     "siteid", "clinic",
                                                         "hospital", "center", "clinician"};

// Small letters and digits only.
std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name) {
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
  const bool ends_so = name.ends_with("_id") || name.ends_with("ID") || name.ends_with("Id");
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

bool is_baseline(const std::string& code) {
  const std::string text = plain(code);
  return text == "bl" || text == "baseline" || text == "base";
}

}  // namespace interpole::data
