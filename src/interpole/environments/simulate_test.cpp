#include "interpole/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"

namespace interpole::environments {
namespace {

using ::testing::HasSubstr;

std::vector<Record> simulated(const Environment& environment, const SimulateOptions& options) {
  std::vector<Record> records;
  simulate(environment, options, [&](const Record& record) { records.push_back(record); });
  return records;
}

struct LengthMoments {
  double mean = 0.0;
  double variance = 0.0;
};

// Exact distribution of DIAG's record length, step by step over (hidden state, positives − negatives): the
// belief depends on nothing else.
LengthMoments exact_lengths_of_diag() {
  std::map<std::pair<int, int>, double> alive = {{{0, 0}, 0.5}, {{1, 0}, 0.5}};
  double mean = 0.0;
  double square = 0.0;
  for (int step = 1; step <= 1000; ++step) {
    std::map<std::pair<int, int>, double> next;
    double stopped = 0.0;
    for (const auto& [key, mass] : alive) {
      const auto [state, lead] = key;
      const double odds = std::pow(1.5, lead);
      const double sick = odds / (1.0 + odds);
      const double monitor = std::exp(-10.0 * 2.0 * (sick - 0.5) * (sick - 0.5));
      const double healthy = std::exp(-10.0 * 2.0 * (sick + 0.3) * (sick + 0.3));
      const double diseased = std::exp(-10.0 * 2.0 * (sick - 1.3) * (sick - 1.3));
      const double go_on = monitor / (monitor + healthy + diseased);
      stopped += mass * (1.0 - go_on);
      const double positive = state == 1 ? 0.6 : 0.4;
      next[{state, lead + 1}] += mass * go_on * positive;
      next[{state, lead - 1}] += mass * go_on * (1.0 - positive);
    }
    mean += stopped * step;
    square += stopped * step * step;
    alive.swap(next);
  }
  return {mean, square - mean * mean};
}

TEST(Simulate, MeanRecordLengthOfDiagIsTheExactOne) {
  const LengthMoments exact = exact_lengths_of_diag();
  constexpr int kPatients = 20000;
  double total = 0.0;
  for (const Record& record : simulated(diag(), {.patients = kPatients, .seed = 5})) {
    total += static_cast<double>(record.steps.size());
  }
  EXPECT_NEAR(total / kPatients, exact.mean, 4.0 * std::sqrt(exact.variance / kPatients));
}

// First outcomes come from the world, not from what the agent believes (BIAS: 50% against 40% negative).
TEST(Simulate, OutcomesFollowTheWorld) {
  int monitored = 0;
  int negative = 0;
  for (const Record& record : simulated(bias(), {.patients = 20000, .seed = 6})) {
    if (record.steps[0].action != 0) continue;
    ++monitored;
    negative += record.steps[0].observation == 0;
  }
  EXPECT_NEAR(negative / double(monitored), 0.5, 4.0 * std::sqrt(0.25 / monitored));
}

// Decisions after a first negative result follow the agent's belief, which in BIAS is not the world's.
TEST(Simulate, DecisionsFollowTheAgentsBelief) {
  const Model truth = bias().truth;
  std::vector<double> belief(2);
  update_belief(truth.structure, truth.agent.dynamics, 0, 0, truth.agent.dynamics.initial, belief);
  EXPECT_NEAR(belief[0], 0.75, 1e-12);  // the world's would be 0.6
  const std::vector<double> exact = action_probabilities(truth.structure, truth.agent.policy, belief);
  std::vector<int> seen(3);
  int total = 0;
  for (const Record& record : simulated(bias(), {.patients = 20000, .seed = 7})) {
    if (record.steps.size() < 2 || record.steps[0].observation != 0) continue;
    ++seen[record.steps[1].action];
    ++total;
  }
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(seen[a] / double(total), exact[a],
                4.0 * std::sqrt(exact[a] * (1 - exact[a]) / total) + 1.0 / total)
        << a;
  }
}

// Every two-step path of the tree against its exact probability.
TEST(Simulate, PathsOfTheTreeHaveTheirExactFrequencies) {
  const Model truth = decision_tree().truth;
  constexpr int kPatients = 40000;
  std::map<std::pair<int, int>, int> seen;
  for (const Record& record : simulated(decision_tree(), {.patients = kPatients, .seed = 8})) {
    ASSERT_GE(record.steps.size(), 2U);
    ++seen[{record.steps[0].observation, record.steps[1].action}];
  }
  std::vector<double> belief(5);
  for (int z = 0; z < 5; ++z) {
    const double chance =
        update_belief(truth.structure, truth.agent.dynamics, 0, z, truth.agent.dynamics.initial, belief);
    const std::vector<double> policy = action_probabilities(truth.structure, truth.agent.policy, belief);
    for (int a = 0; a < 5; ++a) {
      const double exact = chance * policy[a];
      const double frequency = seen[{z, a}] / double(kPatients);
      EXPECT_NEAR(frequency, exact, 4.0 * std::sqrt(exact * (1 - exact) / kPatients) + 1.0 / kPatients)
          << truth.structure.observations[z] << ", " << truth.structure.actions[a];
    }
  }
}

// … or, where no action is terminal, at the environment's limit.
TEST(Simulate, RecordsKeepToMasksAndEndAtATerminalAction) {
  for (const std::string& name : environment_names()) {
    const Environment environment = environment_named(name);
    const Structure& structure = environment.truth.structure;
    for (const Record& record : simulated(environment, {.patients = 2000, .seed = 9})) {
      ASSERT_FALSE(record.steps.empty());
      const bool ends_itself = structure.is_terminal(record.steps.back().action);
      ASSERT_TRUE(ends_itself || static_cast<int>(record.steps.size()) == environment.longest_record);
      for (std::size_t t = 0; t < record.steps.size(); ++t) {
        const Step step = record.steps[t];
        const bool last = ends_itself && t + 1 == record.steps.size();
        ASSERT_EQ(structure.is_terminal(step.action), last) << name << ' ' << record.patient;
        const bool lost = environment.results_lost > 0.0 && !last && step.observation == kMissing;
        ASSERT_EQ(step.observation == kMissing, last || lost);
        if (last || lost) continue;
        if (!structure.measured()) {
          ASSERT_TRUE(structure.can_yield(step.action, step.observation));
          continue;
        }
        const auto values = structure.outcomes.table->at(step.observation);
        for (std::size_t f = 0; f < values.size(); ++f)
          ASSERT_TRUE(std::isnan(values[f]) || structure.factors[f].yielded(step.action));
      }
    }
  }
}

TEST(Simulate, MeasuredValuesFollowTheWorldAndSomeAreLost) {
  const Environment environment = vitals();
  const auto records = simulated(environment, {.patients = 3000, .seed = 4});
  double visits = 0.0, seen = 0.0, breaths = 0.0;
  for (const Record& record : records) {
    for (const Step& step : record.steps) {
      if (environment.truth.structure.is_terminal(step.action)) continue;
      visits += 1.0;
      if (step.observation == kMissing) continue;
      const double value = environment.truth.structure.outcomes.table->at(step.observation)[2];
      if (std::isnan(value)) continue;
      seen += 1.0;
      breaths += value;
    }
  }
  EXPECT_NEAR(seen / visits, 0.7, 4.0 * std::sqrt(0.21 / visits));
  EXPECT_GT(breaths / seen, 16.0);
  EXPECT_LT(breaths / seen, 22.0);
  // The same patients, however many threads.
  const Environment again = vitals();
  const auto other = simulated(again, {.patients = 3000, .seed = 4, .threads = 2});
  EXPECT_EQ(other[17].steps, records[17].steps);
}

// At the first decision the belief is known: chances there are those of the mixture.
TEST(Simulate, DecisionMakersAreOfEveryKindInTheirShares) {
  const Environment environment = two_kinds_ward();
  const Model& truth = environment.truth;
  constexpr int kPatients = 20000;
  std::vector<double> seen(3, 0.0);
  for (const Record& record : simulated(environment, {.patients = kPatients, .seed = 5})) {
    seen[record.steps[0].action] += 1.0 / kPatients;
  }
  const auto exact = action_probabilities(truth.structure, truth.agent.policy, truth.agent.dynamics.initial,
                                          DecisionContext{});
  const auto commonest =
      action_probabilities(truth.structure, truth.agent.policy, truth.agent.dynamics.initial);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(seen[a], exact[a], 4.0 * std::sqrt(0.25 / kPatients));
  EXPECT_GT(std::abs(commonest[0] - exact[0]), 0.05);
}

TEST(Simulate, TheHiddenStatesAreThoseBehindTheOutcomes) {
  Environment environment = bias();
  environment.truth.world->observation = {1.0, 0.0, 0.0, 1.0, 0, 0,
                                          0,   0,   0,   0,   0, 0};  // a test that never errs
  Record record;
  std::vector<int> states;
  for (int patient = 1; patient <= 100; ++patient) {
    simulate_record(environment, 4, patient, 0, record, &states);
    EXPECT_EQ(record.steps, simulate_record(environment, 4, patient).steps);
    ASSERT_EQ(states.size(), record.steps.size());
    for (std::size_t t = 0; t + 1 < states.size(); ++t) EXPECT_EQ(states[t], record.steps[t].observation);
    EXPECT_EQ(states.back(), states.front());  // nobody falls ill or recovers
  }
}

TEST(Simulate, APatientIsTheSameWhateverElseIsSimulated) {
  const Record alone = simulate_record(bias(), 3, 17);
  for (const int patients : {17, 100, 9000}) {
    for (const int threads : {1, 2, 3}) {
      const std::vector<Record> all =
          simulated(bias(), {.patients = patients, .seed = 3, .threads = threads});
      ASSERT_EQ(all.size(), static_cast<std::size_t>(patients));
      EXPECT_EQ(all[16].patient, "p000017");
      EXPECT_EQ(all[16].steps, alone.steps);
      EXPECT_EQ(all.back().steps, simulate_record(bias(), 3, patients).steps);
    }
  }
  EXPECT_NE(simulate_record(bias(), 4, 17).steps, alone.steps);
}

TEST(Simulate, PatientNumbersOutgrowTheirSixDigits) {
  EXPECT_EQ(simulate_record(diag(), 1, 999999).patient, "p999999");
  EXPECT_EQ(simulate_record(diag(), 1, 1000000).patient, "p1000000");
}

TEST(Simulate, ALimitCutsTheRecordAndNothingElse) {
  const std::vector<Record> whole = simulated(diag(), {.patients = 200, .seed = 2});
  const std::vector<Record> cut = simulated(diag(), {.patients = 200, .seed = 2, .longest = 3});
  int shortened = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    ASSERT_LE(cut[i].steps.size(), 3U);
    shortened += cut[i].steps.size() < whole[i].steps.size();
    EXPECT_TRUE(std::equal(cut[i].steps.begin(), cut[i].steps.end(), whole[i].steps.begin()));
  }
  EXPECT_GT(shortened, 0);
}

TEST(Simulate, RefusesNonsense) {
  const auto message = [](const SimulateOptions& options) -> std::string {
    return base::complaint_of([&] { options.validate(); }, ErrorKind::kUsage);
  };
  EXPECT_THAT(message({.patients = -1}), HasSubstr("patients: -1"));
  EXPECT_THAT(message({.longest = -2}), HasSubstr("longest: -2"));
  EXPECT_THAT(message({.threads = -3}), HasSubstr("threads: -3"));
  EXPECT_EQ(message({.patients = 0}), "accepted");
}

TEST(Simulate, SaysWhichOutcomeTheAgentHoldsImpossible) {
  Environment environment = diag();
  environment.truth.agent.dynamics.observation = {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_THAT(base::complaint_of([&] { simulated(environment, {.patients = 50}); }),
              HasSubstr("\"positive\" after \"monitor\""));
}

}  // namespace
}  // namespace interpole::environments
