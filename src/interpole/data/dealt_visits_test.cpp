#include "interpole/data/dealt_visits.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/random.hpp"
#include "interpole/base/ranks/thread_ranks_testing.hpp"
#include "interpole/data/policy_covariates.hpp"
#include "interpole/data/records/dealt_records.hpp"
#include "interpole/data/study_data.hpp"

namespace interpole::data {
namespace {

using base::complaint_of;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kStudy = R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["low", "high"]
[[actions]]
name = "wait"
[[actions]]
name = "test"
[[actions]]
name = "stop"
terminal = true
)";

Study plain() {
  return parse_study(kStudy, "clinic.toml");
}
Study with_covariates() {
  return parse_study(
      std::string(kStudy) + "[policy]\ncontext = [\"age\"]\n[initial_belief]\nby = [\"sex\"]\n",
      "clinic.toml");
}

// Rows of a visits table with two covariates; records of one to nine steps, few of them alike.
std::vector<std::string> random_rows(int records, std::uint64_t seed) {
  std::vector<std::string> rows;
  for (int i = 0; i < records; ++i) {
    base::RandomStream random(seed, i);
    const auto draw = [&](int n) { return static_cast<int>(random.uniform() * n); };
    const std::string covariates = fmt::format("{},{}", 40 + 10 * draw(4), draw(2) == 0 ? "f" : "m");
    const int length = 1 + draw(8);
    int step = draw(3);
    for (int t = 0; t < length; ++t) {
      const char* outcome = draw(5) == 0 ? "" : draw(2) == 0 ? "low" : "high";
      rows.push_back(fmt::format("p{},{},{},{},{}", i, step += 1 + draw(2), draw(2) == 0 ? "wait" : "test",
                                 outcome, covariates));
    }
    if (draw(2) == 0) rows.push_back(fmt::format("p{},{},stop,,{}", i, step + 1, covariates));
  }
  return rows;
}

DataFiles parts(const std::string& name, const std::vector<std::vector<std::string>>& rows) {
  DataFiles files;
  for (const auto& of_part : rows) {
    const std::string path =
        fmt::format("{}dealt_{}_{}_{}.csv", testing::TempDir(),
                    testing::UnitTest::GetInstance()->current_test_info()->name(), name, files.tables.size());
    std::ofstream file(path);
    file << "patient,step,action,observation,age,sex\n";
    for (const std::string& row : of_part) file << row << '\n';
    files.tables.emplace_back("", path);
  }
  return files;
}

// Cut anywhere, also within records; some parts are empty.
std::vector<std::vector<std::string>> cut(const std::vector<std::string>& rows, int count,
                                          std::uint64_t seed) {
  base::RandomStream random(seed, 0);
  std::vector<std::size_t> ends;
  for (int i = 1; i < count; ++i)
    ends.push_back(static_cast<std::size_t>(random.uniform() * static_cast<double>(rows.size() + 1)));
  ends.push_back(rows.size());
  std::sort(ends.begin(), ends.end());
  std::vector<std::vector<std::string>> result;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    result.emplace_back(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                        rows.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  return result;
}

// "Not known" is itself, whatever its bits.
std::vector<std::string> texts(const std::vector<double>& numbers) {
  std::vector<std::string> result;
  result.reserve(numbers.size());
  for (const double x : numbers) result.push_back(std::isnan(x) ? "nan" : fmt::format("{:a}", x));
  return result;
}

std::vector<double> flat(const std::vector<HistoryTree::Places>& places) {
  std::vector<double> result;
  for (const auto& place : places) result.insert(result.end(), {place.sum, place.squares});
  return result;
}

void expect_same(const HistoryTree& x, const HistoryTree& y) {
  EXPECT_EQ(x.records, y.records);
  EXPECT_EQ(x.decisions, y.decisions);
  EXPECT_EQ(x.parent, y.parent);
  EXPECT_EQ(x.depth, y.depth);
  EXPECT_EQ(x.passes, y.passes);
  EXPECT_EQ(x.first_record, y.first_record);
  EXPECT_EQ(x.action_counts, y.action_counts);
  EXPECT_EQ(flat(x.places), flat(y.places));
  ASSERT_EQ(x.groups.size(), y.groups.size());
  for (std::size_t i = 0; i < x.groups.size(); ++i) {
    EXPECT_EQ(x.groups[i].action, y.groups[i].action);
    EXPECT_EQ(x.groups[i].observation, y.groups[i].observation);
    EXPECT_EQ(x.groups[i].end, y.groups[i].end);
  }
  EXPECT_EQ(texts(x.classes.covariates), texts(y.classes.covariates));
  EXPECT_EQ(x.classes.node, y.classes.node);
  EXPECT_EQ(x.classes.record_class, y.classes.record_class);
  EXPECT_EQ(x.classes.action_counts, y.classes.action_counts);
  EXPECT_EQ(flat(x.classes.places), flat(y.classes.places));
  EXPECT_EQ(x.root_count, y.root_count);
  EXPECT_EQ(texts(x.root_covariates), texts(y.root_covariates));
  EXPECT_EQ(x.roots_by, y.roots_by);
}

void expect_dealt_as_read(const DataFiles& whole, const DataFiles& parted, const std::vector<int>& sizes) {
  const HistoryTree expected = read_tree(plain(), whole);
  Study described = with_covariates();
  const HistoryTree told_apart = read_tree_with_covariates(described, whole);
  expect_same(read_tree(plain(), parted), expected);
  for (const int size : sizes) {
    base::run_as_ranks(size, [&](base::Ranks& all) {
      SCOPED_TRACE(fmt::format("rank {} of {}", all.rank(), size));
      const auto tree = dealt_tree(plain(), parted);
      ASSERT_TRUE(tree.has_value());
      expect_same(*tree, expected);
      Study own = with_covariates();
      expect_same(read_tree_with_covariates(own, parted), told_apart);
      const auto& covariates = own.known.policy.terms.covariates;
      ASSERT_EQ(covariates.size(), 2u);
      EXPECT_EQ(covariates[0].centre, described.known.policy.terms.covariates[0].centre);
      EXPECT_EQ(covariates[0].scale, described.known.policy.terms.covariates[0].scale);
      EXPECT_EQ(covariates[1].categories, described.known.policy.terms.covariates[1].categories);
    });
  }
}

TEST(DealtVisits, AreReadAsTheOneTableTheyAreHoweverItIsCut) {
  const auto rows = random_rows(120, 3);
  const DataFiles whole = parts("whole", {rows});
  expect_dealt_as_read(whole, parts("two", cut(rows, 2, 1)), {2});
  expect_dealt_as_read(whole, parts("five", cut(rows, 5, 2)), {2, 3, 5, 8});
}

TEST(DealtVisits, MayHoldARecordThatGoesThroughAllOfThem) {
  const std::vector<std::string> rows = {"a,1,wait,low,50,f", "b,1,wait,low,60,m", "b,2,test,high,60,m",
                                         "b,3,wait,,60,m",    "b,7,test,low,60,m", "b,8,stop,,60,m",
                                         "c,1,test,low,70,f"};
  std::vector<std::vector<std::string>> one_by_one;
  one_by_one.reserve(rows.size());
  for (const std::string& row : rows) one_by_one.push_back({row});
  expect_dealt_as_read(parts("whole", {rows}), parts("cut", one_by_one), {3});
}

TEST(DealtVisits, AreNotDealtToOneRankOrInOneFile) {
  const auto rows = random_rows(3, 5);
  EXPECT_FALSE(dealt_tree(plain(), parts("two", cut(rows, 2, 1))).has_value());
  const DataFiles one = parts("one", {rows});
  base::run_as_ranks(2, [&](base::Ranks&) { EXPECT_FALSE(dealt_tree(plain(), one).has_value()); });
}

TEST(DealtVisits, AreDealtToAllRanks) {
  const auto files = parts("cut", cut(random_rows(60, 4), 8, 1));
  std::vector<int> read(2);
  base::run_as_ranks(2, [&](base::Ranks& all) {
    read[all.rank()] = static_cast<int>(own_parts(visits_files(files)).size());
  });
  EXPECT_GT(read[0], 0);
  EXPECT_GT(read[1], 0);
  EXPECT_EQ(read[0] + read[1], 8);
}

// The message is that of one process, and all ranks end with it.
std::string complaint_of_ranks(const Study& study, const DataFiles& files) {
  std::string of_one = complaint_of([&] {
    Study own = study;
    read_tree_with_covariates(own, files);
  });
  base::run_as_ranks(2, [&](base::Ranks&) {
    Study own = study;
    EXPECT_EQ(complaint_of([&] { read_tree_with_covariates(own, files); }), of_one);
  });
  return of_one;
}

TEST(DealtVisits, AreRefusedAsTheOneTableTheyAre) {
  const auto complaint = [](const std::vector<std::vector<std::string>>& rows) {
    return complaint_of_ranks(plain(), parts("bad", rows));
  };
  EXPECT_THAT(complaint({{"a,1,wait,low,,"}, {"b,1,nonsense,low,,"}, {"c,1,wait,bad,,"}}),
              HasSubstr("_bad_1.csv: row 2: column action: \"nonsense\""));
  EXPECT_THAT(complaint({{"a,2,wait,low,,"}, {"a,2,wait,low,,"}}),
              HasSubstr("_bad_1.csv: row 2: column step: step 2 of patient \"a\" is there twice"));
  EXPECT_THAT(complaint({{"a,2,wait,low,,"}, {"a,1,wait,low,,"}}), HasSubstr("comes after step 2"));
  EXPECT_THAT(complaint({{"a,1,stop,,,"}, {"a,2,wait,low,,"}}), HasSubstr("goes on after \"stop\""));
  EXPECT_THAT(complaint({{"a,1,wait,low,,", "b,1,wait,low,,"}, {"c,1,wait,low,,", "b,2,wait,low,,"}}),
              EndsWith("bad_0.csv, with other patients between; put the rows of a patient together"));
  EXPECT_THAT(complaint({{}, {}}), HasSubstr("there are no rows below the header"));
}

TEST(DealtVisits, WithTwoValuesOfACovariateAreRefused) {
  EXPECT_THAT(
      complaint_of_ranks(with_covariates(), parts("bad", {{"a,1,wait,low,50,f", "b,1,wait,low,50,f"},
                                                          {"b,2,wait,low,60,f", "c,1,wait,low,50,m"}})),
      HasSubstr("_bad_1.csv: row 2: column age: it is \"60\" here and \"50\""));
}

TEST(DealtVisits, WithOtherColumnsAreRefused) {
  DataFiles files = parts("these", {{"a,1,wait,low,50,f"}});
  const std::string other = testing::TempDir() + "dealt_other_columns.csv";
  std::ofstream(other) << "patient,step,action,observation\nb,1,wait,low\n";
  files.tables.emplace_back("", other);
  EXPECT_THAT(
      complaint_of([&] { read_tree(plain(), files); }),
      HasSubstr("dealt_other_columns.csv: its columns are patient, step, action, observation, those of"));
}

TEST(DealtVisits, NamedTwiceAreRefused) {
  DataFiles files = parts("one", {{"a,1,wait,low,50,f"}});
  files.tables.push_back(files.tables[0]);
  EXPECT_THAT(complaint_of([&] { read_tree(plain(), files); }, ErrorKind::kUsage),
              HasSubstr("is given twice"));
}

}  // namespace
}  // namespace interpole::data
