#include "interpole/learners/interpole/fitted_average.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/environments/models_testing.hpp"

namespace interpole::learners {
namespace {

using ::testing::HasSubstr;

std::vector<Model> two_members() {
  const Structure structure = bias().truth.structure;
  return {environments::random_model(structure, 3), environments::random_model(structure, 4)};
}

TEST(FittedAverage, IsHalfWayBetweenTwoMinds) {
  const HistoryTree tree = environments::simulated_tree(bias(), 50, 1);
  const std::vector<Model> members = two_members();
  const FittedAverage average(members, "", true);
  const FittedModel one(members[0], "", true);
  const FittedModel other(members[1], "", true);
  const auto expect_half_way = [](const std::vector<double>& mean, const std::vector<double>& x,
                                  const std::vector<double>& y) {
    ASSERT_EQ(mean.size(), x.size());
    for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(mean[i], 0.5 * (x[i] + y[i]), 1e-15);
  };
  expect_half_way(average.policies(tree), one.policies(tree), other.policies(tree));
  expect_half_way(*average.beliefs(tree), *one.beliefs(tree), *other.beliefs(tree));
}

TEST(FittedAverage, RefusesContentThatDoesNotFit) {
  const Structure structure = bias().truth.structure;
  const auto refusal = [&](const std::string& json) {
    return base::complaint_of([&] { load_fitted_average(json, structure, "x.json"); });
  };
  EXPECT_EQ(refusal(FittedAverage(two_members(), "", true).to_json()), "accepted");
  EXPECT_THAT(refusal("{\"minds\":[]}"), HasSubstr("x.json: content.minds: empty"));
  EXPECT_THAT(refusal("{\"mind\":[]}"), HasSubstr("x.json: content.mind: unknown key"));
  EXPECT_THAT(refusal("{\"minds\":[3]}"), HasSubstr("x.json: content.minds[0]"));
  std::vector<Model> others = two_members();
  others[1] = environments::random_model(decision_tree().truth.structure, 3);
  EXPECT_THAT(refusal(FittedAverage(others, "", true).to_json()),
              HasSubstr("x.json: content.minds[1]: its states, actions or outcomes"));
}

}  // namespace
}  // namespace interpole::learners
