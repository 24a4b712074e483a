#include "interpole/learners/simple/belief_policy.hpp"

#include <algorithm>
#include <vector>

#include "interpole/base/parallel.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/learn/fit/start.hpp"
#include "interpole/learn/posterior/log_prior.hpp"

namespace interpole::learners {
namespace {

class PolicyPosterior : public optimize::Objective {
 public:
  PolicyPosterior(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                  const model::PolicySpace& space, const Dynamics& dynamics)
      : likelihood_(likelihood),
        problem_(problem),
        space_(space),
        workspace_(likelihood.make_workspace()),
        parameters_{dynamics, space.point(std::vector<double>(space.size(), 0.0))},
        gradient_(Parameters::filled(problem.structure, 0.0)) {}

  int size() const override { return space_.size(); }

  double evaluate(std::span<const double> y, std::span<double> gradient) override {
    space_.point(y, parameters_.policy);
    std::fill(gradient.begin(), gradient.end(), 0.0);
    const inference::LikelihoodValue value =
        likelihood_.evaluate(parameters_, {.actions = true, .observations = false}, &gradient_, workspace_);
    space_.pull_back(parameters_.policy, gradient_.policy, gradient);
    return value.actions + learn::log_prior(space_, problem_.priors, y, gradient);
  }

 private:
  const inference::Likelihood& likelihood_;
  const DecisionProblem& problem_;
  const model::PolicySpace& space_;
  inference::LikelihoodWorkspace workspace_;
  Parameters parameters_;
  Parameters gradient_;
};

}  // namespace

BeliefPolicy fit_belief_policy(const HistoryTree& tree, const DecisionProblem& problem,
                               const Dynamics& dynamics, const BeliefPolicyOptions& options, Sink& sink) {
  const inference::Likelihood likelihood(tree, problem.structure, inference::Kernel::kVector, 1);
  const learn::StudySpace whole(problem, DynamicsMode::kShared);
  const model::PolicySpace& space = whole.policy();
  std::vector<BeliefPolicy> attempts(options.restarts);
  base::parallel_tasks(options.restarts, options.threads, [&](int i) {
    base::RandomStream random(options.seed, i, base::RandomPurpose::kBeliefPolicyStart);
    std::vector<double> y(space.size());
    space.coordinates(learn::draw_start(problem, whole, random).policy, y);
    PolicyPosterior posterior(likelihood, problem, space, dynamics);
    attempts[i].optimize =
        optimize::maximise_lbfgs(posterior, y, options.lbfgs, [&] { return sink.stop_requested(); });
    attempts[i].policy = space.point(y);
    attempts[i].interrupted = attempts[i].optimize.stop == optimize::OptimizeSummary::Stop::kInterrupted;
  });
  const auto best = std::max_element(
      attempts.begin(), attempts.end(),
      [](const BeliefPolicy& x, const BeliefPolicy& y) { return x.optimize.value < y.optimize.value; });
  BeliefPolicy result = *best;
  for (const BeliefPolicy& attempt : attempts) result.interrupted |= attempt.interrupted;
  return result;
}

}  // namespace interpole::learners
