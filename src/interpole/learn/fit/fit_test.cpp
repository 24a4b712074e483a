#include "interpole/learn/fit/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/base/random.hpp"
#include "interpole/base/ranks/thread_ranks_testing.hpp"
#include "interpole/base/stops_after_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

using testing::bias_study;
using testing::bias_tree;

FitSummary quick_fit(const HistoryTree& tree, const Study& study, const FitOptions& options = {}) {
  return fit(tree, study, options, quiet_sink());
}

TEST(Fit, RecoversTheParametersThatMadeTheData) {
  // Agent and world agree here, so both objectives are consistent. Tolerances: about four standard errors.
  const auto tree = bias_tree(4000, 1);
  for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kCoupled, DynamicsMode::kSubjective}) {
    FitOptions options;
    options.dynamics = mode;
    const auto result = quick_fit(tree, bias_study(), options);
    EXPECT_TRUE(result.converged());
    EXPECT_NEAR(result.parameters.dynamics.observation[0], 0.6, 0.03);
    EXPECT_NEAR(result.parameters.dynamics.observation[2], 0.2, 0.03);
    EXPECT_NEAR(result.parameters.policy.means[2], 1.3, 0.06);
    EXPECT_NEAR(result.parameters.policy.means[5], 1.3, 0.06);
    EXPECT_TRUE(result.labels.by_hint);
  }
}

// Three of four searches may agree on an end that is hundreds of nats below the best, with both declarations
// on one side of all beliefs.
TEST(Fit, FindsTheSameBestFromAnySeed) {
  Study study = bias_study();
  study.start = Parameters::filled(study.structure, NAN);
  const auto tree = bias_tree(300, 2);
  FitOptions options;
  options.dynamics = DynamicsMode::kShared;
  options.uncertainty = false;
  const double best = quick_fit(tree, bias_study(), options).log_posterior;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    options.seed = seed;
    EXPECT_NEAR(quick_fit(tree, study, options).log_posterior, best, 0.01) << "seed " << seed;
  }
}

TEST(Fit, IsBetterThanTheTruthOnItsOwnData) {
  const auto tree = bias_tree(300, 2);
  const auto study = bias_study();
  const inference::Likelihood likelihood(tree, study.structure);
  auto workspace = likelihood.make_workspace();
  const auto truth = likelihood.evaluate(testing::bias_parameters(), {}, nullptr, workspace);
  EXPECT_GT(quick_fit(tree, study).log_likelihood.total(), truth.total());
}

TEST(Fit, IsTheSameToTheLastBitForAnyNumberOfThreads) {
  const auto tree = bias_tree(300, 3);
  FitOptions options;
  options.threads = 1;
  const auto reference = quick_fit(tree, bias_study(), options);
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    const auto result = quick_fit(tree, bias_study(), options);
    EXPECT_EQ(result.parameters, reference.parameters);
    EXPECT_EQ(result.log_posterior, reference.log_posterior);
    EXPECT_EQ(result.best_restart, reference.best_restart);
    EXPECT_EQ(result.evaluations, reference.evaluations);
  }
}

TEST(Fit, AlgorithmOneReachesTheSameOptimumWhenItWatchesTheLogPosterior) {
  const auto tree = bias_tree(200, 4);
  FitOptions options;
  options.dynamics = DynamicsMode::kShared;
  options.restarts = 2;
  const auto lbfgs = quick_fit(tree, bias_study(), options);
  options.optimizer = Optimizer::kAlgorithm1;
  options.monitor = Monitor::kExact;
  const auto algorithm1 = quick_fit(tree, bias_study(), options);
  EXPECT_NEAR(algorithm1.log_posterior, lbfgs.log_posterior, 1e-3);
  EXPECT_LE(algorithm1.log_posterior, lbfgs.log_posterior + 1e-9);
}

TEST(Fit, CountsRestartsByTheModeTheyEndIn) {
  FitOptions options;
  options.restarts = 12;
  const auto result = quick_fit(bias_tree(300, 5), bias_study(), options);
  std::size_t members = 0;
  for (const auto& mode : result.modes) members += mode.members.size();
  EXPECT_EQ(members, 12u);
  EXPECT_DOUBLE_EQ(result.modes[0].log_posterior, result.log_posterior);
  EXPECT_EQ(result.modes[0].from_best.belief, 0.0);
  for (std::size_t i = 1; i < result.modes.size(); ++i) {
    EXPECT_LE(result.modes[i].log_posterior, result.modes[i - 1].log_posterior);
  }
}

TEST(Fit, HoldsKnownValues) {
  const auto result = quick_fit(bias_tree(100, 6), bias_study());
  EXPECT_EQ(result.parameters.policy.inverse_temperature, 10.0);
  EXPECT_EQ(result.parameters.dynamics.initial, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(result.parameters.policy.means[0], 0.5);
  EXPECT_EQ(result.parameters_learned, 6);  // two means; the world's and the agent's two chances
}

TEST(Fit, WithEverythingKnownJustEvaluates) {
  Study study = bias_study();
  study.known = testing::bias_parameters();
  const auto result = quick_fit(bias_tree(50, 7), study);
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.parameters_learned, 0);
  EXPECT_EQ(result.parameters, testing::bias_parameters());
}

TEST(Fit, NamesTheNodeWhenKnownValuesForbidWhatWasSeen) {
  Study study = bias_study();
  study.known.dynamics.observation = {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};  // "positive" cannot happen
  const auto tree = bias_tree(50, 8);
  const auto result = quick_fit(tree, study);
  ASSERT_TRUE(result.impossible_node);
  EXPECT_GE(tree.depth[*result.impossible_node], 1);
}

TEST(Fit, StoppedHalfWayReturnsTheBestSoFar) {
  FitOptions options;
  options.threads = 1;
  options.dynamics = DynamicsMode::kSubjective;
  base::StopsAfter sink(5);
  const auto result = fit(bias_tree(200, 9), bias_study(), options, sink);
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(std::isfinite(result.log_posterior));
  EXPECT_LT(result.restarts.size(), 10u);
}

TEST(Fit, StoppedBeforeItBeganSaysSo) {
  base::StopsAfter sink(0);
  try {
    fit(bias_tree(20, 10), bias_study(), {}, sink);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

TEST(Fit, RefusesOptionsThatCannotWork) {
  FitOptions options;
  options.restarts = -1;
  EXPECT_THROW(quick_fit(bias_tree(5, 1), bias_study(), options), Error);
  EXPECT_THROW(optimizer_named("newton"), Error);
}

TEST(Fit, SearchesUntilTheBestWasFoundThreeTimes) {
  FitOptions options;
  options.restarts = kUntilFound;
  const FitSummary summary = fit(bias_tree(200, 3), bias_study(), options, quiet_sink());
  EXPECT_LT(summary.restarts.size(), 10u);
  EXPECT_GE(summary.modes.front().members.size(), static_cast<std::size_t>(kTimesFound));
  options.threads = 1;
  EXPECT_EQ(fit(bias_tree(200, 3), bias_study(), options, quiet_sink()).log_posterior, summary.log_posterior);
}

TEST(Fit, OneStateAndOneActionIsAnAnswerNotACrash) {
  const Study study = testing::open_study(1, 1, 2);
  const auto tree = build_history_tree(1, std::vector<Record>{{"p", {{0, 0}, {0, 1}, {0, 1}}}});
  const auto result = quick_fit(tree, study);
  EXPECT_TRUE(std::isfinite(result.log_posterior));
  EXPECT_NEAR(result.parameters.dynamics.observation[0], 1.0 / 3.0, 1e-4);
}

void expect_same(const FitSummary& result, const FitSummary& reference) {
  EXPECT_EQ(result.parameters, reference.parameters);
  EXPECT_EQ(result.world, reference.world);
  EXPECT_EQ(result.log_posterior, reference.log_posterior);
  EXPECT_EQ(result.best_restart, reference.best_restart);
  EXPECT_EQ(result.evaluations, reference.evaluations);
}

TEST(Fit, IsTheSameToTheLastBitForAnyNumberOfRanks) {
  const auto tree = bias_tree(300, 3);
  FitOptions options;
  options.threads = 1;
  const auto reference = quick_fit(tree, bias_study(), options);
  for (const int ranks : {2, 3}) {
    base::run_as_ranks(ranks, [&](base::Ranks& all) {
      expect_same(quick_fit(tree, bias_study(), options), reference);
      EXPECT_GT(all.traffic().calls, 0);
    });
  }
}

// More ranks than searches, and a tree worth sharing: every evaluation is a gathering.
TEST(Fit, IsTheSameIfRanksShareTheLikelihood) {
  const Study study = testing::open_study(2, 2, 4);
  base::RandomStream random(31);
  HistoryTreeBuilder builder(2);
  std::vector<Step> steps(12);
  for (int record = 0; record < 9'000; ++record) {
    for (Step& step : steps) {
      step = {static_cast<int>(2.0 * random.uniform()), static_cast<int>(4.0 * random.uniform())};
    }
    builder.add(steps);
  }
  const auto tree = builder.build();
  ASSERT_TRUE(inference::worth_sharing(tree));
  FitOptions options;
  options.dynamics = DynamicsMode::kShared;
  options.policy = PolicyUse::kBelief;
  options.restarts = 1;
  options.threads = 1;
  options.uncertainty = false;
  options.lbfgs.most_iterations = 5;
  const auto reference = quick_fit(tree, study, options);
  base::run_as_ranks(3, [&](base::Ranks& all) {
    const auto result = quick_fit(tree, study, options);
    expect_same(result, reference);
    EXPECT_GE(all.traffic().calls, result.evaluations);
  });
}

TEST(Fit, GoesOnFromACheckpointToTheSameBits) {
  const auto tree = bias_tree(100, 3);
  FitOptions options;
  options.restarts = 4;
  const auto whole = quick_fit(tree, bias_study(), options);
  const std::string path = ::testing::TempDir() + "fit_test.checkpoint";
  std::filesystem::remove(path);
  int stopped = 0;
  for (int patience = 20;; patience += 60) {
    ASSERT_LT(stopped, 100);
    base::StopsAfter sink(patience);
    base::Checkpoint checkpoint(path, {{"test", "fit"}}, 0.0);
    try {
      const auto result = fit(tree, bias_study(), options, sink, &checkpoint);
      if (!result.interrupted) {
        EXPECT_EQ(result.parameters, whole.parameters);
        EXPECT_EQ(result.world, whole.world);
        EXPECT_EQ(result.scales, whole.scales);
        EXPECT_EQ(result.evaluations, whole.evaluations);
        EXPECT_EQ(result.log_posterior, whole.log_posterior);
        EXPECT_EQ(result.best_restart, whole.best_restart);
        EXPECT_EQ(result.scale_choice->log_bayes_factor(), whole.scale_choice->log_bayes_factor());
        ASSERT_EQ(result.uncertainty->components.size(), whole.uncertainty->components.size());
        for (std::size_t i = 0; i < whole.uncertainty->components.size(); ++i) {
          EXPECT_EQ(result.uncertainty->components[i].laplace.factor,
                    whole.uncertainty->components[i].laplace.factor);
        }
        break;
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    }
    ++stopped;
  }
  EXPECT_GT(stopped, 2);
  std::filesystem::remove(path);
}

// Remembers how far each piece of work was when it was last heard of.
class Listener : public Sink {
 public:
  void progress(const std::string& what, std::int64_t done, std::int64_t total) override {
    const std::scoped_lock lock(mutex_);
    heard_[what].push_back({done, total});
    if (what == last_ && done >= most_) stop_ = true;
  }
  bool stop_requested() const override { return stop_; }
  // A wish to stop once so much of this was done.
  void stop_after(const std::string& what, std::int64_t done) {
    last_ = what;
    most_ = done;
  }
  struct Report {
    std::int64_t done, total;
  };
  std::vector<Report> heard(const std::string& what) const {
    const auto found = heard_.find(what);
    return found == heard_.end() ? std::vector<Report>{} : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<Report>> heard_;
  std::string last_;
  std::int64_t most_ = 0;
  std::atomic<bool> stop_ = false;
};

TEST(Fit, SaysHowFarItIsInEveryPartThatTakesLong) {
  const auto tree = bias_tree(200, 3);
  Listener listener;
  FitOptions options;
  options.policy = PolicyUse::kAuto;
  options.threads = 1;
  fit(tree, bias_study(), options, listener);
  for (const char* part :
       {"belief alone, restarts", "terms beside belief", "restarts", "coupling", "intervals"}) {
    const auto heard = listener.heard(part);
    ASSERT_GE(heard.size(), 3u) << part << " should move between its beginning and its end";
    EXPECT_EQ(heard.front().done, 0) << part;
    EXPECT_EQ(heard.back().done, heard.back().total) << part;
    for (std::size_t i = 1; i < heard.size(); ++i) {
      EXPECT_EQ(heard[i].total, heard[0].total) << part;
      EXPECT_LE(heard[i].done, heard[i].total) << part;
    }
  }
}

// While belief alone is searched there is no model of two sets of dynamics yet, but there are searches to
// keep.
TEST(Fit, StoppedBeforeThereIsAModelKeepsItsSearches) {
  const auto tree = bias_tree(200, 3);
  const base::TemporaryFolder folder;
  const std::string path = folder.file("fit.checkpoint");
  FitOptions options;
  options.policy = PolicyUse::kAuto;
  options.threads = 1;
  const auto whole = quick_fit(tree, bias_study(), options);
  {
    Listener listener;
    listener.stop_after("belief alone, restarts", 2);
    base::Checkpoint checkpoint(path, {{"test", "fit"}}, 1e6);
    EXPECT_THAT(base::complaint_of([&] { fit(tree, bias_study(), options, listener, &checkpoint); },
                                   ErrorKind::kInterrupted),
                ::testing::HasSubstr("the same command goes on from " + path));
  }
  base::Checkpoint checkpoint(path, {{"test", "fit"}}, 1e6);
  EXPECT_TRUE(checkpoint.resumed());
  EXPECT_TRUE(checkpoint.recall("belief alone, restarts, 1").has_value());
  const auto resumed = fit(tree, bias_study(), options, quiet_sink(), &checkpoint);
  EXPECT_EQ(resumed.parameters, whole.parameters);
  EXPECT_EQ(resumed.evaluations, whole.evaluations);
}

TEST(Fit, RefusesACheckpointWhosePartsDoNotFit) {
  const auto tree = bias_tree(100, 3);
  FitOptions options;
  options.restarts = 2;
  const std::string path = ::testing::TempDir() + "fit_test_parts.checkpoint";
  std::filesystem::remove(path);
  base::Checkpoint checkpoint(path, {});
  const auto whole = fit(tree, bias_study(), options, quiet_sink(), &checkpoint);
  EXPECT_EQ(fit(tree, bias_study(), options, quiet_sink(), &checkpoint).parameters, whole.parameters);
  for (const std::string part : {"restarts, 1", "coupling", "restarts to their tops, 0"}) {
    const std::string good = checkpoint.recall(part).value();
    checkpoint.remember(part, good.substr(0, good.size() / 2));
    EXPECT_THROW(fit(tree, bias_study(), options, quiet_sink(), &checkpoint), Error) << part;
    checkpoint.remember(part, good);
  }
  EXPECT_THROW(
      fit(build_history_tree(2, {}), testing::open_study(3, 2, 2), options, quiet_sink(), &checkpoint),
      Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace interpole::learn
