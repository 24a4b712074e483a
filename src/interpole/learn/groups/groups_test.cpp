#include "interpole/learn/groups/groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "interpole/learn/groups/group_evidence.hpp"
#include "interpole/learn/groups/sites_testing.hpp"
#include "interpole/learn/uncertainty/laplace.hpp"
#include "interpole/optimize/gradient_check.hpp"
#include "interpole/optimize/hessian.hpp"

namespace interpole::learn {
namespace {

using testing::boundary_of;
using testing::doctor;
using testing::Sites;

GroupFit fitted(const std::vector<HistoryTree>& trees, const HistoryTree& all, const DecisionProblem& problem,
                DynamicsMode dynamics = DynamicsMode::kCoupled, std::uint64_t seed = 1, int threads = 0) {
  GroupOptions options;
  options.fit.restarts = 3;
  options.fit.dynamics = dynamics;
  options.fit.seed = seed;
  options.fit.threads = threads;
  options.draws = 400;
  return fit_groups(all, trees, problem, options, quiet_sink());
}

GroupFit fitted(const Sites& sites, DynamicsMode dynamics = DynamicsMode::kCoupled) {
  return fitted(sites.trees, sites.all, testing::bias_study(), dynamics);
}

// Doctors who decide alike, each in a world of their own that they know.
struct Clinics {
  std::vector<HistoryTree> trees;
  HistoryTree all;
  Clinics(const Parameters& north, const Parameters& south, int patients, std::uint64_t seed,
          const Dynamics* world_of_south = nullptr) {
    const Structure structure = testing::bias_study().structure;
    std::vector<Record> together = testing::random_records(structure, north, patients, 200, 2 * seed, 0.0);
    trees.push_back(build_history_tree(3, together));
    const auto more =
        testing::random_records(structure, south, patients, 200, 2 * seed + 1, 0.0, world_of_south);
    trees.push_back(build_history_tree(3, more));
    together.insert(together.end(), more.begin(), more.end());
    all = build_history_tree(3, together);
  }
};

class Likelihoods {
 public:
  Likelihoods(const std::vector<HistoryTree>& trees, const Structure& structure) {
    for (const auto& tree : trees) likelihoods_.emplace_back(tree, structure);
    for (const auto& likelihood : likelihoods_) pointers.push_back(&likelihood);
  }
  std::vector<const inference::Likelihood*> pointers;

 private:
  std::vector<inference::Likelihood> likelihoods_;
};

std::vector<GroupScales> all_scales() {
  return {GroupScales::none(),
          {.policy = 0.3},
          {.patients = CouplingScales::all(2.0)},
          {.patients = CouplingScales::all(0.2), .patients_known = false},
          {.patients = {.initial = 0.3}, .picture = CouplingScales::all(0.5), .policy = 2.0}};
}

std::vector<double> some_point(const GroupedPosterior& posterior) {
  std::vector<double> y(posterior.size());
  posterior.coordinates({doctor(0.8), {}}, y);
  base::RandomStream random(3);
  for (double& x : y) x += 0.1 * random.normal();
  return y;
}

TEST(GroupedPosterior, GradientMatchesCentralDifferences) {
  const Sites sites(0.7, 0.9, 30, 1);
  const Study study = testing::bias_study();
  const Likelihoods groups(sites.trees, study.structure);
  for (const GroupScales& scales : all_scales()) {
    for (const auto measure : {Measure::kNatural, Measure::kCoordinates}) {
      GroupedPosterior posterior(groups.pointers, study, CouplingScales::all(0.4), scales, measure);
      EXPECT_LT(optimize::check_gradient(posterior, some_point(posterior)).worst_error, 1e-7);
    }
  }
}

TEST(GroupedPosterior, SecondDerivativesMatchDifferencesOfTheGradient) {
  const Sites sites(0.7, 0.9, 30, 1);
  const Study study = testing::bias_study();
  const Likelihoods groups(sites.trees, study.structure);
  for (const GroupScales& scales : all_scales()) {
    GroupedPosterior posterior(groups.pointers, study, CouplingScales::all(0.4), scales,
                               Measure::kCoordinates);
    const auto y = some_point(posterior);
    const auto by_parts = posterior.second_derivatives(y, {});
    const auto whole = optimize::hessian_by_differences(posterior, y);
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(by_parts[i], whole[i], 1e-3);
  }
}

TEST(GroupedPosterior, WithoutDeviationsIsThePosteriorOfAllRecords) {
  const Sites sites(0.7, 0.9, 30, 2);
  const Study study = testing::bias_study();
  const Likelihoods groups(sites.trees, study.structure);
  GroupedPosterior grouped(groups.pointers, study, CouplingScales::all(0.4), GroupScales::none());
  const inference::Likelihood likelihood(sites.all, study.structure);
  const auto together = make_posterior(
      likelihood, study, {DynamicsMode::kCoupled, Measure::kNatural, {CouplingScales::all(0.4)}});
  std::vector<double> y(grouped.size());
  std::vector<double> z(together->size());
  ASSERT_EQ(y.size(), z.size());
  std::vector<double> g(grouped.size());
  std::vector<double> h(together->size());
  grouped.coordinates({doctor(0.8), {}}, y);
  together->coordinates({doctor(0.8), {}}, z);
  EXPECT_NEAR(grouped.evaluate(y, g), together->evaluate(z, h), 1e-8);
  for (std::size_t i = 0; i < h.size(); ++i) EXPECT_NEAR(g[i], h[i], 1e-7);
}

TEST(GroupSpace, KnownRowsMayDeviateAndAreKnownInCommon) {
  const Study study = testing::bias_study();
  const GroupSpace space(study, CouplingScales::all(0.4), {.patients = CouplingScales::all(0.5)}, 2);
  const auto& all = space.deviations();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const auto& d) { return d.field == Field::kInitial; }));
  // "identity" is a structure, not a number: nobody deviates from it.
  EXPECT_TRUE(
      std::none_of(all.begin(), all.end(), [](const auto& d) { return d.field == Field::kTransition; }));
  std::vector<double> y(space.size(), 0.0);
  std::vector<double> own(space.own().size());
  space.own_coordinates(y, 1, own);
  EXPECT_NEAR(space.own().world_point(own).initial[0], 0.5, 1e-12);
}

TEST(GroupSpace, DecisionMakersFollowPatientsWhomTheyKnow) {
  const Study study = testing::bias_study();
  for (const bool known : {true, false}) {
    const GroupSpace space(study, CouplingScales::all(0.4),
                           {.patients = CouplingScales::all(0.5), .patients_known = known}, 2);
    std::vector<double> y(space.size(), 0.0);
    y[space.offset_of(1)] = 1.0;
    std::vector<double> own(space.own().size());
    space.own_coordinates(y, 1, own);
    const Dynamics world = space.own().world_point(own);
    const Dynamics agent = space.own().agent_point(own).dynamics;
    EXPECT_GT(std::abs(world.initial[0] - 0.5), 0.05);
    EXPECT_NEAR(agent.initial[0], known ? world.initial[0] : 0.5, 1e-12);
  }
}

TEST(GroupEvidence, IsThatOfTheExpansionAroundTheMode) {
  const Sites sites(0.7, 0.9, 100, 3);
  const Study study = testing::bias_study();
  const Likelihoods groups(sites.trees, study.structure);
  const GroupScales scales{.patients = CouplingScales::all(0.3), .policy = 0.4};
  GroupedPosterior posterior(groups.pointers, study, CouplingScales::all(0.4), scales, Measure::kCoordinates);
  std::vector<double> start(posterior.size());
  posterior.coordinates({doctor(0.8), {}}, start);
  const Laplace expansion = laplace(posterior, start, {});
  const GroupExpansion evidence(posterior, expansion.centre);
  EXPECT_NEAR(evidence.log_evidence(scales), expansion.log_evidence, 0.01);
}

TEST(Groups, FindTheBoundariesOfTwoSitesThatDiffer) {
  const auto result = fitted(Sites(0.7, 0.9, 300, 3));
  EXPECT_GT(result.log_bayes_factor(), std::log(20.0));
  EXPECT_GT(result.chance_of(GroupCause::kPolicy), 0.95);
  for (const auto& [g, truth] : {std::pair(0, 0.7), std::pair(1, 0.9)}) {
    EXPECT_NEAR(boundary_of(result.policies[g]), truth, 0.05);
    std::vector<double> draws;
    for (const auto& draw : result.policy_draws) draws.push_back(boundary_of(draw[g]));
    std::sort(draws.begin(), draws.end());
    EXPECT_LT(draws[draws.size() / 100], truth);  // within the central 98%
    EXPECT_GT(draws[draws.size() - draws.size() / 100 - 1], truth);
  }
}

TEST(Groups, PoolSitesThatAreAlike) {
  const auto result = fitted(Sites(0.8, 0.8, 300, 4));
  EXPECT_LT(result.log_bayes_factor(), 0.0);
  EXPECT_LT(std::abs(boundary_of(result.policies[0]) - boundary_of(result.policies[1])), 0.02);
}

TEST(Groups, WorkWithEveryKindOfDynamics) {
  const Sites sites(0.7, 0.9, 200, 5);
  for (const auto dynamics : {DynamicsMode::kShared, DynamicsMode::kSubjective}) {
    const auto result = fitted(sites, dynamics);
    EXPECT_LT(boundary_of(result.policies[0]), boundary_of(result.policies[1]));
    EXPECT_TRUE(std::isfinite(result.log_bayes_factor()));
  }
}

TEST(Groups, NameOtherPatients) {
  Parameters south = doctor(0.8);
  south.dynamics.initial = {0.7, 0.3};
  const Clinics clinics(doctor(0.8), south, 300, 6);
  const auto result = fitted(clinics.trees, clinics.all, testing::bias_study());
  EXPECT_EQ(result.likeliest().what, GroupHypothesis{.patients = true});
  EXPECT_LT(result.chance_of(GroupCause::kPolicy), 0.25);
  double sum = 0.0;
  for (const auto& draw : result.draws)
    sum += draw[1].world->initial[1] / static_cast<double>(result.draws.size());
  EXPECT_NEAR(sum, 0.3, 0.06);
}

TEST(Groups, NameAnotherPicture) {
  Parameters south = doctor(0.8);
  const Dynamics world = south.dynamics;
  south.dynamics.observation[2] = 0.4;
  south.dynamics.observation[3] = 0.6;
  const Clinics clinics(doctor(0.8), south, 300, 7, &world);
  const auto result = fitted(clinics.trees, clinics.all, testing::bias_study());
  EXPECT_EQ(result.likeliest().what, GroupHypothesis{.picture = true});
  EXPECT_LT(result.chance_of(GroupCause::kPolicy), 0.25);
}

// A few people among many who act entirely differently are found whatever the seed.
TEST(Groups, SayTheSameForEverySeed) {
  std::vector<HistoryTree> trees;
  std::vector<Record> together;
  const Structure structure = testing::bias_study().structure;
  for (std::uint64_t g = 0; g < 10; ++g) {
    const Parameters who = doctor(g < 2 ? 0.55 : 0.9);
    const auto records = testing::random_records(structure, who, 40, 200, 100 + g, 0.0);
    trees.push_back(build_history_tree(3, records));
    together.insert(together.end(), records.begin(), records.end());
  }
  const HistoryTree all = build_history_tree(3, together);
  std::vector<double> found;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto result = fitted(trees, all, testing::bias_study(), DynamicsMode::kCoupled, seed);
    EXPECT_TRUE(result.likeliest().what.policy);
    found.push_back(result.log_bayes_factor());
  }
  EXPECT_NEAR(found[1], found[0], 1.0);
  EXPECT_NEAR(found[2], found[0], 1.0);
}

TEST(Groups, DoNotDependOnThreads) {
  const Sites sites(0.7, 0.9, 60, 8);
  const auto one = fitted(sites.trees, sites.all, testing::bias_study(), DynamicsMode::kCoupled, 1, 1);
  const auto four = fitted(sites.trees, sites.all, testing::bias_study(), DynamicsMode::kCoupled, 1, 4);
  for (std::size_t h = 0; h < one.hypotheses.size(); ++h) {
    EXPECT_EQ(one.hypotheses[h].log_evidence, four.hypotheses[h].log_evidence);
    EXPECT_EQ(one.hypotheses[h].mode, four.hypotheses[h].mode);
  }
  EXPECT_EQ(one.policies, four.policies);
  EXPECT_EQ(one.draws.back().back().agent, four.draws.back().back().agent);
}

}  // namespace
}  // namespace interpole::learn
