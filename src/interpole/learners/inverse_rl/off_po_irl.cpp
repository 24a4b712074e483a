#include "interpole/learners/inverse_rl/off_po_irl.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/learn/fit/labels.hpp"
#include "interpole/learn/posterior/study_space.hpp"
#include "interpole/learners/inverse_rl/fitted_rewards.hpp"
#include "interpole/learners/inverse_rl/joint_chain.hpp"
#include "interpole/learners/inverse_rl/reward_sampler.hpp"

namespace interpole::learners {
namespace {

constexpr double kPaperPathsShare = 0.5;  // of the steps of the paper's chain

// A draw as one row: all of the dynamics, known or not, then rewards.
std::vector<double> row_of(const Dynamics& dynamics, std::span<const double> rewards) {
  std::vector<double> row = dynamics.initial;
  row.insert(row.end(), dynamics.transition.begin(), dynamics.transition.end());
  row.insert(row.end(), dynamics.observation.begin(), dynamics.observation.end());
  row.insert(row.end(), rewards.begin(), rewards.end());
  return row;
}

Dynamics dynamics_of(const Structure& structure, const std::vector<double>& row) {
  Dynamics dynamics = Dynamics::filled(structure, 0.0);
  auto from = row.begin();
  for (std::vector<double>* field : {&dynamics.initial, &dynamics.transition, &dynamics.observation}) {
    std::copy_n(from, field->size(), field->begin());
    from += static_cast<std::ptrdiff_t>(field->size());
  }
  return dynamics;
}

double distance(const Dynamics& x, const Dynamics& y) {
  const std::vector<double> a = row_of(x, {});
  const std::vector<double> b = row_of(y, {});
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// A chain may come to name the states otherwise, which no likelihood notices but a mean does. Draws are given
// the names, of those the study allows, under which they are closest to the start.
class Naming {
 public:
  Naming(const DecisionProblem& study, const Dynamics& reference)
      : structure_(study.structure), reference_(reference) {
    DecisionProblem nameless = study;
    nameless.known.policy = Policy::filled(study.structure, NAN);
    orders_ = learn::allowed_relabellings(nameless);
  }

  std::vector<double> named(const Dynamics& dynamics, std::span<const double> rewards) const {
    if (orders_.size() == 1) return row_of(dynamics, rewards);
    const std::vector<int>* best = &orders_.front();
    double closest = INFINITY;
    for (const std::vector<int>& order : orders_) {
      const double apart = distance(permute_states(structure_, dynamics, order), reference_);
      if (apart >= closest) continue;
      closest = apart;
      best = &order;
    }
    const Policy as_policy{0.0, {rewards.begin(), rewards.end()}};  // rewards are laid out as means are
    return row_of(permute_states(structure_, dynamics, *best),
                  permute_states(structure_, as_policy, *best).means);
  }

 private:
  const Structure& structure_;
  const Dynamics& reference_;
  std::vector<std::vector<int>> orders_;
};

// The chains of one fit.
class Run {
 public:
  Run(const HistoryTree& tree, const DecisionProblem& study, const RewardProblem& problem)
      : problem_(problem),
        space_(study, DynamicsMode::kShared),
        target_{tree, problem.agent, space_.dynamics(), study.priors, problem.chains.prior_sd},
        naming_(study, problem.dynamics) {}

  sampling::MetropolisChain papers_chain(const std::string& learner, Sink& sink) const {
    return run_papers_chain(learner, problem_.chains, sink,
                            [&](base::RandomStream& random, const std::function<bool()>& stop) {
                              return papers_chain(random, stop);
                            });
  }

  std::vector<RewardChain> chains(const std::string& learner, Sink& sink) const {
    const optimize::NormalFit peak =
        highest_peak(learner, target_, problem_.dynamics, search_starts(problem_), problem_.chains, sink);
    return sample_rewards(
        learner, target_, peak, problem_.chains,
        [&](const Dynamics& dynamics, std::span<const double> rewards) {
          return naming_.named(dynamics, rewards);
        },
        sink);
  }

 private:
  sampling::MetropolisChain papers_chain(base::RandomStream& random,
                                         const std::function<bool()>& stop) const {
    const sampling::RandomWalk walk(static_cast<int>(problem_.start.size()), kPaperStep);
    JointChain at(target_, problem_.dynamics, noisy_start(problem_, 0, random));
    sampling::MetropolisChain result;
    int accepted = 0;
    for (int i = 0; i < problem_.chains.steps; ++i) {
      if (stop()) {
        result.interrupted = true;
        return result;
      }
      bool taken = false;
      if (space_.dynamics().size() > 0 && random.uniform() < kPaperPathsShare) {
        at.move_paths(random, &taken);
      } else {
        at.move_rewards(random, walk, &taken);
      }
      if (i < problem_.chains.warm_up()) continue;
      accepted += taken ? 1 : 0;
      result.draws.push_back(naming_.named(at.dynamics(), at.rewards()));
      result.log_densities.push_back(at.log_density());
    }
    result.acceptance = accepted / static_cast<double>(result.draws.size());
    return result;
  }

  const RewardProblem& problem_;
  learn::StudySpace space_;
  JointTarget target_;
  Naming naming_;
};

class OffPoIrlLearner : public NamedLearner {
 public:
  OffPoIrlLearner()
      : NamedLearner("off-po-irl",
                     "dynamics and rewards learned together (MCMC); one set of dynamics for agent and world",
                     load_fitted_rewards) {}
  std::vector<LearnerOption> options() const override { return reward_learner_options(); }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& study,
                                     const LearnerOptions& options, Sink& sink) const override {
    const RewardProblem problem = prepare_rewards(*this, tree, study, options, sink);
    const Run run(tree, study, problem);
    if (problem.chains.paper) {
      return fitted(study, problem, summarise_papers_chain(run.papers_chain(name(), sink), problem.chains),
                    {});
    }
    const std::vector<RewardChain> chains = run.chains(name(), sink);
    return fitted(study, problem, summarise(chains, problem.chains), predicting_draws(chains));
  }

 private:
  static std::unique_ptr<FittedLearner> fitted(const DecisionProblem& study, const RewardProblem& problem,
                                               const DrawsSummary& draws,
                                               const std::vector<std::vector<double>>& rows) {
    const auto as_draw = [&](const std::vector<double>& row) -> RewardDraw {
      const auto rewards = row.end() - static_cast<std::ptrdiff_t>(problem.start.size());
      return {dynamics_of(study.structure, row), {rewards, row.end()}};
    };
    std::vector<RewardDraw> kept;
    kept.reserve(rows.size());
    for (const std::vector<double>& row : rows) kept.push_back(as_draw(row));
    RewardDraw mean = as_draw(draws.mean);
    return std::make_unique<FittedRewards>(
        problem.agent, std::move(*mean.dynamics), std::move(mean.rewards), std::move(kept),
        fmt::format("{}; then {}", problem.sentence, draws.sentence), draws.doubt);
  }
};

}  // namespace

const Learner& off_po_irl_learner() {
  static const OffPoIrlLearner learner;
  return learner;
}

}  // namespace interpole::learners
