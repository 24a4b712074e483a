#include "interpole/data/policy_covariates.hpp"

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

TEST(PolicyCovariates, AreRefusedWhereTheyCannotBeFollowed) {
  const auto complaint = [](const std::string& name, const std::string& rows) {
    Study study = clinic();
    return base::complaint_of([&] { read_tree_with_covariates(study, table(name, rows)); });
  };
  EXPECT_NE(complaint("empty.csv", "a,1,wait,low,50,,north\n").find("\"sex\""), std::string::npos);
  EXPECT_NE(complaint("varies.csv", "a,1,wait,low,50,f,north\na,2,wait,low,51,f,north\n").find("51"),
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
