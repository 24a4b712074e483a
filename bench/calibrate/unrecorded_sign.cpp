// How often would an unrecorded sign explain a finding that is false, and one that is true? Simulated wards
// (wards.hpp), fitted as a user would.
//
//   build/unrecorded_sign [--sets 50] [--patients 1000] [--policy auto] [--seed 1] [--threads 0]
//                          [CONDITION …]
//
// One row for each condition: sets in which agent and world were said to differ, and of these, in how many a
// sign would explain the records as well; sets in which the check for hidden information failed, any check
// failed, or the verdict was withheld; the sign's strength of the highest evidence, averaged over those that
// failed; sets whose belated diagnoses were withheld, and of the others the flags at 90% certainty and how
// many are right (by the true model and all that was seen); CPU seconds of weighing signs.
#include "interpole/explain/checks/unrecorded_sign.hpp"

#include <fmt/format.h>

#include <ctime>

#include "arguments.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/bias_audit.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/record_audit.hpp"
#include "wards.hpp"

namespace interpole {
namespace {

constexpr int kDraws = 500;
constexpr double kSure = 0.9;
constexpr const char* kRow = "{:<20} {:>5} {:>7} {:>10} {:>7} {:>7} {:>9} {:>6} {:>9} {:>6} {:>6} {:>6}\n";

struct Condition {
  const char* name;
  Environment (*environment)();  // with all that was seen
  bool hides_signs;
};

Environment biased_ward() {
  Environment environment = plain_ward();
  believe_in_worse_test(environment);
  return environment;
}

Environment habitual_ward() {
  Environment environment = plain_ward();
  environment.truth.agent.policy.terms.inertia = 0.2;
  return environment;
}

constexpr Condition kConditions[] = {{"unrecorded sign", signed_ward, true},
                                     {"true bias", biased_ward, false},
                                     {"nothing else", plain_ward, false},
                                     {"inertia 20%", habitual_ward, false},
                                     {"a third are quick", two_kinds_ward, false}};

struct Outcome {
  BiasVerdict verdict = BiasVerdict::kUndecided;
  bool removable = false, hidden = false, failed = false, belated_withheld = false;
  double right = 0.0;
  int flags = 0, right_flags = 0;
  double seconds = 0.0;
};

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void count_flags(const FitResult& fit, const Environment& environment, const Records& seen,
                 const Records& records, Outcome& outcome) {
  AuditOptions options;
  options.tests = {"test"};
  options.hidden_information = false;  // known already
  if (outcome.hidden) {
    outcome.belated_withheld = true;
    return;
  }
  FitResult truth;
  truth.model = environment.truth;
  const auto found = audit_records(fit, records, options);
  const auto right = audit_records(truth, seen, options);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].belated || found[i].belated_probability.value_or(0.0) < kSure) continue;
    ++outcome.flags;
    outcome.right_flags += right[i].belated ? 1 : 0;
  }
}

Outcome outcome_of(const Condition& condition, int patients, PolicyUse policy, std::uint64_t set,
                   std::uint64_t seed) {
  const Environment environment = condition.environment();
  const Records seen = records_of(environment, patients, set);
  const Records records = condition.hides_signs ? without_sign(seen) : seen;
  const HistoryTree tree = build_history_tree(3, records);
  learn::FitOptions options;
  options.policy = policy;
  options.seed = seed;
  options.threads = 1;
  const FitResult fit = learn::result_of(
      learn::fit(tree, DecisionProblem::open(structure_of(records)), options, quiet_sink()), "");
  Outcome outcome;
  const double begin = thread_seconds();
  ModelCheckOptions check_options;
  check_options.threads = 1;
  const ModelChecks checks = check_model(fit, tree, check_options);
  outcome.seconds = thread_seconds() - begin;
  const auto found = compare_agent_and_world(fit, fit.draws(kDraws, seed), &tree, {}, &checks);
  outcome.verdict = found.verdict;
  outcome.removable = found.removable_by.has_value();
  for (const ModelCheck* check : checks.failed()) {
    outcome.failed = true;
    outcome.hidden |= check->name == "hidden-information";
  }
  if (checks.sign) outcome.right = checks.sign->best().right;
  count_flags(fit, environment, seen, records, outcome);
  return outcome;
}

void run(const Condition& condition, int sets, int patients, int threads, PolicyUse policy,
         std::uint64_t seed) {
  std::vector<Outcome> outcomes(sets);
  base::parallel_tasks(sets, threads, [&](int i) {
    outcomes[i] = outcome_of(condition, patients, policy, seed * 1000 + static_cast<std::uint64_t>(i), seed);
  });
  int differ = 0, removable = 0, hidden = 0, failed = 0, withheld = 0, belated_withheld = 0;
  int flags = 0, right_flags = 0;
  double right = 0.0, seconds = 0.0;
  for (const Outcome& outcome : outcomes) {
    differ += outcome.verdict == BiasVerdict::kDifference;
    withheld += outcome.verdict == BiasVerdict::kWithheld;
    removable += outcome.removable;
    hidden += outcome.hidden;
    failed += outcome.failed;
    belated_withheld += outcome.belated_withheld;
    if (outcome.hidden) right += outcome.right;
    flags += outcome.flags;
    right_flags += outcome.right_flags;
    seconds += outcome.seconds / sets;
  }
  fmt::print(fmt::runtime(kRow), condition.name, sets, differ, removable, hidden, failed, withheld,
             hidden > 0 ? fmt::format("{:.2f}", right / hidden) : "", belated_withheld, flags, right_flags,
             fmt::format("{:.1f}", seconds));
  std::fflush(stdout);
}

void run_all(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--sets", "--patients", "--policy", "--seed", "--threads"});
  const PolicyUse policy = policy_use_named(arguments.text("--policy", "auto"));
  fmt::print(fmt::runtime(kRow), "decisions follow", "sets", "differ", "removable", "hidden", "failed",
             "withheld", "right", "no flags", "flags", "true", "CPU s");
  for (const Condition& condition : kConditions) {
    if (!arguments.wants(condition.name)) continue;
    run(condition, arguments.number("--sets", 50), arguments.number("--patients", 1000),
        arguments.number("--threads", 0), policy, arguments.number("--seed", std::uint64_t{1}));
  }
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::run_all(argc, argv); });
}
