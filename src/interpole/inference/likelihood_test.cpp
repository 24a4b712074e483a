#include "interpole/inference/likelihood.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "interpole/base/parallel.hpp"
#include "interpole/base/ranks/thread_ranks_testing.hpp"
#include "interpole/inference/oracle_testing.hpp"

namespace interpole::inference {
namespace {

using testing::flat_log_likelihood;
using testing::FlatParameters;
using testing::random_parameters;
using testing::random_records;
using testing::some_structure;
using Complex = std::complex<double>;

constexpr Kernel kKernels[] = {Kernel::kPlain, Kernel::kVector};

LikelihoodValue value_of(const HistoryTree& tree, const Structure& structure, const Parameters& p,
                         Kernel kernel, Parameters* gradient = nullptr, LikelihoodTerms terms = {},
                         int threads = 1) {
  const Likelihood likelihood(tree, structure, kernel, threads);
  auto workspace = likelihood.make_workspace();
  return likelihood.evaluate(p, terms, gradient, workspace);
}

double relative(double x, double y) {
  return std::abs(x - y) / std::max(1.0, std::abs(y));
}

// Every number of a gradient with its name, beside what a complex step says it is.
struct Derivative {
  double analytic;
  double exact;
};

std::vector<Derivative> compare_with_complex_step(const Structure& structure, const Parameters& p,
                                                  const std::vector<Record>& records, LikelihoodTerms terms,
                                                  const Parameters& gradient) {
  std::vector<Derivative> result;
  FlatParameters<Complex> z(p);
  const double step = 1e-200;
  const auto probe = [&](Complex& entry, double analytic) {
    entry += Complex(0.0, step);
    const auto value = flat_log_likelihood(structure, z, records);
    entry = entry.real();
    const Complex wanted =
        (terms.actions ? value.actions : 0.0) + (terms.observations ? value.observations : 0.0);
    result.push_back({analytic, wanted.imag() / step});
  };
  for (std::size_t i = 0; i < z.initial.size(); ++i) probe(z.initial[i], gradient.dynamics.initial[i]);
  for (std::size_t i = 0; i < z.transition.size(); ++i)
    probe(z.transition[i], gradient.dynamics.transition[i]);
  for (std::size_t i = 0; i < z.observation.size(); ++i)
    probe(z.observation[i], gradient.dynamics.observation[i]);
  for (std::size_t i = 0; i < z.means.size(); ++i) probe(z.means[i], gradient.policy.means[i]);
  probe(z.inverse_temperature, gradient.policy.inverse_temperature);
  return result;
}

// Largest error relative to the size of the whole gradient.
double worst(const std::vector<Derivative>& derivatives) {
  double scale = 1.0;
  double error = 0.0;
  for (const auto& d : derivatives) scale = std::max(scale, std::abs(d.exact));
  for (const auto& d : derivatives) error = std::max(error, std::abs(d.analytic - d.exact));
  return error / scale;
}

TEST(Likelihood, MatchesEnumerationOfAllPathsForThousandRandomModels) {
  for (int trial = 0; trial < 1000; ++trial) {
    base::RandomStream random(11, trial);
    const int S = 1 + trial % 3;
    const auto structure = some_structure(S, 1 + trial % 4, 1 + trial % 5);
    const auto p = random_parameters(structure, random, trial % 2 == 0 ? 1.0 : 0.2);
    const auto records = random_records(structure, p, 3, 8, trial);
    const auto tree = build_history_tree(structure.action_count(), records);
    double exact = 0.0;
    for (const auto& record : records) {
      exact += testing::log_probability_by_enumeration(structure, p.dynamics, record);
    }
    for (const Kernel kernel : kKernels) {
      const auto value = value_of(tree, structure, p, kernel);
      ASSERT_FALSE(value.impossible_node) << "trial " << trial;
      ASSERT_LE(relative(value.observations, exact), 1e-12) << "trial " << trial;
    }
  }
}

TEST(Likelihood, OnTheTreeEqualsTheFlatListAndTheRecordByRecordSum) {
  for (int trial = 0; trial < 50; ++trial) {
    base::RandomStream random(12, trial);
    const auto structure = some_structure(1 + trial % 6, 2 + trial % 3, 2 + trial % 4);
    const auto p = random_parameters(structure, random);
    const auto records = random_records(structure, p, 200, 12, trial);
    const auto exact = flat_log_likelihood(structure, FlatParameters<double>(p), records);
    for (const bool sharing : {true, false}) {
      const auto tree = build_history_tree(structure.action_count(), records, sharing);
      for (const Kernel kernel : kKernels) {
        const auto value = value_of(tree, structure, p, kernel);
        EXPECT_LE(relative(value.actions, exact.actions), 1e-12);
        EXPECT_LE(relative(value.observations, exact.observations), 1e-12);
      }
    }
  }
}

TEST(Likelihood, GradientMatchesComplexStepAtTwoHundredPointsNearDeterministicOnesToo) {
  for (int trial = 0; trial < 200; ++trial) {
    base::RandomStream random(13, trial);
    const auto structure = some_structure(1 + trial % 5, 1 + trial % 3, 2 + trial % 3);
    const double concentration = trial % 4 == 0 ? 0.05 : 1.0;
    const auto p = random_parameters(structure, random, concentration);
    const auto records = random_records(structure, p, 10, 10, trial);
    const LikelihoodTerms terms{.actions = trial % 3 != 1, .observations = trial % 3 != 2};
    for (const bool sharing : {true, false}) {
      const auto tree = build_history_tree(structure.action_count(), records, sharing);
      for (const Kernel kernel : kKernels) {
        auto gradient = Parameters::filled(structure, -1.0);
        value_of(tree, structure, p, kernel, &gradient, terms);
        EXPECT_LE(worst(compare_with_complex_step(structure, p, records, terms, gradient)), 1e-10)
            << "trial " << trial;
      }
    }
  }
}

TEST(Likelihood, TheGradientCheckCatchesAWrongGradient) {
  base::RandomStream random(14);
  const auto structure = some_structure(3, 3, 3);
  const auto p = random_parameters(structure, random);
  const auto records = random_records(structure, p, 10, 6, 1);
  const auto tree = build_history_tree(3, records);
  auto gradient = Parameters::filled(structure, 0.0);
  value_of(tree, structure, p, Kernel::kPlain, &gradient);
  gradient.dynamics.transition[1] *= 1.0 + 1e-6;
  EXPECT_GT(worst(compare_with_complex_step(structure, p, records, {}, gradient)), 1e-10);
}

TEST(Likelihood, DoesNotChangeWhenStatesAreRelabelled) {
  base::RandomStream random(15);
  const auto structure = some_structure(4, 3, 3);
  const auto p = random_parameters(structure, random);
  const auto records = random_records(structure, p, 100, 10, 1);
  const auto tree = build_history_tree(3, records);
  const std::vector<int> order = {2, 0, 3, 1};
  const Parameters permuted = {permute_states(structure, p.dynamics, order),
                               permute_states(structure, p.policy, order)};
  auto gradient = Parameters::filled(structure, 0.0);
  auto permuted_gradient = gradient;
  const auto value = value_of(tree, structure, p, Kernel::kVector, &gradient);
  const auto same =
      value_of(tree, permute_states(structure, order), permuted, Kernel::kVector, &permuted_gradient);
  EXPECT_NEAR(same.total(), value.total(), 1e-10);
  const auto expected = permute_states(structure, gradient.dynamics, order);
  for (std::size_t i = 0; i < expected.transition.size(); ++i) {
    EXPECT_NEAR(permuted_gradient.dynamics.transition[i], expected.transition[i], 1e-8);
  }
}

TEST(Likelihood, OfEveryRecordTwiceIsTwiceTheLikelihood) {
  base::RandomStream random(16);
  const auto structure = some_structure(3, 3, 3);
  const auto p = random_parameters(structure, random);
  auto records = random_records(structure, p, 100, 10, 1);
  const auto once = value_of(build_history_tree(3, records), structure, p, Kernel::kVector);
  const auto copy = records;
  records.insert(records.end(), copy.begin(), copy.end());
  const auto twice = value_of(build_history_tree(3, records), structure, p, Kernel::kVector);
  EXPECT_DOUBLE_EQ(twice.actions, 2.0 * once.actions);
  EXPECT_DOUBLE_EQ(twice.observations, 2.0 * once.observations);
}

TEST(Likelihood, OfNoRecordsIsZero) {
  const auto structure = some_structure(2, 2, 2);
  base::RandomStream random(17);
  const auto p = random_parameters(structure, random);
  const auto tree = HistoryTreeBuilder(2).build();
  for (const Kernel kernel : kKernels) {
    auto gradient = Parameters::filled(structure, 1.0);
    const auto value = value_of(tree, structure, p, kernel, &gradient);
    EXPECT_EQ(value.actions, 0.0);
    EXPECT_EQ(value.observations, 0.0);
    EXPECT_EQ(gradient, Parameters::filled(structure, 0.0));
  }
}

TEST(Likelihood, OfOneDecisionIsItsProbability) {
  const auto structure = some_structure(2, 2, 2);
  base::RandomStream random(18);
  const auto p = random_parameters(structure, random);
  const auto tree = build_history_tree(2, std::vector<Record>{{"p", {{1, kMissing}}}});
  const auto probabilities = action_probabilities(structure, p.policy, p.dynamics.initial);
  for (const Kernel kernel : kKernels) {
    EXPECT_NEAR(value_of(tree, structure, p, kernel).actions, std::log(probabilities[1]), 1e-13);
  }
}

TEST(Likelihood, WithOneStateDependsOnNothingHidden) {
  const auto structure = some_structure(1, 2, 3);
  base::RandomStream random(19);
  const auto p = random_parameters(structure, random);
  const auto tree = build_history_tree(2, std::vector<Record>{{"p", {{0, 0}, {0, 2}, {0, 2}}}});
  for (const Kernel kernel : kKernels) {
    const double expected = std::log(p.dynamics.observation[0]) + 2.0 * std::log(p.dynamics.observation[2]);
    EXPECT_NEAR(value_of(tree, structure, p, kernel).observations, expected, 1e-12);
  }
}

TEST(Likelihood, OfAHundredThousandStepsNeitherUnderflowsNorLosesItsGradient) {
  const auto structure = some_structure(3, 2, 4);
  base::RandomStream random(20);
  auto p = random_parameters(structure, random);
  p.policy.means = {1.0, 0.0, 0.0, -20.0, -20.0, 41.0};  // the terminal action is next to impossible
  p.policy.inverse_temperature = 0.1;
  Record record{"p", {}};
  for (int t = 0; t < 100'000; ++t) {
    record.steps.push_back({0, static_cast<int>(random.uniform() * 4)});
  }
  const auto tree = build_history_tree(2, std::vector<Record>{record});
  ASSERT_EQ(tree.node_count(), 100'001);
  const auto exact = flat_log_likelihood(structure, FlatParameters<double>(p), {record});
  for (const Kernel kernel : kKernels) {
    auto gradient = Parameters::filled(structure, 0.0);
    const auto value = value_of(tree, structure, p, kernel, &gradient);
    EXPECT_TRUE(std::isfinite(value.total()));
    EXPECT_LE(relative(value.observations, exact.observations), 1e-12);
    for (const double d : gradient.dynamics.transition) EXPECT_TRUE(std::isfinite(d));
  }
}

TEST(Likelihood, NamesTheFirstImpossibleOutcomeInsteadOfReturningNaN) {
  auto structure = some_structure(2, 2, 2);
  auto p = Parameters::filled(structure, 0.0);
  p.dynamics.initial = {1.0, 0.0};
  p.dynamics.transition = {1, 0, 0, 1, 1, 0, 0, 1};
  p.dynamics.observation = {1, 0, 0.5, 0.5, 0, 0, 0, 0};  // state 0 never yields outcome 1
  p.policy = {1.0, {0.5, 0.5, 1.0, 0.0}};
  const std::vector<Record> records = {{"p", {{0, 0}, {0, 0}}}, {"q", {{0, 0}, {0, 1}, {0, 0}}}};
  const auto tree = build_history_tree(2, records);
  for (const Kernel kernel : kKernels) {
    auto gradient = Parameters::filled(structure, 1.0);
    const auto value = value_of(tree, structure, p, kernel, &gradient);
    ASSERT_TRUE(value.impossible_node);
    EXPECT_EQ(tree.depth[*value.impossible_node], 2);
    EXPECT_EQ(tree.first_record[*value.impossible_node], 1);
    EXPECT_EQ(gradient, Parameters::filled(structure, 0.0));
  }
}

TEST(Likelihood, VectorKernelAgreesWithPlainForOddSizes) {
  for (const int S : {1, 2, 3, 4, 5, 7, 10, 31, 40}) {
    for (const int A : {1, 2, 5}) {
      base::RandomStream random(21, S, base::RandomPurpose(A));
      const auto structure = some_structure(S, A, 3);
      const auto p = random_parameters(structure, random);
      const auto records = random_records(structure, p, 37, 9, S);
      const auto tree = build_history_tree(A, records);
      auto plain = Parameters::filled(structure, 0.0);
      auto vector = plain;
      const auto x = value_of(tree, structure, p, Kernel::kPlain, &plain);
      const auto y = value_of(tree, structure, p, Kernel::kVector, &vector);
      EXPECT_LE(relative(y.total(), x.total()), 1e-12);
      for (std::size_t i = 0; i < plain.dynamics.transition.size(); ++i) {
        EXPECT_NEAR(vector.dynamics.transition[i], plain.dynamics.transition[i],
                    1e-8 * (1.0 + std::abs(plain.dynamics.transition[i])));
      }
      for (std::size_t i = 0; i < plain.policy.means.size(); ++i) {
        EXPECT_NEAR(vector.policy.means[i], plain.policy.means[i],
                    1e-8 * (1.0 + std::abs(plain.policy.means[i])));
      }
    }
  }
}

TEST(Likelihood, IsTheSameToTheLastBitForAnyNumberOfThreads) {
  const auto structure = some_structure(3, 3, 6);
  base::RandomStream random(22);
  const auto p = random_parameters(structure, random);
  const auto records = random_records(structure, p, 20'000, 14, 1);
  for (const bool sharing : {true, false}) {
    const auto tree = build_history_tree(3, records, sharing);
    ASSERT_GT(tree.node_count(), 20'000);
    auto reference = Parameters::filled(structure, 0.0);
    const auto expected = value_of(tree, structure, p, Kernel::kVector, &reference, {}, 1);
    const auto exact = value_of(tree, structure, p, Kernel::kPlain);
    EXPECT_LE(relative(expected.total(), exact.total()), 1e-12);
    for (const int threads : {2, 3, 8}) {
      auto gradient = Parameters::filled(structure, 0.0);
      const auto value = value_of(tree, structure, p, Kernel::kVector, &gradient, {}, threads);
      EXPECT_EQ(value.actions, expected.actions);
      EXPECT_EQ(value.observations, expected.observations);
      EXPECT_EQ(gradient, reference);
    }
  }
}

// With and without terms, with and without a gradient, and where an outcome is impossible.
TEST(Likelihood, IsTheSameToTheLastBitForAnyNumberOfRanks) {
  const auto structure = some_structure(3, 3, 6);
  base::RandomStream random(23);
  const auto p = random_parameters(structure, random);
  auto with_terms = p;
  with_terms.policy.terms.inertia = 0.1;
  with_terms.policy.terms.lapse = 0.02;
  auto impossible = p;
  for (std::size_t i = 0; i < impossible.dynamics.observation.size(); i += 6) {
    impossible.dynamics.observation[i + 5] = 0.0;
  }
  HistoryTreeBuilder builder(3);
  std::vector<Step> steps(12);
  for (int record = 0; record < 10'000; ++record) {
    for (Step& step : steps) {
      step = {static_cast<int>(2.0 * random.uniform()), static_cast<int>(6.0 * random.uniform())};
    }
    builder.add(steps);
  }
  const auto tree = builder.build();
  ASSERT_TRUE(worth_sharing(tree));
  for (const Parameters& at : {p, with_terms, impossible}) {
    auto reference = at;
    const auto expected = value_of(tree, structure, at, Kernel::kVector, &reference);
    for (const int ranks : {2, 3, 5, 8}) {
      base::run_as_ranks(ranks, [&](base::Ranks& all) {
        auto gradient = at;
        const auto value = value_of(tree, structure, at, Kernel::kVector, &gradient);
        EXPECT_EQ(value.impossible_node, expected.impossible_node);
        EXPECT_EQ(gradient, reference);
        const auto without_gradient = value_of(tree, structure, at, Kernel::kVector);
        EXPECT_EQ(all.traffic().calls, 2);
        if (expected.impossible_node) return;  // values have no meaning
        EXPECT_EQ(value.actions, expected.actions);
        EXPECT_EQ(value.observations, expected.observations);
        EXPECT_EQ(without_gradient.total(), expected.total());
      });
    }
  }
}

}  // namespace
}  // namespace interpole::inference
