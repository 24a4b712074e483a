// Policies with terms: both kernels against one record after another, and against complex steps.
#include <gtest/gtest.h>

#include <complex>
#include <numeric>

#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::inference {
namespace {

using testing::flat_log_likelihood;
using testing::FlatParameters;
using Complex = std::complex<double>;

// Bits of `which` beside those of terms: other kinds of decision-makers, and whether each ward is of one.
constexpr int kAnother = 256;
constexpr int kTwoOthers = 512;
constexpr int kByWard = 1024;

// Which terms: bit by bit, as `which` says.
PolicyTerms some_terms(const Structure& structure, int which, base::RandomStream& random) {
  PolicyTerms terms;
  terms.covariates = {{"ward", {"north", "south", "west"}}, {"age", {}, 60.0, 12.0}};
  const auto add = [&](TermKind kind, int covariate, int steps, int period) {
    terms.additive.push_back(model::term_filled(structure, terms, kind, 0.0, covariate, steps, period));
    for (double& w : terms.additive.back().weights) w = random.normal();
  };
  if (which & 1) terms.inertia = 0.1 + 0.3 * random.uniform();
  if (which & 2) terms.lapse = 0.05 + 0.3 * random.uniform();
  if (which & 4) add(TermKind::kHabit, -1, 0, 0);
  if (which & 8) add(TermKind::kTime, -1, 4, 0);
  if (which & 16) add(TermKind::kTime, -1, 0, 3);
  if (which & 32) add(TermKind::kResultMissing, -1, 0, 0);
  if (which & 64) add(TermKind::kGroup, 0, 0, 0);
  if (which & 128) add(TermKind::kContext, 1, 0, 0);
  return terms;
}

// η and means of one or two other kinds of decision-makers.
void add_kinds(const Structure& structure, int which, base::RandomStream& random, Policy& policy) {
  for (int k = 0; k < (which & kTwoOthers ? 2 : which & kAnother ? 1 : 0); ++k) {
    const Policy like = testing::random_parameters(structure, random).policy;
    policy.other_kinds.push_back({0.2 + 0.2 * random.uniform(), 0.5 + random.uniform(), like.means});
  }
  if (which & kByWard) policy.decision_maker = 0;
}

struct Problem {
  Structure structure;
  Parameters parameters;
  std::vector<Record> records;

  Problem(int trial, int which, int patients) {
    base::RandomStream random(31, trial);
    structure = testing::some_structure(1 + trial % 4, 2 + trial % 3, 2 + trial % 3);
    parameters = testing::random_parameters(structure, random);
    parameters.policy.inverse_temperature = 0.5 + random.uniform();
    records = testing::random_records(structure, parameters, patients, 9, trial, 0.3);
    for (Record& record : records) {
      if ((which & (192 | kByWard)) == 0) continue;
      const double ward = random.uniform() < 0.1 ? NAN : std::floor(3.0 * random.uniform());
      record.covariates = {ward, 50.0 + std::floor(4.0 * random.uniform())};
    }
    parameters.policy.terms = some_terms(structure, which, random);
    add_kinds(structure, which, random, parameters.policy);
  }
};

LikelihoodValue evaluate(const HistoryTree& tree, const Problem& problem, Kernel kernel,
                         Parameters* gradient = nullptr, int threads = 1) {
  const Likelihood likelihood(tree, problem.structure, kernel, threads);
  auto workspace = likelihood.make_workspace();
  return likelihood.evaluate(problem.parameters, {}, gradient, workspace);
}

// On trees of both sorts, by both kernels: the sum over one record after another.
void expect_flat_likelihood(const Problem& problem) {
  const auto exact =
      flat_log_likelihood(problem.structure, FlatParameters<double>(problem.parameters), problem.records);
  for (const bool sharing : {true, false}) {
    const auto tree = build_history_tree(problem.structure.action_count(), problem.records, sharing);
    for (const Kernel kernel : {Kernel::kPlain, Kernel::kVector}) {
      const auto value = evaluate(tree, problem, kernel);
      EXPECT_NEAR(value.actions, exact.actions, 1e-11 * std::abs(exact.actions));
      EXPECT_NEAR(value.observations, exact.observations, 1e-11 * std::abs(exact.observations));
    }
  }
}

TEST(PolicyTermLikelihood, IsThatOfOneRecordAfterAnother) {
  for (int which = 1; which < 256 && !HasFailure(); ++which) {
    SCOPED_TRACE(which);
    expect_flat_likelihood(Problem(which, which, 60));
  }
}

// Every derivative beside what a complex step says it is; the largest error, relative to the whole gradient.
double worst_derivative(const Problem& problem, const Parameters& gradient) {
  FlatParameters<Complex> z(problem.parameters);
  double scale = 1.0;
  double error = 0.0;
  const auto probe = [&](Complex& entry, double analytic) {
    const double step = 1e-200;
    entry += Complex(0.0, step);
    const auto value = flat_log_likelihood(problem.structure, z, problem.records);
    entry = entry.real();
    const double exact = (value.actions + value.observations).imag() / step;
    scale = std::max(scale, std::abs(exact));
    error = std::max(error, std::abs(exact - analytic));
  };
  const PolicyTerms& terms = gradient.policy.terms;
  for (std::size_t i = 0; i < z.initial.size(); ++i) probe(z.initial[i], gradient.dynamics.initial[i]);
  for (std::size_t i = 0; i < z.transition.size(); ++i)
    probe(z.transition[i], gradient.dynamics.transition[i]);
  for (std::size_t i = 0; i < z.means.size(); ++i) probe(z.means[i], gradient.policy.means[i]);
  probe(z.inverse_temperature, gradient.policy.inverse_temperature);
  if (z.terms.inertia > 0.0) probe(z.inertia, terms.inertia);
  if (z.terms.lapse > 0.0) probe(z.lapse, terms.lapse);
  for (std::size_t i = 0; i < z.weights.size(); ++i) {
    for (std::size_t k = 0; k < z.weights[i].size(); ++k) {
      probe(z.weights[i][k], terms.additive[i].weights[k]);
    }
  }
  for (std::size_t k = 0; k < z.other_kinds.size(); ++k) {
    auto& kind = z.other_kinds[k];
    const PolicyKind& d_kind = gradient.policy.other_kinds[k];
    probe(kind.share, d_kind.share);
    probe(kind.inverse_temperature, d_kind.inverse_temperature);
    for (std::size_t i = 0; i < kind.means.size(); ++i) probe(kind.means[i], d_kind.means[i]);
  }
  return error / scale;
}

TEST(PolicyTermLikelihood, GradientMatchesComplexStep) {
  for (int trial = 0; trial < 100; ++trial) {
    const int which = 1 + (trial * 37) % 255;
    const Problem problem(trial, which, 15);
    const auto tree = build_history_tree(problem.structure.action_count(), problem.records);
    for (const Kernel kernel : {Kernel::kPlain, Kernel::kVector}) {
      Parameters gradient = Parameters::filled(problem.structure, 0.0);
      evaluate(tree, problem, kernel, &gradient);
      ASSERT_LE(worst_derivative(problem, gradient), 1e-10) << trial << " " << which;
    }
  }
}

TEST(PolicyTermLikelihood, DoesNotDependOnThreadsAndAgreesOnATreeOfManyShards) {
  const Problem problem(6, 255, 40000);
  const auto tree = build_history_tree(problem.structure.action_count(), problem.records, false);
  ASSERT_GT(tree.node_count(), 16'384);
  Parameters plain = Parameters::filled(problem.structure, 0.0);
  Parameters one = plain;
  Parameters two = plain;
  const auto expected = evaluate(tree, problem, Kernel::kPlain, &plain);
  const auto value = evaluate(tree, problem, Kernel::kVector, &one, 1);
  EXPECT_EQ(value.actions, evaluate(tree, problem, Kernel::kVector, &two, 2).actions);
  EXPECT_TRUE(one == two);
  EXPECT_NEAR(value.actions, expected.actions, 1e-10 * std::abs(expected.actions));
  EXPECT_NEAR(one.policy.terms.inertia, plain.policy.terms.inertia,
              1e-8 * std::abs(plain.policy.terms.inertia));
}

// With one other kind or two, each record by itself or all of a ward, and terms of all sorts.
int some_kinds(int trial) {
  const int which = (trial * 37) % 256;
  return which | (trial % 2 == 0 ? kAnother : kTwoOthers) | (trial % 3 == 0 ? kByWard : 0);
}

TEST(KindLikelihood, IsThatOfOneRecordAfterAnother) {
  for (int trial = 0; trial < 120 && !HasFailure(); ++trial) {
    SCOPED_TRACE(trial);
    expect_flat_likelihood(Problem(trial, some_kinds(trial), 60));
  }
}

TEST(KindLikelihood, GradientMatchesComplexStep) {
  for (int trial = 0; trial < 60; ++trial) {
    const Problem problem(trial, some_kinds(trial), 15);
    const auto tree = build_history_tree(problem.structure.action_count(), problem.records);
    for (const Kernel kernel : {Kernel::kPlain, Kernel::kVector}) {
      Parameters gradient = Parameters::filled(problem.structure, 0.0);
      evaluate(tree, problem, kernel, &gradient);
      ASSERT_LE(worst_derivative(problem, gradient), 1e-10) << trial;
      gradient.policy.other_kinds[0].means[0] += 1.0;
      ASSERT_GT(worst_derivative(problem, gradient), 1e-10) << "a wrong gradient must be caught";
    }
  }
}

TEST(KindLikelihood, OfKindsThatAreAlikeIsThatOfOne) {
  const Problem problem(7, 255, 200);
  Problem twice = problem;
  const Policy& policy = problem.parameters.policy;
  twice.parameters.policy.other_kinds = {{0.3, policy.inverse_temperature, policy.means}};
  const auto tree = build_history_tree(problem.structure.action_count(), problem.records);
  const double one = evaluate(tree, problem, Kernel::kVector).actions;
  EXPECT_NEAR(evaluate(tree, twice, Kernel::kVector).actions, one, 1e-11 * std::abs(one));
}

TEST(KindLikelihood, DoesNotDependOnTheOrderOfKinds) {
  Problem problem(7, 255 | kTwoOthers, 200);
  const auto tree = build_history_tree(problem.structure.action_count(), problem.records);
  const double before = evaluate(tree, problem, Kernel::kVector).actions;
  Policy& policy = problem.parameters.policy;
  const double own_share = policy.kind_shares()[0];
  std::swap(policy.means, policy.other_kinds[1].means);
  std::swap(policy.inverse_temperature, policy.other_kinds[1].inverse_temperature);
  policy.other_kinds[1].share = own_share;
  EXPECT_NEAR(evaluate(tree, problem, Kernel::kVector).actions, before, 1e-11 * std::abs(before));
}

TEST(KindLikelihood, DoesNotDependOnThreadsAndAgreesOnATreeOfManyShards) {
  for (const int which : {255 | kTwoOthers, 64 | kAnother | kByWard, 0 | kAnother}) {
    const Problem problem(6, which, 40000);
    const auto tree = build_history_tree(problem.structure.action_count(), problem.records, false);
    Parameters plain = Parameters::filled(problem.structure, 0.0);
    Parameters one = plain;
    Parameters two = plain;
    const auto expected = evaluate(tree, problem, Kernel::kPlain, &plain);
    const auto value = evaluate(tree, problem, Kernel::kVector, &one, 1);
    EXPECT_EQ(value.actions, evaluate(tree, problem, Kernel::kVector, &two, 2).actions);
    EXPECT_TRUE(one == two);
    EXPECT_NEAR(value.actions, expected.actions, 1e-10 * std::abs(expected.actions));
    const PolicyKind& exact = plain.policy.other_kinds[0];
    EXPECT_NEAR(one.policy.other_kinds[0].share, exact.share, 1e-8 * std::abs(exact.share));
    EXPECT_NEAR(one.policy.other_kinds[0].means[0], exact.means[0], 1e-8 * std::abs(exact.means[0]));
  }
}

TEST(DecisionCells, HoldEveryDecisionOnce) {
  const Problem problem(5, 255, 200);
  const auto tree = build_history_tree(problem.structure.action_count(), problem.records);
  const DecisionCells cells = decision_cells(tree);
  std::vector<double> counts(tree.action_counts.size(), 0.0);
  const std::size_t A = problem.structure.actions.size();
  for (int i = 0; i < cells.size(); ++i) {
    for (std::size_t a = 0; a < A; ++a) counts[cells.node[i] * A + a] += cells.counts[i * A + a];
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    ASSERT_EQ(counts[i], static_cast<double>(tree.action_counts[i]));
  }
}

TEST(DecisionCells, OfNoCovariateAreTheHistories) {
  const Problem problem(5, 255, 200);
  const auto tree = build_history_tree(problem.structure.action_count(), problem.records);
  const DecisionCells apart = decision_cells(tree);
  const DecisionCells together = decision_cells(tree, {});
  const DecisionCells by_one = decision_cells(tree, {0});
  ASSERT_FALSE(tree.classes.none());
  int histories = 0;
  for (int node = 0; node < tree.node_count(); ++node) histories += tree.decisions_at(node) > 0 ? 1 : 0;
  EXPECT_EQ(together.size(), histories);
  EXPECT_LT(together.size(), by_one.size());
  EXPECT_LT(by_one.size(), apart.size());
  for (const DecisionCells* cells : {&apart, &together, &by_one}) {
    EXPECT_EQ(std::accumulate(cells->counts.begin(), cells->counts.end(), 0.0),
              static_cast<double>(tree.decisions));
  }
}

}  // namespace
}  // namespace interpole::inference
