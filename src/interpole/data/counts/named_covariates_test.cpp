#include "interpole/data/counts/named_covariates.hpp"

#include <gtest/gtest.h>

namespace interpole::data {
namespace {

TEST(NamedCovariates, ComeOnceEachInTheirOrder) {
  DecisionProblem problem;
  problem.policy.context = {"age", "sex"};
  problem.policy.group = "site";
  problem.starts.by = {"sex", "arrival"};
  EXPECT_EQ(named_covariates(problem), (std::vector<std::string>{"age", "sex", "site", "arrival"}));
}

TEST(NamedCovariates, ColumnsCarryAnyName) {
  EXPECT_EQ(covariate_column("sex"), "covariate_sex");
  EXPECT_EQ(covariate_column("over 75"), "covariate_over_x2075");
  for (const char* name : {"sex", "over 75", "größe", "a_x20b", "_x", "x_", "\"'`\\", "covariate_sex", ""}) {
    const std::string column = covariate_column(name);
    EXPECT_EQ(column.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
              std::string::npos)
        << column;
    EXPECT_EQ(covariate_of_column(column), name);
  }
  EXPECT_FALSE(covariate_of_column("records"));
}

}  // namespace
}  // namespace interpole::data
