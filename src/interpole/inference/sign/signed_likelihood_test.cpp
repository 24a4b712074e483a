#include "interpole/inference/sign/signed_likelihood.hpp"

#include <gtest/gtest.h>

#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::inference {
namespace {

struct Case {
  Structure structure;
  Parameters agent;
  Dynamics world;
  std::vector<Record> records;
  HistoryTree tree;
};

Case some_case(int states, std::uint64_t seed, bool terms = false, int longest = 4) {
  Case result{testing::some_structure(states, 3, 2), {}, {}, {}, {}};
  base::RandomStream random(seed, 0, base::RandomPurpose(3));
  result.agent = testing::random_parameters(result.structure, random, 2.0);
  result.world = testing::random_parameters(result.structure, random, 2.0).dynamics;
  if (terms) {
    PolicyTerms& own = result.agent.policy.terms;
    own.inertia = 0.15;
    own.lapse = 0.1;
    own.additive.push_back(model::term_filled(result.structure, own, TermKind::kHabit, 0.0));
    for (double& weight : own.additive.back().weights) weight = random.normal();
  }
  result.records =
      testing::random_records(result.structure, result.agent, 40, longest, seed, 0.2, &result.world);
  result.tree = build_history_tree(3, result.records);
  return result;
}

// log Σ over all sequences of signs, each with the world's and the agent's own filter.
double by_enumeration(const Case& of, const Record& record, double right, bool first) {
  const int S = of.structure.state_count();
  const auto chance = [&](int sign, int s) { return sign == s ? right : (1.0 - right) / (S - 1); };
  int signs = static_cast<int>(record.steps.size());
  const bool ends_unseen = record.steps.back().observation == kMissing;
  if (!ends_unseen) ++signs;
  if (!first) --signs;
  int sequences = 1;
  for (int i = 0; i < signs; ++i) sequences *= S;
  double sum = 0.0;
  for (int sequence = 0; sequence < sequences; ++sequence) {
    int rest = sequence;
    double probability = 1.0;
    std::vector<double> world = of.world.initial;
    std::vector<double> belief = of.agent.dynamics.initial;
    std::vector<double> next(S);
    const auto see = [&](std::vector<double>& b) {
      double total = 0.0;
      for (int s = 0; s < S; ++s) total += b[s] *= chance(rest % S, s);
      for (double& x : b) x /= total;
      return total;
    };
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      if (t > 0 || first) {
        probability *= see(world);
        see(belief);
        rest /= S;
      }
      const auto [a, z, gap] = record.steps[t];
      const std::span<const Step> before(record.steps.data(), t);
      probability *= action_probabilities(of.structure, of.agent.policy, belief, context_after(before))[a];
      if (t + 1 == record.steps.size() && ends_unseen) break;
      probability *= update_belief(of.structure, of.world, a, z, world, next);
      world = next;
      update_belief(of.structure, of.agent.dynamics, a, z, belief, next);
      belief = next;
    }
    if (!ends_unseen) probability *= see(world);
    sum += probability;
  }
  return std::log(sum);
}

double value_of(const Case& of, double right, int most, bool first = false) {
  SignedLikelihood likelihood(of.tree, of.structure, sign_memory(of.structure.state_count(), most), first);
  Parameters d_agent;
  Dynamics d_world;
  return likelihood.evaluate(of.agent, of.world, right, d_agent, d_world);
}

TEST(SignMemory, CountsUpToItsLimit) {
  EXPECT_EQ(sign_memory(2, 3).size(), 7);
  EXPECT_EQ(sign_memory(3, 2).size(), 19);
  const SignMemory memory = sign_memory(2, 1);
  const int up = memory.after(0, 1);
  EXPECT_EQ(memory.after(up, 0), 0);
  EXPECT_EQ(memory.after(up, 1), up);
}

TEST(SignedLikelihood, IsThePlainOneIfTheSignSaysNothing) {
  for (const int states : {2, 3}) {
    const Case of = some_case(states, 4, true);
    const Likelihood plain(of.tree, of.structure);
    auto workspace = plain.make_workspace();
    Parameters world = of.agent;
    world.dynamics = of.world;
    const double expected = plain.evaluate(of.agent, {true, false}, nullptr, workspace).actions +
                            plain.evaluate(world, {false, true}, nullptr, workspace).observations;
    EXPECT_NEAR(value_of(of, 1.0 / states, 2), expected, 1e-9 * std::abs(expected));
  }
}

// States that never change, so that nothing is lost by counting signs.
TEST(SignedLikelihood, MatchesEnumerationOfAllSigns) {
  for (const int states : {2, 3}) {
    Case of = some_case(states, 9, true);
    for (auto* transition : {&of.agent.dynamics.transition, &of.world.transition}) {
      for (std::size_t k = 0; k < transition->size(); ++k) {
        (*transition)[k] = (k / states) % states == k % states ? 1.0 : 0.0;
      }
    }
    for (const bool first : {false, true}) {
      double expected = 0.0;
      for (const Record& record : of.records) expected += by_enumeration(of, record, 0.8, first);
      EXPECT_NEAR(value_of(of, 0.8, 6, first), expected, 1e-9 * std::abs(expected));
    }
  }
}

TEST(SignedLikelihood, IsNearTheEnumerationWhereStatesChange) {
  const Case of = some_case(2, 21, false, 6);
  double expected = 0.0;
  for (const Record& record : of.records) expected += by_enumeration(of, record, 0.75, false);
  EXPECT_NEAR(value_of(of, 0.75, 4), expected, 0.01 * static_cast<double>(of.tree.decisions));
  EXPECT_GT(std::abs(value_of(of, 0.5, 4) - expected), std::abs(value_of(of, 0.75, 4) - expected));
}

TEST(SignedLikelihood, GradientMatchesDifferences) {
  for (const int states : {2, 3, 4}) {
    Case of = some_case(states, 5, true);
    SignedLikelihood likelihood(of.tree, of.structure, sign_memory(states, 2), states != 3);
    Parameters d_agent, unused;
    Dynamics d_world, unused_world;
    likelihood.evaluate(of.agent, of.world, 0.7, d_agent, d_world);
    const auto check = [&](double& number, double derivative, const char* what) {
      constexpr double kStep = 1e-6;
      const double before = number;
      number = before + kStep;
      const double up = likelihood.evaluate(of.agent, of.world, 0.7, unused, unused_world);
      number = before - kStep;
      const double down = likelihood.evaluate(of.agent, of.world, 0.7, unused, unused_world);
      number = before;
      EXPECT_NEAR(derivative, (up - down) / (2.0 * kStep), 1e-5 * std::max(1.0, std::abs(derivative)))
          << what;
    };
    const auto check_all = [&](std::vector<double>& numbers, const std::vector<double>& derivatives,
                               const char* what) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != 0.0) check(numbers[i], derivatives[i], what);
      }
    };
    check_all(of.agent.dynamics.initial, d_agent.dynamics.initial, "agent's initial");
    check_all(of.agent.dynamics.transition, d_agent.dynamics.transition, "agent's transition");
    check_all(of.agent.dynamics.observation, d_agent.dynamics.observation, "agent's observation");
    check_all(of.world.initial, d_world.initial, "world's initial");
    check_all(of.world.transition, d_world.transition, "world's transition");
    check_all(of.world.observation, d_world.observation, "world's observation");
    check_all(of.agent.policy.means, d_agent.policy.means, "means");
    check(of.agent.policy.inverse_temperature, d_agent.policy.inverse_temperature, "temperature");
    check(of.agent.policy.terms.inertia, d_agent.policy.terms.inertia, "inertia");
    check(of.agent.policy.terms.lapse, d_agent.policy.terms.lapse, "lapse");
    check_all(of.agent.policy.terms.additive[0].weights, d_agent.policy.terms.additive[0].weights, "habit");
  }
}

TEST(SignedLikelihood, IsMinusInfinityWhereAResultIsImpossible) {
  Case of = some_case(2, 5);
  std::ranges::fill(of.world.observation, 0.0);
  EXPECT_EQ(value_of(of, 0.7, 2), -INFINITY);
}

}  // namespace
}  // namespace interpole::inference
