// Starting beliefs that differ with covariates: both kernels against one record after another, against
// complex steps and against sums over hidden paths.
#include <gtest/gtest.h>

#include <complex>

#include "interpole/belief.hpp"
#include "interpole/inference/belief_gradient.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/model/start/start_terms.hpp"

namespace interpole::inference {
namespace {

using StartComplex = std::complex<double>;

enum StartOptions { kBySex = 1, kByAge = 2, kPolicyToo = 4, kKindsToo = 8 };

struct StartProblem {
  Structure structure;
  Parameters parameters;
  std::vector<Record> records;
  std::vector<int> start_by;

  StartProblem(int trial, int options, int patients) {
    base::RandomStream random(61, trial);
    structure = testing::some_structure(2 + trial % 4, 2 + trial % 3, 2 + trial % 3);
    parameters = testing::random_parameters(structure, random);
    parameters.policy.inverse_temperature = 0.5 + random.uniform();
    records = testing::random_records(structure, parameters, patients, 7, trial, 0.3);
    for (Record& record : records) {
      record.covariates = {random.uniform() < 0.1 ? NAN : std::floor(3.0 * random.uniform()),
                           random.uniform() < 0.1 ? NAN : 50.0 + std::floor(4.0 * random.uniform())};
    }
    auto& covariates = parameters.policy.terms.covariates;
    covariates = {{"sex", {"f", "m", "other"}}, {"age", {}, 52.0, 2.0}};
    if (options & kBySex) add_start(0, random);
    if (options & kByAge) add_start(1, random);
    if (options & kPolicyToo) {
      auto& terms = parameters.policy.terms;
      terms.inertia = 0.2;
      terms.additive = {model::term_filled(structure, terms, TermKind::kContext, 0.0, 0)};
      for (double& w : terms.additive[0].weights) w = random.normal();
    }
    if (options & kKindsToo) {
      const Policy like = testing::random_parameters(structure, random).policy;
      parameters.policy.other_kinds = {{0.3, 1.0, like.means}};
    }
  }

  void add_start(int covariate, base::RandomStream& random) {
    auto& start = parameters.dynamics.start;
    start.push_back(model::start_term_filled(structure, parameters.policy.terms.covariates, covariate, 0.0));
    for (double& w : start.back().weights) w = random.normal();
    start_by.push_back(covariate);
  }

  HistoryTree tree(bool sharing = true) const {
    return build_history_tree(structure.action_count(), records, sharing, RecordClasses::kTogether, start_by);
  }
};

LikelihoodValue value_of_start(const HistoryTree& tree, const StartProblem& problem, Kernel kernel,
                               Parameters* gradient = nullptr, int threads = 1) {
  const Likelihood likelihood(tree, problem.structure, kernel, threads);
  auto workspace = likelihood.make_workspace();
  return likelihood.evaluate(problem.parameters, {}, gradient, workspace);
}

TEST(StartLikelihood, IsThatOfOneRecordAfterAnother) {
  for (int trial = 0; trial < 60; ++trial) {
    const StartProblem problem(trial, 1 + trial % 15, 80);
    const auto exact = testing::flat_log_likelihood(
        problem.structure, testing::FlatParameters<double>(problem.parameters), problem.records);
    for (const bool sharing : {true, false}) {
      const auto tree = problem.tree(sharing);
      for (const Kernel kernel : {Kernel::kPlain, Kernel::kVector}) {
        const auto value = value_of_start(tree, problem, kernel);
        ASSERT_NEAR(value.actions, exact.actions, 1e-11 * std::abs(exact.actions)) << trial;
        ASSERT_NEAR(value.observations, exact.observations, 1e-11 * std::abs(exact.observations)) << trial;
      }
    }
  }
}

TEST(StartLikelihood, GradientMatchesComplexStep) {
  for (int trial = 0; trial < 45; ++trial) {
    const StartProblem problem(trial, 1 + trial % 15, 12);
    const auto tree = problem.tree();
    for (const Kernel kernel : {Kernel::kPlain, Kernel::kVector}) {
      Parameters gradient = Parameters::filled(problem.structure, 0.0);
      value_of_start(tree, problem, kernel, &gradient);
      testing::FlatParameters<StartComplex> z(problem.parameters);
      const auto probe = [&](StartComplex& entry, double analytic) {
        entry += StartComplex(0.0, 1e-200);
        const auto value = testing::flat_log_likelihood(problem.structure, z, problem.records);
        entry = entry.real();
        const double exact = (value.actions + value.observations).imag() / 1e-200;
        ASSERT_NEAR(analytic, exact, 1e-9 * std::max(1.0, std::abs(exact))) << trial;
      };
      ASSERT_EQ(gradient.dynamics.start.size(), problem.start_by.size());
      for (std::size_t i = 0; i < z.initial.size(); ++i) probe(z.initial[i], gradient.dynamics.initial[i]);
      for (std::size_t i = 0; i < z.transition.size(); ++i) {
        probe(z.transition[i], gradient.dynamics.transition[i]);
      }
      for (std::size_t k = 0; k < z.start_weights.size(); ++k) {
        for (std::size_t i = 0; i < z.start_weights[k].size(); ++i) {
          probe(z.start_weights[k][i], gradient.dynamics.start[k].weights[i]);
        }
      }
    }
  }
}

TEST(StartLikelihood, IsTheSumOverHiddenPaths) {
  const StartProblem problem(3, kBySex | kByAge, 30);
  double exact = 0.0;
  for (const Record& record : problem.records) {
    Dynamics own = problem.parameters.dynamics;
    own.initial = start_belief(own, record.covariates);
    exact += testing::log_probability_by_enumeration(problem.structure, own, record);
  }
  EXPECT_NEAR(value_of_start(problem.tree(), problem, Kernel::kVector).observations, exact, 1e-9);
}

TEST(StartLikelihood, IsTheSameForAnyNumberOfThreadsAndWhereClassesAreApart) {
  const StartProblem problem(8, kBySex | kByAge, 15000);
  const auto together = problem.tree(false);
  ASSERT_GT(together.node_count(), 16'384);  // worth cutting into shards
  Parameters one = Parameters::filled(problem.structure, 0.0), two = one, plain = one;
  const auto of_one = value_of_start(together, problem, Kernel::kVector, &one, 1);
  const auto of_two = value_of_start(together, problem, Kernel::kVector, &two, 2);
  const auto of_plain = value_of_start(together, problem, Kernel::kPlain, &plain);
  EXPECT_EQ(of_one.total(), of_two.total());
  EXPECT_EQ(one, two);
  EXPECT_NEAR(of_one.total(), of_plain.total(), 1e-9 * std::abs(of_plain.total()));
  for (std::size_t i = 0; i < one.dynamics.start[0].weights.size(); ++i) {
    EXPECT_NEAR(one.dynamics.start[0].weights[i], plain.dynamics.start[0].weights[i], 1e-6);
  }
  const auto apart =
      build_history_tree(problem.structure.action_count(), problem.records, true, RecordClasses::kApart);
  EXPECT_NEAR(value_of_start(apart, problem, Kernel::kVector).total(), of_one.total(),
              1e-9 * std::abs(of_one.total()));
}

TEST(StartLikelihood, DoesNotCareWhatStatesAreCalled) {
  const StartProblem problem(5, kBySex | kByAge | kPolicyToo, 60);
  std::vector<int> order(problem.structure.states.size());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = static_cast<int>((s + 1) % order.size());
  StartProblem other = problem;
  other.parameters = permute_states(problem.structure, problem.parameters, order);
  const double value = value_of_start(problem.tree(), problem, Kernel::kVector).total();
  EXPECT_NEAR(value_of_start(other.tree(), other, Kernel::kVector).total(), value, 1e-9 * std::abs(value));
}

TEST(StartLikelihood, WithoutWeightsIsThatOfOneStartToTheLastBit) {
  StartProblem problem(4, 0, 400);
  const auto value = value_of_start(problem.tree(), problem, Kernel::kVector);
  problem.start_by = {0, 1};
  const auto told_apart = value_of_start(problem.tree(), problem, Kernel::kVector);
  EXPECT_NEAR(told_apart.total(), value.total(), 1e-9 * std::abs(value.total()));
  for (Record& record : problem.records) record.covariates = {NAN, NAN};
  problem.parameters.dynamics.start = {StartProblem(4, kBySex, 1).parameters.dynamics.start[0]};
  EXPECT_NEAR(value_of_start(problem.tree(), problem, Kernel::kVector).total(), value.total(),
              1e-9 * std::abs(value.total()));
}

TEST(StartLikelihood, BeliefsAtNodesAndTheWayBackKnowIt) {
  const StartProblem problem(8, kBySex | kByAge, 40);
  const auto tree = problem.tree();
  ASSERT_GT(tree.root_count, 3);
  const Dynamics& dynamics = problem.parameters.dynamics;
  const std::size_t S = problem.structure.states.size();
  // Σ over nodes of cos(node + s) b(s): any function of all beliefs.
  const auto function = [&](const Dynamics& at) {
    const NodeBeliefs beliefs = node_beliefs(tree, problem.structure, at);
    double sum = 0.0;
    for (std::size_t i = 0; i < beliefs.beliefs.size(); ++i) {
      sum += std::cos(static_cast<double>(i)) * beliefs.beliefs[i];
    }
    return sum;
  };
  const NodeBeliefs beliefs = node_beliefs(tree, problem.structure, dynamics);
  std::vector<double> by_belief(beliefs.beliefs.size()), by_log(tree.parent.size(), 0.0);
  for (std::size_t i = 0; i < by_belief.size(); ++i) by_belief[i] = std::cos(static_cast<double>(i));
  Dynamics gradient = Dynamics::filled(problem.structure, 0.0);
  pull_back_beliefs(tree, problem.structure, dynamics, beliefs, by_belief, by_log, gradient);
  for (std::size_t k = 0; k < dynamics.start.size(); ++k) {
    for (std::size_t i = 0; i < dynamics.start[k].weights.size(); ++i) {
      Dynamics up = dynamics, down = dynamics;
      up.start[k].weights[i] += 1e-6;
      down.start[k].weights[i] -= 1e-6;
      EXPECT_NEAR(gradient.start[k].weights[i], (function(up) - function(down)) / 2e-6, 1e-6);
    }
  }
  for (int root = 0; root < tree.root_count; ++root) {
    const auto own = start_belief(dynamics, tree.covariates_of_root(root));
    for (std::size_t s = 0; s < S; ++s) EXPECT_EQ(beliefs.at(root)[s], own[s]);
  }
}

TEST(StartTree, HasARootForEveryStartAndFindsIt) {
  const StartProblem problem(9, kBySex, 100);
  const auto tree = problem.tree();
  EXPECT_EQ(tree.root_count, 4);  // three, and not known
  std::int64_t records = 0;
  for (int root = 0; root < tree.root_count; ++root) {
    EXPECT_TRUE(std::isnan(tree.covariates_of_root(root)[1]));  // age tells no roots apart
    records += tree.passes[root];
  }
  EXPECT_EQ(records, 100);
  for (const Record& record : problem.records) {
    const auto path = tree.path_of(record.steps, record.covariates);
    ASSERT_GE(path.back(), 0);
    const double sex = tree.covariates_of_root(path.front())[0];
    EXPECT_TRUE(sex == record.covariates[0] || (std::isnan(sex) && std::isnan(record.covariates[0])));
  }
}

}  // namespace
}  // namespace interpole::inference
