#include "interpole/service/fit/group_verdict.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace interpole::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Of which only whether policies differ was asked.
learn::GroupFit policies_alone(double log_evidence) {
  learn::GroupFit fit;
  fit.policy_alone = true;
  fit.hypotheses.resize(2);
  fit.hypotheses[1].what.policy = true;
  for (auto& hypothesis : fit.hypotheses) hypothesis.log_prior = std::log(0.5);
  fit.hypotheses[1].log_evidence = log_evidence;
  return fit;
}

TEST(GroupVerdict, IsWithheldWhereNothingButPoliciesWasAskedAbout) {
  const GroupJudgement judgement = judge_groups(policies_alone(20.0), {"north", "south"}, {}, 1);
  EXPECT_EQ(judgement.verdict, GroupVerdict::kWithheld);
  EXPECT_EQ(judgement.cause, "undecided");
  EXPECT_FALSE(judgement.says_policies_differ());
  EXPECT_THAT(judgement.reasons, ElementsAre(HasSubstr("2 groups are too many to tell whether patients")));
}

TEST(GroupVerdict, IsNoneWhereNotEvenDecisionsDiffer) {
  const GroupJudgement judgement = judge_groups(policies_alone(-20.0), {"north", "south"}, {}, 1);
  EXPECT_EQ(judgement.verdict, GroupVerdict::kNone);
  EXPECT_THAT(judgement.reasons, IsEmpty());
}

}  // namespace
}  // namespace interpole::service
