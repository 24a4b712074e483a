// What tests of mapped tables share: a folder of their own, a small study, records as text.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/data/mapping/mapped_table.hpp"
#include "interpole/error.hpp"

namespace interpole::data {

// Texts and numbers written one after the other.
template <class... Parts>
std::string joined(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

inline const std::string kClinicHeader = "id,visit,act,score,size\n";

// A clinic: wait or scan at each visit; a score that is always measured and a size that only a scan
// yields. Tests replace whole sections.
struct ClinicStudy {
  std::string actions = "[[actions]]\nname = \"wait\"\n[[actions]]\nname = \"scan\"\n";
  std::string source = "[source]\ntables = [\"visits\"]\nmissing = [\"NA\", \"-4\"]\n";
  std::string record =
      "[record]\nid = \"id\"\norder = \"visit\"\ncodes = [\"bl\", \"m06\", \"m12\", \"m18\"]\n";
  std::string action = "[action]\ncolumn = \"act\"\n";
  std::string factors =
      "[[factors]]\nname = \"score\"\ncolumn = \"score\"\nkind = \"numeric\"\nlevels = [\"low\", \"high\"]\n"
      "cuts = [5]\n"
      "[[factors]]\nname = \"size\"\ncolumn = \"size\"\nkind = \"categorical\"\nlevels = [\"small\", "
      "\"large\"]\n"
      "yielded_by = [\"scan\"]\n";
  std::string rest;

  std::string text() const {
    return "format = \"interpole-study\"\nversion = 1\nstates = [\"well\", \"ill\"]\n" + actions + source +
           record + action + factors + rest;
  }
  Study parse() const { return parse_study(text(), "s.toml"); }
};

class MappedTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    std::string path = folder_.file(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  // "7: wait/0@bl scan/3@m06": patient, then action / joint outcome @ visit; - for no outcome.
  static std::vector<std::string> records(const Study& study, const DataFiles& files,
                                          MappingReport* report = nullptr) {
    std::vector<std::string> lines;
    for_each_mapped_record(
        study, files,
        [&](const RecordView& record) {
          std::string line = std::string(record.patient) + ":";
          for (std::size_t t = 0; t < record.steps.size(); ++t) {
            const Step& step = record.steps[t];
            line += joined(" ", study.structure.actions[step.action], "/",
                           step.observation == kMissing ? "-" : std::to_string(step.observation), "@",
                           record.visits[t]);
          }
          lines.push_back(line);
          return true;
        },
        report);
    return lines;
  }

  std::vector<std::string> records(const ClinicStudy& study, const std::string& table,
                                   MappingReport* report = nullptr) {
    return records(study.parse(), data_file(file("visits.csv", table)), report);
  }

  // The complaint, without the folder's name.
  template <class Act>
  std::string refusal_of(const Act& act, ErrorKind kind = ErrorKind::kInput) {
    std::string message = base::complaint_of(act, kind);
    const std::string folder = folder_.path() + "/";
    for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder)) {
      message.erase(at, folder.size());
    }
    return message;
  }

  std::string refusal(const ClinicStudy& study, const std::string& table) {
    return refusal_of([&] { records(study, table); });
  }

  // "rows/patients" left out for this reason.
  static std::string dropped(const MappingReport& report, const std::string& reason) {
    for (const auto& stage : report.attrition.dropped) {
      if (stage.reason == reason) return joined(stage.rows, "/", stage.patients);
    }
    return "no such reason";
  }

  const base::TemporaryFolder folder_;
};

}  // namespace interpole::data
