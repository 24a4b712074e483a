#include "interpole/learn/result/draw_digits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"

namespace interpole::learn {
namespace {

// Draws of one state's row: the first number varies by `sd` about `mean`.
std::vector<AgentWorld> draws_about(double mean, double sd) {
  base::RandomStream random(3);
  std::vector<AgentWorld> draws(200);
  for (AgentWorld& draw : draws) {
    draw.agent.dynamics.initial = {mean + sd * random.normal(), 1.0 / 3.0};
    draw.world = Dynamics{};
    draw.world->transition = {mean + sd * random.normal()};
    draw.agent.policy.means = {mean + sd * random.normal()};
  }
  return draws;
}

TEST(DrawDigits, FiveAreKeptOfWhatIsKnownToFewer) {
  auto draws = draws_about(0.6, 0.02);
  const auto exact = draws;
  keep_known_digits(draws);
  for (std::size_t i = 0; i < draws.size(); ++i) {
    for (const auto& [x, y] :
         {std::pair(draws[i].agent.dynamics.initial[0], exact[i].agent.dynamics.initial[0]),
          std::pair(draws[i].world->transition[0], exact[i].world->transition[0]),
          std::pair(draws[i].agent.policy.means[0], exact[i].agent.policy.means[0])}) {
      EXPECT_NEAR(x, y, 0.5e-5 + 1e-15);
      EXPECT_EQ(x, std::round(x * 1e5) / 1e5);
    }
  }
}

TEST(DrawDigits, WhatIsKnownMoreExactlyKeepsMore) {
  auto draws = draws_about(0.6, 2e-7);
  const auto exact = draws;
  keep_known_digits(draws);
  for (std::size_t i = 0; i < draws.size(); ++i)
    EXPECT_NEAR(draws[i].agent.dynamics.initial[0], exact[i].agent.dynamics.initial[0], 2e-7 / 1000);
}

TEST(DrawDigits, RareChancesStayPossibleAndKnownNumbersStayAsTheyAre) {
  auto draws = draws_about(0.0, 1.0);
  for (std::size_t i = 0; i < draws.size(); ++i) {
    draws[i].agent.dynamics.initial[0] = std::pow(10.0, -static_cast<double>(i) / 10.0);
  }
  keep_known_digits(draws);
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const double x = std::pow(10.0, -static_cast<double>(i) / 10.0);
    EXPECT_NEAR(draws[i].agent.dynamics.initial[0] / x, 1.0, 1e-4);
    EXPECT_EQ(draws[i].agent.dynamics.initial[1], 1.0 / 3.0);
  }
  std::vector<AgentWorld> none;
  keep_known_digits(none);
  EXPECT_TRUE(none.empty());
}

TEST(DrawDigits, RoundingAgainChangesNothing) {
  auto draws = draws_about(45.0, 3.0);
  keep_known_digits(draws);
  auto again = draws;
  keep_known_digits(again);
  for (std::size_t i = 0; i < draws.size(); ++i)
    EXPECT_EQ(again[i].agent.dynamics.initial, draws[i].agent.dynamics.initial);
}

}  // namespace
}  // namespace interpole::learn
