#include "interpole/learn/draws/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <map>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/base/ranks/thread_ranks_testing.hpp"
#include "interpole/base/stops_after_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/draws/draws_csv.hpp"
#include "interpole/learn/draws/draws_file.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::learn {
namespace {

using testing::bias_study;
using testing::biased_tree;
using ::testing::HasSubstr;
using testing::open_study;

SampleOptions quick(DynamicsMode dynamics = DynamicsMode::kShared) {
  SampleOptions options;
  options.dynamics = dynamics;
  options.draws = 60;
  options.warm_up = 60;
  options.chains = 3;
  options.restarts = 2;
  return options;
}

std::map<std::string, QuantitySummary> by_name(const SampleSummary& summary) {
  std::map<std::string, QuantitySummary> result;
  for (const auto& quantity : summary.quality.quantities) result[quantity.name] = quantity;
  return result;
}

// A 4-sigma test by the Monte Carlo errors that the draws themselves report.
void expect_moments(const QuantitySummary& quantity, double mean, double sd) {
  ASSERT_TRUE(quantity.diagnostics.mcse_mean && quantity.diagnostics.mcse_sd) << quantity.name;
  EXPECT_NEAR(quantity.mean, mean, 4.0 * *quantity.diagnostics.mcse_mean) << quantity.name;
  EXPECT_NEAR(quantity.sd, sd, 4.0 * *quantity.diagnostics.mcse_sd) << quantity.name;
  EXPECT_LT(*quantity.diagnostics.mcse_mean, 0.1 * sd) << quantity.name;  // or the test would say little
}

void expect_all_finite(const SampleSummary& summary) {
  ASSERT_GT(summary.draw_count(), 0);
  for (const SampledChain& chain : summary.chains) {
    for (const SampledDraw& draw : chain.draws) {
      for (const double x : draw_values(summary, draw)) ASSERT_TRUE(std::isfinite(x));
    }
  }
}

std::vector<double> all_numbers(const SampleSummary& summary) {
  std::vector<double> numbers;
  for (const SampledChain& chain : summary.chains) {
    for (const SampledDraw& draw : chain.draws) {
      const auto values = draw_values(summary, draw);
      numbers.insert(numbers.end(), values.begin(), values.end());
      numbers.push_back(draw.energy);
      numbers.push_back(draw.step_size);
    }
  }
  return numbers;
}

// One state: outcomes are draws from one row, decisions say nothing.
HistoryTree coin_tree(const std::vector<int>& counts) {
  std::vector<Record> records;
  for (std::size_t z = 0; z < counts.size(); ++z) {
    for (int i = 0; i < counts[z]; ++i) {
      records.push_back({});
      records.back().steps = {{0, static_cast<int>(z)}, {1, kMissing}};
    }
  }
  return build_history_tree(2, records);
}

TEST(Sample, MatchesAPosteriorKnownInClosedForm) {
  const Study study = open_study(1, 2, 3);
  const std::vector<int> counts = {12, 5, 2};
  SampleOptions options = quick();
  options.draws = 1000;
  options.warm_up = 300;
  const auto summary = sample(coin_tree(counts), study, options, quiet_sink());
  auto quantities = by_name(summary);
  const double total = 3 + 12 + 5 + 2;  // uniform prior
  for (int z = 0; z < 3; ++z) {
    const double mean = (1 + counts[z]) / total;
    const double sd = std::sqrt(mean * (1.0 - mean) / (total + 1.0));
    expect_moments(quantities.at("observation[a0,s0,z" + std::to_string(z) + "]"), mean, sd);
  }
  // With one state all actions are as likely as each other whatever η: its gamma(2, 0.2) prior is left.
  expect_moments(quantities.at("inverse_temperature"), 10.0, std::sqrt(2.0) / 0.2);
  EXPECT_EQ(summary.coordinates, 3);
  EXPECT_EQ(quantities.count("means[a0,s0]"), 0u);  // does not vary
}

TEST(Sample, DrawsTheCouplingFromItsPriorWhereThereAreNoData) {
  // Records end at once: nothing is seen, so every number has its prior distribution.
  std::vector<Record> records(1);
  records[0].steps = {{1, kMissing}};
  SampleOptions options = quick(DynamicsMode::kCoupled);
  options.chains = 4;
  options.draws = 2000;
  options.warm_up = 500;
  options.target_accept = 0.95;  // the density of a gap is pointed at 0
  const auto summary = sample(build_history_tree(2, records), open_study(1, 2, 2), options, quiet_sink());
  ASSERT_EQ(summary.scale_fields, std::vector<Field>{Field::kObservation});
  const auto scale = by_name(summary).at("scale[observation]");
  double mean = 0.0;
  double square = 0.0;
  const ScaleGrid grid = scale_grid(24);
  for (std::size_t j = 0; j < grid.sigma.size(); ++j) {
    mean += std::exp(grid.log_weight[j]) * grid.sigma[j];
    square += std::exp(grid.log_weight[j]) * grid.sigma[j] * grid.sigma[j];
  }
  expect_moments(scale, mean, std::sqrt(square - mean * mean));
  // Uniform on (0, 1).
  expect_moments(by_name(summary).at("world.observation[a0,s0,z0]"), 0.5, std::sqrt(1.0 / 12.0));
}

TEST(Sample, IsTheSameToTheLastBitForAnyNumberOfRanks) {
  SampleOptions options = quick();
  options.threads = 1;
  const auto tree = biased_tree(100, 0.4, 3);
  const auto reference = all_numbers(sample(tree, bias_study(), options, quiet_sink()));
  for (const int ranks : {2, 3, 5}) {  // of three chains
    base::run_as_ranks(ranks, [&](base::Ranks&) {
      EXPECT_EQ(all_numbers(sample(tree, bias_study(), options, quiet_sink())), reference);
    });
  }
}

TEST(Sample, IsTheSameToTheLastBitForAnyNumberOfThreads) {
  const auto tree = biased_tree(150, 0.4, 3);
  for (const auto dynamics : {DynamicsMode::kShared, DynamicsMode::kCoupled}) {
    SampleOptions options = quick(dynamics);
    options.threads = 1;
    const auto one = sample(tree, bias_study(), options, quiet_sink());
    options.threads = 2;
    const auto two = sample(tree, bias_study(), options, quiet_sink());
    EXPECT_EQ(all_numbers(one), all_numbers(two));
    ASSERT_EQ(one.chains.size(), 3u);
    EXPECT_NE(one.chains[0].draws[0].log_posterior, one.chains[1].draws[0].log_posterior);
  }
}

TEST(Sample, GoesOnFromACheckpointToTheSameBits) {
  const auto tree = biased_tree(100, 0.4, 4);
  const SampleOptions options = quick(DynamicsMode::kCoupled);
  const auto whole = sample(tree, bias_study(), options, quiet_sink());
  const std::string path = ::testing::TempDir() + "sample_test.checkpoint";
  std::filesystem::remove(path);
  int stopped = 0;
  for (int patience = 20;; patience += 50) {
    base::StopsAfter sink(patience);
    base::Checkpoint checkpoint(path, {{"test", "sample"}});
    try {
      const auto result = sample(tree, bias_study(), options, sink, &checkpoint);
      if (!result.interrupted) {
        EXPECT_EQ(all_numbers(result), all_numbers(whole));
        break;
      }
      expect_all_finite(result);
      EXPECT_LT(result.draw_count(), whole.draw_count());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
      if (std::filesystem::exists(path)) {
        EXPECT_THAT(error.what(), HasSubstr("goes on from"));
      }
    }
    ++stopped;
    ASSERT_LT(stopped, 50);
  }
  EXPECT_GT(stopped, 2);
  std::filesystem::remove(path);
}

TEST(Sample, RefusesACheckpointOfAnotherChain) {
  const auto tree = biased_tree(100, 0.4, 4);
  const std::string path = ::testing::TempDir() + "sample_test_other.checkpoint";
  std::filesystem::remove(path);
  base::Checkpoint checkpoint(path, {});
  sample(tree, bias_study(), quick(), quiet_sink(), &checkpoint);
  for (const std::string part : {"chain 1", "chain 2"}) {
    const std::string good = *checkpoint.recall(part);
    checkpoint.remember(part, good.substr(0, good.size() / 2));
    EXPECT_THROW(sample(tree, bias_study(), quick(), quiet_sink(), &checkpoint), Error);
    checkpoint.remember(part, good);
  }
  // The same chains, but the data have changed.
  EXPECT_THROW(sample(biased_tree(101, 0.4, 4), bias_study(), quick(), quiet_sink(), &checkpoint), Error);
  std::filesystem::remove(path);
}

TEST(Sample, SaysSoWhenThereIsNothingToDraw) {
  Study study = bias_study();
  study.known = testing::bias_parameters();
  try {
    sample(biased_tree(20, 0.4, 1), study, quick(), quiet_sink());
    FAIL() << "drew something";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_THAT(error.what(), HasSubstr("every value"));
  }
}

TEST(Sample, WorksWithOneActionOnly) {
  // Nothing is ever decided: decisions say nothing, outcomes still do.
  const Study study = open_study(2, 1, 2);
  base::RandomStream random(5);
  const Parameters truth = testing::random_parameters(study.structure, random);
  const auto tree = build_history_tree(1, testing::random_records(study.structure, truth, 60, 6, 5, 0.0));
  for (const auto dynamics : {DynamicsMode::kShared, DynamicsMode::kSubjective, DynamicsMode::kCoupled}) {
    expect_all_finite(sample(tree, study, quick(dynamics), quiet_sink()));
  }
}

TEST(Sample, LeavesAStateThatIsNeverVisitedToThePrior) {
  Study study = open_study(3, 2, 2);
  study.known.policy.inverse_temperature = 2.0;
  std::fill(study.known.policy.means.begin(), study.known.policy.means.end(), 1.0 / 3.0);
  study.known.dynamics.initial = {0.5, 0.5, 0.0};
  study.known.dynamics.transition = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::vector<Record> records;
  for (int i = 0; i < 40; ++i) {
    records.push_back({});
    records.back().steps = {{0, i % 2}, {0, i % 2}, {1, kMissing}};
  }
  SampleOptions options = quick();
  options.draws = 500;
  options.warm_up = 300;
  const auto summary = sample(build_history_tree(2, records), study, options, quiet_sink());
  expect_all_finite(summary);
  expect_moments(by_name(summary).at("observation[a0,s2,z0]"), 0.5, std::sqrt(1.0 / 12.0));
}

TEST(Sample, KeepsNothingWhenStoppedTooEarly) {
  base::StopsAfter sink(0);
  try {
    sample(biased_tree(50, 0.4, 1), bias_study(), quick(), sink);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

TEST(Sample, ReportsDataThatTheStudyCallsImpossible) {
  Study study = bias_study();
  study.known.dynamics.observation[0] = study.known.dynamics.observation[2] = 1.0;
  study.known.dynamics.observation[1] = study.known.dynamics.observation[3] = 0.0;
  const auto summary = sample(biased_tree(20, 0.4, 1), study, quick(), quiet_sink());
  EXPECT_TRUE(summary.fit.impossible_node.has_value());
  EXPECT_TRUE(summary.chains.empty());
}

TEST(SampleOptions, RefusesWhatMakesNoSense) {
  const auto message_of = [](auto change) {
    SampleOptions options;
    change(options);
    try {
      options.validate();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message_of([](SampleOptions&) {}), "accepted");
  EXPECT_THAT(message_of([](SampleOptions& o) { o.draws = 0; }), HasSubstr("option draws: 0"));
  EXPECT_THAT(message_of([](SampleOptions& o) { o.chains = 0; }), HasSubstr("option chains: 0"));
  EXPECT_THAT(message_of([](SampleOptions& o) { o.warm_up = -1; }), HasSubstr("option warm-up: -1"));
  EXPECT_THAT(message_of([](SampleOptions& o) { o.target_accept = 1.0; }),
              HasSubstr("option target-accept: 1"));
  EXPECT_THAT(message_of([](SampleOptions& o) { o.target_accept = NAN; }), HasSubstr("option target-accept"));
  EXPECT_THAT(message_of([](SampleOptions& o) {
                o.dynamics = DynamicsMode::kShared;
                o.scales = CouplingScales::all(0.3);
              }),
              HasSubstr("option coupling"));
  EXPECT_THAT(message_of([](SampleOptions& o) { o.scales = CouplingScales::all(INFINITY); }),
              HasSubstr("option dynamics subjective"));
}

TEST(Sample, TakesAGivenCouplingAsItIs) {
  const auto tree = biased_tree(100, 0.4, 4);
  for (const double sigma : {0.0, 0.5}) {
    SampleOptions options = quick(DynamicsMode::kCoupled);
    options.scales = CouplingScales::all(sigma);
    const auto summary = sample(tree, bias_study(), options, quiet_sink());
    EXPECT_TRUE(summary.scale_fields.empty());
    expect_all_finite(summary);
    if (sigma > 0.0) continue;
    for (const SampledDraw& draw : summary.chains[0].draws) {
      EXPECT_EQ(draw.agent_world.agent.dynamics, *draw.agent_world.world);
    }
  }
}

TEST(Sample, DrawsTermsOfThePolicyIntoAFileThatGivesThemBack) {
  Study study = bias_study();
  PolicyTerms& terms = study.known.policy.terms;
  terms.inertia = NAN;
  terms.additive = {model::term_filled(study.structure, terms, TermKind::kTime, NAN, -1, 2)};
  const auto summary = sample(biased_tree(100, 0.4, 4), study, quick(), quiet_sink());
  expect_all_finite(summary);
  EXPECT_EQ(by_name(summary).count("inertia"), 1u);
  EXPECT_EQ(by_name(summary).count("time[2,monitor]"), 1u);
  EXPECT_EQ(by_name(summary).count("lapse"), 0u);  // does not vary
  const base::TemporaryFolder folder;
  const std::string path = folder.file("draws.csv");
  write_draws_csv(path, study.structure, summary);
  const auto read = read_draws(path, study.structure, summary.fit.parameters.policy);
  ASSERT_EQ(static_cast<std::int64_t>(read.size()), summary.draw_count());
  for (std::size_t i = 0; i < summary.chains[0].draws.size(); ++i) {
    EXPECT_EQ(read[i].agent.policy, summary.chains[0].draws[i].agent_world.agent.policy);
  }
}

}  // namespace
}  // namespace interpole::learn
