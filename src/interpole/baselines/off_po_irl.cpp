#include "interpole/baselines/off_po_irl.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/baselines/fitted_rewards.hpp"
#include "interpole/baselines/joint_chain.hpp"
#include "interpole/baselines/reward_chains.hpp"
#include "interpole/learn/labels.hpp"
#include "interpole/learn/study_space.hpp"

namespace interpole {
namespace {

constexpr double kPathsShare = 0.25;      // of the steps where the walk goes over everything
constexpr double kPaperPathsShare = 0.5;  // of the paper's, and where the walk goes over rewards alone
// A walk over more coordinates than this gets nowhere, and to learn its shape takes too long: rewards walk
// alone then, and rows of the dynamics are drawn one at a time.
constexpr int kMostWalkCoordinates = 24;

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
  Naming(const Study& study, const Dynamics& reference) : structure_(study.structure), reference_(reference) {
    Study nameless = study;
    nameless.known.policy = Policy::filled(study.structure, NAN);
    orders_ = allowed_relabellings(nameless);
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

enum class Way { kPaper, kRewardsAlone, kEverything };

// One chain.
class Sampler {
 public:
  Sampler(const JointTarget& target, const RewardProblem& problem, const Naming& naming, Way way)
      : target_(target), problem_(problem), naming_(naming), way_(way) {}

  MetropolisChain run(JointChain at, RandomWalk walk, RandomStream& random,
                      const std::function<bool()>& stop) const {
    const RewardChainOptions& options = problem_.chains;
    MetropolisChain result;
    int accepted = 0;
    for (int i = 0; i < options.steps; ++i) {
      if (stop()) {
        result.interrupted = true;
        return result;
      }
      const bool taken = step(at, walk, random, i < options.warm_up());
      if (i < options.warm_up()) continue;
      accepted += taken ? 1 : 0;
      result.draws.push_back(naming_.named(at.dynamics(), at.rewards()));
      result.log_densities.push_back(at.log_density());
    }
    result.acceptance = accepted / static_cast<double>(result.draws.size());
    return result;
  }

 private:
  bool step(JointChain& at, RandomWalk& walk, RandomStream& random, bool learning) const {
    bool taken = false;
    const double paths_share = way_ == Way::kEverything ? kPathsShare : kPaperPathsShare;
    if (target_.space.size() > 0 && random.uniform() < paths_share) {
      at.move_paths(random, &taken, row(random));
    } else if (way_ == Way::kEverything) {
      const double chance = at.move_both(random, walk, &taken);
      if (learning) walk.learn(at.coordinates(), chance);
    } else {
      const double chance = at.move_rewards(random, walk, &taken);
      if (learning && way_ != Way::kPaper) walk.learn(at.rewards(), chance);
    }
    return taken;
  }

  // Which row to draw anew; none: all, as in the paper, and in ours now and then.
  std::optional<std::size_t> row(RandomStream& random) const {
    if (way_ == Way::kPaper || random.uniform() < 0.1) return std::nullopt;
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(target_.space.blocks().size()));
  }

  const JointTarget& target_;
  const RewardProblem& problem_;
  const Naming& naming_;
  Way way_;
};

// The chains of one fit.
class Run {
 public:
  Run(const std::string& learner, const HistoryTree& tree, const Study& study, const RewardProblem& problem)
      : learner_(learner),
        problem_(problem),
        space_(study, DynamicsMode::kShared),
        target_{tree, problem.agent, space_.dynamics(), study.priors, problem.chains.prior_sd},
        naming_(study, problem.dynamics) {}

  std::vector<MetropolisChain> chains(Sink& sink) const {
    if (problem_.chains.paper) return papers_chain(sink);
    const int coordinates = space_.dynamics().size() + static_cast<int>(problem_.start.size());
    return coordinates <= kMostWalkCoordinates ? over_everything(sink) : over_rewards(sink);
  }

 private:
  std::vector<MetropolisChain> papers_chain(Sink& sink) const {
    const Sampler sampler(target_, problem_, naming_, Way::kPaper);
    return run_chains(learner_, problem_.chains, sink,
                      [&](int, RandomStream& random, const std::function<bool()>& stop) {
                        const RandomWalk walk(static_cast<int>(problem_.start.size()), kPaperStep);
                        return sampler.run(chain_at(noisy_start(problem_, 0, random)), walk, random, stop);
                      });
  }

  std::vector<MetropolisChain> over_rewards(Sink& sink) const {
    const DecisionTable decisions = decisions_at_beliefs(
        target_.tree, node_beliefs(target_.tree, problem_.agent.structure, problem_.dynamics));
    const NormalFit peak = highest_peak(
        learner_,
        [&](std::span<const double> rewards) {
          return log_reward_prior(rewards, target_.reward_sd) +
                 log_likelihood(decisions, problem_.agent, problem_.agent.plan(problem_.dynamics, rewards));
        },
        search_starts(problem_), reward_units(), problem_.chains, sink);
    const Sampler sampler(target_, problem_, naming_, Way::kRewardsAlone);
    return run_chains(learner_, problem_.chains, sink,
                      [&](int, RandomStream& random, const std::function<bool()>& stop) {
                        return sampler.run(chain_at(dispersed_start(peak, random)),
                                           RandomWalk(peak.covariance), random, stop);
                      });
  }

  std::vector<MetropolisChain> over_everything(Sink& sink) const {
    std::vector<std::vector<double>> starts;
    for (const std::vector<double>& rewards : search_starts(problem_)) {
      starts.push_back(chain_at(rewards).coordinates());
    }
    std::vector<double> units(space_.dynamics().size(), 1.0);
    const std::vector<double> of_rewards = reward_units();
    units.insert(units.end(), of_rewards.begin(), of_rewards.end());
    const JointChain anywhere = chain_at(problem_.start);
    const NormalFit peak = highest_peak(
        learner_, [&](std::span<const double> x) { return anywhere.log_density_at(x); }, starts, units,
        problem_.chains, sink);
    const Sampler sampler(target_, problem_, naming_, Way::kEverything);
    return run_chains(learner_, problem_.chains, sink,
                      [&](int, RandomStream& random, const std::function<bool()>& stop) {
                        const std::vector<double> x = dispersed_start(peak, random);
                        const auto split = static_cast<std::size_t>(space_.dynamics().size());
                        const Dynamics dynamics = space_.dynamics().point(std::span(x).first(split));
                        const auto rewards = std::span(x).subspan(split);
                        return sampler.run({target_, dynamics, {rewards.begin(), rewards.end()}},
                                           RandomWalk(peak.covariance), random, stop);
                      });
  }

  JointChain chain_at(const std::vector<double>& rewards) const {
    return {target_, problem_.dynamics, rewards};
  }

  std::vector<double> reward_units() const {
    return std::vector<double>(problem_.start.size(), 1.0 / problem_.agent.inverse_temperature);
  }

  const std::string& learner_;
  const RewardProblem& problem_;
  StudySpace space_;
  JointTarget target_;
  Naming naming_;
};

class OffPoIrlLearner : public Learner {
 public:
  std::string name() const override { return "off-po-irl"; }
  std::string description() const override {
    return "dynamics and rewards learned together (MCMC); one set of dynamics for agent and world";
  }
  std::vector<LearnerOption> options() const override { return reward_learner_options(); }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const Study& study,
                                     const LearnerOptions& options, Sink& sink) const override {
    const RewardProblem problem = prepare_rewards(*this, tree, study, options, sink);
    const std::string own_name = name();
    const auto chains = Run(own_name, tree, study, problem).chains(sink);
    const DrawsSummary draws = summarise(chains, problem.chains);
    const auto rewards = draws.mean.end() - static_cast<std::ptrdiff_t>(problem.start.size());
    return std::make_unique<FittedRewards>(problem.agent, dynamics_of(study.structure, draws.mean),
                                           std::vector<double>(rewards, draws.mean.end()),
                                           fmt::format("{}; then {}", problem.sentence, draws.sentence),
                                           draws.doubt);
  }

  std::unique_ptr<FittedLearner> load(const std::string& json, const Structure& structure,
                                      const std::string& where) const override {
    return load_fitted_rewards(json, structure, where);
  }
};

}  // namespace

const Learner& off_po_irl_learner() {
  static const OffPoIrlLearner learner;
  return learner;
}

}  // namespace interpole
