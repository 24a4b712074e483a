#include "interpole/data/counts/counts_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/atomic_file.hpp"
#include "interpole/data/counts/counts_key.hpp"
#include "interpole/data/policy_covariates.hpp"
#include "interpole/data/study_data.hpp"

namespace interpole::data {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Codes: wait 0 (nothing), 1 low, 2 high; test 3, 4, 5; stop 6.
Study counted_study(const std::string& rest = "") {
  return parse_study(R"(
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
)" + rest,
                     "clinic.toml");
}

// Rows without their last cell, which is the study's key.
std::string counts_of_rows(const std::string& name, const std::vector<std::string>& rows,
                           const Study& study = counted_study(), const std::string& columns = "") {
  std::string path = ::testing::TempDir() + name;
  std::string text = "sequence,records" + columns + ",study_key\n";
  for (const std::string& row : rows) text += row + "," + counts_key(study) + "\n";
  base::write_file_atomically(path, text);
  return path;
}

std::string refusal_of_rows(const std::vector<std::string>& rows) {
  const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path = counts_of_rows(test + "_refused.csv", rows);
  return base::complaint_of([&] { CountsTable(path, counted_study()); });
}

TEST(CountsTable, IsTheTreeOfTheRecordsItCounts) {
  const Study study = counted_study();
  const std::string visits = ::testing::TempDir() + "counted_visits.csv";
  base::write_file_atomically(visits,
                              "patient,step,action,observation\na,1,wait,low\na,2,test,high\na,3,stop,\n"
                              "b,1,wait,low\nb,2,stop,\nc,1,wait,low\nc,2,stop,\nd,5,wait,\n");
  const HistoryTree rows = read_tree(study, data_file(visits));
  for (const std::vector<std::string>& order :
       std::vector<std::vector<std::string>>{{"1 6,2", "1 5 6,1", "0,1"}, {"0,1", "1 5 6,1", "1 6,2"}}) {
    const HistoryTree counts = read_tree(study, counts_file(counts_of_rows("tree.csv", order)));
    EXPECT_EQ(counts.records, 4);
    EXPECT_EQ(counts.decisions, rows.decisions);
    EXPECT_EQ(counts.parent, rows.parent);
    EXPECT_EQ(counts.passes, rows.passes);
    EXPECT_EQ(counts.action_counts, rows.action_counts);
    EXPECT_TRUE(counts.places.empty()) << "counts have no order of records";
  }
}

TEST(CountsTable, HasNoOrderOfRecordsEvenIfEachIsCountedOnce) {
  EXPECT_TRUE(
      read_tree(counted_study(), counts_file(counts_of_rows("ones.csv", {"1 6,1", "0,1"}))).places.empty());
}

TEST(CountsTable, TellsRecordsApartByCovariates) {
  Study study = counted_study("[policy]\ncontext = [\"age\"]\n");
  const std::string path =
      counts_of_rows("classes.csv", {"1 6,2,50", "1 6,1,70", "0,3,60", "1,1,"}, study, ",covariate_age");
  const HistoryTree tree = read_tree_with_covariates(study, counts_file(path));
  EXPECT_EQ(tree.records, 7);
  EXPECT_DOUBLE_EQ(study.known.policy.terms.covariates[0].centre, (2 * 50 + 70 + 3 * 60) / 6.0);
  EXPECT_EQ(tree.classes.covariates.size(), 4u);
}

TEST(CountsTable, SaysWhatWasRare) {
  const CountsTable counts(counts_of_rows("rare.csv", {"1 6,20", "rare 7,9"}), counted_study());
  EXPECT_EQ(counts.rare_records(), 9);
  EXPECT_EQ(counts.rare_sequences(), 7);
  EXPECT_EQ(counts.total(), 29);
}

TEST(CountsTable, FindsTheRowOfARecord) {
  const CountsTable counts(counts_of_rows("places.csv", {"1 6,20", "0,3"}), counted_study());
  EXPECT_EQ(counts.record_at(2).patient, "row 3");
  EXPECT_EQ(counts.record_at(3).patient, "row 2");
  EXPECT_EQ(counts.record_at(22).steps.size(), 2u);
}

TEST(CountsTable, RefusesCountsThatAreNone) {
  for (const char* count : {"-3", "0", "1.5", "", "many", "99999999999999999999"}) {
    EXPECT_THAT(
        refusal_of_rows({"1 6,2", fmt::format("0,{}", count)}),
        AllOf(HasSubstr("refused.csv: row 3: column records: "), HasSubstr("is not a count of records")))
        << count;
  }
  EXPECT_THAT(refusal_of_rows({"0,9000000000000000000"}), HasSubstr("more records than can be"));
}

TEST(CountsTable, RefusesUnknownSymbolsAndBrokenOrder) {
  EXPECT_THAT(
      refusal_of_rows({"1 6,2", "1 9,1"}),
      AllOf(HasSubstr("row 3: column sequence: step 2: \"9\" is not a code"), HasSubstr("study sql")));
  EXPECT_THAT(refusal_of_rows({"6 1,2"}), HasSubstr("the record goes on after \"stop\""));
  EXPECT_THAT(refusal_of_rows({",2"}), HasSubstr("is not a code"));
}

TEST(CountsTable, RefusesASequenceThatIsThereTwice) {
  EXPECT_THAT(refusal_of_rows({"1 6,2", "0,1", "1 6,5"}),
              HasSubstr("row 4: column sequence: \"1 6\" was already in row 2"));
}

TEST(CountsTable, RefusesWhatTheWarehouseCouldNotRead) {
  EXPECT_THAT(
      refusal_of_rows({"1 6,2", "problem: two rows at the same step,12"}),
      HasSubstr("row 3: column sequence: the warehouse found 12 records with two rows at the same step"));
  EXPECT_THAT(refusal_of_rows({"1 6,2", "rare few,12"}), HasSubstr("does not say how many were rare"));
  EXPECT_THAT(refusal_of_rows({}), HasSubstr("there are no counts"));
  EXPECT_THAT(refusal_of_rows({"rare 3,12"}), HasSubstr("too rare"));
}

TEST(CountsTable, RefusesThoseOfAnotherStudy) {
  const Study study = counted_study();
  const std::string path = counts_of_rows("other.csv", {"1,2"}, study);
  Study other = study;
  std::swap(other.structure.observations[0], other.structure.observations[1]);
  EXPECT_THAT(base::complaint_of([&] { CountsTable(path, other); }),
              AllOf(HasSubstr("row 2: column study_key: "), HasSubstr("not the key of this study")));
  base::write_file_atomically(path, "sequence,count\n1,2\n");
  EXPECT_THAT(base::complaint_of([&] { CountsTable(path, study); }), HasSubstr("there is no column records"));
}

TEST(CountsKey, FollowsFromWhatRowsBecomeAndNothingElse) {
  const std::string mapped = R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
[[actions]]
name = "wait"
[[actions]]
name = "test"
[source]
tables = ["t"]
[record]
id = "id"
order = "day"
kind = "number"
[action]
column = "a"
[[factors]]
name = "x"
column = "x"
kind = "numeric"
levels = ["low", "high"]
cuts = [CUT]
[priors]
inverse_temperature = { shape = SHAPE, rate = 0.2 }
)";
  const auto key = [&](const std::string& cut, const std::string& shape) {
    std::string text = mapped;
    text.replace(text.find("CUT"), 3, cut);
    text.replace(text.find("SHAPE"), 5, shape);
    return counts_key(parse_study(text, "s.toml"));
  };
  EXPECT_EQ(key("2", "2"), key("2", "3"));
  EXPECT_NE(key("2", "2"), key("2.5", "2"));
  EXPECT_EQ(key("2", "2").substr(0, 12), key("2.5", "2").substr(0, 12)) << "the same actions and outcomes";
}

}  // namespace
}  // namespace interpole::data
