#include "interpole/learn/uncertainty/laplace.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/fit.hpp"
#include "interpole/learn/posterior/coupled_posterior.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"
#include "interpole/model_file.hpp"

namespace interpole::learn {
namespace {

using testing::open_study;

// A posterior that is normal: the answer is known.
class Normal : public Posterior {
 public:
  int size() const override { return 2; }
  double evaluate(std::span<const double> y, std::span<double> g) override {
    const double x0 = y[0] - 1.0;
    const double x1 = y[1] + 2.0;
    g[0] = -(4.0 * x0 + 1.0 * x1);
    g[1] = -(1.0 * x0 + 2.0 * x1);
    return 3.0 - 0.5 * (4.0 * x0 * x0 + 2.0 * x0 * x1 + 2.0 * x1 * x1);
  }
  double evaluate_prior(std::span<const double> y, std::span<double> g) override {
    g[0] = 0.0;
    g[1] = -2.0 * y[1];  // all that is known of the second coordinate by itself
    return -y[1] * y[1];
  }
  AgentWorld agent_world(std::span<const double>) const override { return {}; }
  void coordinates(const AgentWorld&, std::span<double>) const override {}
  std::vector<std::string> names() const override { return {"first", "second"}; }
  const inference::LikelihoodValue& likelihood_value() const override { return value_; }
  double log_prior_value() const override { return 0.0; }

 private:
  inference::LikelihoodValue value_;
};

TEST(Laplace, IsExactForANormalPosterior) {
  Normal normal;
  const Laplace result = laplace(normal, std::vector{0.0, 0.0}, {});
  EXPECT_NEAR(result.centre[0], 1.0, 1e-5);  // L-BFGS stops at a gradient of 1e-5
  EXPECT_NEAR(result.centre[1], -2.0, 1e-5);
  // The inverse of [[4, 1], [1, 2]] is [[2, −1], [−1, 4]]/7.
  EXPECT_NEAR(result.variance(0, 0), 2.0 / 7.0, 1e-6);
  EXPECT_NEAR(result.variance(0, 1), -1.0 / 7.0, 1e-6);
  EXPECT_NEAR(result.variance(1, 1), 4.0 / 7.0, 1e-6);
  EXPECT_NEAR(result.log_evidence, 3.0 + std::log(2.0 * M_PI) - 0.5 * std::log(7.0), 1e-6);
  EXPECT_TRUE(result.proper);
}

TEST(Laplace, DrawsHaveItsMeanAndSpread) {
  Normal normal;
  const Laplace result = laplace(normal, std::vector{0.0, 0.0}, {});
  double sum = 0.0;
  double products = 0.0;
  const int draws = 20'000;
  for (int i = 0; i < draws; ++i) {
    base::RandomStream random(5, i);
    const auto y = result.draw(random);
    sum += y[0];
    products += (y[0] - 1.0) * (y[1] + 2.0);
  }
  EXPECT_NEAR(sum / draws, 1.0, 5.0 * std::sqrt(2.0 / 7.0 / draws));
  EXPECT_NEAR(products / draws, -1.0 / 7.0, 0.02);  // five standard errors
}

TEST(Laplace, HoldsADirectionAndWhatHangsOnIt) {
  Normal normal;
  Laplace result = laplace(normal, std::vector{0.0, 0.0}, {});
  result.hold({{1.0}});
  EXPECT_NEAR(result.variance(0, 0), 0.0, 1e-9);
  EXPECT_NEAR(result.variance(0, 1), 0.0, 1e-9);
  EXPECT_NEAR(result.variance(1, 1), 0.5, 1e-6);  // of the second given the first: one over its curvature
}

TEST(Laplace, NamesTheDirectionThePriorDecides) {
  Study study = testing::bias_study();
  study.known.dynamics.transition[0] = study.known.dynamics.transition[1] = NAN;
  // Nobody monitors: nothing is seen and nothing learned of results and transitions.
  const std::vector<Record> records = {{"p", {{1, kMissing}}}, {"q", {{2, kMissing}}}};
  const auto tree = build_history_tree(3, records);
  const inference::Likelihood likelihood(tree, study.structure);
  const auto posterior =
      make_posterior(likelihood, study, {DynamicsMode::kShared, Measure::kCoordinates, {}});
  const Laplace result = laplace(*posterior, std::vector<double>(posterior->size(), 0.0), {});
  EXPECT_TRUE(result.proper);
  std::vector<std::string> named;
  for (const auto& weak : result.weak) named.insert(named.end(), weak.involved.begin(), weak.involved.end());
  for (const std::string name :
       {"observation[monitor,healthy]", "observation[monitor,diseased]", "transition[monitor,healthy]"}) {
    EXPECT_NE(std::find(named.begin(), named.end(), name), named.end()) << name;
  }
}

// Evidence of a model with two unknowns (world's and agent's chance of one outcome), by brute force.
TEST(Laplace, EvidenceIsCloseToTheIntegral) {
  Study study = open_study(2, 1, 2);
  study.known.dynamics = Dynamics::filled(study.structure, 0.5);
  study.known.dynamics.transition = {0.9, 0.1, 0.2, 0.8};
  study.known.dynamics.observation = {0.8, 0.2, NAN, NAN};
  study.known.policy = Policy::filled(study.structure, 0.5);
  const Parameters truth = {{{0.5, 0.5}, study.known.dynamics.transition, {0.8, 0.2, 0.3, 0.7}},
                            study.known.policy};
  const auto tree = build_history_tree(1, testing::random_records(study.structure, truth, 400, 5, 9));
  const inference::Likelihood likelihood(tree, study.structure);
  CoupledPosterior posterior(likelihood, study, {CouplingScales::all(0.5), false}, Measure::kCoordinates);
  ASSERT_EQ(posterior.size(), 2);
  std::vector<double> gradient(2);
  const Laplace result = laplace(posterior, std::vector{0.0, 0.0}, {});
  double total = 0.0;
  const double step = 0.02;
  for (double world = -1.5; world <= 1.5; world += step) {
    for (double gap = -5.0; gap <= 5.0; gap += step) {
      total +=
          std::exp(posterior.evaluate(std::vector{world, gap}, gradient) - result.log_density) * step * step;
    }
  }
  EXPECT_NEAR(result.log_evidence, result.log_density + std::log(total), 0.02);
}

TEST(Uncertainty, SurvivesTheModelFile) {
  const Study study = testing::bias_study();
  const auto tree = testing::bias_tree(200, 11);
  const auto result = [&] {
    const inference::Likelihood likelihood(tree, study.structure);
    const AgentWorld start{testing::bias_parameters(), {}};
    const auto choice = choose_scales(likelihood, study, start, {});
    return expand(likelihood, study, DynamicsMode::kCoupled, {choice.agent_world}, choice.scales, &choice, {},
                  1);
  }();
  const Model model{study.structure, testing::bias_parameters(), {}};
  const std::string text =
      format_model(model, "{\"uncertainty\": " + format_uncertainty(study, result) + "}");
  const auto stored = parse_fit(text, "model.json").uncertainty;
  ASSERT_TRUE(stored);
  const auto before = draw_agent_worlds(study, result, 40, 3);
  const auto after = draw_agent_worlds(stored->problem, stored->uncertainty, 40, 3);
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(before[i].agent.dynamics.observation[k], after[i].agent.dynamics.observation[k], 1e-7);
      EXPECT_NEAR(before[i].world->observation[k], after[i].world->observation[k], 1e-7);
    }
  }
  EXPECT_FALSE(parse_fit(format_model(model), "model.json").has_uncertainty());
}

}  // namespace
}  // namespace interpole::learn
