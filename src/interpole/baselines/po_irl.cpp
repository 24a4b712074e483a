#include "interpole/baselines/po_irl.hpp"

#include <fmt/format.h>

#include "interpole/baselines/fitted_rewards.hpp"
#include "interpole/baselines/reward_chains.hpp"

namespace interpole {
namespace {

class PoIrlLearner : public Learner {
 public:
  std::string name() const override { return "po-irl"; }
  std::string description() const override {
    return "dynamics from observations alone (Baum-Welch), then rewards that explain the actions (MCMC)";
  }
  std::vector<LearnerOption> options() const override { return reward_learner_options(); }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const Study& study,
                                     const LearnerOptions& options, Sink& sink) const override {
    const RewardProblem problem = prepare_rewards(*this, tree, study, options, sink);
    const DecisionTable decisions =
        decisions_at_beliefs(tree, node_beliefs(tree, study.structure, problem.dynamics));
    const auto log_density = [&](std::span<const double> rewards) {
      return log_reward_prior(rewards, problem.chains.prior_sd) +
             log_likelihood(decisions, problem.agent, problem.agent.plan(problem.dynamics, rewards));
    };
    const auto chains = problem.chains.paper ? papers_chain(problem, log_density, sink)
                                             : adapting_chains(problem, log_density, sink);
    const DrawsSummary draws = summarise(chains, problem.chains);
    return std::make_unique<FittedRewards>(problem.agent, problem.dynamics, draws.mean,
                                           fmt::format("{}; rewards: {}", problem.sentence, draws.sentence),
                                           problem.converged ? draws.doubt : "Baum-Welch gave up");
  }

  std::unique_ptr<FittedLearner> load(const std::string& json, const Structure& structure,
                                      const std::string& where) const override {
    return load_fitted_rewards(json, structure, where);
  }

 private:
  static MetropolisOptions lengths(const RewardChainOptions& options) {
    return {.warm_up = options.warm_up(),
            .draws = options.steps - options.warm_up(),
            .step = kPaperStep,
            .learning = !options.paper};
  }

  std::vector<MetropolisChain> papers_chain(const RewardProblem& problem, const LogDensity& log_density,
                                            Sink& sink) const {
    return run_chains(name(), problem.chains, sink,
                      [&](int, RandomStream& random, const std::function<bool()>& stop) {
                        return run_metropolis(log_density, noisy_start(problem, 0, random),
                                              lengths(problem.chains), random, stop);
                      });
  }

  std::vector<MetropolisChain> adapting_chains(const RewardProblem& problem, const LogDensity& log_density,
                                               Sink& sink) const {
    const std::vector<double> units(problem.start.size(), 1.0 / problem.agent.inverse_temperature);
    const NormalFit peak =
        highest_peak(name(), log_density, search_starts(problem), units, problem.chains, sink);
    return run_chains(
        name(), problem.chains, sink, [&](int, RandomStream& random, const std::function<bool()>& stop) {
          return run_metropolis(log_density, dispersed_start(peak, random), RandomWalk(peak.covariance),
                                lengths(problem.chains), random, stop);
        });
  }
};

}  // namespace

const Learner& po_irl_learner() {
  static const PoIrlLearner learner;
  return learner;
}

}  // namespace interpole
