#include "interpole/learn/terms/term_screen.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "interpole/environment.hpp"
#include "interpole/learn/posterior/log_posterior.hpp"
#include "interpole/learn/uncertainty/laplace.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/simulate.hpp"

namespace interpole::learn {
namespace {

// log ∫ Normal(w; 0, τ²) exp(score·w − ½ precision w²) dw, by the trapezium rule.
double log_ratio_by_sum(double precision, double score, double tau) {
  const double step = 1e-3;
  double sum = 0.0;
  for (double w = -30.0; w <= 30.0; w += step) {
    sum += step * std::exp(score * w - 0.5 * precision * w * w - 0.5 * w * w / (tau * tau));
  }
  return std::log(sum / (tau * std::sqrt(2.0 * std::numbers::pi)));
}

TEST(TermScale, HasTheEvidenceOfTheIntegral) {
  const auto one = [](double x) { return Eigen::MatrixXd::Constant(1, 1, x); };
  for (const double score : {0.0, 2.0, 9.0}) {
    const TermScale best = best_scale(one(4.0), Eigen::VectorXd::Constant(1, score));
    EXPECT_NEAR(best.log_ratio, log_ratio_by_sum(4.0, score, best.tau), 1e-6);
    for (const double tau : {0.1, 1.0, 3.0}) {
      EXPECT_GE(best.log_ratio + 1e-2, log_ratio_by_sum(4.0, score, tau));
    }
  }
}

TEST(TermScale, IsSmallWhereNothingIsSaid) {
  const TermScale best = best_scale(Eigen::MatrixXd::Identity(3, 3) * 50.0, Eigen::VectorXd::Zero(3));
  EXPECT_LT(best.tau, 0.05);
  EXPECT_LE(best.log_ratio, 0.0);
}

struct Screened {
  DecisionProblem problem;
  HistoryTree tree;
  Parameters at;  // the mode of belief alone
  std::vector<TermCandidate> candidates;

  Screened(const Environment& environment, int patients, std::uint64_t seed)
      : problem(DecisionProblem::open(environment.truth.structure)) {
    std::vector<Record> records;
    SimulateOptions options;
    options.patients = patients;
    options.seed = seed;
    simulate(environment, options, [&](const Record& record) { records.push_back(record); });
    tree = build_history_tree(3, records);
    at = environment.truth.agent;
    at.policy.terms = {};
    log_evidence(problem, at);
    candidates = term_candidates(tree, problem);
  }

  // `point` moves to the mode.
  double log_evidence(const DecisionProblem& of, Parameters& point) const {
    const inference::Likelihood likelihood(tree, of.structure);
    LogPosterior posterior(likelihood, of, StudySpace(of, DynamicsMode::kShared), DynamicsMode::kShared,
                           Measure::kCoordinates);
    std::vector<double> y(posterior.size());
    posterior.coordinates({with_terms_of(of, point), {}}, y);
    const Laplace expansion = laplace(posterior, y, {});
    point = posterior.agent_world(expansion.centre).agent;
    return expansion.log_evidence;
  }

  std::vector<TermScale> foreseen() const {
    const inference::Likelihood likelihood(tree, problem.structure);
    return screen_terms(likelihood, problem, DynamicsMode::kShared, at, candidates);
  }

  // What fitting candidate i with this scale gains.
  double gain(std::size_t i, double scale) const {
    DecisionProblem with = problem;
    add_term(candidates[i], scale, with);
    Parameters there = at;
    Parameters here = at;
    return log_evidence(with, there) - log_evidence(problem, here);
  }
};

TEST(TermScreen, ForeseesWhatFittingATermGains) {
  Environment environment = plain_ward();
  PolicyTerms& terms = environment.truth.agent.policy.terms;
  terms.additive.push_back(
      model::term_filled(environment.truth.structure, terms, TermKind::kHabit, 0.0, -1, 0));
  terms.additive.back().weights = {0.3, -0.2, -0.1, -0.3, 0.2, 0.1, 0, 0, 0};
  for (const std::uint64_t seed : {1, 2}) {
    const Screened at(environment, 1500, seed);
    const auto foreseen = at.foreseen();
    for (std::size_t i = 0; i < foreseen.size(); ++i) {
      if (at.candidates[i].shape != TermCandidate::Shape::kAdditive) continue;
      // Of second order: off by what the third adds, some per cent of a gain of this size.
      const double gain = at.gain(i, foreseen[i].tau);
      EXPECT_NEAR(foreseen[i].log_ratio, gain, 0.5 + 0.1 * std::abs(gain)) << at.candidates[i].name;
    }
  }
}

TEST(TermScreen, PromisesNothingWhereBeliefSaysItAll) {
  for (const std::uint64_t seed : {3, 4, 5}) {
    for (const TermScale& term : Screened(plain_ward(), 800, seed).foreseen()) {
      EXPECT_LT(term.log_ratio, 3.0);
    }
  }
}

TEST(TermScreen, DoesNotOverlookShares) {
  Environment inert = plain_ward();
  inert.truth.agent.policy.terms.inertia = 0.2;
  Environment lapsing = plain_ward();
  lapsing.truth.agent.policy.terms.lapse = 0.2;
  EXPECT_GT(Screened(inert, 800, 6).foreseen()[0].log_ratio, 3.0);
  EXPECT_GT(Screened(lapsing, 800, 7).foreseen()[1].log_ratio, 3.0);
}

}  // namespace
}  // namespace interpole::learn
