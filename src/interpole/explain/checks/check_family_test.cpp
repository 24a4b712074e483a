#include "interpole/explain/checks/check_family.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/explain/checks/surprise_families.hpp"
#include "interpole/inference/oracle_testing.hpp"

namespace interpole::explain {
namespace {

enum class Told { kNothing, kTogether, kApart };  // of covariates
constexpr Told kWays[] = {Told::kNothing, Told::kTogether, Told::kApart};

struct Clinic {
  Structure structure = testing::some_structure(2, 3, 2);
  Parameters agent;
  std::vector<Record> records;
  HistoryTree tree;
  explicit Clinic(Told covariates = Told::kNothing) {
    base::RandomStream random(5, 1);
    agent = testing::random_parameters(structure, random);
    agent.policy.inverse_temperature = 1.0;
    records = testing::random_records(structure, agent, 400, 8, 3);
    if (covariates != Told::kNothing) {
      for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].covariates = {static_cast<double>(i % 3), std::sin(static_cast<double>(i))};
      }
    }
    tree = build_history_tree(3, records, true,
                              covariates == Told::kApart ? RecordClasses::kApart : RecordClasses::kTogether);
  }
};

TEST(DecisionSites, FollowEveryRecordBackToItsFirstDecision) {
  for (const Told way : kWays) {
    const Clinic clinic(way);
    const DecisionSites sites = decision_sites(clinic.tree);
    double decisions = 0.0;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      decisions += sites.totals[i];
      const std::int32_t before = sites.before[i];
      ASSERT_EQ(before < 0, sites.node[i] < clinic.tree.root_count);
      if (before < 0) continue;
      EXPECT_EQ(sites.node[before], clinic.tree.parent[sites.node[i]]);
      const auto here = sites.contexts[i].covariates;
      const auto there = sites.contexts[before].covariates;
      EXPECT_TRUE(std::equal(here.begin(), here.end(), there.begin(), there.end()));
    }
    EXPECT_EQ(decisions, static_cast<double>(clinic.tree.decisions));
  }
}

TEST(DecisionSites, PlaceRecordsFromTheFirstToTheLast) {
  for (const Told way : kWays) {
    const Clinic clinic(way);
    const DecisionSites sites = decision_sites(clinic.tree);
    std::vector<double> sums(3, 0.0), squares(3, 0.0);
    for (std::size_t i = 0; i < clinic.records.size(); ++i) {
      const double x = static_cast<double>(i) / 399.0 - 0.5;
      for (const Step& step : clinic.records[i].steps) {
        sums[step.action] += x;
        squares[step.action] += x * x;
      }
    }
    for (std::size_t k = 0; k < sites.place_sums.size(); ++k) {
      sums[k % 3] -= sites.place_sums[k];
      squares[k % 3] -= sites.place_squares[k];
    }
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(sums[a], 0.0, 1e-9);
      EXPECT_NEAR(squares[a], 0.0, 1e-9);
    }
  }
}

TEST(DecisionSites, DoNotPlaceRecordsThatWereAddedInBulk) {
  HistoryTreeBuilder builder(3);
  const std::vector<Step> steps = {{0, 1}, {2, kMissing}};
  builder.add(steps, 5);
  EXPECT_TRUE(decision_sites(builder.build()).place_sums.empty());
}

TEST(CheckFamily, ExpectsWhatReplicatesOfTheDecisionsHave) {
  const Clinic clinic(Told::kTogether);
  DecisionSites sites = decision_sites(clinic.tree);
  const auto beliefs = inference::node_beliefs(clinic.tree, clinic.structure, clinic.agent.dynamics);
  const auto policies = policies_at(sites, clinic.structure, clinic.agent, beliefs);
  const std::vector<PolicyCovariate> covariates = {{"ward", {"a", "b", "c"}}, {"age", {}}};
  const CheckedData data{clinic.tree, clinic.structure, covariates, sites, policies, beliefs};
  auto families = decision_families(data);
  for (auto& family : surprise_families(data)) families.push_back(std::move(family));
  std::erase_if(families, [](const CheckFamily& family) { return family.name == "order"; });
  ASSERT_GE(families.size(), 9u);
  constexpr int kReplicates = 2000;
  std::vector<Eigen::VectorXd> sums, squares;
  for (const CheckFamily& family : families) {
    sums.emplace_back(Eigen::VectorXd::Zero(family.features(3)));
    squares.push_back(sums.back());
  }
  DecisionSites replicate = sites;
  base::RandomStream random(9, 1);
  for (int r = 0; r < kReplicates; ++r) {
    std::fill(replicate.counts.begin(), replicate.counts.end(), 0.0);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      for (int n = 0; n < static_cast<int>(sites.totals[i]); ++n) {
        replicate.counts[i * 3 + random.categorical({&policies[i * 3], 3})] += 1.0;
      }
    }
    for (std::size_t f = 0; f < families.size(); ++f) {
      const Eigen::VectorXd difference =
          observed_sums(families[f], replicate) - expected_sums(families[f], sites, policies);
      sums[f] += difference;
      squares[f] += difference.cwiseProduct(difference);
    }
  }
  for (std::size_t f = 0; f < families.size(); ++f) {
    const Eigen::VectorXd variance = chance_covariance(families[f], sites, policies).diagonal();
    for (int j = 0; j < variance.size(); ++j) {
      EXPECT_NEAR(sums[f][j] / kReplicates, 0.0, 4.5 * std::sqrt(variance[j] / kReplicates) + 1e-9)
          << families[f].name << ' ' << j;
      EXPECT_NEAR(squares[f][j] / kReplicates, variance[j],
                  4.5 * variance[j] * std::sqrt(3.0 / kReplicates) + 1e-9)
          << families[f].name << ' ' << j;
    }
  }
}

TEST(CheckFamily, IsTheSameWhetherClassesAreTogetherOrApart) {
  std::vector<Eigen::VectorXd> found;
  for (const Told way : {Told::kTogether, Told::kApart}) {
    const Clinic clinic(way);
    const DecisionSites sites = decision_sites(clinic.tree);
    const auto beliefs = inference::node_beliefs(clinic.tree, clinic.structure, clinic.agent.dynamics);
    const auto policies = policies_at(sites, clinic.structure, clinic.agent, beliefs);
    const std::vector<PolicyCovariate> covariates = {{"ward", {"a", "b", "c"}}, {"age", {}}};
    const CheckedData data{clinic.tree, clinic.structure, covariates, sites, policies, beliefs};
    found.emplace_back(0);
    for (const CheckFamily& family : decision_families(data)) {
      if (family.name == "beliefs") continue;  // bins of equal beliefs may differ by rounding
      const Eigen::VectorXd sums = observed_sums(family, sites) - expected_sums(family, sites, policies);
      found.back().conservativeResize(found.back().size() + sums.size());
      found.back().tail(sums.size()) = sums;
    }
  }
  ASSERT_EQ(found[0].size(), found[1].size());
  EXPECT_LT((found[0] - found[1]).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(CheckFamily, IsTheSameOnATreeAndOnAFlatList) {
  const Clinic clinic;
  const HistoryTree flat = build_history_tree(3, clinic.records, false);
  std::vector<std::vector<Eigen::VectorXd>> found;
  for (const HistoryTree* tree : {&clinic.tree, &flat}) {
    const DecisionSites sites = decision_sites(*tree);
    const auto beliefs = inference::node_beliefs(*tree, clinic.structure, clinic.agent.dynamics);
    const auto policies = policies_at(sites, clinic.structure, clinic.agent, beliefs);
    const std::vector<PolicyCovariate> none;
    const CheckedData data{*tree, clinic.structure, none, sites, policies, beliefs};
    auto families = decision_families(data);
    for (auto& family : surprise_families(data)) families.push_back(std::move(family));
    found.emplace_back();
    for (const CheckFamily& family : families) {
      if (family.name == "beliefs") continue;  // bins of equal beliefs may differ by rounding
      found.back().push_back(observed_sums(family, sites) - expected_sums(family, sites, policies));
      found.back().emplace_back(chance_covariance(family, sites, policies).diagonal());
    }
  }
  ASSERT_EQ(found[0].size(), found[1].size());
  for (std::size_t k = 0; k < found[0].size(); ++k) {
    ASSERT_EQ(found[0][k].size(), found[1][k].size());
    EXPECT_LT((found[0][k] - found[1][k]).cwiseAbs().maxCoeff(), 1e-8);
  }
}

}  // namespace
}  // namespace interpole::explain
