// One attack on everything that is published of one data set: no count from 1 to below the smallest cell is
// told, nor left over when what is shown is taken from its total.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/model_file.hpp"
#include "interpole/service/explain/audit_task.hpp"
#include "interpole/service/explorer/explorer_data.hpp"
#include "interpole/study.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kCell = 11;

constexpr char kScansStudy[] = R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
[[actions]]
name = "wait"
[[actions]]
name = "mri"
[[actions]]
name = "pet"
[source]
tables = ["v"]
[record]
id = "id"
order = "t"
kind = "number"
[action]
column = "a"
[[factors]]
name = "score"
column = "score"
kind = "categorical"
levels = ["lo", "hi"]
[[factors]]
name = "scan"
column = "scan"
kind = "categorical"
levels = ["neg", "pos"]
yielded_by = ["mri"]
otherwise = "none"
[[factors]]
name = "tracer"
column = "tracer"
kind = "categorical"
levels = ["n", "p"]
yielded_by = ["pet"]
otherwise = "none"
[[covariates]]
name = "age"
sql = "AGE::DOUBLE"
[[covariates]]
name = "sex"
sql = "SEX"
[group]
column = "SITE"
)";

// 90 patients with four visits each, of which 6 are men, 7 are at a small site and `pets` visits had a PET;
// with `waits` false, every other visit had an MRI.
std::string visits_table(int pets, bool waits) {
  std::string text = "id,t,a,score,scan,tracer,AGE,SEX,SITE\n";
  for (int i = 0; i < 90; ++i) {
    for (int t = 0; t < 4; ++t) {
      const bool pet = t == 1 && i % 12 == 3 && i / 12 < pets;
      const bool mri = !pet && (!waits || (i + t) % 4 == 0);
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", i, t,
                          pet   ? "pet"
                          : mri ? "mri"
                                : "wait",
                          (i * 7 + t * 5) % 9 < 4 ? "lo" : "hi", mri ? (i + t) % 8 < 3 ? "pos" : "neg" : "",
                          pet ? (i % 24 == 3 ? "p" : "n") : "", 50 + i % 37, i % 16 == 5 ? "M" : "F",
                          i % 13 == 0  ? "west"
                          : i % 3 == 0 ? "south"
                                       : "north");
    }
  }
  return text;
}

Model plain_model(const Structure& structure) {
  Model model{structure, Parameters::filled(structure, 0.0), {}};
  Dynamics& dynamics = model.agent.dynamics;
  dynamics.initial = {0.7, 0.3};
  const int S = structure.state_count();
  const int Z = structure.observation_count();
  for (int a = 0; a < structure.action_count(); ++a) {
    for (int s = 0; s < S; ++s) {
      dynamics.transition[(a * S + s) * S + s] = s == 0 ? 0.9 : 0.95;
      dynamics.transition[(a * S + s) * S + 1 - s] = s == 0 ? 0.1 : 0.05;
      double sum = 0.0;
      for (int z = 0; z < Z; ++z) sum += structure.can_yield(a, z) ? 1.0 + 2.0 * ((z + s) % 3) : 0.0;
      for (int z = 0; z < Z; ++z) {
        dynamics.observation[(a * S + s) * Z + z] =
            structure.can_yield(a, z) ? (1.0 + 2.0 * ((z + s) % 3)) / sum : 0.0;
      }
    }
  }
  model.agent.policy = {6.0, {0.8, 0.2, 0.5, 0.5, -0.2, 1.2}};
  return model;
}

using Counts = std::vector<std::optional<std::int64_t>>;

std::optional<std::int64_t> count_in(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::int64_t>());
}

class SmallCounts : public ::testing::TestWithParam<std::pair<int, bool>> {
 protected:
  void SetUp() override {
    const auto write = [&](const char* name, const std::string& text) {
      std::ofstream(folder_.file(name)) << text;
      return folder_.file(name);
    };
    ExplorerRequest explorer;
    explorer.study = write("study.toml", kScansStudy);
    explorer.data = data_file(write("v.csv", visits_table(GetParam().first, GetParam().second)));
    explorer.model = folder_.file("model.json");
    write_model(explorer.model, plain_model(read_study(explorer.study).structure),
                R"({"provenance": {"data": {"patients": 7, "decisions": 28, "histories": 9}}})");
    explorer.min_cell = kCell;
    explorer.threads = 1;
    shown_ = Json::parse(explorer_json(explorer, quiet_sink()));
    AuditRequest audit;
    audit.study = explorer.study;
    audit.data = explorer.data;
    audit.model = explorer.model;
    audit.tables.min_cell = kCell;
    audit.options.threads = 1;
    audited_ = Json::parse(to_json(run_audit(audit, quiet_sink())));
    decisions_ = shown_["counts"]["decisions"];
  }

  // Every count by its name, wherever it stands.
  static void expect_none_small(const Json& json, const std::string& place) {
    static const std::set<std::string> kNames = {"patients", "decisions", "histories",
                                                 "visits",   "flagged",   "total"};
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) {
      if (place.empty() && key == "records") continue;
      const std::string here = fmt::format("{}/{}", place, key);
      if (kNames.contains(key) && value.is_number_integer()) {
        expect_not_small(value.get<std::int64_t>(), here);
      }
      expect_none_small(value, here);
    }
  }

  static void expect_not_small(std::int64_t count, const std::string& what) {
    EXPECT_TRUE(count == 0 || count >= kCell) << what << ": " << count;
  }

  // Counts that divide the total; `total` − those that are shown is what the others have together.
  static void expect_no_small_rest(std::int64_t total, const Counts& counts, const std::string& what) {
    for (const auto& count : counts) total -= count.value_or(0);
    expect_not_small(total, "total - shown " + what);
  }

  // Of how many visits the test could have changed what was done next.
  static void attack_share(const Json& value, const std::string& what) {
    const Json& share =
        value[value.contains("decides") ? "decides" : "share_where_it_could_change_the_next_action"];
    if (value["visits"].is_null() || share.is_null()) return;
    const auto visits = value["visits"].get<std::int64_t>();
    const std::int64_t deciding = std::llround(share.get<double>() * static_cast<double>(visits));
    expect_not_small(deciding, what);
    expect_no_small_rest(visits, {deciding}, what);
  }

  void attack_tests(const Json& tests, const char* done, const char* not_done, const std::string& what) {
    Counts all_done;
    for (const Json& test : tests) {
      const auto visits = [&](const char* where) {
        return test[where].is_null() ? std::nullopt : count_in(test[where]["visits"]);
      };
      for (const char* where : {done, not_done}) {
        if (!test[where].is_null()) attack_share(test[where], what + " " + where);
      }
      all_done.push_back(visits(done));
      expect_no_small_rest(decisions_, {visits(not_done)}, what + " not done");
      expect_no_small_rest(decisions_, {visits(done)}, what + " done");
    }
    expect_no_small_rest(decisions_, all_done, what + " done, all");
  }

  void attack_cohorts(const Json& rows, const char* name, const std::string& what) {
    std::map<std::string, Counts> by_covariate;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto cohort = rows[i][name].get<std::string>();
      by_covariate[cohort.substr(0, cohort.find(' '))].push_back(count_in(rows[i]["patients"]));
    }
    for (const auto& [covariate, counts] : by_covariate) {
      expect_no_small_rest(rows[0]["patients"], counts, fmt::format("{} {}", what, covariate));
    }
    for (const Json& row : rows) {
      for (const auto& [key, share] : (row.contains("flags") ? row["flags"] : row).items()) {
        if (!share.is_object() || !share.contains("flagged")) continue;
        expect_no_small_rest(share["total"], {count_in(share["flagged"])}, fmt::format("{} {}", what, key));
      }
    }
  }

  base::TemporaryFolder folder_;
  Json shown_, audited_;
  std::int64_t decisions_ = 0;
};

TEST_P(SmallCounts, AreNotTheLengthOfAList) {
  const Json& counted = shown_["cohorts"]["rows"][0]["flags"]["unlikely"];
  const std::size_t listed = shown_["audit"]["unlikely"].size();
  if (counted.is_null()) {
    EXPECT_EQ(listed, 0u);
    EXPECT_NE(shown_["audit"]["no_unlikely"], "");
  } else {
    EXPECT_EQ(listed, counted["flagged"].get<std::size_t>());
    EXPECT_EQ(shown_["audit"]["no_unlikely"], "");
  }
}

TEST_P(SmallCounts, AppearNowhere) {
  expect_none_small(shown_, "");
  expect_none_small(audited_, "");
}

TEST_P(SmallCounts, AreNotLeftOverWhenWhatIsShownIsSubtracted) {
  EXPECT_EQ(decisions_, 360);
  attack_tests(shown_["audit"]["test_values"], "done", "not_done", "explorer's tests");
  attack_tests(audited_["tests"], "where_done", "where_not_done", "audit's tests");
  attack_cohorts(shown_["cohorts"]["rows"], "name", "explorer's cohorts");
  attack_cohorts(audited_["frequency"], "cohort", "audit's cohorts");
  Counts groups, bins, taken;
  for (const Json& group : shown_["groups"]["groups"]) groups.push_back(count_in(group["patients"]));
  EXPECT_EQ(groups.size(), 2u);
  expect_no_small_rest(shown_["counts"]["patients"], groups, "groups");
  for (const Json& bin : shown_["check"]["calibration"]) {
    bins.push_back(count_in(bin["decisions"]));
    if (!bins.back()) continue;
    taken.push_back(std::llround(bin["observed"].get<double>() * static_cast<double>(*bins.back())));
    expect_not_small(*taken.back(), "actions taken in a bin");
    expect_no_small_rest(*bins.back(), {taken.back()}, "actions taken in a bin");
  }
  expect_no_small_rest(3 * decisions_, bins, "bins of calibration");
  expect_no_small_rest(decisions_, taken, "actions taken in bins");
}

// A share of a few, with all its digits, tells how few they are.
TEST_P(SmallCounts, HaveNoAveragesEither) {
  for (const Json& bin : shown_["check"]["calibration"]) {
    if (!bin["decisions"].is_null()) continue;
    EXPECT_TRUE(bin["observed"].is_null() && bin["predicted"].is_null()) << bin;
  }
  for (const Json& test : shown_["audit"]["test_values"]) {
    for (const Json& value : {test["done"], test["not_done"]}) {
      if (!value["visits"].is_null()) continue;
      EXPECT_TRUE(value["information"].is_null() && value["decides"].is_null()) << value;
    }
  }
}

// A patient who was tested at twelve visits is one patient, not twelve.
TEST(CohortTests, AreCountedByPatients) {
  const base::TemporaryFolder folder;
  std::ofstream(folder.file("study.toml")) << kScansStudy;
  std::string table = "id,t,a,score,scan,tracer,AGE,SEX,SITE\n";
  for (int i = 0; i < 90; ++i) {
    for (int t = 0; t < 16; ++t) {
      const bool pet = i == 7 && t < 12;
      const bool mri = !pet && (i + t) % 4 == 0;
      table +=
          fmt::format("{},{},{},{},{},{},{},F,north\n", i, t,
                      pet   ? "pet"
                      : mri ? "mri"
                            : "wait",
                      (i * 7 + t * 5) % 9 < 4 ? "lo" : "hi", mri ? "neg" : "", pet ? "n" : "", 50 + i % 37);
    }
  }
  std::ofstream(folder.file("v.csv")) << table;
  AuditRequest request;
  request.study = folder.file("study.toml");
  request.data = data_file(folder.file("v.csv"));
  request.model = folder.file("model.json");
  write_model(request.model, plain_model(read_study(request.study).structure));
  request.tables.min_cell = kCell;
  for (const Json& test : Json::parse(to_json(run_audit(request, quiet_sink())))["tests"]) {
    if (test["action"] != "pet") continue;
    EXPECT_TRUE(test["where_done"].is_null()) << test;
    EXPECT_TRUE(test["where_not_done"].is_null()) << test;
  }
}

// Few PETs beside much else; few PETs where there is nothing but MRI besides; PETs enough.
INSTANTIATE_TEST_SUITE_P(Data, SmallCounts,
                         ::testing::Values(std::pair(5, true), std::pair(5, false), std::pair(0, true)));

}  // namespace
}  // namespace interpole::service
