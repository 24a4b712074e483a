#include "interpole/parameters.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"

namespace interpole::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two states, a test and a declaration; the test cannot yield the third outcome.
Model small_model() {
  Model model;
  model.structure = Structure::unrestricted({"h", "d"}, {"test", "declare"}, {"-", "+", "n/a"});
  model.structure.make_terminal(1);
  model.structure.allowed[2] = 0;
  model.agent.dynamics = {
      {0.5, 0.5}, {0.9, 0.1, 0.2, 0.8, 1, 0, 0, 1}, {0.6, 0.4, 0, 0.25, 0.75, 0, 0, 0, 0, 0, 0, 0}};
  model.agent.policy = {10.0, {0.5, 0.5, 1.3, -0.3}};
  model.world = model.agent.dynamics;
  return model;
}

Model random_model(std::uint64_t seed, int states, int actions, int observations) {
  base::RandomStream random(seed);
  const auto names = [](const char* prefix, int size) {
    std::vector<std::string> list(static_cast<std::size_t>(size), prefix);
    for (std::size_t i = 0; i < list.size(); ++i) list[i].append(std::to_string(i));
    return list;
  };
  const auto append = [&](std::vector<double>& to, int rows, int columns) {
    for (int r = 0; r < rows; ++r) {
      for (const double p : random.dirichlet(columns)) to.push_back(p);
    }
  };
  Model model;
  model.structure =
      Structure::unrestricted(names("s", states), names("a", actions), names("z", observations));
  append(model.agent.dynamics.initial, 1, states);
  append(model.agent.dynamics.transition, actions * states, states);
  append(model.agent.dynamics.observation, actions * states, observations);
  append(model.agent.policy.means, actions, states);
  model.agent.policy.inverse_temperature = 5.0;
  return model;
}

std::string refusal(const std::function<void(Model&)>& spoil) {
  Model model = small_model();
  spoil(model);
  return base::complaint_of([&] { validate_and_normalise(model, "m.json"); });
}

TEST(Parameters, AcceptsASoundModelAndLeavesItAlone) {
  Model model = small_model();
  validate_and_normalise(model, "m.json");
  EXPECT_EQ(model, small_model());
}

TEST(Parameters, RefusesNumbersThatAreNoProbabilities) {
  EXPECT_EQ(refusal([](Model& m) { m.agent.dynamics.initial[1] = kNan; }),
            "m.json: initial_belief[1]: nan is not a finite number; replace it by a probability");
  EXPECT_EQ(refusal([](Model& m) { m.agent.dynamics.transition[2] = kInfinity; }),
            "m.json: transition[0][1][0]: inf is not a finite number; replace it by a probability");
  EXPECT_EQ(refusal([](Model& m) { m.agent.dynamics.observation[4] = -0.25; }),
            "m.json: observation[0][1][1]: -0.25 is negative; a probability lies between 0 and 1");
  EXPECT_EQ(refusal([](Model& m) { m.agent.dynamics.transition[7] = 0.5; }),
            "m.json: transition[1][1]: the row sums to 0.5, not to 1; correct its entries");
  EXPECT_EQ(refusal([](Model& m) { m.world->transition[0] = 0.8; }),
            "m.json: world.transition[0][0]: the row sums to 0.9, not to 1; correct its entries");
}

TEST(Parameters, RefusesProbabilityWhereTheMaskHasNone) {
  EXPECT_EQ(
      refusal([](Model& m) { m.agent.dynamics.observation[2] = 0.1; }),
      "m.json: observation[0][0][2]: 0.1 where action \"test\" cannot yield \"n/a\"; set it to 0 or list the "
      "outcome");
  EXPECT_EQ(refusal([](Model& m) { m.world->observation[6] = 1.0; }),
            "m.json: world.observation[1][0][0]: 1 where action \"declare\" cannot yield \"-\"; set it to 0 "
            "or list "
            "the outcome");
}

TEST(Parameters, RefusesWrongSizes) {
  EXPECT_EQ(refusal([](Model& m) { m.agent.dynamics.initial.push_back(0.0); }),
            "m.json: initial_belief: 3 numbers; the names listed call for 2");
  EXPECT_EQ(refusal([](Model& m) { m.world->observation.clear(); }),
            "m.json: world.observation: 0 numbers; the names listed call for 12");
  EXPECT_EQ(refusal([](Model& m) { m.agent.policy.means.pop_back(); }),
            "m.json: means: 3 numbers; the names listed call for 4");
}

TEST(Parameters, RefusesPoliciesThatCannotDecide) {
  EXPECT_EQ(refusal([](Model& m) { m.agent.policy.inverse_temperature = 0.0; }),
            "m.json: inverse_temperature: 0 is not above 0; 10 is usual");
  EXPECT_EQ(refusal([](Model& m) { m.agent.policy.inverse_temperature = kNan; }),
            "m.json: inverse_temperature: nan is not a finite number");
  EXPECT_EQ(refusal([](Model& m) { m.agent.policy.means[3] = kInfinity; }),
            "m.json: means[1][1]: inf is not a finite number");
  EXPECT_EQ(
      refusal([](Model& m) { m.agent.policy.means[2] = 1.5; }),
      "m.json: means[1]: the entries sum to 1.2, not to 1; correct them (they may be negative or above 1)");
  // 1e308 − 1e308 + 1 sums to one, but its squares are infinite and every probability would be NaN.
  EXPECT_EQ(refusal([](Model& m) {
              m.agent.policy.means[2] = 1e308;
              m.agent.policy.means[3] = -1e308;
            }),
            "m.json: means[1][0]: 1e+308 is larger than 1e+100; write a smaller number");
}

TEST(Parameters, RowsWithinTheToleranceAreDividedByTheirSum) {
  Model model = small_model();
  model.agent.dynamics.transition[0] = 0.9 + 9e-9;
  validate_and_normalise(model, "m.json");
  EXPECT_NEAR(model.agent.dynamics.transition[0] + model.agent.dynamics.transition[1], 1.0, 2e-16);
  EXPECT_DOUBLE_EQ(model.agent.dynamics.transition[0] / model.agent.dynamics.transition[1],
                   (0.9 + 9e-9) / 0.1);
  EXPECT_THAT(refusal([](Model& m) { m.agent.dynamics.transition[0] = 0.9 + 1.1e-8; }),
              testing::StartsWith("m.json: transition[0][0]: the row sums to 1.0000000"));
}

TEST(Parameters, NormalisingTwiceChangesNothing) {
  base::RandomStream random(3);
  for (int round = 0; round < 500; ++round) {
    const int size = 2 + static_cast<int>(random.next_bits() % 40);
    const Structure structure = Structure::unrestricted({"s"}, {"a"}, std::vector<std::string>(size));
    Dynamics dynamics{{1.0}, {1.0}, random.dirichlet(size, 0.5)};
    for (double& p : dynamics.observation) p *= 1.0 + 5e-9;
    validate_and_normalise(structure, dynamics, "m");
    const Dynamics once = dynamics;
    validate_and_normalise(structure, dynamics, "m");
    ASSERT_EQ(dynamics, once) << round;
  }
}

TEST(Parameters, PermutingMovesEveryNumberWithItsState) {
  const Model model = random_model(1, 3, 2, 4);
  const std::vector<int> order = {2, 0, 1};
  const Structure names = permute_states(model.structure, order);
  const Dynamics moved = permute_states(model.structure, model.agent.dynamics, order);
  const Policy policy = permute_states(model.structure, model.agent.policy, order);
  for (int s = 0; s < 3; ++s) {
    EXPECT_EQ(names.states[s], model.structure.states[order[s]]);
    EXPECT_EQ(moved.initial[s], model.agent.dynamics.initial[order[s]]);
    for (int a = 0; a < 2; ++a) {
      EXPECT_EQ(policy.means[a * 3 + s], model.agent.policy.means[a * 3 + order[s]]);
      for (int to = 0; to < 3; ++to) {
        EXPECT_EQ(moved.transition[(a * 3 + s) * 3 + to],
                  model.agent.dynamics.transition[(a * 3 + order[s]) * 3 + order[to]]);
      }
      for (int z = 0; z < 4; ++z) {
        EXPECT_EQ(moved.observation[(a * 3 + s) * 4 + z],
                  model.agent.dynamics.observation[(a * 3 + order[s]) * 4 + z]);
      }
    }
  }
}

TEST(Parameters, PermutingBackRestoresTheModel) {
  const Model model = random_model(2, 4, 3, 2);
  const std::vector<int> order = {3, 1, 0, 2};
  std::vector<int> back(4);
  for (int s = 0; s < 4; ++s) back[order[s]] = s;
  const Structure& structure = model.structure;
  EXPECT_EQ(permute_states(permute_states(structure, order), back), structure);
  EXPECT_EQ(permute_states(structure, permute_states(structure, model.agent.dynamics, order), back),
            model.agent.dynamics);
  EXPECT_EQ(permute_states(structure, permute_states(structure, model.agent.policy, order), back),
            model.agent.policy);
}

// What a permutation means: the same decisions, with the states under other names.
TEST(Parameters, APermutedModelDecidesAlike) {
  const Model model = random_model(4, 3, 2, 2);
  const std::vector<int> order = {1, 2, 0};
  const Structure names = permute_states(model.structure, order);
  const Dynamics moved = permute_states(model.structure, model.agent.dynamics, order);
  const Policy policy = permute_states(model.structure, model.agent.policy, order);
  std::vector<double> belief = model.agent.dynamics.initial;
  std::vector<double> moved_belief = moved.initial;
  base::RandomStream random(5);
  for (int step = 0; step < 20; ++step) {
    const int action = random.categorical(std::vector<double>{1, 1});
    const int outcome = random.categorical(std::vector<double>{1, 1});
    std::vector<double> next(3);
    std::vector<double> moved_next(3);
    const double c = update_belief(model.structure, model.agent.dynamics, action, outcome, belief, next);
    EXPECT_NEAR(update_belief(names, moved, action, outcome, moved_belief, moved_next), c, 1e-14);
    const auto chosen = action_probabilities(model.structure, model.agent.policy, next);
    EXPECT_THAT(action_probabilities(names, policy, moved_next),
                testing::Pointwise(testing::DoubleNear(1e-12), chosen));
    belief = next;
    moved_belief = moved_next;
  }
}

}  // namespace
}  // namespace interpole::model
