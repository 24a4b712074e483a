// Do model checks notice what a model lacks, and are they silent where it lacks nothing? Simulated wards
// (wards.hpp) and random models, fitted as a user would.
//
//   build/model_checks [--sets 50] [--patients 1000] [--policy belief] [--seed 1] [--threads 0]
//                       [CONDITION …]
//
// One row for each condition: sets in which any check failed, verdicts of the bias audit, seconds of fitting
// and of checking a set, and how often each check failed.

#include "interpole/model_checks.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "arguments.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/bias_audit.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "wards.hpp"

namespace interpole {
namespace {

constexpr int kDraws = 500;
constexpr const char* kRow = "{:<26} {:>5} {:>6} {:>7} {:>5} {:>10} {:>9} {:>7} {:>7} {}\n";

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct DataSet {
  Structure structure;
  Records records;
};

// A model drawn at random, of whom nothing is wrong: 2 to 4 states.
DataSet random_set(int states, int patients, std::uint64_t seed) {
  DataSet set{testing::some_structure(states, 3, 3), {}};
  base::RandomStream random(seed, static_cast<std::uint64_t>(states), base::RandomPurpose::kBootstrap);
  const Parameters truth = testing::random_parameters(set.structure, random);
  set.records = testing::random_records(set.structure, truth, patients, 12, seed, 0.05);
  return set;
}

struct Outcome {
  std::vector<std::string> failed;
  BiasVerdict verdict = BiasVerdict::kUndecided;
  double fitting = 0.0;
  double checking = 0.0;
};

Outcome outcome_of(const DataSet& set, PolicyUse policy, std::uint64_t seed) {
  const HistoryTree tree = build_history_tree(set.structure.action_count(), set.records);
  learn::FitOptions options;
  options.policy = policy;
  options.seed = seed;
  options.threads = 1;
  Outcome outcome;
  auto begin = std::chrono::steady_clock::now();
  const FitResult fit =
      learn::result_of(learn::fit(tree, DecisionProblem::open(set.structure), options, quiet_sink()), "");
  outcome.fitting = seconds_since(begin);
  begin = std::chrono::steady_clock::now();
  ModelCheckOptions check_options;
  check_options.threads = 1;
  const ModelChecks checks = check_model(fit, tree, check_options);
  outcome.checking = seconds_since(begin);
  for (const ModelCheck* check : checks.failed()) outcome.failed.push_back(check->name);
  outcome.verdict = compare_agent_and_world(fit, fit.draws(kDraws, seed), &tree, {}).verdict;
  return outcome;
}

template <class Draw>
void run(const char* name, int sets, int threads, PolicyUse policy, std::uint64_t seed, const Draw& draw) {
  std::vector<Outcome> outcomes(sets);
  base::parallel_tasks(sets, threads, [&](int i) {
    outcomes[i] = outcome_of(draw(seed * 1000 + static_cast<std::uint64_t>(i)), policy, seed);
  });
  const auto say = [&](BiasVerdict verdict) {
    return std::count_if(outcomes.begin(), outcomes.end(),
                         [&](const Outcome& outcome) { return outcome.verdict == verdict; });
  };
  std::map<std::string, int> failed;
  int any = 0;
  double fitting = 0.0;
  double checking = 0.0;
  for (const Outcome& outcome : outcomes) {
    any += outcome.failed.empty() ? 0 : 1;
    fitting += outcome.fitting / sets;
    checking += outcome.checking / sets;
    for (const std::string& check : outcome.failed) ++failed[check];
  }
  std::string which;
  for (const auto& [check, times] : failed) which += fmt::format(" {} {}", check, times);
  fmt::print(fmt::runtime(kRow), name, sets, any, say(BiasVerdict::kDifference), say(BiasVerdict::kNone),
             say(BiasVerdict::kUndecided), say(BiasVerdict::kWithheld), fmt::format("{:.2f}", fitting),
             fmt::format("{:.3f}", checking), which);
  std::fflush(stdout);
}

void run_all(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--sets", "--patients", "--policy", "--seed", "--threads"});
  const int sets = arguments.number("--sets", 50);
  const int patients = arguments.number("--patients", 1000);
  const int threads = arguments.number("--threads", 0);
  const auto seed = arguments.number("--seed", std::uint64_t{1});
  const PolicyUse policy = policy_use_named(arguments.text("--policy", "belief"));
  fmt::print(fmt::runtime(kRow), "decisions follow", "sets", "failed", "differ", "one", "undecided",
             "withheld", "fit s", "check s", "checks that failed");
  for (const WardCondition& condition : kWardConditions) {
    if (!arguments.wants(condition.name)) continue;
    run(condition.name, sets, threads, policy, seed, [&](std::uint64_t set) {
      Policy unused;
      Records records = condition.records(patients, set, unused);
      return DataSet{structure_of(records), std::move(records)};
    });
  }
  for (const int states : {2, 3, 4}) {
    const std::string name = fmt::format("random, {} states", states);
    if (!arguments.wants(name)) continue;
    run(name.c_str(), sets, threads, policy, seed,
        [&](std::uint64_t set) { return random_set(states, patients, set); });
  }
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::run_all(argc, argv); });
}
