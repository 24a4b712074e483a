#include "interpole/learn/fit/restarts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "interpole/base/dealing/deal_tasks.hpp"
#include "interpole/base/random.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/fit/relabelled_rows.hpp"
#include "interpole/learn/fit/start.hpp"
#include "interpole/learn/terms/kind_choice.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learn {
namespace {

constexpr int kDraws = 8;             // of which a search begins at the best
constexpr double kDrawnShare = 0.2;   // of a start that is drawn near a known end
constexpr double kSameHeight = 0.01;  // nats: two searches that ended at one place
// Ends whose heights are further apart than this (nats) are ends of their own.
constexpr double kOtherEnd = 1.0;
// The share of all starts that may lead to ends nobody has seen.
constexpr double kUnseen = 0.1;
// Searches that found nothing above the end that one set of dynamics led to. That one was found often enough.
constexpr int kUnsurpassed = 8;
// The share of the value below which a gain is left alone: by the first searches to the second, by these for
// good (a probability that goes to zero gains for ever).
constexpr double kRoughGain = 1e-7;
constexpr double kFineGain = 1e-8;
// How far a value may be from the one remembered: another instruction set may add in another order, and
// probabilities close to zero lose something on the way through coordinates.
constexpr double kSameValue = 1e-4;

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

template <class Worth>
const Attempt* best_by(const std::vector<Attempt>& attempts, const Worth& worth) {
  const Attempt* best = nullptr;
  for (const Attempt& attempt : attempts) {
    if (!attempt.ran || !std::isfinite(worth(attempt))) continue;
    if (best == nullptr || worth(attempt) > worth(*best)) best = &attempt;
  }
  return best;
}

double height_of(const std::vector<Attempt>& attempts) {
  const Attempt* highest = highest_of(attempts);
  return highest == nullptr ? -INFINITY : highest->height;
}

// The share of starts that lead to ends not seen yet, as Boender and Rinnooy Kan (1987) expect it:
// w(w+1)/n(n−1) after n searches with w different ends, whatever the sizes of their basins.
double unseen_share(const std::vector<Attempt>& attempts) {
  std::vector<double> heights;
  for (const Attempt& attempt : attempts) {
    if (attempt.ran && std::isfinite(attempt.height)) heights.push_back(attempt.height);
  }
  if (heights.size() < 2) return 1.0;
  std::ranges::sort(heights);
  double ends = 1.0;
  for (std::size_t i = 1; i < heights.size(); ++i)
    ends += heights[i] - heights[i - 1] > kOtherEnd ? 1.0 : 0.0;
  const auto n = static_cast<double>(heights.size());
  return ends * (ends + 1.0) / (n * (n - 1.0));
}

// The searches that go on: of those that ended equally high, the first. [attempt] → who goes on for it.
std::vector<int> who_goes_on(const std::vector<Attempt>& attempts) {
  std::vector<int> result(attempts.size());
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    result[i] = static_cast<int>(i);
    for (std::size_t j = 0; j < i; ++j) {
      const bool same = attempts[i].ran && std::abs(attempts[i].height - attempts[j].height) <= kSameHeight;
      if (result[j] == static_cast<int>(j) && same) {
        result[i] = static_cast<int>(j);
        break;
      }
    }
  }
  return result;
}

}  // namespace

const Attempt* best_of(const std::vector<Attempt>& attempts) {
  return best_by(attempts, [](const Attempt& attempt) { return attempt.summary.log_posterior; });
}

const Attempt* highest_of(const std::vector<Attempt>& attempts) {
  return best_by(attempts, [](const Attempt& attempt) { return attempt.height; });
}

Restarts::Restarts(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options,
                   Sink& sink, base::Checkpoint* checkpoint, std::string phase, const Parameters* one)
    : problem_(problem),
      options_(options),
      sink_(sink),
      checkpoint_(checkpoint),
      phase_(std::move(phase)),
      one_(one),
      nodes_(tree.node_count()),
      // Threads go to restarts if there are several, into the likelihood if there is one or ranks share it:
      // the result is the same.
      likelihood_(tree, problem.structure, inference::Kernel::kVector,
                  options.restarts == 1 || base::rank_context().together ? options.threads : 1) {}

std::vector<Attempt> Restarts::search(const CouplingScales& scales) {
  Stage stage{phase_ + "restarts", Measure::kCoordinates, scales, options_.lbfgs};
  stage.lbfgs.slow_tolerance = std::max(stage.lbfgs.slow_tolerance, kRoughGain);
  if (options_.optimizer == Optimizer::kAlgorithm1) stage.measure = Measure::kNatural;  // the paper's
  std::vector<Attempt> attempts;
  const bool until_found = options_.restarts == kUntilFound;
  const int most = until_found ? kMostRestarts : options_.restarts;
  sink_.progress(stage.name, 0, most);
  // Waves are of one size, so that how many restarts there are does not depend on threads.
  const int wave = until_found ? kWave : most;
  while (static_cast<int>(attempts.size()) < most && !found_often_enough(attempts)) {
    climb_some(
        stage, std::min(wave, most - static_cast<int>(attempts.size())), most,
        [&](int i) { return start(i); }, attempts);
    if (sink_.stop_requested()) break;
  }
  sink_.progress(stage.name, most, most);
  return attempts;
}

std::vector<Attempt> Restarts::finish(const std::vector<Attempt>& attempts, const CouplingScales& scales,
                                      const ScaleChoice* choice) {
  if (options_.optimizer == Optimizer::kAlgorithm1 || sink_.stop_requested()) return attempts;
  Stage stage{phase_ + "restarts to their tops", Measure::kNatural, scales, options_.lbfgs};
  stage.lbfgs.slow_tolerance = std::max(stage.lbfgs.slow_tolerance, kFineGain);
  const bool by_row = !scales.rows.empty();
  const auto for_whom = who_goes_on(attempts);
  std::vector<int> going;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    if (for_whom[i] == static_cast<int>(i)) going.push_back(static_cast<int>(i));
  }
  const double highest = height_of(attempts);
  std::vector<Attempt> ends;
  climb_some(
      stage, static_cast<int>(going.size()), static_cast<int>(going.size()),
      [&](int k) {
        const Attempt& from = attempts[going[k]];
        if (!by_row) return from.agent_world;
        if (from.height >= highest - kSameHeight) return choice->agent_world;
        return named_alike(problem_, from.agent_world, choice->agent_world);
      },
      ends);
  std::vector<Attempt> result = attempts;
  for (std::size_t k = 0; k < going.size(); ++k) {
    if (!ends[k].ran) continue;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      if (for_whom[i] != going[k]) continue;
      const int before = attempts[i].summary.optimize.evaluations;
      result[i] = ends[k];
      if (static_cast<int>(i) != going[k]) result[i].summary.optimize.evaluations = 0;
      result[i].summary.optimize.evaluations += before;
    }
  }
  return result;
}

ScaleChoice Restarts::choose(const AgentWorld& best) const {
  const std::string name = phase_ + "coupling";
  if (const auto text = recall(name)) return scale_choice_from_text(*text, problem_, place_of(name));
  ScaleChoice choice = choose_scales(likelihood_, problem_, best, options_.lbfgs, sink_, one_);
  remember(name, [&] { return scale_choice_to_text(choice, problem_); });
  return choice;
}

// The first begins where one set of dynamics ended, if that is known.
AgentWorld Restarts::start(int restart) const {
  if (restart == 0 && one_ != nullptr) return {*one_, {}};
  base::RandomStream random(options_.seed, restart, base::RandomPurpose::kRestart);
  // A coupled search starts with agent and world alike, where the agent's known values allow it.
  const auto mode =
      options_.dynamics == DynamicsMode::kShared ? DynamicsMode::kShared : DynamicsMode::kSubjective;
  AgentWorld drawn = best_of_draws(mode, random);
  // Several kinds of decision-makers are seldom found from anywhere: every other search begins near them.
  const bool near = one_ != nullptr && !problem_.known.policy.other_kinds.empty() && restart % 2 == 0;
  if (near) drawn.agent = {blend(one_->dynamics, drawn.agent.dynamics, kDrawnShare), one_->policy};
  return drawn;
}

// Draws whose policy contradicts their dynamics lead to ends hundreds of nats below the best; the likelihood
// knows at once.
AgentWorld Restarts::best_of_draws(DynamicsMode mode, base::RandomStream& random) const {
  const StudySpace space(problem_, mode);
  const auto density = make_posterior(likelihood_, problem_, {mode, Measure::kCoordinates, {}});
  std::vector<double> y(density->size());
  std::vector<double> gradient(y.size());
  AgentWorld best;
  double highest = -INFINITY;
  for (int i = 0; i < kDraws; ++i) {
    AgentWorld drawn{draw_start(problem_, space, random), {}};
    density->coordinates(drawn, y);
    const double height = density->evaluate(y, gradient);
    if (i > 0 && !(height > highest)) continue;
    highest = std::isfinite(height) ? height : -INFINITY;
    best = std::move(drawn);
  }
  return best;
}

bool Restarts::found_often_enough(const std::vector<Attempt>& attempts) const {
  const double highest = height_of(attempts);
  const auto there = [&](const Attempt& attempt) {
    return attempt.ran && attempt.height >= highest - kSameHeight;
  };
  const bool often = std::count_if(attempts.begin(), attempts.end(), there) >= kTimesFound;
  // Three of four may agree on an end that is not the best; what began at the end of such a search need not
  // fear that.
  if (often && (one_ != nullptr || unseen_share(attempts) <= kUnseen)) return true;
  const bool from_one = one_ != nullptr && !attempts.empty() && there(attempts.front());
  return from_one && static_cast<int>(attempts.size()) >= kUnsurpassed;
}

template <class StartOf>
void Restarts::climb_some(const Stage& stage, int count, int most, const StartOf& start_of,
                          std::vector<Attempt>& attempts) {
  const int before = static_cast<int>(attempts.size());
  attempts.resize(before + count);
  std::atomic<int> done = before;
  const auto name_of_part = [&](int k) { return fmt::format("{}, {}", stage.name, before + k); };
  const auto climb_one = [&](int k) {
    if (sink_.stop_requested()) return;
    const int i = before + k;
    attempts[i] = recall_or_climb(name_of_part(k), stage, [&] { return start_of(i); });
    sink_.progress(stage.name, ++done, most);
  };
  base::deal_tasks(count, options_.threads, climb_one,
                   {[&](int k) { return packed(attempts[before + k]); },
                    [&](int k, const std::string& bytes) {
                      attempts[before + k] = unpacked(bytes, name_of_part(k));
                      sink_.progress(stage.name, ++done, most);
                    }});
}

// Of a search that another rank did.
std::string Restarts::packed(const Attempt& attempt) const {
  if (!attempt.ran) return "";
  return base::PacketWriter()
      .add(sink_.stop_requested())
      .add(attempt.height)
      .add(std::string_view(attempt_to_text(attempt, problem_)))
      .take();
}

Attempt Restarts::unpacked(const std::string& bytes, const std::string& name) const {
  base::PacketReader in(bytes);
  const bool stopped = in.get<bool>();
  const auto height = in.get<double>();
  const std::string text = in.text();
  Attempt attempt = attempt_from_text(text, problem_, nodes_, name);
  attempt.height = height;
  if (checkpoint_ != nullptr && !stopped) {
    checkpoint_->remember(name, text);
    checkpoint_->write_if_due();
  }
  return attempt;
}

std::optional<std::string> Restarts::recall(const std::string& name) const {
  return checkpoint_ != nullptr ? checkpoint_->recall(name) : std::nullopt;
}

// What was stopped half-way is not worth remembering.
template <class Text>
void Restarts::remember(const std::string& name, const Text& text) const {
  if (checkpoint_ == nullptr || sink_.stop_requested()) return;
  checkpoint_->remember(name, text());
  checkpoint_->write_if_due();
}

std::string Restarts::place_of(const std::string& name) const {
  return fmt::format("{}: {}", checkpoint_->path(), name);
}

template <class Start>
Attempt Restarts::recall_or_climb(const std::string& name, const Stage& stage, const Start& start) const {
  if (const auto text = recall(name)) {
    Attempt attempt = attempt_from_text(*text, problem_, nodes_, place_of(name));
    require_found(attempt, value_of(Measure::kNatural, stage.scales, attempt), place_of(name));
    attempt.height = value_of(stage.measure, stage.scales, attempt);
    return attempt;
  }
  Attempt attempt = climb(stage, start());
  remember(name, [&] { return attempt_to_text(attempt, problem_); });
  return attempt;
}

double Restarts::value_of(Measure measure, const CouplingScales& scales, Attempt& attempt) const {
  const auto density =
      make_posterior(likelihood_, problem_, {options_.dynamics, measure, {scales, false}, &normalisers_});
  std::vector<double> y(density->size());
  std::vector<double> gradient(y.size());
  density->coordinates(attempt.agent_world, y);
  const double value = density->evaluate(y, gradient);
  attempt.impossible_node = density->likelihood_value().impossible_node;
  return value;
}

// What was remembered must be worth what it says.
void Restarts::require_found(const Attempt& attempt, double found, const std::string& place) const {
  const double said = attempt.summary.log_posterior;
  if (!std::isfinite(said)) return;
  if (std::abs(found - said) <= kSameValue * std::max(1.0, std::abs(said))) return;
  throw input_error(fmt::format(
      "{}: its log-posterior is said to be {:.6f}, but is not; delete the checkpoint to begin anew", place,
      said));
}

Attempt Restarts::climb(const Stage& stage, const AgentWorld& start) const {
  Attempt attempt;
  attempt.ran = true;
  const auto density = make_posterior(
      likelihood_, problem_, {options_.dynamics, stage.measure, {stage.scales, false}, &normalisers_});
  std::vector<double> y(density->size());
  density->coordinates(start, y);
  const auto stop = [&] { return sink_.stop_requested(); };
  if (options_.optimizer == Optimizer::kLbfgs) {
    attempt.summary.optimize = optimize::maximise(*density, y, stage.lbfgs, stop);
  } else {
    const StudySpace space(problem_, options_.dynamics);
    ExpectedLogPosterior expected(likelihood_, problem_, space, options_.dynamics, options_.monitor);
    attempt.summary.optimize = optimize::maximise_adam(expected, y, options_.adam, stop);
  }
  attempt.agent_world = density->agent_world(y);
  attempt.height = value_of(stage.measure, stage.scales, attempt);
  attempt.summary.log_posterior = value_of(Measure::kNatural, stage.scales, attempt);
  put_commonest_first(attempt.agent_world.agent.policy);
  return attempt;
}

}  // namespace interpole::learn
