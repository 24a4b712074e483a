#include "interpole/learn/terms/kind_choice.hpp"

#include <gtest/gtest.h>

#include "interpole/environment.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/terms/kind_splits.hpp"
#include "interpole/simulate.hpp"

namespace interpole::learn {
namespace {

HistoryTree tree_of(const Environment& environment, int patients, std::uint64_t seed) {
  std::vector<Record> records;
  SimulateOptions options;
  options.patients = patients;
  options.seed = seed;
  simulate(environment, options, [&](const Record& record) { records.push_back(record); });
  return build_history_tree(environment.truth.structure.action_count(), records);
}

// From the true dynamics, without terms.
TermChoice kinds_of(const Environment& environment, int patients, std::uint64_t seed,
                    const PolicyRequest& request = {}) {
  DecisionProblem problem = DecisionProblem::open(environment.truth.structure);
  problem.policy = request;
  problem.known.policy.terms.covariates = environment.truth.agent.policy.terms.covariates;
  problem.known.dynamics = environment.truth.agent.dynamics;
  const HistoryTree tree = tree_of(environment, patients, seed);
  const inference::Likelihood likelihood(tree, problem.structure);
  TermSearch search;
  search.use = PolicyUse::kBelief;
  Parameters start = environment.truth.agent;
  start.policy = start.policy.of_kind(0);
  const TermChoice terms = choose_terms(likelihood, problem, start, search);
  return with_kinds(likelihood, problem, terms.at, terms, search);
}

TEST(KindChoice, FindsTwoKindsAndTheirShares) {
  const TermChoice choice = kinds_of(two_kinds_ward(), 1500, 2);
  ASSERT_EQ(choice.kinds.taken, 2);
  const Policy& truth = two_kinds_ward().truth.agent.policy;
  const Policy& found = choice.at.policy;
  EXPECT_NEAR(found.other_kinds[0].share, truth.other_kinds[0].share, 0.12);
  EXPECT_GT(found.kind_shares()[0], found.other_kinds[0].share);
  EXPECT_LT(found.means[0], found.other_kinds[0].means[0]);
  EXPECT_GT(choice.kinds.log_ratio, 0.0);
}

TEST(KindChoice, FindsNoneWhereAllDecisionMakersAreAlike) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const TermChoice choice = kinds_of(plain_ward(), 800, seed);
    EXPECT_EQ(choice.kinds.taken, 1);
    EXPECT_TRUE(choice.problem.known.policy.other_kinds.empty());
  }
}

TEST(KindChoice, OfNamedDecisionMakersIsMadeOnAllOfTheirRecords) {
  Environment environment = two_kinds_ward();
  Policy& policy = environment.truth.agent.policy;
  std::vector<std::string> names;
  names.reserve(40);
  for (int i = 0; i < 40; ++i) names.push_back("d" + std::to_string(10 + i));
  policy.terms.covariates = {{"doctor", names}};
  policy.decision_maker = 0;
  PolicyRequest request;
  request.group = "doctor";
  request.kinds_by_group = true;
  const TermChoice choice = kinds_of(environment, 800, 3, request);
  EXPECT_EQ(choice.kinds.taken, 2);
  EXPECT_EQ(choice.at.policy.decision_maker, 0);
}

TEST(KindChoice, KeepsToTheMostThatTheStudyAllows) {
  PolicyRequest request;
  request.kinds = 1;
  EXPECT_EQ(kinds_of(two_kinds_ward(), 500, 2, request).kinds.taken, 1);
}

TEST(KindChoice, RefusesMoreKindsThanRecords) {
  PolicyRequest request;
  request.kinds = 6;
  try {
    kinds_of(two_kinds_ward(), 5, 2, request);
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(
        std::string(error.what()),
        "policy.kinds: 6 kinds of decision-makers, but there are 5 records; allow fewer kinds, or 1 for "
        "none");
  }
}

TEST(Kinds, ArePutInOrderOfTheirSharesAndMatched) {
  const Policy before = {5.0, {1.0, 0.0}, {}, {{0.5, 6.0, {2.0, -1.0}}, {0.3, 7.0, {3.0, -2.0}}}};
  Policy policy = before;
  put_commonest_first(policy);
  EXPECT_EQ(policy.inverse_temperature, 6.0);
  EXPECT_EQ(policy.other_kinds[0].inverse_temperature, 7.0);
  EXPECT_EQ(policy.other_kinds[1].inverse_temperature, 5.0);
  EXPECT_NEAR(policy.other_kinds[1].share, 0.2, 1e-15);
  match_kinds(before, policy);
  EXPECT_EQ(policy.means, before.means);
  EXPECT_EQ(policy.other_kinds[1].means, before.other_kinds[1].means);
}

}  // namespace
}  // namespace interpole::learn
