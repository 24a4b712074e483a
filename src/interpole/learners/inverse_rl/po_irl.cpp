#include "interpole/learners/inverse_rl/po_irl.hpp"

#include <fmt/format.h>

#include "interpole/learners/inverse_rl/fitted_rewards.hpp"
#include "interpole/learners/inverse_rl/reward_sampler.hpp"

namespace interpole::learners {
namespace {

class PoIrlLearner : public NamedLearner {
 public:
  PoIrlLearner()
      : NamedLearner(
            "po-irl",
            "dynamics from observations alone (Baum-Welch), then rewards that explain the actions (MCMC)",
            load_fitted_rewards) {}
  std::vector<LearnerOption> options() const override { return reward_learner_options(); }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& study,
                                     const LearnerOptions& options, Sink& sink) const override {
    const RewardProblem problem = prepare_rewards(*this, tree, study, options, sink);
    if (problem.chains.paper) {
      const sampling::MetropolisChain chain = papers_chain(tree, problem, sink);
      return fitted(problem, summarise_papers_chain(chain, problem.chains), {});
    }
    const std::vector<RewardChain> chains = our_chains(tree, study, problem, sink);
    return fitted(problem, summarise(chains, problem.chains), predicting_draws(chains));
  }

 private:
  sampling::MetropolisChain papers_chain(const HistoryTree& tree, const RewardProblem& problem,
                                         Sink& sink) const {
    const DecisionTable decisions =
        decisions_at_beliefs(tree, inference::node_beliefs(tree, problem.agent.structure, problem.dynamics));
    const auto log_density = [&](std::span<const double> rewards) {
      return log_reward_prior(rewards, problem.chains.prior_sd) +
             log_likelihood(decisions, problem.agent, problem.agent.plan(problem.dynamics, rewards));
    };
    const sampling::MetropolisOptions lengths{.warm_up = problem.chains.warm_up(),
                                              .draws = problem.chains.steps - problem.chains.warm_up(),
                                              .step = kPaperStep,
                                              .learning = false};
    return run_papers_chain(
        name(), problem.chains, sink, [&](base::RandomStream& random, const std::function<bool()>& stop) {
          return run_metropolis(log_density, noisy_start(problem, 0, random), lengths, random, stop);
        });
  }

  std::vector<RewardChain> our_chains(const HistoryTree& tree, const DecisionProblem& study,
                                      const RewardProblem& problem, Sink& sink) const {
    const model::DynamicsSpace nothing_to_learn(study.structure, problem.dynamics);
    const JointTarget target{tree, problem.agent, nothing_to_learn, study.priors, problem.chains.prior_sd};
    const optimize::NormalFit peak =
        highest_peak(name(), target, problem.dynamics, search_starts(problem), problem.chains, sink);
    return sample_rewards(
        name(), target, peak, problem.chains,
        [](const Dynamics&, std::span<const double> rewards) {
          return std::vector<double>(rewards.begin(), rewards.end());
        },
        sink);
  }

  static std::unique_ptr<FittedLearner> fitted(const RewardProblem& problem, const DrawsSummary& draws,
                                               std::vector<std::vector<double>> rows) {
    std::vector<RewardDraw> kept;
    kept.reserve(rows.size());
    for (std::vector<double>& row : rows) kept.push_back({std::nullopt, std::move(row)});
    return std::make_unique<FittedRewards>(problem.agent, problem.dynamics, draws.mean, std::move(kept),
                                           fmt::format("{}; rewards: {}", problem.sentence, draws.sentence),
                                           problem.converged ? draws.doubt : "Baum-Welch gave up");
  }
};

}  // namespace

const Learner& po_irl_learner() {
  static const PoIrlLearner learner;
  return learner;
}

}  // namespace interpole::learners
