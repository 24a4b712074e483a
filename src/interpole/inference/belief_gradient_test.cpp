#include "interpole/inference/belief_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/inference/oracle_testing.hpp"

namespace interpole::inference {
namespace {

TEST(BeliefGradient, AgreesWithDifferencesInEveryEntry) {
  const Structure structure = testing::some_structure(3, 3, 3);
  base::RandomStream dice(4);
  const Parameters parameters = testing::random_parameters(structure, dice);
  // Missing outcomes too: those are updated by T alone.
  const auto records = testing::random_records(structure, parameters, 30, 6, 5, 0.3);
  const HistoryTree tree = build_history_tree(3, records);
  base::RandomStream random(6);
  std::vector<double> by_belief(tree.parent.size() * 3);
  for (double& x : by_belief) x = random.normal();
  std::vector<double> by_log_outcome(tree.parent.size());
  for (double& x : by_log_outcome) x = random.normal();

  const auto value = [&](const Dynamics& dynamics) {
    const NodeBeliefs beliefs = node_beliefs(tree, structure, dynamics);
    double sum = 0.0;
    for (std::size_t i = 0; i < by_belief.size(); ++i) sum += by_belief[i] * beliefs.beliefs[i];
    for (std::size_t node = 1; node < tree.parent.size(); ++node) {
      sum += by_log_outcome[node] * std::log(beliefs.outcome_probability[node]);
    }
    return sum;
  };
  const Dynamics& here = parameters.dynamics;
  Dynamics gradient = Dynamics::filled(structure, 0.0);
  std::vector<double> through = by_belief;
  pull_back_beliefs(tree, structure, here, node_beliefs(tree, structure, here), through, by_log_outcome,
                    gradient);
  for (auto field : {&Dynamics::initial, &Dynamics::transition, &Dynamics::observation}) {
    for (std::size_t i = 0; i < (here.*field).size(); ++i) {
      constexpr double kStep = 1e-6;
      Dynamics above = here;
      (above.*field)[i] += kStep;
      Dynamics below = here;
      (below.*field)[i] -= kStep;
      const double difference = (value(above) - value(below)) / (2.0 * kStep);
      EXPECT_NEAR((gradient.*field)[i], difference, 1e-5 * std::max(1.0, std::abs(difference))) << i;
    }
  }
}

}  // namespace
}  // namespace interpole::inference
