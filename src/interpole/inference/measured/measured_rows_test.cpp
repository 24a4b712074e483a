#include "interpole/inference/measured/measured_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/ranks/thread_ranks_testing.hpp"
#include "interpole/inference/belief_gradient.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/measured/mixed_structure_testing.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/model/measured/draw_outcome.hpp"
#include "interpole/model/measured/families.hpp"

namespace interpole::inference {
namespace {

constexpr Kernel kBoth[] = {Kernel::kPlain, Kernel::kVector};

Parameters measured_parameters(const Structure& structure, base::RandomStream& random) {
  const std::size_t S = structure.states.size();
  // Everything but what is measured as elsewhere.
  Structure listed = Structure::unrestricted(structure.states, structure.actions, {"z"});
  listed.terminal = structure.terminal;
  Parameters p = testing::random_parameters(listed, random);
  p.dynamics.observation = Dynamics::filled(structure, 0.0).observation;
  const auto offsets = model::factor_offsets(structure.factors);
  for (std::size_t row = 0; row < structure.actions.size() * S; ++row) {
    if (structure.is_terminal(static_cast<int>(row / S))) continue;
    for (std::size_t f = 0; f < structure.factors.size(); ++f) {
      const auto forms = model::forms_of(structure.factors[f]);
      double* to = &p.dynamics.observation[row * offsets.back() + offsets[f]];
      if (structure.factors[f].family == Family::kCategorical) {
        const auto levels = random.dirichlet(static_cast<int>(forms.size()));
        std::copy(levels.begin(), levels.end(), to);
        continue;
      }
      for (std::size_t i = 0; i < forms.size(); ++i) to[i] = forms[i].at(0.6 * random.normal());
    }
  }
  return p;
}

std::vector<Record> measured_records(const Structure& structure, const Parameters& p, int count, int longest,
                                     std::uint64_t seed, double missing = 0.3, double rounding = 4.0) {
  const std::size_t S = structure.states.size();
  std::vector<Record> records(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    base::RandomStream random(seed, static_cast<std::uint64_t>(i), base::RandomPurpose(7));
    int state = random.categorical(p.dynamics.initial);
    const int length = 1 + static_cast<int>(random.uniform() * longest);
    for (int t = 0; t < length; ++t) {
      const int a = static_cast<int>(random.uniform() * structure.action_count());
      if (structure.is_terminal(a)) {
        records[i].steps.push_back({a, kMissing});
        break;
      }
      state = random.categorical({&p.dynamics.transition[(a * S + state) * S], S});
      auto values = model::draw_outcome(structure, p.dynamics, a, state, random);
      for (std::size_t f = 0; f < values.size(); ++f) {
        if (random.uniform() < missing) values[f] = NAN;
        const MeasuredFactor& factor = structure.factors[f];
        if (std::isnan(values[f]) || rounding == 0.0) continue;
        values[f] = std::round(values[f] * rounding) / rounding;
        if (factor.family == Family::kLogNormal) values[f] = std::max(values[f], 0.25);
        values[f] = model::recorded(factor, values[f]);
      }
      records[i].steps.push_back({a, structure.outcomes.table->place_of(values)});
    }
  }
  return records;
}

// The same problem with every distinct outcome on a list and its density as its chance: what the kernels for
// listed outcomes are tested with.
struct Listed {
  Structure structure;
  Parameters parameters;
};

Listed listed(const Structure& structure, const Parameters& p) {
  const int outcomes = std::max(1, structure.outcomes.table->size());
  const std::size_t S = structure.states.size();
  Listed result{
      Structure::unrestricted(structure.states, structure.actions, testing::numbered("z", outcomes)), p};
  auto& O = result.parameters.dynamics.observation;
  O.assign(structure.actions.size() * S * static_cast<std::size_t>(outcomes), 0.0);
  const auto offsets = model::factor_offsets(structure.factors);
  for (std::size_t row = 0; row < structure.actions.size() * S; ++row) {
    if (structure.is_terminal(static_cast<int>(row / S))) continue;
    for (int z = 0; z < structure.outcomes.table->size(); ++z) {
      const auto values = structure.outcomes.table->at(z);
      double density = 1.0;
      for (std::size_t f = 0; f < values.size(); ++f) {
        if (std::isnan(values[f])) continue;
        density *=
            std::exp(model::log_density(structure.factors[f], values[f],
                                        &p.dynamics.observation[row * offsets.back() + offsets[f]], nullptr));
      }
      O[row * static_cast<std::size_t>(outcomes) + static_cast<std::size_t>(z)] = density;
    }
  }
  return result;
}

LikelihoodValue measured_value(const HistoryTree& tree, const Structure& structure, const Parameters& p,
                               Kernel kernel, Parameters* gradient = nullptr, LikelihoodTerms terms = {},
                               int threads = 1) {
  const Likelihood likelihood(tree, structure, kernel, threads);
  auto workspace = likelihood.make_workspace();
  return likelihood.evaluate(p, terms, gradient, workspace);
}

double apart(double x, double y) {
  return std::abs(x - y) / std::max(1.0, std::abs(y));
}

TEST(MeasuredRows, MatchEnumerationOfAllPathsForEveryFamily) {
  for (int trial = 0; trial < 300; ++trial) {
    base::RandomStream random(21, static_cast<std::uint64_t>(trial));
    const Structure structure = mixed_structure(1 + trial % 3, 1 + trial % 4);
    const Parameters p = measured_parameters(structure, random);
    const auto records = measured_records(structure, p, 3, 6, static_cast<std::uint64_t>(trial));
    const auto tree = build_history_tree(structure.action_count(), records);
    const Listed same = listed(structure, p);
    double exact = 0.0;
    for (const auto& record : records) {
      exact += testing::log_probability_by_enumeration(same.structure, same.parameters.dynamics, record);
    }
    for (const Kernel kernel : kBoth) {
      const auto value = measured_value(tree, structure, p, kernel);
      ASSERT_FALSE(value.impossible_node) << "trial " << trial;
      ASSERT_LE(apart(value.observations, exact), 1e-12) << "trial " << trial;
    }
  }
}

// Listed outcomes give ∂/∂ density; the chain rule by each family's own derivative gives the rest.
TEST(MeasuredRows, GradientMatchesTheListedOutcomesAndTheChainRule) {
  for (int trial = 0; trial < 60; ++trial) {
    base::RandomStream random(22, static_cast<std::uint64_t>(trial));
    const Structure structure = mixed_structure(1 + trial % 4, 1 + trial % 4);
    const Parameters p = measured_parameters(structure, random);
    const auto records = measured_records(structure, p, 20, 8, static_cast<std::uint64_t>(trial));
    const LikelihoodTerms terms{.actions = trial % 3 != 1, .observations = trial % 3 != 2};
    const Listed same = listed(structure, p);
    const auto tree = build_history_tree(structure.action_count(), records);
    Parameters by_density = Parameters::filled(same.structure, 0.0);
    const auto expected =
        measured_value(tree, same.structure, same.parameters, Kernel::kPlain, &by_density, terms);
    std::vector<double> d(p.dynamics.observation.size(), 0.0);
    const auto offsets = model::factor_offsets(structure.factors);
    const auto outcomes = static_cast<std::size_t>(same.structure.observation_count());
    for (std::size_t row = 0; row < structure.actions.size() * structure.states.size(); ++row) {
      for (int z = 0; z < structure.outcomes.table->size(); ++z) {
        const std::size_t at = row * outcomes + static_cast<std::size_t>(z);
        const double d_log = by_density.dynamics.observation[at] * same.parameters.dynamics.observation[at];
        if (d_log == 0.0) continue;
        const auto values = structure.outcomes.table->at(z);
        for (std::size_t f = 0; f < values.size(); ++f) {
          if (std::isnan(values[f])) continue;
          const std::size_t first = row * static_cast<std::size_t>(offsets.back()) + offsets[f];
          std::vector<double> of(static_cast<std::size_t>(offsets[f + 1] - offsets[f]));
          model::log_density(structure.factors[f], values[f], &p.dynamics.observation[first], of.data());
          for (std::size_t i = 0; i < of.size(); ++i) d[first + i] += d_log * of[i];
        }
      }
    }
    for (const Kernel kernel : kBoth) {
      Parameters gradient = Parameters::filled(structure, 0.0);
      const auto value = measured_value(tree, structure, p, kernel, &gradient, terms);
      EXPECT_LE(apart(value.actions, expected.actions), 1e-11);
      double scale = 1.0;
      for (const double x : d) scale = std::max(scale, std::abs(x));
      for (std::size_t i = 0; i < d.size(); ++i) {
        ASSERT_LE(std::abs(gradient.dynamics.observation[i] - d[i]) / scale, 1e-10) << "trial " << trial;
      }
      for (std::size_t i = 0; i < gradient.dynamics.transition.size(); ++i) {
        ASSERT_LE(std::abs(gradient.dynamics.transition[i] - by_density.dynamics.transition[i]) /
                      std::max(1.0, std::abs(by_density.dynamics.transition[i])),
                  1e-9);
      }
    }
  }
}

TEST(MeasuredRows, GradientMatchesDifferencesOfTheValue) {
  base::RandomStream random(23);
  const Structure structure = mixed_structure(3, 3);
  Parameters p = measured_parameters(structure, random);
  const auto records = measured_records(structure, p, 30, 8, 4);
  const auto tree = build_history_tree(structure.action_count(), records);
  Parameters gradient = Parameters::filled(structure, 0.0);
  measured_value(tree, structure, p, Kernel::kVector, &gradient);
  for (std::size_t i = 0; i < p.dynamics.observation.size(); ++i) {
    const double at = p.dynamics.observation[i];
    const double h = 1e-4 * std::max(0.1, std::abs(at));
    const auto f = [&](double x) {
      p.dynamics.observation[i] = at + x;
      const double value = measured_value(tree, structure, p, Kernel::kPlain).total();
      p.dynamics.observation[i] = at;
      return value;
    };
    if (at == 0.0) continue;  // of a terminal action
    const double expected = (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h);
    EXPECT_NEAR(gradient.dynamics.observation[i], expected, 1e-6 * std::max(1.0, std::abs(expected)));
  }
}

TEST(MeasuredRows, PlainVectorAndThreadsAgreeOnALargeTree) {
  base::RandomStream random(24);
  const Structure structure = mixed_structure(3, 3);
  const Parameters p = measured_parameters(structure, random);
  const auto records = measured_records(structure, p, 14000, 9, 5, 0.3, 0.0);
  const auto tree = build_history_tree(structure.action_count(), records);
  ASSERT_GT(tree.node_count(), 16'384);  // is cut into shards
  Parameters plain = Parameters::filled(structure, 0.0);
  Parameters one = plain;
  Parameters two = plain;
  const auto exact = measured_value(tree, structure, p, Kernel::kPlain, &plain);
  const auto vector = measured_value(tree, structure, p, Kernel::kVector, &one);
  const auto threads = measured_value(tree, structure, p, Kernel::kVector, &two, {}, 2);
  EXPECT_LE(apart(vector.total(), exact.total()), 1e-12);
  EXPECT_EQ(threads.total(), vector.total());
  EXPECT_EQ(two, one);
  for (std::size_t i = 0; i < plain.dynamics.observation.size(); ++i) {
    EXPECT_LE(apart(one.dynamics.observation[i], plain.dynamics.observation[i]), 1e-9);
  }
}

TEST(MeasuredRows, RanksShareTheShardsAndGetTheSameBits) {
  base::RandomStream random(27);
  const Structure structure = mixed_structure(2, 2);
  const Parameters p = measured_parameters(structure, random);
  const auto records = measured_records(structure, p, 24000, 9, 9, 0.3, 0.0);
  const auto tree = build_history_tree(structure.action_count(), records);
  ASSERT_TRUE(worth_sharing(tree));
  Parameters reference = Parameters::filled(structure, 0.0);
  const auto expected = measured_value(tree, structure, p, Kernel::kVector, &reference);
  for (const int ranks : {2, 3, 8}) {
    base::run_as_ranks(ranks, [&](base::Ranks& all) {
      Parameters gradient = Parameters::filled(structure, 0.0);
      const auto value = measured_value(tree, structure, p, Kernel::kVector, &gradient);
      EXPECT_EQ(value.actions, expected.actions);
      EXPECT_EQ(value.observations, expected.observations);
      EXPECT_EQ(gradient, reference);
      EXPECT_EQ(all.traffic().calls, 1);
    });
  }
}

TEST(MeasuredRows, AMissingFactorSaysNothing) {
  base::RandomStream random(25);
  const Structure all = mixed_structure(3, 2);
  const Parameters p = measured_parameters(all, random);
  const auto records = measured_records(all, p, 50, 8, 6);
  // Without the last factor, which is then missing everywhere.
  Structure fewer = all;
  fewer.factors.pop_back();
  fewer.outcomes.table = std::make_shared<OutcomeTable>(fewer.factors.size());
  auto shorter = records;
  auto without = records;
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (std::size_t t = 0; t < records[i].steps.size(); ++t) {
      const int z = records[i].steps[t].observation;
      if (z == kMissing) continue;
      std::vector<double> values(all.outcomes.table->at(z).begin(), all.outcomes.table->at(z).end());
      values.back() = NAN;
      without[i].steps[t].observation = all.outcomes.table->place_of(values);
      values.pop_back();
      shorter[i].steps[t].observation = fewer.outcomes.table->place_of(values);
    }
  }
  Parameters q = p;
  q.dynamics.observation.clear();
  const auto columns = static_cast<std::size_t>(all.observation_columns());
  const auto kept = static_cast<std::size_t>(fewer.observation_columns());
  for (std::size_t row = 0; row < all.actions.size() * all.states.size(); ++row) {
    const auto begin = p.dynamics.observation.begin() + static_cast<std::ptrdiff_t>(row * columns);
    q.dynamics.observation.insert(q.dynamics.observation.end(), begin,
                                  begin + static_cast<std::ptrdiff_t>(kept));
  }
  const auto x = measured_value(build_history_tree(2, without), all, p, Kernel::kVector);
  const auto y = measured_value(build_history_tree(2, shorter), fewer, q, Kernel::kVector);
  EXPECT_LE(apart(x.total(), y.total()), 1e-13);
}

TEST(MeasuredRows, FarOutliersNeitherUnderflowNorGiveNan) {
  Structure structure = Structure::of_factors({"s0", "s1"}, {"a0"}, {{"x", Family::kNormal}});
  Parameters p = Parameters::filled(structure, 0.0);
  p.dynamics.initial = {0.5, 0.5};
  p.dynamics.transition = {0.9, 0.1, 0.2, 0.8};
  p.dynamics.observation = {0.0, 1.0, 5.0, 1.0};
  p.policy.inverse_temperature = 1.0;
  p.policy.means = {0.5, 0.5};
  Record record;
  for (int t = 0; t < 100; ++t) {
    const double value = t % 2 == 0 ? 1e6 : -1e6;
    record.steps.push_back({0, structure.outcomes.table->place_of(std::span(&value, 1))});
  }
  const auto tree = build_history_tree(1, std::vector<Record>{record});
  for (const Kernel kernel : kBoth) {
    Parameters gradient = Parameters::filled(structure, 0.0);
    const auto value = measured_value(tree, structure, p, kernel, &gradient);
    ASSERT_FALSE(value.impossible_node);
    EXPECT_TRUE(std::isfinite(value.observations));
    for (const double d : gradient.dynamics.observation) EXPECT_TRUE(std::isfinite(d));
  }
  const NodeBeliefs beliefs = node_beliefs(tree, structure, p.dynamics);
  EXPECT_FALSE(beliefs.impossible);
}

TEST(MeasuredRows, BeliefsAtNodesAreTheKernelsAndTheirGradientTheSame) {
  base::RandomStream random(26);
  const Structure structure = mixed_structure(3, 3);
  const Parameters p = measured_parameters(structure, random);
  const auto records = measured_records(structure, p, 40, 6, 8);
  const auto tree = build_history_tree(structure.action_count(), records);
  const NodeBeliefs beliefs = node_beliefs(tree, structure, p.dynamics);
  double observations = 0.0;
  for (int node = 1; node < tree.node_count(); ++node)
    observations += static_cast<double>(tree.passes[node]) * std::log(beliefs.outcome_probability[node]);
  Parameters gradient = Parameters::filled(structure, 0.0);
  const LikelihoodTerms seen{.actions = false, .observations = true};
  EXPECT_LE(apart(observations, measured_value(tree, structure, p, Kernel::kVector, &gradient, seen).total()),
            1e-12);
  std::vector<double> by_belief(beliefs.beliefs.size(), 0.0), by_log(tree.parent.size());
  for (int node = 1; node < tree.node_count(); ++node) by_log[node] = static_cast<double>(tree.passes[node]);
  Dynamics other = Dynamics::filled(structure, 0.0);
  pull_back_beliefs(tree, structure, p.dynamics, beliefs, by_belief, by_log, other);
  for (std::size_t i = 0; i < other.observation.size(); ++i)
    EXPECT_LE(apart(other.observation[i], gradient.dynamics.observation[i]), 1e-9);
}

}  // namespace
}  // namespace interpole::inference
