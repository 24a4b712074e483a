// Of belated diagnoses that are called 90% certain, how many are true? Simulated wards and random ones
// (known_wards.hpp), fitted as a user would.
//
//   build/belated_flags [--sets 50] [--first 0] [--patients 1000] [--policy auto] [--seed 1]
//                       [--certainty 0.9] [--threads 0] [--list 0] [CONDITION …]
//
// One row for each condition: patients whom the true model flags, given all that was seen; flags of the fits
// that are certain enough, how many of these are right, and the precision; in how many sets less than 85% of
// them are; the share of true flags that is found; sets in which nobody is flagged, because belated diagnoses
// were withheld or none was certain. --first: number of the first set.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "arguments.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/record_audit.hpp"
#include "known_wards.hpp"

namespace interpole {
namespace {

constexpr double kPrecise = 0.85;
constexpr const char* kRow = "{:<28} {:>5} {:>9} {:>7} {:>7} {:>7} {:>10} {:>11} {:>7} {:>9}\n";

struct Setting {
  int sets = 50;
  int first = 0;
  int patients = 1000;
  int threads = 0;
  double certainty = 0.9;
  std::uint64_t seed = 1;
  bool list = false;
  PolicyUse policy = PolicyUse::kAuto;
};

struct Outcome {
  int true_flags = 0, flags = 0, right = 0;
  bool no_flags = false;
};

Outcome outcome_of(const KnownWard& condition, const Setting& setting, std::uint64_t set) {
  const Environment environment = condition.environment(set);
  const Records seen = records_of(environment, setting.patients, set);
  const Records records = condition.hides_signs ? without_sign(seen) : seen;
  learn::FitOptions options;
  options.policy = setting.policy;
  options.seed = setting.seed;
  options.threads = 1;
  const HistoryTree tree = build_history_tree(3, records);
  const FitResult fit = learn::result_of(
      learn::fit(tree, DecisionProblem::open(structure_of(records)), options, quiet_sink()), "");
  FitResult truth;
  truth.model = environment.truth;
  AuditOptions audit;
  audit.tests = {"test"};
  audit.certainty = setting.certainty;
  const auto found = audit_records(fit, records, audit);
  audit.hidden_information = false;
  const auto right = audit_records(truth, seen, audit);
  Outcome outcome;
  for (std::size_t i = 0; i < found.size(); ++i) {
    outcome.true_flags += right[i].belated;
    outcome.flags += found[i].belated;
    outcome.right += found[i].belated && right[i].belated;
  }
  outcome.no_flags = outcome.flags == 0 && outcome.true_flags > 0;
  if (setting.list) {
    static std::mutex printing;
    const std::lock_guard lock(printing);
    fmt::print("  set {}: {} true, {} flags, {} right\n", set, outcome.true_flags, outcome.flags,
               outcome.right);
    std::fflush(stdout);
  }
  return outcome;
}

void run(const KnownWard& condition, const Setting& setting) {
  std::vector<Outcome> outcomes(setting.sets);
  base::parallel_tasks(setting.sets, setting.threads, [&](int i) {
    outcomes[i] =
        outcome_of(condition, setting, setting.seed * 1000 + static_cast<std::uint64_t>(setting.first + i));
  });
  Outcome sum;
  int imprecise = 0;
  int none = 0;
  for (const Outcome& outcome : outcomes) {
    sum.true_flags += outcome.true_flags;
    sum.flags += outcome.flags;
    sum.right += outcome.right;
    imprecise += outcome.flags > 0 && outcome.right < kPrecise * outcome.flags;
    none += outcome.no_flags;
  }
  const auto share = [](int part, int whole) {
    return whole > 0 ? fmt::format("{:.1f}%", 100.0 * part / whole) : "";
  };
  fmt::print(fmt::runtime(kRow), condition.name, setting.sets, setting.patients * setting.sets,
             sum.true_flags, sum.flags, sum.right, share(sum.right, sum.flags), imprecise,
             share(sum.right, sum.true_flags), none);
  std::fflush(stdout);
}

Setting setting_of(const Arguments& arguments) {
  Setting setting;
  setting.sets = arguments.number("--sets", setting.sets);
  setting.first = arguments.number("--first", setting.first);
  setting.patients = arguments.number("--patients", setting.patients);
  setting.threads = arguments.number("--threads", setting.threads);
  setting.certainty = arguments.number("--certainty", setting.certainty);
  setting.seed = arguments.number("--seed", setting.seed);
  setting.list = arguments.number("--list", 0) != 0;
  setting.policy = policy_use_named(arguments.text("--policy", "auto"));
  return setting;
}

void run_all(int argc, char** argv) {
  const Arguments arguments(
      argc, argv,
      {"--sets", "--first", "--patients", "--threads", "--certainty", "--seed", "--list", "--policy"});
  const Setting setting = setting_of(arguments);
  fmt::print(fmt::runtime(kRow), "decisions follow", "sets", "patients", "true", "flags", "right",
             "precision", "below 85%", "found", "no flags");
  for (const KnownWard& condition : kKnownWards) {
    if (arguments.wants(condition.name)) run(condition, setting);
  }
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::run_all(argc, argv); });
}
