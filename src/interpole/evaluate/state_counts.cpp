#include "interpole/evaluate/state_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/stop.hpp"
#include "interpole/error.hpp"

namespace interpole::evaluate {
namespace {

constexpr const char* kStopped = "stopped before all numbers of states were compared";

bool is_identity(const DecisionProblem& problem, int action) {
  const std::size_t S = problem.structure.states.size();
  for (std::size_t i = 0; i < S * S; ++i) {
    const double expected = i / S == i % S ? 1.0 : 0.0;
    if (problem.known.dynamics.transition[action * S * S + i] != expected) return false;
  }
  return true;
}

bool any_stated(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return !std::isnan(x); });
}

// What study_with_states does not take over.
std::vector<std::string> left_out_of(const DecisionProblem& problem) {
  std::vector<std::string> result;
  const std::size_t S = problem.structure.states.size();
  const std::size_t Z = problem.structure.observations.size();
  if (any_stated(problem.known.dynamics.initial)) result.push_back("known initial_belief");
  for (int a = 0; a < problem.structure.action_count(); ++a) {
    const auto& known = problem.known.dynamics;
    const std::vector<double> moves(known.transition.begin() + static_cast<std::ptrdiff_t>(a * S * S),
                                    known.transition.begin() + static_cast<std::ptrdiff_t>((a + 1) * S * S));
    if (any_stated(moves) && !is_identity(problem, a))
      result.push_back(fmt::format("known transition of {}", problem.structure.actions[a]));
    bool outcomes = false;
    for (std::size_t i = 0; i < S * Z; ++i) {
      outcomes |= problem.structure.can_yield(a, static_cast<int>(i % Z)) &&
                  !problem.structure.is_terminal(a) && !std::isnan(known.observation[a * S * Z + i]);
    }
    if (outcomes) result.push_back(fmt::format("known observation of {}", problem.structure.actions[a]));
  }
  if (any_stated(problem.known.policy.means)) result.push_back("known means");
  if (any_stated(problem.start.policy.means)) result.push_back("starting means");
  if (problem.priors.concentration != Dynamics::filled(problem.structure, 1.0))
    result.push_back("priors of rows");
  return result;
}

// log of the number of labellings: each is a mode of its own, and the expansion saw one.
double log_labellings(int states) {
  return std::lgamma(states + 1.0);
}

double evidence_of(const learn::FitSummary& summary) {
  if (summary.scale_choice) return summary.scale_choice->log_evidence;
  return summary.uncertainty->components.front().laplace.log_evidence;
}

double held_out_score(const HistoryTree& test, const learn::FitSummary& summary) {
  const inference::Likelihood likelihood(test, summary.problem.structure);
  auto workspace = likelihood.make_workspace();
  const auto value =
      likelihood.evaluate(summary.parameters, {.actions = true, .observations = false}, nullptr, workspace);
  return value.actions / static_cast<double>(std::max<std::int64_t>(test.decisions, 1));
}

StateCountScore score_of(const FoldTrees& trees, const DecisionProblem& problem, learn::FitOptions options,
                         Sink& sink, int& done, int total) {
  Sink& quiet = quiet_sink();
  StateCountScore score;
  score.states = problem.structure.state_count();
  const learn::FitSummary whole = learn::fit(trees.all, problem, options, quiet);
  sink.progress("fits", ++done, total);
  score.parameters = whole.parameters_learned;
  score.modes = static_cast<int>(whole.modes.size());
  score.converged = whole.converged();
  score.evidence_is_sure = whole.uncertainty && whole.uncertainty->proper;
  if (whole.uncertainty) score.log_evidence = evidence_of(whole) + log_labellings(score.states);
  options.uncertainty = false;
  std::vector<double> values;
  for (std::size_t fold = 0; fold < trees.train.size(); ++fold) {
    base::stop_if_asked(sink, kStopped);
    const learn::FitSummary part = learn::fit(trees.train[fold], problem, options, quiet);
    score.converged &= part.converged();
    values.push_back(held_out_score(trees.test[fold], part));
    sink.progress("fits", ++done, total);
  }
  const auto count = static_cast<double>(values.size());
  for (const double x : values) score.held_out += x / count;
  double squares = 0.0;
  for (const double x : values) squares += (x - score.held_out) * (x - score.held_out);
  score.held_out_error = std::sqrt(squares / (count - 1.0) / count);
  return score;
}

}  // namespace

DecisionProblem study_with_states(const DecisionProblem& problem, int states) {
  DecisionProblem result;
  result.structure = problem.structure;
  result.structure.states.clear();
  for (int s = 1; s <= states; ++s) result.structure.states.push_back(fmt::format("state {}", s));
  result.known = Parameters::filled(result.structure, NAN);
  result.start = result.known;
  result.known.policy.inverse_temperature = problem.known.policy.inverse_temperature;
  result.start.policy.inverse_temperature = problem.start.policy.inverse_temperature;
  for (int a = 0; a < problem.structure.action_count(); ++a) {
    if (!is_identity(problem, a)) continue;
    for (int i = 0; i < states * states; ++i) {
      result.known.dynamics.transition[a * states * states + i] = i / states == i % states ? 1.0 : 0.0;
    }
  }
  result.priors = Priors::defaults(result.structure);
  result.priors.means_sd = problem.priors.means_sd;
  result.priors.temperature_shape = problem.priors.temperature_shape;
  result.priors.temperature_rate = problem.priors.temperature_rate;
  return result;
}

StateCounts compare_state_counts(const FoldTrees& trees, const DecisionProblem& problem, int fewest, int most,
                                 const learn::FitOptions& options, Sink& sink) {
  options.validate();
  if (fewest < 1 || most < fewest || most > 50) {
    throw usage_error(
        fmt::format("option states: {}..{} is not a range of numbers of states; write 2..5", fewest, most));
  }
  StateCounts result;
  result.left_out = left_out_of(problem);
  const int total = (most - fewest + 1) * (static_cast<int>(trees.train.size()) + 1);
  int done = 0;
  sink.progress("fits", 0, total);
  for (int states = fewest; states <= most; ++states) {
    base::stop_if_asked(sink, kStopped);
    result.scores.push_back(score_of(trees, study_with_states(problem, states), options, sink, done, total));
  }
  return result;
}

}  // namespace interpole::evaluate
