// Random tables through the mapping and through a plain reading of its rules: the same records, and an
// attrition table that adds up and agrees.

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

struct Row {
  std::string id, visit, dx, score, act;
};

struct Rules {
  bool first = false;
  int spacing = 0;  // 0: none
  std::string gaps = "cut";
  int minimum_visits = 1;
  bool drop_if_last = false;
  bool where = false;
};

const std::vector<std::string> kVisitCodes = {"bl", "m06", "m12", "m18"};

std::string study_text(const Rules& rules) {
  ClinicStudy study;
  if (rules.first) study.record += "first = \"bl\"\n";
  if (rules.spacing > 0)
    study.record += joined("spacing = ", rules.spacing, "\ngaps = \"", rules.gaps, "\"\n");
  study.factors =
      "[[factors]]\nname = \"score\"\ncolumn = \"score\"\nkind = \"numeric\"\nlevels = [\"low\", "
      "\"high\"]\ncuts = [5]\n";
  study.rest = joined("[filters]\nrequired = [\"dx\"]\nminimum_visits = ", rules.minimum_visits, "\n");
  if (rules.where) study.rest += "where = \"score::DOUBLE <> 9\"\n";
  if (rules.drop_if_last) study.rest += "drop_if_last = \"dx = 'b'\"\n";
  return study.text();
}

// The rules in plain words.
struct Expected {
  std::vector<std::string> records;
  std::map<std::string, std::pair<int, int>> dropped;
  std::set<std::string> patients;
  int rows_kept = 0;

  void drop(const std::string& reason, int rows, bool patient) {
    dropped[reason].first += rows;
    dropped[reason].second += patient ? 1 : 0;
  }
};

std::string row_reason(const Row& row, const Rules& rules) {
  if (row.id.empty()) return "no id (record id)";
  if (row.visit.empty()) return "no visit (visit)";
  if (std::find(kVisitCodes.begin(), kVisitCodes.end(), row.visit) == kVisitCodes.end())
    return "other visit than the study's codes";
  if (rules.where && (row.score.empty() || row.score == "9")) return "not where the study wants it";
  if (row.dx.empty()) return "no dx";
  return "";
}

void expect_patient(std::map<int, Row> visits, const std::string& id, const Rules& rules,
                    Expected& expected) {
  const auto drop_all = [&](const std::string& reason) {
    expected.drop(reason, static_cast<int>(visits.size()), true);
    visits.clear();
  };
  if (rules.first && visits.count(0) == 0) return drop_all("record without first visit \"bl\"");
  if (rules.spacing > 0 && rules.gaps != "keep") {
    int last = visits.begin()->first;
    for (auto it = std::next(visits.begin()); it != visits.end(); ++it) {
      if (it->first - last > rules.spacing) {
        if (rules.gaps == "drop") return drop_all("record with a gap");
        expected.drop("after a gap", static_cast<int>(std::distance(it, visits.end())), false);
        visits.erase(it, visits.end());
        break;
      }
      last = it->first;
    }
  }
  if (static_cast<int>(visits.size()) < rules.minimum_visits) {
    return drop_all(joined("record with fewer than ", rules.minimum_visits, " visits"));
  }
  if (rules.drop_if_last && visits.rbegin()->second.dx == "b")
    return drop_all("record with an ambiguous ending");
  std::string line = id + ":";
  for (const auto& [place, row] : visits) {
    const std::string outcome = row.score.empty() ? "-" : std::stoi(row.score) <= 5 ? "0" : "1";
    line += joined(" ", row.act, "/", outcome, "@", row.visit);
  }
  expected.records.push_back(line);
  expected.rows_kept += static_cast<int>(visits.size());
}

Expected expect(const std::vector<Row>& rows, const Rules& rules) {
  Expected expected;
  const std::vector<std::string> order = {"no visit (visit)", "other visit than the study's codes",
                                          "not where the study wants it", "no dx"};
  std::map<std::string, std::map<int, Row>> kept;
  std::map<std::string, std::size_t> last_reason;
  for (const Row& row : rows) {
    if (!row.id.empty()) expected.patients.insert(row.id);
    const std::string reason = row_reason(row, rules);
    if (reason.empty()) {
      kept[row.id][static_cast<int>(std::find(kVisitCodes.begin(), kVisitCodes.end(), row.visit) -
                                    kVisitCodes.begin())] = row;
      continue;
    }
    expected.drop(reason, 1, false);
    if (row.id.empty()) continue;
    const auto place =
        static_cast<std::size_t>(std::find(order.begin(), order.end(), reason) - order.begin());
    last_reason[row.id] = std::max(last_reason[row.id], place);
  }
  for (const std::string& id : expected.patients) {
    if (kept.count(id) > 0) {
      expect_patient(kept[id], id, rules, expected);
    } else {
      expected.drop(order[last_reason[id]], 0, true);
    }
  }
  std::sort(expected.records.begin(), expected.records.end());
  return expected;
}

class RandomTable {
 public:
  explicit RandomTable(unsigned seed) : random_(seed) {}

  Rules rules() {
    Rules rules;
    rules.first = below(2) == 0;
    rules.spacing = below(3);
    rules.gaps = std::vector<std::string>{"cut", "drop", "keep"}[below(3)];
    rules.minimum_visits = 1 + below(3);
    rules.drop_if_last = below(2) == 0;
    rules.where = below(2) == 0;
    return rules;
  }

  std::vector<Row> rows() {
    std::vector<Row> rows;
    const int patients = below(30);
    for (int p = 0; p < patients; ++p) {
      const std::string id = below(4) == 0 ? joined("p", p) : std::to_string(p);
      for (const char* code : {"bl", "m06", "m12", "m18", "sc", ""}) {
        if (below(3) == 0) continue;
        rows.push_back({below(15) == 0 ? "" : id, code, pick({"a", "b", "b", ""}),
                        pick({"1", "5", "6", "9", ""}), pick({"wait", "scan"})});
      }
    }
    std::shuffle(rows.begin(), rows.end(), random_);
    return rows;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string pick(const std::vector<std::string>& texts) {
    return texts[below(static_cast<int>(texts.size()))];
  }

  std::mt19937 random_;
};

using MappedAttritionTest = MappedTest;

TEST_F(MappedAttritionTest, AddsUpAndAgreesWithThePlainRulesOnRandomTables) {
  std::int64_t records_seen = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(joined("seed ", seed));
    RandomTable random(seed);
    const Rules rules = random.rules();
    const std::vector<Row> rows = random.rows();
    std::string table = "id,visit,act,dx,score\n";
    for (const Row& row : rows)
      table += joined(row.id, ",", row.visit, ",", row.act, ",", row.dx, ",", row.score, "\n");
    const Expected expected = expect(rows, rules);
    MappingReport report;
    std::vector<std::string> found =
        records(parse_study(study_text(rules), "s.toml"), data_file(file("visits.csv", table)), &report);
    std::sort(found.begin(), found.end());
    records_seen += static_cast<std::int64_t>(found.size());
    ASSERT_EQ(found, expected.records);

    const Attrition& attrition = report.attrition;
    std::int64_t rows_left = attrition.rows_in;
    std::int64_t patients_left = attrition.patients_in;
    for (const auto& stage : attrition.dropped) {
      rows_left -= stage.rows;
      patients_left -= stage.patients;
      const auto it = expected.dropped.find(stage.reason);
      const auto figures = it == expected.dropped.end() ? std::pair{0, 0} : it->second;
      EXPECT_EQ(stage.rows, figures.first) << stage.reason;
      EXPECT_EQ(stage.patients, figures.second) << stage.reason;
    }
    EXPECT_EQ(attrition.rows_in, static_cast<std::int64_t>(rows.size()));
    EXPECT_EQ(attrition.patients_in, static_cast<std::int64_t>(expected.patients.size()));
    EXPECT_EQ(rows_left, attrition.rows_kept);
    EXPECT_EQ(patients_left, attrition.patients_kept);
    EXPECT_EQ(attrition.rows_kept, expected.rows_kept);
    EXPECT_EQ(attrition.patients_kept, static_cast<std::int64_t>(found.size()));
  }
  EXPECT_GT(records_seen, 500);  // the rules leave enough to compare
}

}  // namespace
}  // namespace interpole::data
