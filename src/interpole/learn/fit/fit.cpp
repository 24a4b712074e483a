#include "interpole/learn/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "interpole/base/parallel.hpp"
#include "interpole/base/random.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/fit/nothing_finite.hpp"
#include "interpole/learn/fit/relabelled_rows.hpp"
#include "interpole/learn/fit/start.hpp"
#include "interpole/learn/terms/kind_choice.hpp"
#include "interpole/optimize/search.hpp"

namespace interpole::learn {
namespace {

// σ of the first search: loose enough to see the agent's own mind, tight enough to keep its states the
// world's.
constexpr double kFirstScale = 0.3;
// Evidence and intervals need the curvature in every pair of coordinates: beyond this it takes too long.
constexpr int kMostExpandedCoordinates = 500;
constexpr int kWave = 4;              // restarts at a time, until the best was found often enough
constexpr double kDrawnShare = 0.2;   // of a start that is drawn near a known end
constexpr double kSameHeight = 0.01;  // nats: two searches that ended at one place
// How far a value may be from the one remembered: another instruction set may add in another order, and
// probabilities close to zero lose something on the way through coordinates.
constexpr double kSameValue = 1e-4;

// Where restart `index` begins.
AgentWorld start_of(const DecisionProblem& problem, const FitOptions& options, int index) {
  base::RandomStream random(options.seed, index, base::RandomPurpose::kRestart);
  // A coupled search starts with agent and world alike, where the agent's known values allow it.
  const auto mode =
      options.dynamics == DynamicsMode::kShared ? DynamicsMode::kShared : DynamicsMode::kSubjective;
  return {draw_start(problem, StudySpace(problem, mode), random), {}};
}

// Between two points, row by row.
Dynamics blend(const Dynamics& near, const Dynamics& far, double share) {
  const auto mix = [&](const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = (1.0 - share) * x[i] + share * y[i];
    return result;
  };
  return {mix(near.initial, far.initial), mix(near.transition, far.transition),
          mix(near.observation, far.observation), near.start};
}

const Attempt* best_of(const std::vector<Attempt>& attempts) {
  const Attempt* best = nullptr;
  for (const Attempt& attempt : attempts) {
    if (!attempt.ran || !std::isfinite(attempt.summary.log_posterior)) continue;
    if (best == nullptr || attempt.summary.log_posterior > best->summary.log_posterior) best = &attempt;
  }
  return best;
}

class Restarts {
 public:
  Restarts(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options, Sink& sink,
           base::Checkpoint* checkpoint, std::string phase, const Parameters* one)
      : problem_(problem),
        options_(options),
        sink_(sink),
        checkpoint_(checkpoint),
        phase_(std::move(phase)),
        one_(one),
        nodes_(tree.node_count()),
        // Threads go to restarts if there are several, into the likelihood if there is one: the result is
        // the same.
        likelihood_(tree, problem.structure, inference::Kernel::kVector,
                    options.restarts == 1 ? options.threads : 1) {}

  template <class StartOf>
  std::vector<Attempt> run(const std::string& stage, const CouplingScales& scales,
                           const StartOf& start_of_restart) {
    std::vector<Attempt> attempts;
    const int most = options_.restarts == kUntilFound ? kMostRestarts : options_.restarts;
    sink_.progress(phase_ + stage, 0, most);
    // Waves are of one size, so that how many restarts there are does not depend on threads.
    const int wave = options_.restarts == kUntilFound ? kWave : most;
    while (static_cast<int>(attempts.size()) < most && times_found(attempts) < kTimesFound) {
      run_more(phase_ + stage, std::min(wave, most - static_cast<int>(attempts.size())), most, scales,
               start_of_restart, attempts);
      if (sink_.stop_requested()) break;
    }
    sink_.progress(phase_ + stage, most, most);
    return attempts;
  }

  // With the chosen coupling, from where each of these ended. σ of rows supposes that states are named as in
  // the choice; where they are the better explanation, the best search goes on from where the choice ended.
  std::vector<Attempt> go_on(const std::string& stage, const ScaleChoice& choice,
                             const std::vector<Attempt>& attempts) {
    const bool by_row = !choice.scales.rows.empty();
    const Attempt* best = best_of(attempts);
    std::vector<Attempt> result;
    run_more(
        phase_ + stage, static_cast<int>(attempts.size()), static_cast<int>(attempts.size()), choice.scales,
        [&](int i) {
          if (!by_row) return attempts[i].agent_world;
          if (&attempts[i] == best) return choice.agent_world;
          return named_alike(problem_, attempts[i].agent_world, choice.agent_world);
        },
        result);
    return result;
  }

  // By the evidence, from where the best search ended.
  ScaleChoice choose(const AgentWorld& best) const {
    const std::string name = phase_ + "coupling";
    if (const auto text = recall(name)) return scale_choice_from_text(*text, problem_, place_of(name));
    ScaleChoice choice = choose_scales(
        likelihood_, problem_, best, options_.lbfgs, [&] { return sink_.stop_requested(); }, one_);
    remember(name, [&] { return scale_choice_to_text(choice, problem_); });
    return choice;
  }

  const inference::Likelihood& likelihood() const { return likelihood_; }
  // Where restart `i` begins: the first one where one set of dynamics ended, if that is known.
  AgentWorld start(int i) const {
    if (i == 0 && one_ != nullptr) return {*one_, {}};
    AgentWorld drawn = start_of(problem_, options_, i);
    // Several kinds of decision-makers are seldom found from anywhere: every other search begins near them.
    const bool near = one_ != nullptr && !problem_.known.policy.other_kinds.empty() && i % 2 == 0;
    if (near) drawn.agent = {blend(one_->dynamics, drawn.agent.dynamics, kDrawnShare), one_->policy};
    return drawn;
  }

 private:
  template <class StartOf>
  void run_more(const std::string& what, int count, int most, const CouplingScales& scales,
                const StartOf& start_of_restart, std::vector<Attempt>& attempts) {
    const int before = static_cast<int>(attempts.size());
    attempts.resize(before + count);
    std::atomic<int> done = before;
    base::parallel_tasks(count, options_.threads, [&](int k) {
      if (sink_.stop_requested()) return;
      const int i = before + k;
      attempts[i] = recall_or_climb(
          fmt::format("{}, {}", what, i), [&] { return start_of_restart(i); }, scales);
      sink_.progress(what, ++done, most);
    });
  }

  // How many searches ended as high as the best one.
  static int times_found(const std::vector<Attempt>& attempts) {
    const Attempt* best = best_of(attempts);
    if (best == nullptr) return 0;
    return static_cast<int>(std::count_if(attempts.begin(), attempts.end(), [&](const Attempt& attempt) {
      return attempt.ran && best->summary.log_posterior - attempt.summary.log_posterior <= kSameHeight;
    }));
  }

  std::optional<std::string> recall(const std::string& name) const {
    return checkpoint_ != nullptr ? checkpoint_->recall(name) : std::nullopt;
  }

  // What was stopped half-way is not worth remembering.
  template <class Text>
  void remember(const std::string& name, const Text& text) const {
    if (checkpoint_ == nullptr || sink_.stop_requested()) return;
    checkpoint_->remember(name, text());
    checkpoint_->write_if_due();
  }

  std::string place_of(const std::string& name) const {
    return fmt::format("{}: {}", checkpoint_->path(), name);
  }

  template <class Start>
  Attempt recall_or_climb(const std::string& name, const Start& start, const CouplingScales& scales) const {
    if (const auto text = recall(name)) {
      const Attempt attempt = attempt_from_text(*text, problem_, nodes_, place_of(name));
      require_found(attempt, scales, place_of(name));
      return attempt;
    }
    Attempt attempt = climb(start(), scales);
    remember(name, [&] { return attempt_to_text(attempt, problem_); });
    return attempt;
  }

  // What was remembered must be worth what it says.
  void require_found(const Attempt& attempt, const CouplingScales& scales, const std::string& place) const {
    const double said = attempt.summary.log_posterior;
    if (!std::isfinite(said)) return;
    const auto exact =
        make_posterior(likelihood_, problem_, {options_.dynamics, Measure::kNatural, {scales, false}});
    std::vector<double> y(exact->size());
    std::vector<double> gradient(y.size());
    exact->coordinates(attempt.agent_world, y);
    const double found = exact->evaluate(y, gradient);
    if (std::abs(found - said) <= kSameValue * std::max(1.0, std::abs(said))) return;
    throw input_error(fmt::format(
        "{}: its log-posterior is said to be {:.6f}, but is not; delete the checkpoint to begin anew", place,
        said));
  }

  Attempt climb(const AgentWorld& start, const CouplingScales& scales) const {
    Attempt attempt;
    attempt.ran = true;
    const auto exact =
        make_posterior(likelihood_, problem_, {options_.dynamics, Measure::kNatural, {scales, false}});
    std::vector<double> y(exact->size());
    exact->coordinates(start, y);
    const auto stop = [&] { return sink_.stop_requested(); };
    if (options_.optimizer == Optimizer::kLbfgs) {
      attempt.summary.optimize = optimize::maximise(*exact, y, options_.lbfgs, stop);
    } else {
      const StudySpace space(problem_, options_.dynamics);
      ExpectedLogPosterior expected(likelihood_, problem_, space, options_.dynamics, options_.monitor);
      attempt.summary.optimize = optimize::maximise_adam(expected, y, options_.adam, stop);
    }
    std::vector<double> gradient(y.size());
    attempt.summary.log_posterior = exact->evaluate(y, gradient);
    attempt.impossible_node = exact->likelihood_value().impossible_node;
    attempt.agent_world = exact->agent_world(y);
    put_commonest_first(attempt.agent_world.agent.policy);
    return attempt;
  }

  const DecisionProblem& problem_;
  const FitOptions& options_;
  Sink& sink_;
  base::Checkpoint* checkpoint_;
  std::string phase_;
  const Parameters* one_;
  int nodes_;
  inference::Likelihood likelihood_;
};

// Searches with a first σ, chooses σ by the evidence there, and goes on with it from where each search ended.
std::vector<Attempt> run_coupled(Restarts& restarts, FitSummary& summary, Sink& sink) {
  auto attempts =
      restarts.run("restarts", CouplingScales::all(kFirstScale), [&](int i) { return restarts.start(i); });
  const Attempt* best = best_of(attempts);
  summary.scales = CouplingScales::all(kFirstScale);
  if (best == nullptr || sink.stop_requested()) return attempts;
  if (summary.parameters_learned > kMostExpandedCoordinates) {
    sink.warn(fmt::format("{} parameters are too many to choose the coupling by the evidence: {} was taken",
                          summary.parameters_learned, kFirstScale));
    return attempts;
  }
  summary.scale_choice = restarts.choose(best->agent_world);
  if (sink.stop_requested()) return attempts;
  summary.scales = summary.scale_choice->scales;
  auto finals = restarts.go_on("restarts with the chosen coupling", *summary.scale_choice, attempts);
  for (std::size_t i = 0; i < finals.size(); ++i) {
    if (finals[i].ran) {
      finals[i].summary.optimize.evaluations += attempts[i].summary.optimize.evaluations;
      attempts[i] = finals[i];
    }
  }
  return attempts;
}

std::vector<Attempt> run_all(Restarts& restarts, const FitOptions& options, FitSummary& summary, Sink& sink) {
  if (options.dynamics == DynamicsMode::kCoupled && !options.scales) {
    return run_coupled(restarts, summary, sink);
  }
  summary.scales = options.scales.value_or(CouplingScales{});
  return restarts.run("restarts", summary.scales, [&](int i) { return restarts.start(i); });
}

// Fills everything that is known once the best restart is.
void describe_best(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options,
                   const AgentWorld& found, FitSummary& summary) {
  summary.labels = find_labels(tree, problem, found.agent);
  const AgentWorld best =
      summary.labels.order.empty() ? found : permute_states(problem.structure, found, summary.labels.order);
  summary.parameters = best.agent;
  summary.world = best.world;
  const inference::Likelihood likelihood(tree, problem.structure);
  const auto objective =
      make_posterior(likelihood, problem, {options.dynamics, Measure::kNatural, {summary.scales, false}});
  std::vector<double> y(objective->size());
  std::vector<double> gradient(objective->size());
  objective->coordinates(found, y);
  summary.log_posterior = objective->evaluate(y, gradient);
  summary.log_prior = objective->log_prior_value();
  summary.log_likelihood = objective->likelihood_value();
  if (options.dynamics == DynamicsMode::kSubjective) {
    auto workspace = likelihood.make_workspace();
    summary.log_likelihood = likelihood.evaluate(best.agent, {}, nullptr, workspace);
  }
  permute_rows(problem, summary.labels.order, summary.scales.rows);
  if (summary.scale_choice) permute_rows(problem, summary.labels.order, *summary.scale_choice);
  summary.policy = policy_identifiability(tree, problem, summary.parameters);
  if (!options.uncertainty || summary.interrupted) return;
  if (summary.parameters_learned > kMostExpandedCoordinates) return;
  const ScaleChoice* choice = summary.scale_choice ? &*summary.scale_choice : nullptr;
  summary.uncertainty = expand(likelihood, problem, options.dynamics, best, summary.scales, choice,
                               options.lbfgs, options.seed);
}

}  // namespace

Optimizer optimizer_named(const std::string& name) {
  if (name == "lbfgs") return Optimizer::kLbfgs;
  if (name == "algorithm1") return Optimizer::kAlgorithm1;
  throw usage_error(fmt::format("option optimizer: \"{}\" is not known; choose lbfgs or algorithm1", name));
}

std::string name_of(Optimizer optimizer) {
  return optimizer == Optimizer::kLbfgs ? "lbfgs" : "algorithm1";
}

void FitOptions::validate() const {
  if (restarts < 0) {
    throw usage_error(fmt::format(
        "option restarts: {} is negative; ask for at least one, or for none to let the search decide",
        restarts));
  }
  if (threads < 0)
    throw usage_error(fmt::format("option threads: {} is negative; 0 means all cores", threads));
  if (optimizer == Optimizer::kAlgorithm1 && dynamics == DynamicsMode::kCoupled) {
    throw usage_error(
        "option optimizer algorithm1: the paper's algorithm fits one set of dynamics; add option dynamics "
        "shared or "
        "option dynamics subjective");
  }
  if (scales && dynamics != DynamicsMode::kCoupled) {
    throw usage_error(
        "option coupling: only coupled dynamics have one; remove it, or add option dynamics coupled");
  }
  lbfgs.validate();
  adam.validate();
}

FitSummary fit_as_stated(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options,
                         Sink& sink, base::Checkpoint* checkpoint, const std::string& phase,
                         const Parameters* one) {
  options.validate();
  const auto begin = std::chrono::steady_clock::now();
  FitSummary summary;
  summary.problem = problem;
  Restarts restarts(tree, problem, options, sink, checkpoint, phase, one);
  summary.parameters_learned =
      make_posterior(restarts.likelihood(), problem, {options.dynamics, Measure::kNatural, {}})->size();
  const auto attempts = run_all(restarts, options, summary, sink);
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  std::vector<Candidate> candidates;
  const Attempt* best = best_of(attempts);
  for (const Attempt& attempt : attempts) {
    if (!attempt.ran) continue;
    if (&attempt == best) summary.best_restart = static_cast<int>(summary.restarts.size());
    summary.restarts.push_back(attempt.summary);
    summary.evaluations += attempt.summary.optimize.evaluations;
    summary.interrupted |= attempt.summary.optimize.stop == optimize::OptimizeSummary::Stop::kInterrupted;
    if (!std::isfinite(attempt.summary.log_posterior)) {
      summary.impossible_node = attempt.impossible_node;
      continue;
    }
    candidates.push_back({attempt.summary.log_posterior, attempt.agent_world.agent});
  }
  summary.interrupted |= summary.restarts.size() < attempts.size() || sink.stop_requested();
  if (summary.restarts.empty()) {
    throw Error(ErrorKind::kInterrupted, "stopped before the first restart had begun; nothing was written");
  }
  if (best == nullptr && !summary.impossible_node && !summary.interrupted) throw NothingFinite(problem);
  if (best == nullptr) return summary;
  summary.impossible_node.reset();
  describe_best(tree, problem, options, best->agent_world, summary);
  summary.modes = sort_into_modes(tree, problem, candidates);
  return summary;
}

}  // namespace interpole::learn
