#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/source_folder_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/environment.hpp"
#include "interpole/study.hpp"

namespace interpole::environments {
namespace {

class DecisionTree : public ::testing::Test {
 protected:
  int action(const char* name) const { return structure_.find_action(name); }
  int state(const char* name) const { return structure_.find_state(name); }
  double policy(const char* name, const std::vector<double>& belief) const {
    return action_probabilities(structure_, truth_.agent.policy, belief)[action(name)];
  }
  std::vector<double> after(const char* test, const std::string& outcome,
                            const std::vector<double>& belief) const {
    std::vector<double> next(belief.size());
    EXPECT_GT(update_belief(structure_, truth_.agent.dynamics, action(test),
                            structure_.find_observation(outcome), belief, next),
              0.0);
    return next;
  }
  // A belief on the edge between healthy and diseased.
  std::vector<double> at_risk(double risk) const { return {0.0, 1.0 - risk, risk, 0.0, 0.0}; }

  const Model truth_ = decision_tree().truth;
  const Structure& structure_ = truth_.structure;
  const std::vector<double>& start_ = truth_.agent.dynamics.initial;
  const std::vector<std::string> grades_ = {"risk-very-low", "risk-low", "risk-moderate", "risk-high",
                                            "risk-very-high"};
  const std::vector<std::string> types_ = {"type-a", "type-b", "type-none"};
};

TEST_F(DecisionTree, TestsCanOnlyYieldTheirOwnOutcomes) {
  for (int z = 0; z < structure_.observation_count(); ++z) {
    const bool grade = std::count(grades_.begin(), grades_.end(), structure_.observations[z]) > 0;
    EXPECT_EQ(structure_.can_yield(action("tst-dis"), z), grade);
    EXPECT_EQ(structure_.can_yield(action("tst-typ"), z), !grade);
  }
  for (const char* stop : {"stp-hlt", "stp-dsa", "stp-dsb"})
    EXPECT_TRUE(structure_.is_terminal(action(stop)));
}

TEST_F(DecisionTree, EveryPatientIsFirstTestedForTheDisease) {
  EXPECT_GE(policy("tst-dis", start_), 0.9999);
}

TEST_F(DecisionTree, TheGradesLeaveRisksOnBothSidesOfTheThreshold) {
  const double expected[] = {0.05363, 0.17157, 0.32370, 0.55682, 0.79032};  // by Bayes' rule, on paper
  for (std::size_t i = 0; i < grades_.size(); ++i) {
    const std::vector<double> belief = after("tst-dis", grades_[i], start_);
    EXPECT_NEAR(belief[state("dis")], expected[i], 1e-5);
    EXPECT_NEAR(belief[state("hlt")], 1.0 - expected[i], 1e-5);
  }
}

TEST_F(DecisionTree, SignificantRiskMeansThirtyPercent) {
  EXPECT_NEAR(policy("tst-typ", at_risk(0.30)), policy("stp-hlt", at_risk(0.30)), 1e-12);
  EXPECT_GT(policy("tst-typ", at_risk(0.31)), policy("stp-hlt", at_risk(0.31)));
  EXPECT_LT(policy("tst-typ", at_risk(0.29)), policy("stp-hlt", at_risk(0.29)));
  // The paper's formula for the threshold, from the means alone.
  const auto mean_of_dis = [&](const char* name) {
    return truth_.agent.policy.means[action(name) * structure_.state_count() + state("dis")];
  };
  EXPECT_NEAR((mean_of_dis("tst-typ") + mean_of_dis("stp-hlt")) / 2.0, 0.30, 1e-15);
}

TEST_F(DecisionTree, TheThresholdIsSoftEnoughToLearnFrom) {
  EXPECT_NEAR(policy("tst-typ", after("tst-dis", "risk-low", start_)), 0.0438, 5e-5);
  EXPECT_NEAR(policy("tst-typ", after("tst-dis", "risk-moderate", start_)), 0.6385, 5e-5);
}

TEST_F(DecisionTree, OnlyTwoActionsAreWorthMentioningAtTheSecondStep) {
  for (const std::string& grade : grades_) {
    const std::vector<double> belief = after("tst-dis", grade, start_);
    for (const char* other : {"tst-dis", "stp-dsa", "stp-dsb"})
      EXPECT_LT(policy(other, belief), 1e-4) << grade;
  }
}

TEST_F(DecisionTree, TheRightStopFollowsTheSubtypeTest) {
  const char* const stops[] = {"stp-dsa", "stp-dsb", "stp-hlt"};
  const char* const states[] = {"dsa", "dsb", "hlt"};
  // tst-typ's mean is partly healthy, so stp-hlt asks for more.
  const double clear_from[] = {0.75, 0.75, 0.98};
  int clear = 0;
  for (const std::string& grade : grades_) {
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const std::vector<double> belief = after("tst-typ", types_[i], after("tst-dis", grade, start_));
      if (belief[state(states[i])] < clear_from[i]) continue;
      ++clear;
      EXPECT_GE(policy(stops[i], belief), 0.999) << grade << ' ' << types_[i];
    }
  }
  // Of 15: the lowest grade contradicts both types, and the highest two leave "none" at 91% and 97%.
  EXPECT_EQ(clear, 11);
}

// Returns how many entries are left to learn.
int expect_known_is_true(const std::vector<double>& known, const std::vector<double>& truth) {
  EXPECT_EQ(known.size(), truth.size());
  int learned = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    learned += std::isnan(known[i]);
    EXPECT_TRUE(std::isnan(known[i]) || std::abs(known[i] - truth[i]) <= 1e-15) << i << ": " << known[i];
  }
  return learned;
}

TEST_F(DecisionTree, TheStudyKnowsTheTruthExceptForWhatIsVague) {
  const Study study = read_study((base::source_folder() / "studies/tree.toml").string());
  EXPECT_EQ(study.structure, structure_);
  const Parameters& truth = truth_.agent;
  EXPECT_EQ(expect_known_is_true(study.known.dynamics.initial, truth.dynamics.initial), 0);
  EXPECT_EQ(expect_known_is_true(study.known.dynamics.transition, truth.dynamics.transition), 2);
  EXPECT_EQ(expect_known_is_true(study.known.dynamics.observation, truth.dynamics.observation), 10);
  EXPECT_EQ(expect_known_is_true(study.known.policy.means, truth.policy.means), 4);
  EXPECT_EQ(study.known.policy.inverse_temperature, truth.policy.inverse_temperature);
}

}  // namespace
}  // namespace interpole::environments
