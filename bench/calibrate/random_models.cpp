// Agent and world on random four-state models of which everything is to be learned: is a difference seen
// where there is none, or missed where one or two rows of the agent's dynamics are wrong? Do intervals of the
// gaps hold the truth, and do other seeds say the same?
//
//   build/random_models [--sets 40] [--patients 1000] [--policy belief] [--seeds 1] [--seed 1] [--stay 0.7]
//                       [--threads 0] [--restarts 0] [--first 0] [--list 1] [CONDITION …]
//
// --stay: how much of every transition row is the chance to remain. --first: number of the first set. --list
// prints a line for every fit: among other things how many searches ended at the best explanation, of how
// many.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/base/random.hpp"
#include "interpole/bias_audit.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/simulate.hpp"

namespace interpole {
namespace {

constexpr int kStates = 4;
constexpr int kActions = 3;
constexpr int kSteps = 8;
constexpr int kDraws = 2000;
constexpr double kLargeGap = 0.1;
constexpr double kSmallestShift = 0.15;
constexpr double kLargestShift = 0.3;
constexpr const char* kRow =
    "{:<16} {:>5} {:>6} {:>7} {:>5} {:>9} {:>8} {:>6} {:>6} {:>6} {:>8} {:>6} {:>6}\n";

struct Setting {
  int sets = 40;
  int first = 0;  // set
  int patients = 1000;
  int seeds = 1;
  int threads = 0;
  int restarts = learn::kUntilFound;
  std::uint64_t seed = 1;
  double stay = 0.7;
  bool list = false;
  PolicyUse policy = PolicyUse::kBelief;
};

std::vector<std::string> named(const char* what, int count) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", what, i + 1));
  return names;
}

// What is seen tells states apart more often than not; every action is preferred in a state of its own.
Model random_model(base::RandomStream& random, double stay) {
  const int outcomes = random.uniform() < 0.5 ? 3 : 4;
  Model model;
  model.structure =
      Structure::unrestricted(named("state", kStates), named("action", kActions), named("outcome", outcomes));
  if (random.uniform() < 0.5) model.structure.make_terminal(kActions - 1);
  model.agent = Parameters::filled(model.structure, 0.0);
  Dynamics& dynamics = model.agent.dynamics;
  dynamics.initial = random.dirichlet(kStates, 2.0);
  for (int row = 0; row < kActions * kStates; ++row) {
    const bool terminal = model.structure.is_terminal(row / kStates);
    const auto to = random.dirichlet(kStates, 1.0);
    const auto seen = random.dirichlet(outcomes, 0.7);
    for (int s = 0; s < kStates; ++s) {
      dynamics.transition[row * kStates + s] = (1.0 - stay) * to[s] + (s == row % kStates ? stay : 0.0);
    }
    for (int z = 0; z < outcomes && !terminal; ++z) {
      dynamics.observation[row * outcomes + z] = 0.92 * seen[z] + 0.08 / outcomes;
    }
  }
  Policy& policy = model.agent.policy;
  policy.inverse_temperature = 3.0 + 5.0 * random.uniform();
  for (int a = 0; a < kActions; ++a) {
    double sum = 0.0;
    for (int s = 0; s < kStates; ++s) {
      sum += policy.means[a * kStates + s] = 0.25 * random.normal() + (s == a ? 1.0 : 0.0);
    }
    for (int s = 0; s < kStates; ++s) policy.means[a * kStates + s] += (1.0 - sum) / kStates;
  }
  model.world = dynamics;
  return model;
}

// In the agent's head one outcome of a row is more likely, another less.
void shift_a_row(Model& model, base::RandomStream& random) {
  const model::DynamicsSpace space(model.structure, Dynamics::filled(model.structure, NAN));
  while (true) {
    const auto& block = space.blocks()[static_cast<std::size_t>(random.uniform() * space.blocks().size())];
    const double shift = kSmallestShift + random.uniform() * (kLargestShift - kSmallestShift);
    const auto any = [&] {
      return block.entries[static_cast<std::size_t>(random.uniform() * block.entries.size())];
    };
    const int up = any();
    const int down = any();
    auto& agent = model::field_of(model.agent.dynamics, block.field);
    const auto& world = model::field_of(*model.world, block.field);
    const bool untouched = agent[up] == world[up] && agent[down] == world[down];
    if (up == down || !untouched || agent[down] < shift + 0.02 || agent[up] + shift > 0.98) continue;
    agent[up] += shift;
    agent[down] -= shift;
    return;
  }
}

std::vector<Record> records_of(const Model& model, int patients, std::uint64_t seed) {
  Environment environment;
  environment.truth = model;
  environment.longest_record = kSteps;
  std::vector<Record> records;
  for (int i = 1; i <= patients; ++i) {
    records.emplace_back();
    simulate_record(environment, seed, i, 0, records.back(), nullptr);
  }
  return records;
}

double distance(const Dynamics& x, const Dynamics& y) {
  double sum = 0.0;
  for (const Field field : {Field::kInitial, Field::kTransition, Field::kObservation}) {
    const auto& a = model::field_of(x, field);
    const auto& b = model::field_of(y, field);
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  }
  return sum;
}

// The truth with its states named as the fit names them.
AgentWorld truth_as_named(const Model& truth, const FitResult& fit) {
  std::vector<int> order(kStates);
  std::iota(order.begin(), order.end(), 0);
  AgentWorld closest;
  double smallest = INFINITY;
  do {
    const AgentWorld other = permute_states(truth.structure, AgentWorld{truth.agent, truth.world}, order);
    const double apart =
        distance(other.agent.dynamics, fit.model.agent.dynamics) + distance(*other.world, *fit.model.world);
    if (apart < smallest) closest = other;
    smallest = std::min(smallest, apart);
  } while (std::next_permutation(order.begin(), order.end()));
  return closest;
}

struct Outcome {
  BiasVerdict verdict = BiasVerdict::kUndecided;
  bool clearly = false, converged = false;
  int flagged = 0, false_flagged = 0;  // … whose true difference is within the margin
  int large = 0, covered = 0;          // true gaps above kLargeGap, … within their intervals
  double log_bayes_factor = 0.0, seconds = 0.0;
  std::string reason;  // why the verdict is withheld
  int restarts = 0, found = 0;
  double height = 0.0;
};

void compare_with_truth(const Model& truth, const FitResult& fit, const BiasAudit& audit, Outcome& outcome) {
  const AgentWorld named = truth_as_named(truth, fit);
  const int outcomes = truth.structure.observation_count();
  for (const BiasFinding& finding : audit.findings) {
    const int columns = finding.field == Field::kObservation ? outcomes : kStates;
    const int row = finding.field == Field::kInitial ? 0 : finding.action * kStates + finding.state;
    const int entry = row * columns + finding.outcome;
    const double gap = model::field_of(named.agent.dynamics, finding.field)[entry] -
                       model::field_of(*named.world, finding.field)[entry];
    outcome.flagged += finding.flagged;
    outcome.false_flagged += finding.flagged && std::abs(gap) <= BiasOptions{}.margin;
    if (std::abs(gap) <= kLargeGap) continue;
    ++outcome.large;
    outcome.covered += finding.difference.low <= gap && gap <= finding.difference.high;
  }
}

Outcome outcome_of(const Model& truth, const HistoryTree& tree, const Setting& setting, std::uint64_t seed) {
  const auto begin = std::chrono::steady_clock::now();
  learn::FitOptions options;
  options.policy = setting.policy;
  options.seed = seed;
  options.restarts = setting.restarts;
  options.threads = 1;
  const DecisionProblem problem = DecisionProblem::open(truth.structure);
  const learn::FitSummary summary = learn::fit(tree, problem, options, quiet_sink());
  Outcome outcome;
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const FitResult fit = learn::result_of(summary, "");
  const auto found = compare_agent_and_world(fit, fit.draws(kDraws, seed), &tree, {});
  outcome.verdict = found.verdict;
  if (!found.reasons.empty()) outcome.reason = found.reasons.front();
  outcome.log_bayes_factor = summary.scale_choice->log_bayes_factor();
  outcome.clearly =
      found.verdict == BiasVerdict::kDifference && found.log_odds.value_or(0.0) >= std::log(20.0);
  outcome.converged = summary.converged();
  outcome.restarts = static_cast<int>(summary.restarts.size());
  outcome.found = static_cast<int>(summary.modes.front().members.size());
  outcome.height = summary.log_posterior;
  compare_with_truth(truth, fit, found.audit, outcome);
  return outcome;
}

struct Condition {
  const char* name;
  int wrong_rows;
};
constexpr Condition kConditions[] = {{"agent = world", 0}, {"one wrong row", 1}, {"two wrong rows", 2}};

std::vector<Outcome> outcomes_of_set(const Condition& condition, const Setting& setting, int set) {
  static std::mutex printing;
  base::RandomStream random(setting.seed, set, base::RandomPurpose::kRestart);
  Model truth = random_model(random, setting.stay);
  for (int i = 0; i < condition.wrong_rows; ++i) shift_a_row(truth, random);
  const auto records = records_of(truth, setting.patients, setting.seed * 1000 + set);
  const HistoryTree tree = build_history_tree(kActions, records);
  std::vector<Outcome> outcomes;
  for (int k = 0; k < setting.seeds; ++k) {
    outcomes.push_back(outcome_of(truth, tree, setting, setting.seed + k));
    if (!setting.list) continue;
    const Outcome& last = outcomes.back();
    const std::lock_guard lock(printing);
    fmt::print(
        "  set {:>3} seed {}: {:<10} log BF {:>8.2f}, flagged {} ({} false), covered {} of {}, {:.1f} s, {} "
        "of {} at {:.3f} {}\n",
        set, k + 1, name_of(last.verdict), last.log_bayes_factor, last.flagged, last.false_flagged,
        last.covered, last.large, last.seconds, last.found, last.restarts, last.height, last.reason);
    std::fflush(stdout);
  }
  return outcomes;
}

void run(const Condition& condition, const Setting& setting) {
  std::vector<std::vector<Outcome>> sets(setting.sets);
  base::parallel_tasks(setting.sets, setting.threads,
                       [&](int i) { sets[i] = outcomes_of_set(condition, setting, setting.first + i); });
  int same = 0;
  Outcome sum;
  const auto count = [&](const auto& holds) {
    return std::count_if(sets.begin(), sets.end(), [&](const auto& seeds) { return holds(seeds.front()); });
  };
  for (const auto& seeds : sets) {
    same += std::all_of(seeds.begin(), seeds.end(),
                        [&](const Outcome& x) { return x.verdict == seeds.front().verdict; });
    sum.flagged += seeds.front().flagged;
    sum.false_flagged += seeds.front().false_flagged;
    sum.large += seeds.front().large;
    sum.covered += seeds.front().covered;
    for (const Outcome& outcome : seeds) sum.seconds += outcome.seconds / setting.seeds;
  }
  const auto say = [&](BiasVerdict verdict) {
    return count([&](const Outcome& outcome) { return outcome.verdict == verdict; });
  };
  fmt::print(fmt::runtime(kRow), condition.name, setting.sets, say(BiasVerdict::kDifference),
             count([](const Outcome& outcome) { return outcome.clearly; }), say(BiasVerdict::kNone),
             say(BiasVerdict::kUndecided), say(BiasVerdict::kWithheld), same, sum.flagged, sum.false_flagged,
             sum.large > 0 ? fmt::format("{:.1f}%", 100.0 * sum.covered / sum.large) : "",
             count([](const Outcome& outcome) { return outcome.converged; }),
             fmt::format("{:.1f}", sum.seconds / setting.sets));
  std::fflush(stdout);
}

Setting setting_of(const Arguments& arguments) {
  Setting setting;
  setting.sets = arguments.number("--sets", setting.sets);
  setting.first = arguments.number("--first", setting.first);
  setting.patients = arguments.number("--patients", setting.patients);
  setting.seeds = arguments.number("--seeds", setting.seeds);
  setting.threads = arguments.number("--threads", setting.threads);
  setting.restarts = arguments.number("--restarts", setting.restarts);
  setting.seed = arguments.number("--seed", setting.seed);
  setting.stay = arguments.number("--stay", setting.stay);
  setting.list = arguments.number("--list", 0) != 0;
  setting.policy = policy_use_named(arguments.text("--policy", "belief"));
  return setting;
}

void run_all(int argc, char** argv) {
  const Arguments arguments(argc, argv,
                            {"--sets", "--patients", "--policy", "--seeds", "--seed", "--stay", "--threads",
                             "--restarts", "--first", "--list"});
  const Setting setting = setting_of(arguments);
  fmt::print(fmt::runtime(kRow), "truth", "sets", "differ", "clearly", "one", "undecided", "withheld", "same",
             "named", "false", "covered", "ended", "s/set");
  for (const Condition& condition : kConditions) {
    if (arguments.wants(condition.name)) run(condition, setting);
  }
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::run_all(argc, argv); });
}
