#include "interpole/data/policy_covariates.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/atomic_file.hpp"

namespace interpole::data {
namespace {

Study clinic() {
  return parse_study(R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["low", "high"]
[[actions]]
name = "wait"
[[actions]]
name = "test"
[policy]
context = ["age", "sex"]
group = "site"
)",
                     "clinic.toml");
}

DataFiles table(const std::string& name, const std::string& rows) {
  const std::string path = ::testing::TempDir() + name;
  base::write_file_atomically(path, "patient,step,action,observation,age,sex,site\n" + rows);
  return {{{"", path}}};
}

TEST(PolicyCovariates, AreNumbersAndCategoriesAndTellRecordsApart) {
  Study study = clinic();
  const HistoryTree tree =
      read_tree_with_covariates(study, table("covariates.csv",
                                             "a,1,wait,low,50,f,north\na,2,test,high,50,f,north\n"
                                             "b,1,wait,low,60,m,south\nb,2,wait,,60,m,south\n"
                                             "c,1,wait,low,70,,north\n"));
  const auto& covariates = study.known.policy.terms.covariates;
  ASSERT_EQ(covariates.size(), 3u);
  EXPECT_TRUE(covariates[0].categories.empty());
  EXPECT_DOUBLE_EQ(covariates[0].centre, 60.0);
  EXPECT_NEAR(covariates[0].scale, std::sqrt(200.0 / 3.0), 1e-12);
  EXPECT_EQ(covariates[1].categories, (std::vector<std::string>{"f", "m"}));
  EXPECT_EQ(covariates[2].categories, (std::vector<std::string>{"north", "south"}));
  ASSERT_EQ(tree.classes.covariates.size(), 9u);
  EXPECT_EQ(tree.classes.covariates_of(1)[0], 60.0);
  EXPECT_EQ(tree.classes.covariates_of(1)[1], 1.0);
  EXPECT_TRUE(std::isnan(tree.classes.covariates_of(2)[1]));
  EXPECT_EQ(tree.decisions, 5);
}

// What a model file names, at least so many records have; others are as if not recorded.
TEST(PolicyCovariates, RareCategoriesAreNotLearnedOf) {
  const DataFiles files = table("rare.csv",
                                "a,1,wait,low,50,f,north\nb,1,wait,low,60,m,north\nc,1,wait,low,70,f,south\n"
                                "d,1,wait,low,80,f,east\n");
  Study study = clinic();
  std::vector<std::string> left_out;
  const HistoryTree tree = read_tree_with_covariates(study, files, 2, &left_out);
  const auto& covariates = study.known.policy.terms.covariates;
  EXPECT_EQ(covariates[1].categories, (std::vector<std::string>{"f"}));
  EXPECT_EQ(covariates[2].categories, (std::vector<std::string>{"north"}));
  EXPECT_TRUE(std::isnan(tree.classes.covariates_of(1)[1]));
  EXPECT_EQ(
      left_out,
      (std::vector<std::string>{
          "of the covariate \"sex\", a category has fewer than 2 records: nothing is learned of it "
          "(option min-cell)",
          "of the covariate \"site\", 2 categories each have fewer than 2 records: nothing is learned of "
          "them (option min-cell)"}));
  Study strict = clinic();
  EXPECT_EQ(
      base::complaint_of([&] { read_tree_with_covariates(strict, files, 4); }),
      files.shown() +
          ": the covariate \"sex\" of the study's [policy] has no category of 4 records or more, and what is "
          "learned of fewer would name them; remove it there, or choose a smaller min-cell");
}

TEST(PolicyCovariates, OfStartingBeliefsGiveRecordsRootsOfTheirOwn) {
  Study study = clinic();
  study.policy = {};
  study.starts.by = {"sex"};
  const DataFiles files = table("starts.csv",
                                "a,1,wait,low,50,f,north\nb,1,wait,low,60,m,south\n"
                                "c,1,wait,low,70,,north\nd,1,wait,low,80,m,north\n");
  const HistoryTree tree = read_tree_with_covariates(study, files);
  ASSERT_EQ(study.known.policy.terms.covariates.size(), 1u);
  EXPECT_EQ(tree.root_count, 3);
  EXPECT_EQ(tree.passes[tree.root_of(std::vector{1.0})], 2);
  study.policy.context = {"age"};
  const HistoryTree both = read_tree_with_covariates(study, files);
  EXPECT_EQ(both.root_count, 3);  // age is followed by decisions alone
  EXPECT_EQ(both.passes[both.root_of(std::vector{80.0, 1.0})], 2);
  EXPECT_EQ(both.classes.covariates.size(), 8u);
}

TEST(PolicyCovariates, OfStartingBeliefsAreRefusedByTheNameOfTheirTable) {
  const auto complaint = [](const std::string& covariate, const std::string& rows) {
    Study study = clinic();
    study.policy = {};
    study.starts.by = {covariate};
    return base::complaint_of([&] { read_tree_with_covariates(study, table("bad_starts.csv", rows)); });
  };
  const std::string one = "a,1,wait,low,50,,north\n";
  EXPECT_NE(
      complaint("weight", one).find("no covariate \"weight\", which the study's [initial_belief] names"),
      std::string::npos);
  EXPECT_NE(complaint("sex", one).find("the covariate \"sex\" of the study's [initial_belief] has no value"),
            std::string::npos);
  const std::string two = complaint("age", "a,1,wait,low,50,f,north\na,2,wait,low,51,f,north\n");
  for (const char* part : {"bad_starts.csv", "row 3: column age", "50", "51"}) {
    EXPECT_NE(two.find(part), std::string::npos) << two;
  }
  std::string many;
  for (int i = 0; i < 201; ++i) many += fmt::format("p{0},1,wait,low,50,s{0},north\n", i);
  EXPECT_NE(complaint("sex", many).find("has 201 different values, too many"), std::string::npos);
}

TEST(PolicyCovariates, AreRefusedWhereTheyCannotBeFollowed) {
  const auto complaint = [](const std::string& name, const std::string& rows) {
    Study study = clinic();
    return base::complaint_of([&] { read_tree_with_covariates(study, table(name, rows)); });
  };
  const std::string empty = complaint("empty.csv", "a,1,wait,low,50,,north\n");
  for (const char* part :
       {"empty.csv: the covariate \"sex\" of the study's [policy] has no value", "remove it"})
    EXPECT_NE(empty.find(part), std::string::npos) << empty;
  EXPECT_NE(complaint("varies.csv", "a,1,wait,low,50,f,north\na,2,wait,low,51,f,north\n")
                .find(R"(row 3: column age: it is "51" here and "50" at the record's first visit)"),
            std::string::npos);
  Study study = clinic();
  study.policy.context = {"weight"};
  EXPECT_NE(base::complaint_of([&] {
              read_tree_with_covariates(study, table("missing.csv", "a,1,wait,low,50,f,north\n"));
            }).find("\"weight\""),
            std::string::npos);
}

}  // namespace
}  // namespace interpole::data
