#include "interpole/learners/simple/baum_welch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learners {
namespace {

BaumWelchOptions without_pseudo_count() {
  BaumWelchOptions options;
  options.pseudo_count = 0.0;
  return options;
}

BaumWelchRun run_from(const HistoryTree& tree, const Study& study, const Dynamics& start,
                      const BaumWelchOptions& options) {
  return run_baum_welch(tree, study.structure, model::DynamicsSpace(study.structure, study.known_world()),
                        study.priors, start, options);
}

// Expected counts of one record by listing every hidden path, straight from the definition.
Dynamics counts_by_enumeration(const Structure& structure, const Dynamics& p,
                               const std::vector<Record>& records) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  Dynamics counts = Dynamics::filled(structure, 0.0);
  for (const Record& record : records) {
    std::size_t updates = record.steps.size();
    if (record.steps.back().observation == kMissing) --updates;
    const double total = std::exp(testing::log_probability_by_enumeration(structure, p, record));
    const auto paths = static_cast<std::size_t>(std::pow(S, updates + 1));
    for (std::size_t code = 0; code < paths; ++code) {
      std::vector<std::size_t> path;
      for (std::size_t t = 0, rest = code; t <= updates; ++t, rest /= S) path.push_back(rest % S);
      double weight = p.initial[path[0]] / total;
      for (std::size_t t = 0; t < updates; ++t) {
        const auto [a, z, gap] = record.steps[t];
        weight *= p.transition[(a * S + path[t]) * S + path[t + 1]];
        if (z != kMissing) weight *= p.observation[(a * S + path[t + 1]) * Z + z];
      }
      counts.initial[path[0]] += weight;
      for (std::size_t t = 0; t < updates; ++t) {
        const auto [a, z, gap] = record.steps[t];
        counts.transition[(a * S + path[t]) * S + path[t + 1]] += weight;
        if (z != kMissing) counts.observation[(a * S + path[t + 1]) * Z + z] += weight;
      }
    }
  }
  return counts;
}

void expect_rows_proportional(const std::vector<double>& theta, const std::vector<double>& counts,
                              std::size_t row) {
  for (std::size_t begin = 0; begin < theta.size(); begin += row) {
    double total = 0.0;
    for (std::size_t i = begin; i < begin + row; ++i) total += counts[i];
    for (std::size_t i = begin; i < begin + row && total > 0.0; ++i) {
      EXPECT_NEAR(theta[i], counts[i] / total, 1e-12) << i;
    }
  }
}

TEST(BaumWelch, AnIterationMatchesEnumerationOfAllPaths) {
  for (const auto& [states, actions] : {std::pair{2, 2}, {3, 3}}) {
    const Study study = testing::open_study(states, actions, 3);
    base::RandomStream random(3, states);
    const Parameters truth = testing::random_parameters(study.structure, random);
    const Dynamics start = testing::random_parameters(study.structure, random).dynamics;
    const auto records = testing::random_records(study.structure, truth, 12, 5, 4, 0.2);
    BaumWelchOptions options = without_pseudo_count();
    options.most_iterations = 1;
    const BaumWelchRun run = run_from(build_history_tree(actions, records), study, start, options);
    double log_likelihood = 0.0;
    for (const Record& record : records) {
      log_likelihood += testing::log_probability_by_enumeration(study.structure, start, record);
    }
    EXPECT_NEAR(run.values.front(), log_likelihood, 1e-10);
    const Dynamics counts = counts_by_enumeration(study.structure, start, records);
    expect_rows_proportional(run.dynamics.initial, counts.initial, states);
    expect_rows_proportional(run.dynamics.observation, counts.observation, 3);
    const auto learned = static_cast<std::size_t>(actions - 1) * states * states;  // the last is terminal
    expect_rows_proportional({run.dynamics.transition.begin(), run.dynamics.transition.begin() + learned},
                             counts.transition, states);
  }
}

TEST(BaumWelch, NeverFalls) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Study study = testing::open_study(3, 2, 4);
    study.structure = Structure::unrestricted(study.structure.states, study.structure.actions,
                                              study.structure.observations);
    base::RandomStream random(seed, 9);
    const Parameters truth = testing::random_parameters(study.structure, random);
    const HistoryTree tree =
        build_history_tree(2, testing::random_records(study.structure, truth, 60, 8, seed));
    const Dynamics start = testing::random_parameters(study.structure, random).dynamics;
    BaumWelchOptions options = without_pseudo_count();
    options.most_iterations = 200;
    for (const double concentration : {1.0, 2.5}) {
      study.priors.concentration = Dynamics::filled(study.structure, concentration);
      const BaumWelchRun run = run_from(tree, study, start, options);
      ASSERT_GT(run.iterations(), 5);
      for (std::size_t i = 1; i < run.values.size(); ++i) {
        EXPECT_GE(run.values[i], run.values[i - 1] - 1e-11 * std::abs(run.values[i])) << i;
      }
      EXPECT_GT(run.values.back(), run.values.front() + 1.0);
      if (concentration == 1.0) {
        EXPECT_EQ(run.values.back(), run.log_likelihood);
      }
    }
  }
}

TEST(BaumWelch, HoldsKnownValuesAndMasks) {
  Study study = testing::open_study(2, 2, 3);
  study.structure.allowed[1] = 0;  // a0 cannot yield z1
  study.known.dynamics.initial = {0.3, 0.7};
  study.known.dynamics.observation[3] = 0.25;  // O(z0 | a0, s1), the rest of the row is learned
  const Model model = environments::random_model(study.structure, 8);
  const HistoryTree tree =
      build_history_tree(2, testing::random_records(study.structure, model.agent, 80, 6, 2));
  const BaumWelchRun run = baum_welch(tree, study, {.restarts = 3}, quiet_sink());
  EXPECT_EQ(run.dynamics.initial, (std::vector<double>{0.3, 0.7}));
  EXPECT_EQ(run.dynamics.observation[1], 0.0);
  EXPECT_EQ(run.dynamics.observation[4], 0.0);
  EXPECT_EQ(run.dynamics.observation[3], 0.25);
  EXPECT_NEAR(run.dynamics.observation[5], 0.75, 1e-15);
  Dynamics valid = run.dynamics;
  EXPECT_NO_THROW(validate_and_normalise(study.structure, valid, "learned"));
}

// 4,000 patients of about eight monitorings: a test's error rate is known to about 0.01.
TEST(BaumWelch, RecoversTheWorldOfDiag) {
  const HistoryTree tree = environments::simulated_tree(diag(), 4000, 1);
  Study study = testing::bias_study();
  study.known.dynamics.initial = {NAN, NAN};
  const BaumWelchRun run = baum_welch(tree, study, {.restarts = 5}, quiet_sink());
  EXPECT_TRUE(run.converged);
  const bool swapped = run.dynamics.observation[1] > run.dynamics.observation[3];
  const Dynamics found = swapped ? permute_states(study.structure, run.dynamics, {1, 0}) : run.dynamics;
  EXPECT_NEAR(found.observation[0], 0.6, 0.03);
  EXPECT_NEAR(found.observation[2], 0.4, 0.03);
  EXPECT_NEAR(found.initial[0], 0.5, 0.1);
}

TEST(BaumWelch, LeavesWhatWasNeverSeenPossible) {
  const Study study = testing::open_study(2, 2, 3);
  const std::vector<Record> records = {{"p", {{0, 0}, {0, 1}}}, {"q", {{0, 1}, {0, 0}}}};
  const BaumWelchRun run = baum_welch(build_history_tree(2, records), study, {.restarts = 2}, quiet_sink());
  EXPECT_GT(run.dynamics.observation[2], 0.0);
  EXPECT_GT(run.dynamics.observation[5], 0.0);
  EXPECT_LT(run.dynamics.observation[2], 0.01);
}

TEST(BaumWelch, SaysWhichHistoryIsImpossible) {
  Study study = testing::open_study(2, 2, 2);
  for (const std::size_t s : {0, 1}) {
    study.known.dynamics.observation[s * 2] = 1.0;
    study.known.dynamics.observation[s * 2 + 1] = 0.0;
  }
  const std::vector<Record> records = {{"p", {{0, 0}, {0, 1}}}};
  const BaumWelchRun run = baum_welch(build_history_tree(2, records), study, {.restarts = 2}, quiet_sink());
  EXPECT_EQ(run.impossible_node, 2);
}

TEST(BaumWelch, RefusesNonsense) {
  EXPECT_THROW(BaumWelchOptions{.restarts = 0}.validate(), Error);
  EXPECT_THROW(BaumWelchOptions{.most_iterations = 0}.validate(), Error);
  EXPECT_THROW(BaumWelchOptions{.tolerance = -1.0}.validate(), Error);
  EXPECT_THROW(BaumWelchOptions{.pseudo_count = NAN}.validate(), Error);
}

}  // namespace
}  // namespace interpole::learners
