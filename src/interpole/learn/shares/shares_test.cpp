#include "interpole/learn/shares/shares.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environment.hpp"
#include "interpole/error.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/simulate.hpp"

namespace interpole::learn {
namespace {

TEST(AveragesOverOrders, AreThoseOfAllOrdersWrittenOut) {
  // Three players; worth by set of bits.
  const std::vector<double> worth = {0.0, 3.0, 1.0, 5.0, 2.0, 6.0, 2.5, 9.0};
  std::vector<int> order = {0, 1, 2};
  std::vector<double> sums(3, 0.0);
  do {
    unsigned set = 0;
    for (const int i : order) {
      sums[i] += worth[set | 1U << i] - worth[set];
      set |= 1U << i;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  const auto averages = averages_over_orders(worth, 3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(averages[i], sums[i] / 6.0, 1e-12);
}

std::array<HistoryTree, 2> halves_of(const Environment& environment, int patients) {
  std::array<HistoryTree, 2> halves;
  for (int half = 0; half < 2; ++half) {
    std::vector<Record> records;
    for (int i = 1; i <= patients; ++i) {
      if (i % 2 == half) records.push_back(simulate_record(environment, 5, i));
    }
    halves[half] = build_history_tree(environment.truth.structure.action_count(), records);
  }
  return halves;
}

Shares shares_in(const Environment& environment, const DecisionProblem& problem, int patients = 1500,
                 int threads = 1, Sink& sink = quiet_sink()) {
  const AgentWorld at{environment.truth.agent, environment.truth.agent.dynamics};
  return shares_of(halves_of(environment, patients), {problem, at, CouplingScales::all(0.3)}, {}, threads,
                   sink);
}

Shares shares_in(const Environment& environment, const PolicyTerms& learned) {
  DecisionProblem problem = DecisionProblem::open(environment.truth.structure);
  problem.known.policy.terms = learned;
  return shares_in(environment, problem);
}

double part(const Shares& shares, const std::string& name) {
  for (const IngredientShare& share : shares.parts) {
    if (share.name == name) return share.nats;
  }
  return NAN;
}

TEST(Shares, AreBeliefsWhereDecisionsFollowNothingElse) {
  const Shares shares = shares_in(plain_ward(), PolicyTerms{});
  EXPECT_EQ(shares.fits, 6);  // nothing, belief, belief and picture; each on two halves
  EXPECT_GT(shares.gained, 0.1);
  EXPECT_NEAR(part(shares, "belief") + part(shares, "distorted picture"), shares.gained, 1e-12);
  EXPECT_LT(std::abs(part(shares, "distorted picture")), 0.05 * shares.gained);
}

// Who takes a test for better than it is decides early: that can be foreseen by a distorted picture alone.
TEST(Shares, FindADistortedPicture) {
  const Environment environment = bias();
  const AgentWorld at{environment.truth.agent, environment.truth.world};
  const DecisionProblem problem = DecisionProblem::open(environment.truth.structure);
  const Shares shares =
      shares_of(halves_of(environment, 1500), {problem, at, CouplingScales::all(1.0)}, {}, 1);
  EXPECT_GT(part(shares, "distorted picture"), 0.03 * shares.gained);
  EXPECT_GT(part(shares, "belief"), 0.3 * shares.gained);
}

TEST(Shares, FindWhatTheClinicianFollows) {
  Environment habitual = plain_ward();
  habitual.truth.agent.policy.terms.inertia = 0.4;
  PolicyTerms learned;
  learned.inertia = NAN;
  learned.additive = {model::term_filled(habitual.truth.structure, learned, TermKind::kTime, NAN, -1, 4)};
  habitual.truth.agent.policy.terms.additive = {
      model::term_filled(habitual.truth.structure, learned, TermKind::kTime, 0.0, -1, 4)};
  const Shares shares = shares_in(habitual, learned);
  EXPECT_GT(part(shares, "habit"), 0.1 * shares.gained);
  EXPECT_GT(part(shares, "belief"), 0.2 * shares.gained);
  EXPECT_LT(std::abs(part(shares, "time")), 0.1 * shares.gained);
  double sum = 0.0;
  for (const IngredientShare& share : shares.parts) sum += share.nats;
  EXPECT_NEAR(sum, shares.gained, 1e-12);
}

DecisionProblem with_two_kinds(const Environment& environment) {
  DecisionProblem problem = DecisionProblem::open(environment.truth.structure);
  Policy& policy = problem.known.policy;
  policy.other_kinds = {{NAN, policy.inverse_temperature, policy.means}};
  return problem;
}

TEST(Shares, CountKindsOfDecisionMakersAsAnIngredientOfTheirOwn) {
  const Environment two = two_kinds_ward();
  const Shares shares = shares_in(two, with_two_kinds(two));
  EXPECT_EQ(shares.fits, 12);  // (nothing, belief, belief and picture) × (one kind, two kinds) × two halves
  EXPECT_GT(part(shares, "kinds"), 0.02 * shares.gained);
  // Without any ingredient there is one kind: what is left is the frequencies of actions.
  const auto halves = halves_of(two, 1500);
  double loss = 0.0;
  double decisions = 0.0;
  std::vector<double> taken(two.truth.structure.actions.size(), 0.0);
  for (const HistoryTree& half : halves) {
    for (int node = 0; node < half.node_count(); ++node) {
      for (std::size_t a = 0; a < taken.size(); ++a) taken[a] += static_cast<double>(half.counts_at(node)[a]);
    }
    decisions += static_cast<double>(half.decisions);
  }
  for (const double n : taken) loss -= n / decisions * std::log(n / decisions);
  EXPECT_NEAR(shares.frequencies, loss, 0.005);
}

// Without the freedom to differ there is no distortion, whatever else is left out.
TEST(Shares, FindNoDistortedPictureWhereAgentAndWorldAreOne) {
  const Environment two = two_kinds_ward();
  const AgentWorld at{two.truth.agent, two.truth.agent.dynamics};
  const Shares shares =
      shares_of(halves_of(two, 500), {with_two_kinds(two), at, CouplingScales::all(0.01)}, {}, 1);
  EXPECT_LT(std::abs(part(shares, "distorted picture")), 0.01 * shares.gained);
}

TEST(Shares, AreTheSameToTheLastBitForAnyNumberOfThreads) {
  const Environment two = two_kinds_ward();
  const Shares one = shares_in(two, with_two_kinds(two), 200, 1);
  const Shares four = shares_in(two, with_two_kinds(two), 200, 4);
  ASSERT_EQ(one.parts.size(), four.parts.size());
  EXPECT_EQ(one.gained, four.gained);
  EXPECT_EQ(one.frequencies, four.frequencies);
  for (std::size_t i = 0; i < one.parts.size(); ++i) EXPECT_EQ(one.parts[i].nats, four.parts[i].nats);
}

TEST(Shares, StopWhenAskedTo) {
  struct Stopping : Sink {
    void progress(const std::string&, std::int64_t done, std::int64_t) override { heard = done; }
    bool stop_requested() const override { return heard >= 2; }
    std::int64_t heard = 0;
  } sink;
  try {
    shares_in(plain_ward(), DecisionProblem::open(plain_ward().truth.structure), 200, 1, sink);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    EXPECT_EQ(sink.heard, 2);
  }
}

}  // namespace
}  // namespace interpole::learn
