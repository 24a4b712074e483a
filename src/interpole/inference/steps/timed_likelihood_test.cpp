// The likelihood where visits have times.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/model/measured/families.hpp"

namespace interpole::inference {
namespace {

using testing::random_parameters;
using testing::some_structure;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Kernel kBothKernels[] = {Kernel::kPlain, Kernel::kVector};
const std::vector<double> kGaps = {0.25, 1.0, 2.5, 7.0, 40.0};

Structure timed_structure(int states, int actions, int observations, TimeRule rule = TimeRule::kGenerators) {
  Structure structure = some_structure(states, actions, observations);
  structure.set_time({"days", rule, rule == TimeRule::kSteps ? 1.0 : 3.0, rule == TimeRule::kSteps ? 0 : -1});
  return structure;
}

// Gaps, outcomes and actions by chance: the likelihood is defined whatever they came from.
std::vector<Record> timed_records(const Structure& structure, int count, int longest, std::uint64_t seed,
                                  const std::vector<double>& gaps = kGaps) {
  std::vector<Record> records(static_cast<std::size_t>(count));
  const auto pick = [](base::RandomStream& random, std::size_t n) {
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
  };
  for (int i = 0; i < count; ++i) {
    base::RandomStream random(seed, static_cast<std::uint64_t>(i), base::RandomPurpose(7));
    const int length = 1 + static_cast<int>(random.uniform() * longest);
    for (int t = 0; t < length; ++t) {
      Step step{static_cast<int>(pick(random, structure.actions.size())), kMissing};
      const bool ends = structure.is_terminal(step.action);
      if (!ends && random.uniform() < 0.8)
        step.observation = static_cast<int>(pick(random, structure.observations.size()));
      if (!ends && t + 1 < length) step.gap = structure.gaps.table->place_of(gaps[pick(random, gaps.size())]);
      records[i].steps.push_back(step);
      if (ends) break;
    }
    records[i].steps.back().gap = kNoGap;
  }
  return records;
}

// T_a(Δ) without any of ours: Padé approximation of the generator, or a product of steps.
Matrix transition(const Structure& structure, const Dynamics& p, Step step) {
  const auto S = static_cast<int>(structure.states.size());
  if (step.gap == kNoGap) return Matrix::Identity(S, S);
  const double gap = structure.gaps.table->at(step.gap);
  const auto rows = [&](int action) {
    return Matrix(Eigen::Map<const Matrix>(&p.transition[static_cast<std::size_t>(action) * S * S], S, S));
  };
  if (structure.time->rule == TimeRule::kSteps) {
    Matrix T = rows(step.action);
    for (int k = 1; k < std::lround(gap); ++k) T = T * rows(structure.time->wait);
    return T;
  }
  Matrix Q = rows(step.action);
  for (int s = 0; s < S; ++s) {
    Q.row(s) /= Q(s, s) * *structure.time->typical;
    Q(s, s) = 0.0;
    Q(s, s) = -Q.row(s).sum();
  }
  return (Q * gap).exp();
}

double log_probability_of_all_paths(const Structure& structure, const Dynamics& p, const Record& record) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  std::size_t updates = record.steps.size();
  if (record.steps.back().observation == kMissing) --updates;
  double sum = 0.0;
  std::vector<std::size_t> path(updates + 1, 0);
  while (true) {
    double probability = p.initial[path[0]];
    for (std::size_t t = 0; t < updates; ++t) {
      const Step step = record.steps[t];
      probability *= transition(structure, p, step)(static_cast<int>(path[t]), static_cast<int>(path[t + 1]));
      if (step.observation != kMissing)
        probability *= p.observation[(step.action * S + path[t + 1]) * Z + step.observation];
    }
    sum += probability;
    std::size_t digit = 0;
    while (digit <= updates && ++path[digit] == S) path[digit++] = 0;
    if (digit > updates) break;
  }
  return std::log(sum);
}

double log_probability_of_actions(const Structure& structure, const Parameters& p, const Record& record) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  std::vector<double> b = p.dynamics.initial;
  double sum = 0.0;
  for (const Step step : record.steps) {
    sum += std::log(action_probabilities(structure, p.policy, b)[static_cast<std::size_t>(step.action)]);
    if (structure.is_terminal(step.action)) break;
    const Matrix T = transition(structure, p.dynamics, step);
    std::vector<double> next(S, 0.0);
    double total = 0.0;
    for (std::size_t to = 0; to < S; ++to) {
      for (std::size_t from = 0; from < S; ++from)
        next[to] += b[from] * T(static_cast<int>(from), static_cast<int>(to));
      if (step.observation != kMissing)
        next[to] *= p.dynamics.observation[(step.action * S + to) * Z + step.observation];
      total += next[to];
    }
    for (double& x : next) x /= total;
    b = next;
  }
  return sum;
}

LikelihoodValue evaluate(const HistoryTree& tree, const Structure& structure, const Parameters& p,
                         Kernel kernel, Parameters* gradient = nullptr, int threads = 1) {
  const Likelihood likelihood(tree, structure, kernel, threads);
  auto workspace = likelihood.make_workspace();
  return likelihood.evaluate(p, {}, gradient, workspace);
}

TEST(TimedLikelihood, MatchesEnumerationOfAllPaths) {
  for (int trial = 0; trial < 60; ++trial) {
    base::RandomStream random(41, static_cast<std::uint64_t>(trial));
    const TimeRule rule = trial % 3 == 0 ? TimeRule::kSteps : TimeRule::kGenerators;
    const auto structure = timed_structure(1 + trial % 3, 2 + trial % 2, 2 + trial % 2, rule);
    const Parameters p = random_parameters(structure, random);
    const auto records = timed_records(structure, 6, 5, static_cast<std::uint64_t>(trial),
                                       rule == TimeRule::kSteps ? std::vector<double>{1.0, 2.0, 5.0} : kGaps);
    const HistoryTree tree = build_history_tree(structure.action_count(), records);
    double actions = 0.0;
    double observations = 0.0;
    for (const Record& record : records) {
      actions += log_probability_of_actions(structure, p, record);
      observations += log_probability_of_all_paths(structure, p.dynamics, record);
    }
    for (const Kernel kernel : kBothKernels) {
      const auto value = evaluate(tree, structure, p, kernel);
      EXPECT_NEAR(value.actions, actions, 1e-12 * (1.0 + std::abs(actions))) << trial;
      EXPECT_NEAR(value.observations, observations, 1e-12 * (1.0 + std::abs(observations))) << trial;
    }
  }
}

// Differences along every number that the likelihood depends on.
template <class Numbers>
void expect_differences(const HistoryTree& tree, const Structure& structure, Parameters p, Kernel kernel,
                        const Numbers& numbers, const Parameters& gradient) {
  constexpr double kStep = 1e-6;
  std::vector<double>& at = numbers(p);
  Parameters held = gradient;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double here = at[i];
    at[i] = here + kStep;
    const double up = evaluate(tree, structure, p, kernel).total();
    at[i] = here - kStep;
    const double down = evaluate(tree, structure, p, kernel).total();
    at[i] = here;
    const double expected = (up - down) / (2.0 * kStep);
    EXPECT_NEAR(numbers(held)[i], expected, 2e-6 * (1.0 + std::abs(expected))) << i;
  }
}

TEST(TimedLikelihood, HasTheGradientOfDifferences) {
  for (const TimeRule rule : {TimeRule::kGenerators, TimeRule::kSteps}) {
    base::RandomStream random(42);
    const auto structure = timed_structure(3, 3, 2, rule);
    Parameters p = random_parameters(structure, random, 3.0);
    const auto records =
        timed_records(structure, 30, 6, 42, rule == TimeRule::kSteps ? std::vector<double>{1.0, 3.0} : kGaps);
    const HistoryTree tree = build_history_tree(structure.action_count(), records);
    for (const Kernel kernel : kBothKernels) {
      Parameters gradient = Parameters::filled(structure, 0.0);
      evaluate(tree, structure, p, kernel, &gradient);
      const auto transitions = [](Parameters& x) -> std::vector<double>& { return x.dynamics.transition; };
      const auto outcomes = [](Parameters& x) -> std::vector<double>& { return x.dynamics.observation; };
      const auto means = [](Parameters& x) -> std::vector<double>& { return x.policy.means; };
      expect_differences(tree, structure, p, kernel, transitions, gradient);
      expect_differences(tree, structure, p, kernel, outcomes, gradient);
      expect_differences(tree, structure, p, kernel, means, gradient);
    }
  }
}

TEST(TimedLikelihood, IsTheSameForPlainAndVectorKernelsAndAnyNumberOfThreads) {
  base::RandomStream random(43);
  const auto structure = timed_structure(3, 3, 3);
  const Parameters p = random_parameters(structure, random);
  const HistoryTree tree = build_history_tree(3, timed_records(structure, 45'000, 8, 43));
  ASSERT_GT(tree.node_count(), 16'384);  // several shards
  Parameters plain = Parameters::filled(structure, 0.0), one = plain, two = plain;
  const auto expected = evaluate(tree, structure, p, Kernel::kPlain, &plain);
  const auto value = evaluate(tree, structure, p, Kernel::kVector, &one);
  EXPECT_NEAR(value.total(), expected.total(), 1e-11 * std::abs(expected.total()));
  for (std::size_t i = 0; i < plain.dynamics.transition.size(); ++i) {
    EXPECT_NEAR(one.dynamics.transition[i], plain.dynamics.transition[i],
                1e-9 * (1.0 + std::abs(plain.dynamics.transition[i])));
  }
  EXPECT_EQ(evaluate(tree, structure, p, Kernel::kVector, &two, 2).total(), value.total());
  EXPECT_EQ(one, two);
}

TEST(TimedLikelihood, OfEqualGapsIsThatOfOneStepAlways) {
  base::RandomStream random(44);
  const auto structure = timed_structure(3, 2, 3);
  const Parameters p = random_parameters(structure, random);
  auto records = timed_records(structure, 40, 6, 44, {5.0});
  for (Record& record : records) record.steps.back().observation = kMissing;  // it would be seen at no visit
  Structure plain = structure;
  plain.time.reset();
  Parameters discrete = p;
  discrete.dynamics = dynamics_over(structure, p.dynamics, 5.0);
  auto without_gaps = records;
  for (Record& record : without_gaps) {
    for (Step& step : record.steps) step.gap = kNoGap;
  }
  for (const Kernel kernel : kBothKernels) {
    const auto timed = evaluate(build_history_tree(2, records), structure, p, kernel);
    const auto stepped = evaluate(build_history_tree(2, without_gaps), plain, discrete, kernel);
    EXPECT_NEAR(timed.actions, stepped.actions, 1e-11);
    EXPECT_NEAR(timed.observations, stepped.observations, 1e-11);
  }
}

// A visit at which nothing was seen and the same was done again tells nothing of the patient.
TEST(TimedLikelihood, IsNotChangedByAnEmptyVisitInBetween) {
  base::RandomStream random(45);
  const auto structure = timed_structure(3, 1, 3);
  const Parameters p = random_parameters(structure, random);
  auto& gaps = *structure.gaps.table;
  const int whole = gaps.place_of(6.0), third = gaps.place_of(2.0), rest = gaps.place_of(4.0);
  const std::vector<Record> once = {{"p", {{0, 2, whole}, {0, 1, third}, {0, kMissing}}}};
  const std::vector<Record> split = {
      {"p", {{0, kMissing, third}, {0, 2, rest}, {0, 1, third}, {0, kMissing}}}};
  for (const Kernel kernel : kBothKernels) {
    EXPECT_NEAR(evaluate(build_history_tree(1, once), structure, p, kernel).observations,
                evaluate(build_history_tree(1, split), structure, p, kernel).observations, 1e-13);
  }
}

TEST(TimedLikelihood, SharesHistoriesOnlyWhereGapsAreEqual) {
  const auto structure = timed_structure(2, 1, 2);
  auto& gaps = *structure.gaps.table;
  const int week = gaps.place_of(7.0), day = gaps.place_of(1.0);
  const std::vector<Record> records = {{"p", {{0, 1, week}, {0, kMissing}}},
                                       {"q", {{0, 1, day}, {0, kMissing}}},
                                       {"r", {{0, 1, week}, {0, kMissing}}}};
  const HistoryTree tree = build_history_tree(1, records);
  ASSERT_EQ(tree.node_count(), 3);
  EXPECT_EQ(tree.passes[1], 2);  // the gap that was met first
  EXPECT_EQ(tree.passes[2], 1);
  for (const Record& record : records) {
    const auto path = tree.path_of(record.steps);
    EXPECT_EQ(tree.groups[static_cast<std::size_t>(path[1] - 1)].gap, record.steps[0].gap);
  }
}

// Far beyond any memory of the start, and within a blink: no NaN, and beliefs as they must be.
TEST(TimedLikelihood, IsFiniteForTinyAndHugeGaps) {
  base::RandomStream random(46);
  const auto structure = timed_structure(3, 2, 2);
  Parameters p = random_parameters(structure, random);
  p.dynamics.transition[0] = 1.0;  // absorbing
  p.dynamics.transition[1] = p.dynamics.transition[2] = 0.0;
  const HistoryTree tree =
      build_history_tree(2, timed_records(structure, 50, 30, 46, {1e-9, 1e9, 1e-200, 1e200}));
  for (const Kernel kernel : kBothKernels) {
    Parameters gradient = Parameters::filled(structure, 0.0);
    EXPECT_TRUE(std::isfinite(evaluate(tree, structure, p, kernel, &gradient).total()));
    EXPECT_TRUE(std::ranges::all_of(gradient.dynamics.transition, [](double x) { return std::isfinite(x); }));
  }
}

TEST(TimedLikelihood, OfMeasuredOutcomesIsThatOfBeliefsOneByOne) {
  base::RandomStream random(47);
  Structure structure = Structure::of_factors({"x", "y"}, {"a", "b"}, {{"size", Family::kNormal}});
  structure.set_time({"days", TimeRule::kGenerators, 3.0});
  Parameters p = Parameters::filled(structure, 0.5);
  p.dynamics.transition = {0.9, 0.1, 0.3, 0.7, 0.6, 0.4, 0.2, 0.8};
  p.dynamics.observation = {0.0, 1.0, 2.0, 1.5, 0.5, 1.0, 2.5, 1.0};
  p.policy = {3.0, {1.0, 0.0, 0.0, 1.0}};
  std::vector<Record> records;
  for (int i = 0; i < 60; ++i) {
    Record record;
    for (int t = 0; t < 6; ++t) {
      const double value[] = {std::round(4.0 * random.normal()) / 4.0};
      record.steps.push_back(
          {static_cast<int>(2.0 * random.uniform()), structure.outcomes.table->place_of(value),
           structure.gaps.table->place_of(kGaps[static_cast<std::size_t>(5.0 * random.uniform())])});
    }
    record.steps.back() = {0, kMissing};
    records.push_back(std::move(record));
  }
  const HistoryTree tree = build_history_tree(2, records);
  const NodeBeliefs beliefs = node_beliefs(tree, structure, p.dynamics);
  double observations = 0.0;
  for (int node = 1; node < tree.node_count(); ++node)
    observations += static_cast<double>(tree.passes[node]) * std::log(beliefs.outcome_probability[node]);
  for (const Kernel kernel : kBothKernels) {
    Parameters gradient = Parameters::filled(structure, 0.0);
    EXPECT_NEAR(evaluate(tree, structure, p, kernel, &gradient).observations, observations, 1e-10);
    const auto transitions = [](Parameters& x) -> std::vector<double>& { return x.dynamics.transition; };
    const auto outcomes = [](Parameters& x) -> std::vector<double>& { return x.dynamics.observation; };
    expect_differences(tree, structure, p, kernel, transitions, gradient);
    expect_differences(tree, structure, p, kernel, outcomes, gradient);
  }
}

}  // namespace
}  // namespace interpole::inference
