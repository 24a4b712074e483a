#include "interpole/trajectory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "interpole/belief.hpp"
#include "interpole/environment.hpp"
#include "interpole/explain/record/trajectory_words.hpp"
#include "interpole/inference/oracle_testing.hpp"

namespace interpole::explain {
namespace {

using ::testing::HasSubstr;

// Outcomes made of three factors with 2, 3 and 2 levels; the last action is terminal, action 1 does not
// measure the third factor.
Study three_factors(int states) {
  Study study;
  std::vector<std::string> names;
  names.reserve(12);
  for (int z = 0; z < 12; ++z) {
    names.push_back("a" + std::to_string(z / 6) + " | b" + std::to_string(z / 2 % 3) + " | c" +
                    std::to_string(z % 2));
  }
  study.structure = Structure::unrestricted(testing::numbered("s", states), testing::numbered("a", 3), names);
  study.structure.make_terminal(2);
  for (int z = 0; z < 12; ++z) {
    if (z % 2 == 0) study.structure.allowed[12 + z] = 0;
  }
  return study;
}

Parameters masked_parameters(const Structure& structure, base::RandomStream& random) {
  Parameters p = testing::random_parameters(structure, random);
  const std::size_t Z = structure.observations.size();
  for (std::size_t row = 0; row < structure.actions.size() * structure.states.size(); ++row) {
    double total = 0.0;
    for (std::size_t z = 0; z < Z; ++z) {
      double& o = p.dynamics.observation[row * Z + z];
      if (!structure.can_yield(static_cast<int>(row / structure.states.size()), static_cast<int>(z))) o = 0.0;
      total += o;
    }
    for (std::size_t z = 0; total > 0.0 && z < Z; ++z) p.dynamics.observation[row * Z + z] /= total;
  }
  return p;
}

struct Case {
  Study study;
  OutcomeFactors factors;
  Parameters agent;
  std::vector<Record> records;
};

Case random_case(std::uint64_t seed) {
  Case c;
  base::RandomStream random(seed, 1);
  c.study = three_factors(2 + static_cast<int>(seed % 3));
  c.factors = outcome_factors(c.study);
  c.agent = masked_parameters(c.study.structure, random);
  c.records = testing::random_records(c.study.structure, c.agent, 20, 8, seed, 0.15);
  return c;
}

TEST(OutcomeFactors, FindPartsOfJointNamesAndWhatAnActionMeasures) {
  const auto factors = outcome_factors(three_factors(2));
  ASSERT_EQ(factors.count(), 3);
  EXPECT_EQ(factors.levels[1], (std::vector<std::string>{"b0", "b1", "b2"}));
  EXPECT_EQ(factors.level_of(9, 0), 1);
  EXPECT_EQ(factors.level_of(9, 1), 1);
  EXPECT_EQ(factors.level_of(9, 2), 1);
  EXPECT_TRUE(factors.measures(0, 2));
  EXPECT_FALSE(factors.measures(1, 2));
  EXPECT_TRUE(factors.measures(1, 0));
  EXPECT_FALSE(factors.measures(2, 0));
}

TEST(OutcomeFactors, OneFactorIfNamesFormNoTable) {
  Study study;
  study.structure = Structure::unrestricted({"s"}, {"a"}, {"x | y", "x | z", "w"});
  EXPECT_EQ(outcome_factors(study).count(), 1);
  study.structure = Structure::unrestricted({"s"}, {"a"}, {"x | y", "x | z", "w | y"});
  EXPECT_EQ(outcome_factors(study).count(), 1);
}

TEST(Trajectory, PartsOfAMoveSumToTheWhole) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Case c = random_case(seed);
    for (const Record& record : c.records) {
      const auto explained = explain_record(c.study.structure, c.factors, c.agent, record.steps);
      for (const auto& decision : explained.decisions) {
        if (!decision.move) continue;
        const BeliefMove& move = *decision.move;
        for (std::size_t s = 0; s < decision.belief.size(); ++s) {
          double points = move.time.belief[s];
          double odds = move.time.log_odds[s];
          for (const auto& share : move.factors) {
            points += share.shift.belief[s];
            odds += share.shift.log_odds[s];
          }
          if (move.factors.empty()) {
            EXPECT_NEAR(move.evidence.belief[s], 0.0, 1e-15);
          }
          EXPECT_NEAR(points, move.after[s] - decision.belief[s], 1e-12);
          EXPECT_NEAR(odds, log_odds(move.after)[s] - log_odds(decision.belief)[s], 1e-12);
          EXPECT_NEAR(move.total.log_odds[s], move.time.log_odds[s] + move.evidence.log_odds[s], 1e-12);
        }
      }
    }
  }
}

// The average over all 3! orders of seeing one factor after another, straight from Bayes' rule.
TEST(Trajectory, SharesAreAveragesOverAllOrders) {
  const Case c = random_case(7);
  const Structure& structure = c.study.structure;
  const std::size_t S = structure.states.size();
  const int z = 7;
  const auto explained = explain_record(structure, c.factors, c.agent, std::vector<Step>{{0, z}});
  const BeliefMove& move = *explained.decisions[0].move;
  ASSERT_EQ(move.factors.size(), 3u);
  std::vector<std::vector<double>> expected(3, std::vector<double>(S, 0.0));
  std::vector<int> order = {0, 1, 2};
  do {
    std::vector<char> seen(3, 0);
    std::vector<double> last = move.predicted;
    for (const int k : order) {
      seen[k] = 1;
      std::vector<double> next(S, 0.0);
      for (int other = 0; other < 12; ++other) {
        const bool agrees = (!seen[0] || other / 6 == z / 6) && (!seen[1] || other / 2 % 3 == z / 2 % 3) &&
                            (!seen[2] || other % 2 == z % 2);
        if (!agrees) continue;
        for (std::size_t s = 0; s < S; ++s) {
          next[s] += move.predicted[s] * c.agent.dynamics.observation[s * 12 + other];
        }
      }
      const double total = std::accumulate(next.begin(), next.end(), 0.0);
      for (double& b : next) b /= total;
      for (std::size_t s = 0; s < S; ++s) expected[k][s] += (next[s] - last[s]) / 6.0;
      last = next;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  for (int k = 0; k < 3; ++k) {
    for (std::size_t s = 0; s < S; ++s) EXPECT_NEAR(move.factors[k].shift.belief[s], expected[k][s], 1e-13);
  }
}

TEST(Trajectory, AFactorThatIsNotMeasuredGetsNoShare) {
  const Case c = random_case(3);
  const auto explained = explain_record(c.study.structure, c.factors, c.agent, std::vector<Step>{{1, 5}});
  ASSERT_EQ(explained.decisions[0].move->factors.size(), 2u);
  EXPECT_EQ(explained.decisions[0].move->factors[1].factor, 1);
}

TEST(Trajectory, LaterVisitsChangeNoEarlierNumber) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case c = random_case(seed);
    for (const Record& record : c.records) {
      const auto whole = explain_record(c.study.structure, c.factors, c.agent, record.steps);
      const auto sentences = decision_sentences(c.study.structure, c.factors, whole);
      for (std::size_t length = 1; length < record.steps.size(); ++length) {
        const std::span<const Step> start(record.steps.data(), length);
        const auto part = explain_record(c.study.structure, c.factors, c.agent, start);
        const auto words = decision_sentences(c.study.structure, c.factors, part);
        for (std::size_t t = 0; t < length; ++t) {
          const auto& x = whole.decisions[t];
          const auto& y = part.decisions[t];
          EXPECT_EQ(x.belief, y.belief);
          EXPECT_EQ(x.policy, y.policy);
          EXPECT_EQ(x.surprise, y.surprise);
          EXPECT_EQ(x.tail, y.tail);
          EXPECT_EQ(x.boundary->shift, y.boundary->shift);
          ASSERT_EQ(x.move.has_value(), y.move.has_value());
          if (x.move) {
            EXPECT_EQ(x.move->after, y.move->after);
          }
          EXPECT_EQ(sentences[t], words[t]);
        }
      }
    }
  }
}

TEST(Trajectory, SurpriseAndTailOfTheActionTaken) {
  Study study;
  study.structure = Structure::unrestricted({"x", "y"}, {"a", "b", "c"}, {"z"});
  Parameters agent = Parameters::filled(study.structure, 0.0);
  agent.dynamics = {{0.5, 0.5}, {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, std::vector<double>(6, 1.0)};
  // Squared distances from (½, ½): 0, ½ and ½. b and c are equally likely.
  agent.policy = {2.0, {0.5, 0.5, 1.0, 0.0, 0.0, 1.0}};
  const auto explained =
      explain_record(study.structure, outcome_factors(study), agent, std::vector<Step>{{1, 0}, {0, 0}});
  const double p = std::exp(-1.0) / (1.0 + 2.0 * std::exp(-1.0));
  EXPECT_NEAR(explained.decisions[0].probability, p, 1e-15);
  EXPECT_NEAR(explained.decisions[0].surprise, -std::log2(p), 1e-14);
  EXPECT_NEAR(explained.decisions[0].tail, 2.0 * p, 1e-14);
  EXPECT_EQ(explained.decisions[0].region, 0);
  EXPECT_NEAR(explained.decisions[1].tail, 1.0, 1e-14);
}

TEST(Trajectory, ImpossibleOutcomesEndTheExplanationWithoutNumbersThatAreNone) {
  const Environment environment = diag();
  Parameters agent = environment.truth.agent;
  agent.dynamics.observation[0] = agent.dynamics.observation[2] = 0.0;  // "negative" never happens
  agent.dynamics.observation[1] = agent.dynamics.observation[3] = 1.0;
  Study study;
  study.structure = environment.truth.structure;
  const auto explained = explain_record(study.structure, outcome_factors(study), agent,
                                        std::vector<Step>{{0, 1}, {0, 0}, {1, kMissing}});
  ASSERT_TRUE(explained.impossible);
  EXPECT_EQ(*explained.impossible, 1u);
  EXPECT_EQ(explained.decisions.size(), 2u);
}

TEST(TrajectoryWords, SayWhatChangedAndWhatWasChosen) {
  const Environment environment = diag();
  Study study;
  study.structure = environment.truth.structure;
  const auto factors = outcome_factors(study);
  const auto explained = explain_record(study.structure, factors, environment.truth.agent,
                                        std::vector<Step>{{0, 1}, {0, kMissing}, {1, kMissing}});
  const auto words = decision_sentences(study.structure, factors, explained);
  EXPECT_THAT(words[0], HasSubstr("At first the belief is healthy 50% and diseased 50%; monitor was"));
  EXPECT_THAT(words[0], HasSubstr("and was chosen."));
  EXPECT_THAT(words[1], HasSubstr("After positive, the belief in healthy fell from 50% to 40%;"));
  EXPECT_THAT(words[2], HasSubstr("Without a result, the belief hardly moved (diseased 60%);"));
  EXPECT_THAT(words[2], HasSubstr("but declare-healthy was chosen (under 1%, a rare choice here)."));
}

// Two states; the well fall ill between visits, and a positive result is a little likelier in the ill.
std::vector<std::string> words_where_time_passes(double positive_if_ill, int result) {
  const Structure structure = Structure::unrestricted({"well", "ill"}, {"wait"}, {"negative", "positive"});
  Parameters agent = Parameters::filled(structure, 0.0);
  agent.dynamics = {{0.6, 0.4},
                    {0.75, 0.25, 0.0, 1.0},
                    {positive_if_ill, 1.0 - positive_if_ill, 1.0 - positive_if_ill, positive_if_ill}};
  agent.policy = {1.0, {0.5, 0.5}};
  const std::vector<Step> steps = {{0, result}, {0, 0}};
  const OutcomeFactors factors = outcome_factors(structure);
  return decision_sentences(structure, factors, explain_record(structure, factors, agent, steps));
}

TEST(DecisionSentences, CreditTimeWithWhatThePassingOfTimeDid) {
  EXPECT_THAT(words_where_time_passes(0.55, 1)[1],
              HasSubstr("The belief in well fell from 60% to 40%: −15 points by the passing of time, −5 by "
                        "positive;"));
  EXPECT_THAT(words_where_time_passes(0.55, 0)[1],
              HasSubstr("The belief in well fell from 60% to 50%: −15 points by the passing of time, +5 by "
                        "negative;"));
}

TEST(DecisionSentences, DoNotCreditAResultThatToldNothing) {
  EXPECT_THAT(
      words_where_time_passes(0.5, 1)[1],
      HasSubstr("With time, the belief in well fell from 60% to 45%, which positive hardly changed;"));
}

TEST(DecisionSentences, TellWhatCancelsOut) {
  // 0.55 ill after time; a negative result at 0.647 takes it back to 0.4.
  EXPECT_THAT(words_where_time_passes(0.647, 0)[1],
              HasSubstr("The belief hardly moved (well 60%): −15 points by the passing of time, +15 by "
                        "negative;"));
}

}  // namespace
}  // namespace interpole::explain
