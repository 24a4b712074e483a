#include "interpole/learners/recurrent/r_bc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/base/stops_after_testing.hpp"
#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/recurrent/held_out.hpp"
#include "interpole/learners/recurrent/network_training.hpp"
#include "interpole/learners/recurrent/tree_network.hpp"
#include "interpole/learners/simple/bc.hpp"
#include "interpole/optimize/adam.hpp"

namespace interpole::learners {
namespace {

using ::testing::HasSubstr;

// Two actions, two outcomes, drawn evenly. From the fourth step on, the action repeats the outcome of three
// steps ago; before that it is the first action.
std::vector<Record> forgetless(int count, std::uint64_t seed) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) {
    base::RandomStream random(seed, i);
    Record record;
    for (int t = 0; t < 7; ++t) {
      const int action = t < 3 ? 0 : record.steps[t - 3].observation;
      record.steps.push_back({action, random.uniform() < 0.5 ? 0 : 1});
    }
    records.push_back(record);
  }
  return records;
}

// Share of the decisions that need memory at which the most likely action was the one taken.
double accuracy(const FittedLearner& fitted, const std::vector<Record>& records) {
  const HistoryTree tree = build_history_tree(2, records);
  const std::vector<double> policies = fitted.policies(tree);
  double right = 0.0, all = 0.0;
  for (const Record& record : records) {
    const auto path = tree.path_of(record.steps);
    for (std::size_t t = 3; t < path.size(); ++t, ++all) {
      const double* policy = &policies[static_cast<std::size_t>(path[t]) * 2];
      right += policy[record.steps[t].action] > 0.5 ? 1.0 : 0.0;
    }
  }
  return right / all;
}

Study two_by_two() {
  Study study = testing::open_study(2, 2, 2);
  study.structure = Structure::unrestricted({"a", "b"}, {"first", "second"}, {"low", "high"});
  return study;
}

// Ten times the rate leaves a plateau in a tenth of the iterations.
LearnerOptions small_network(std::vector<std::pair<std::string, double>> more = {}) {
  LearnerOptions options{3, 1, {{"units", 16}, {"rate", 0.01}, {"least-iterations", 100}}};
  options.set.insert(options.set.end(), more.begin(), more.end());
  return options;
}

TEST(RBc, LearnsARuleThatNeedsMemoryWhichBcCannot) {
  const HistoryTree tree = build_history_tree(2, forgetless(250, 1));
  const std::vector<Record> unseen = forgetless(200, 2);
  const auto recurrent = r_bc_learner().fit(tree, two_by_two(), small_network(), quiet_sink());
  EXPECT_GT(accuracy(*recurrent, unseen), 0.97);
  const auto forgetful = bc_learner().fit(tree, two_by_two(), {}, quiet_sink());
  EXPECT_LT(accuracy(*forgetful, unseen), 0.65);
}

// Sums in another order differ in their last bits, and long training makes such a difference grow: to 1e-4 in
// a whole fit (docs/decisions/0012-lstm.md). Over so many iterations it must still be rounding.
TEST(RBc, TakesTheSameIterationsOnATreeAndOnAFlatList) {
  const std::vector<Record> records = environments::simulated_records(bias(), 60, 2);
  const HistoryTree tree = build_history_tree(3, records);
  const NetworkShape shape{3, 2, 64, 64};
  const NetworkTrainingOptions options{.most_iterations = 120, .threads = 1};
  const TrainedNetwork shared = train_network(shape, tree, options, quiet_sink());
  const TrainedNetwork unshared =
      train_network(shape, build_history_tree(3, records, false), options, quiet_sink());
  TreeNetwork network(shape, tree, false, 1);
  const std::vector<double> a = network.policies(shared.parameters),
                            b = network.policies(unshared.parameters);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-6);
}

// The learner itself puts equal histories together first, so a whole fit does not know how they were stored.
TEST(RBc, AWholeFitOfAFlatListIsThatOfTheTree) {
  const std::vector<Record> records = environments::simulated_records(diag(), 60, 2);
  const HistoryTree tree = build_history_tree(3, records);
  const LearnerOptions options = small_network();
  const auto shared = r_bc_learner().fit(tree, testing::bias_study(), options, quiet_sink());
  const auto unshared =
      r_bc_learner().fit(build_history_tree(3, records, false), testing::bias_study(), options, quiet_sink());
  EXPECT_TRUE(shared->converged());
  EXPECT_EQ(shared->policies(tree), unshared->policies(tree));
  EXPECT_EQ(shared->fit_note(), unshared->fit_note());
}

TEST(RBc, TheWeightsOfAWholeFitSayTheSameOnATreeAndOnAFlatList) {
  const std::vector<Record> records = environments::simulated_records(diag(), 40, 2);
  const HistoryTree tree = build_history_tree(3, records);
  const HistoryTree flat = build_history_tree(3, records, false);
  const NetworkShape shape{3, 2, 32, 32};
  const TrainedNetwork network =
      train_network(shape, tree, {.rate = 0.01, .patience = 30, .threads = 1}, quiet_sink());
  const DecisionCounts all = DecisionCounts::all_of(flat);
  std::vector<double> ignored(network.parameters.size());
  TreeNetwork on_flat(shape, flat, false, 1);
  EXPECT_NEAR(on_flat.evaluate(network.parameters, all, all, ignored).training, network.loss, 1e-12);
  const std::vector<double> policies = TreeNetwork(shape, tree, false, 1).policies(network.parameters);
  const std::vector<double> flat_policies = on_flat.policies(network.parameters);
  // A record's path through the flat list: its nodes are the ones of which it is the first record.
  for (std::size_t r = 0; r < records.size(); ++r) {
    const auto path = tree.path_of(records[r].steps);
    for (std::size_t node = 1; node < flat.parent.size(); ++node) {
      if (flat.first_record[node] != static_cast<std::int64_t>(r)) continue;
      const auto depth = static_cast<std::size_t>(flat.depth[node]);
      if (depth >= path.size()) continue;
      for (std::size_t a = 0; a < 3; ++a) {
        ASSERT_EQ(flat_policies[node * 3 + a], policies[static_cast<std::size_t>(path[depth]) * 3 + a]);
      }
    }
  }
}

TEST(RBc, StoppedInTheMiddleKeepsTheBestSoFarAndSaysSo) {
  base::StopsAfter sink(30);
  const HistoryTree tree = environments::simulated_tree(diag(), 30, 1);
  const auto fitted = r_bc_learner().fit(tree, testing::bias_study(), small_network(), sink);
  EXPECT_TRUE(fitted->interrupted());
  EXPECT_FALSE(fitted->converged());
  EXPECT_THAT(fitted->fit_note(), HasSubstr("stopped by the user"));
  const auto whole = r_bc_learner().fit(tree, testing::bias_study(), small_network(), quiet_sink());
  EXPECT_FALSE(whole->interrupted());
}

TEST(RBc, DependsOnItsSeed) {
  const HistoryTree tree = environments::simulated_tree(diag(), 30, 1);
  const auto policies = [&](std::uint64_t seed) {
    LearnerOptions options = small_network({{"most-iterations", 20}});
    options.seed = seed;
    return r_bc_learner().fit(tree, testing::bias_study(), options, quiet_sink())->policies(tree);
  };
  EXPECT_EQ(policies(1), policies(1));
  EXPECT_NE(policies(1), policies(2));
}

TEST(RBc, AveragesNetworksThatWereTrainedApart) {
  const HistoryTree tree = environments::simulated_tree(diag(), 30, 1);
  const auto study = testing::bias_study();
  const LearnerOptions options = small_network({{"most-iterations", 30}, {"networks", 3}});
  const auto fitted = r_bc_learner().fit(tree, study, options, quiet_sink());
  const auto saved = nlohmann::ordered_json::parse(fitted->to_json());
  ASSERT_EQ(saved["networks"].size(), 3U);
  EXPECT_NE(saved["networks"][0]["recurrent"], saved["networks"][1]["recurrent"]);
  std::vector<double> mean(static_cast<std::size_t>(tree.node_count()) * 3, 0.0);
  for (const auto& network : saved["networks"]) {
    auto alone = saved;
    alone["networks"] = {network};
    const auto one = r_bc_learner().load(alone.dump(), study.structure, "saved.json")->policies(tree);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += one[i] / 3.0;
  }
  const std::vector<double> policies = fitted->policies(tree);
  double loss = 0.0;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    ASSERT_NEAR(policies[i], mean[i], 1e-15);
    if (tree.action_counts[i] > 0) loss -= static_cast<double>(tree.action_counts[i]) * std::log(mean[i]);
  }
  EXPECT_NEAR(saved["loss"], loss / static_cast<double>(tree.decisions), 1e-12);
}

class CountingSink : public base::StopsAfter {
 public:
  using StopsAfter::StopsAfter;
  void progress(const std::string& what, std::int64_t done, std::int64_t total) override {
    EXPECT_THAT(what, HasSubstr("r-bc"));
    EXPECT_LE(done, total);
    ++reports;
  }
  int reports = 0;
};

// Stopped in the second network: the first is whole and stays, the second is not waited for.
TEST(RBc, StoppedInALaterNetworkKeepsThoseThatAreFinished) {
  const HistoryTree tree = environments::simulated_tree(diag(), 30, 1);
  const auto study = testing::bias_study();
  CountingSink in_second(60);
  const auto stopped = r_bc_learner().fit(tree, study, small_network({{"most-iterations", 40}}), in_second);
  const auto one = r_bc_learner().fit(tree, study, small_network({{"most-iterations", 40}, {"networks", 1}}),
                                      quiet_sink());
  EXPECT_TRUE(stopped->interrupted());
  EXPECT_FALSE(stopped->converged());
  EXPECT_EQ(stopped->policies(tree), one->policies(tree));
}

constexpr NetworkShape kSmall{3, 2, 8, 8};

TEST(NetworkTraining, StopsWhenThoseSetAsideAreNoLongerPredictedBetter) {
  NetworkTrainingOptions options{
      .rate = 0.02, .patience = 30, .least_iterations = 1, .most_iterations = 5000, .threads = 1};
  const HistoryTree tree = environments::simulated_tree(diag(), 60, 3);
  CountingSink sink(1 << 30);
  const TrainedNetwork network = train_network(kSmall, tree, options, sink);
  EXPECT_TRUE(network.converged);
  EXPECT_FALSE(network.interrupted);
  EXPECT_LT(network.iterations, 2000);
  EXPECT_EQ(network.validation_records, 12);
  EXPECT_GT(sink.reports, 2);
  // Two more iterations allowed than needed change nothing; fewer than needed are noticed.
  options.most_iterations = network.iterations + options.patience + 2;
  EXPECT_EQ(train_network(kSmall, tree, options, quiet_sink()).parameters, network.parameters);
  options.most_iterations = network.iterations;
  EXPECT_FALSE(train_network(kSmall, tree, options, quiet_sink()).converged);
}

TEST(NetworkTraining, InterruptedItKeepsTheBestSoFar) {
  const NetworkTrainingOptions options{.rate = 0.01, .threads = 1};
  const HistoryTree tree = environments::simulated_tree(diag(), 60, 3);
  CountingSink at_once(0);
  EXPECT_EQ(train_network(kSmall, tree, options, at_once).iterations, 0);
  CountingSink early(1), late(40);
  const TrainedNetwork first = train_network(kSmall, tree, options, early);
  const TrainedNetwork later = train_network(kSmall, tree, options, late);
  EXPECT_TRUE(first.interrupted && later.interrupted);
  EXPECT_EQ(first.iterations, 1);
  EXPECT_GT(later.iterations, 20);
  EXPECT_LT(later.loss, 0.8 * first.loss);
}

// Learning from all patients is stopped: what was best before is kept.
TEST(NetworkTraining, InterruptedWhileItLearnsFromAllItKeepsTheBestBefore) {
  const NetworkTrainingOptions options{.rate = 0.01, .most_iterations = 60, .threads = 1};
  const HistoryTree tree = environments::simulated_tree(diag(), 60, 3);
  CountingSink in_second(63);
  const TrainedNetwork stopped = train_network(kSmall, tree, options, in_second);
  CountingSink after_first(60);
  EXPECT_EQ(stopped.parameters, train_network(kSmall, tree, options, after_first).parameters);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_NE(stopped.parameters, train_network(kSmall, tree, options, quiet_sink()).parameters);
}

// The whole recipe once more, by hand: the same bits.
TEST(NetworkTraining, LearnsFromAllPatientsOnceItKnowsWhenToStop) {
  const NetworkTrainingOptions options{
      .rate = 0.01, .least_iterations = 1, .seed = 4, .network = 2, .threads = 1};
  const HistoryTree tree = environments::simulated_tree(diag(), 60, 3);
  const TrainedNetwork network = train_network(kSmall, tree, options, quiet_sink());
  ASSERT_TRUE(network.converged);
  base::RandomStream random(4, 2, base::RandomPurpose::kInitialWeights);
  std::vector<double> weights = initial_weights(kSmall, options.start_scale, random),
                      gradient(weights.size());
  optimize::Adam adam(static_cast<int>(weights.size()), options.rate);
  const HeldOut some = hold_out_records(tree, 0.2, 4, 2);
  const DecisionCounts all = DecisionCounts::all_of(tree);
  TreeNetwork by_hand(kSmall, tree, true, 1);
  const auto iterate = [&](const DecisionCounts& from, int iterations) {
    for (int k = 0; k < iterations; ++k) {
      by_hand.evaluate(weights, from, some.validation, gradient);
      for (double& g : gradient) g = -g;
      adam.step(gradient, weights);
    }
  };
  iterate(some.training, network.iterations - 1);
  EXPECT_EQ(by_hand.evaluate(weights, some.training, some.validation, gradient).validation,
            network.validation_loss);
  iterate(all, network.iterations / 10);  // a fifth was set aside: half of that share
  EXPECT_EQ(weights, network.parameters);
  EXPECT_EQ(by_hand.evaluate(weights, all, all, gradient).training, network.loss);
}

// This network first learns how long records are, and rests there: those set aside are predicted no better
// for longer than patience lasts.
TEST(NetworkTraining, DoesNotTakeAPlateauForTheEnd) {
  NetworkTrainingOptions options{.rate = 0.01, .patience = 20, .least_iterations = 1, .threads = 1};
  const NetworkShape shape{3, 2, 16, 16};
  const HistoryTree tree = environments::simulated_tree(diag(), 100, 205);
  const TrainedNetwork hasty = train_network(shape, tree, options, quiet_sink());
  options.least_iterations = 300;
  const TrainedNetwork patient = train_network(shape, tree, options, quiet_sink());
  EXPECT_TRUE(hasty.converged && patient.converged);
  EXPECT_LT(hasty.iterations, 200);
  EXPECT_LT(patient.validation_loss, 0.6 * hasty.validation_loss);
}

// Where those set aside are soon predicted clearly worse, nothing is gained by going on.
TEST(NetworkTraining, StopsEarlyWhereThoseSetAsideArePredictedClearlyWorse) {
  NetworkTrainingOptions options{.rate = 0.02, .patience = 30, .least_iterations = 5000, .threads = 1};
  const HistoryTree tree = environments::simulated_tree(diag(), 60, 3);
  const TrainedNetwork network = train_network(kSmall, tree, options, quiet_sink());
  EXPECT_TRUE(network.converged);
  options.most_iterations = 2000;
  EXPECT_EQ(train_network(kSmall, tree, options, quiet_sink()).parameters, network.parameters);
}

TEST(NetworkTraining, WatchesTheTrainingLossIfNobodyIsSetAside) {
  const NetworkTrainingOptions options{
      .rate = 0.01, .patience = 100, .most_iterations = 50, .validation_share = 0.0, .threads = 1};
  const TrainedNetwork network =
      train_network(kSmall, environments::simulated_tree(diag(), 30, 3), options, quiet_sink());
  EXPECT_EQ(network.validation_records, 0);
  EXPECT_EQ(network.iterations, 50);
  EXPECT_FALSE(network.converged);
}

std::string saved_network() {
  const LearnerOptions options = small_network({{"most-iterations", 3}, {"units", 8}, {"networks", 1}});
  return r_bc_learner()
      .fit(environments::simulated_tree(diag(), 20, 1), testing::bias_study(), options, quiet_sink())
      ->to_json();
}

void expect_refusal(const std::string& json, const std::string& message) {
  try {
    r_bc_learner().load(json, testing::bias_study().structure, "saved.json");
    FAIL() << "took it";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(RBc, RefusesDamagedFiles) {
  const std::string saved = saved_network();
  expect_refusal(replaced(saved, "\"units\":8", "\"units\":9"),
                 "saved.json: content.units: 9 is not a multiple");
  expect_refusal(replaced(saved, "\"units\":8", "\"units\":16"),
                 "content.networks[0].action_input[0]: 32 entries; 64 expected");
  expect_refusal(replaced(saved, "\"recurrent\":[[", "\"recurrent\":[[0,"),
                 "content.networks[0].recurrent[0]: 33 entries");
  expect_refusal(replaced(saved, "\"recurrent\":[[", "\"recurrent\":[[1],["),
                 "content.networks[0].recurrent: 9 rows");
  expect_refusal(replaced(saved, "\"output_bias\":[[", "\"output_bias\":[[\"x\","),
                 "content.networks[0].output_bias[0]");
  expect_refusal(replaced(saved, "\"dense_bias\"", "\"dense_bais\""),
                 "content.networks[0].dense_bais: unknown key");
  expect_refusal(replaced(saved, "\"converged\":false", "\"converged\":0"), "content.networks[0].converged");
  expect_refusal(replaced(saved, "\"networks\":[{", "\"networks\":[3,{"), "content.networks[0]");
  expect_refusal(saved.substr(0, saved.find("\"networks\"")) + "\"networks\":[]}", "content.networks: empty");
}

TEST(RBc, RefusesAWidthItCannotCompute) {
  try {
    r_bc_learner().fit(environments::simulated_tree(diag(), 10, 1), testing::bias_study(),
                       {1, 1, {{"units", 12}}}, quiet_sink());
    FAIL() << "took it";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("units: 12 is not a multiple of 8; try 16"));
  }
}

}  // namespace
}  // namespace interpole::learners
