#include <fmt/format.h>

#include <cmath>

#include "interpole/error.hpp"
#include "interpole/learn/fit/labels.hpp"
#include "interpole/learners/inverse_rl/reward_chains.hpp"
#include "interpole/planning/fixed_points/fixed_points.hpp"

namespace interpole::learners {
namespace {

// Which states the study's starting rewards speak of is known only if names are: where nothing settles them,
// that naming is taken under which the start explains the decisions best.
constexpr std::size_t kMostNamings = 24;

double log_likelihood_at_start(const RewardProblem& problem, const HistoryTree& tree,
                               const Dynamics& dynamics) {
  const DecisionTable decisions =
      decisions_at_beliefs(tree, inference::node_beliefs(tree, problem.agent.structure, dynamics));
  return log_likelihood(decisions, problem.agent, problem.agent.plan(dynamics, problem.start));
}

// Names the states of learned dynamics; says how.
std::string name_states(RewardProblem& problem, const HistoryTree& tree, const DecisionProblem& study) {
  DecisionProblem nameless = study;
  nameless.known.policy = Policy::filled(study.structure, NAN);
  Parameters parameters = {problem.dynamics, Policy::filled(study.structure, 0.0)};
  const learn::LabelReport report = learn::align_labels(tree, nameless, parameters);
  problem.dynamics = parameters.dynamics;
  if (!report.ambiguous || !report.order.empty()) return report.sentence;
  const auto namings = learn::allowed_relabellings(nameless);
  if (namings.size() > kMostNamings) return report.sentence;
  double best = -INFINITY;
  const Dynamics learned = problem.dynamics;
  for (const std::vector<int>& order : namings) {
    const Dynamics named = permute_states(study.structure, learned, order);
    const double value = log_likelihood_at_start(problem, tree, named);
    if (value <= best) continue;
    best = value;
    problem.dynamics = named;
  }
  return report.sentence;
}

// The study's known η, 10 in DIAG and BIAS and 1 in ADNI, is also the authors' β there.
double temperature_of(const DecisionProblem& study, double asked_for) {
  if (asked_for > 0.0) return asked_for;
  const double known = study.known.policy.inverse_temperature;
  return known > 0.0 ? known : 1.0;  // NaN: not known
}

}  // namespace

std::vector<double> reward_start(const DecisionProblem& study) {
  std::vector<double> start;
  for (const double mean : study.start.policy.means) {
    start.push_back(std::isnan(mean) ? 0.0 : 0.25 * (2.5 * mean - 1.5));
  }
  return start;
}

std::vector<LearnerOption> reward_learner_options() {
  const RewardChainOptions chains;
  const RewardAgent agent;
  const BaumWelchOptions baum_welch;
  return {
      {"paper-chain", 0, "1: one chain of 1,000 steps of 0.001, as in the paper; 0: chains that adapt", 0, 1,
       true},
      {"chains", static_cast<double>(chains.chains), "chains from different starts", 1, 1000, true},
      {"steps", static_cast<double>(chains.steps), "of each chain; the first half adapts and is not kept", 50,
       1e7, true},
      {"inverse-temperature", 0, "of the softmax; 0: the study's known inverse temperature, else 1", 0, 1e6},
      {"discount", agent.discount, "of rewards to come", 0, 1},
      {"horizon", static_cast<double>(agent.horizon), "decisions to plan ahead", 1, 10'000, true},
      {"prior-sd", 10, "of inverse temperature times reward beforehand, around zero", 1e-6, 1e6},
      {"planning-points", 64, "beliefs at which problems of more than two states are planned", 8, 5000, true},
      {"restarts", static_cast<double>(baum_welch.restarts), "of Baum-Welch: searches from different starts",
       1, 1e6, true},
      {"pseudo-count", baum_welch.pseudo_count,
       "of Baum-Welch: added to every expected count, so that what was never seen stays possible", 0, 1e6}};
}

RewardProblem prepare_rewards(const Learner& learner, const HistoryTree& tree, const DecisionProblem& study,
                              const LearnerOptions& options, Sink& sink) {
  const OptionValues values(learner, options);
  const BaumWelchRun world = baum_welch(tree, study,
                                        {.restarts = values.whole("restarts"),
                                         .pseudo_count = values.number("pseudo-count"),
                                         .seed = options.seed,
                                         .threads = options.threads},
                                        sink);
  if (world.interrupted) throw interrupted_learner(learner.name());
  if (world.impossible_node) throw impossible_data();
  RewardProblem problem;
  problem.agent = {study.structure,
                   temperature_of(study, values.number("inverse-temperature")),
                   values.number("discount"),
                   values.whole("horizon"),
                   {}};
  if (study.structure.state_count() != 2) {
    const inference::NodeBeliefs beliefs = inference::node_beliefs(tree, study.structure, world.dynamics);
    problem.agent.points = planning::belief_grid(beliefs.beliefs, study.structure.state_count(),
                                                 values.whole("planning-points"));
  }
  const bool paper = values.whole("paper-chain") != 0;
  problem.chains = {.paper = paper,
                    .chains = paper ? 1 : values.whole("chains"),
                    .steps = paper ? kPaperSamples : values.whole("steps"),
                    .prior_sd = values.number("prior-sd") / problem.agent.inverse_temperature,
                    .prior_sd_in_units = values.number("prior-sd"),
                    .seed = options.seed,
                    .threads = options.threads};
  problem.dynamics = world.dynamics;
  problem.start = reward_start(study);
  const std::string naming = name_states(problem, tree, study);
  problem.sentence = fmt::format("Baum-Welch {} after {} iterations; {}",
                                 world.converged ? "converged" : "gave up", world.iterations(), naming);
  problem.converged = world.converged;
  return problem;
}

}  // namespace interpole::learners
