// How often would an unrecorded sign explain a finding that is false, and one that is true? Simulated wards
// (wards.hpp), fitted as a user would.
//
//   build/unrecorded_sign [--sets 20] [--patients 1000] [--policy auto] [--seed 1] [CONDITION …]
#include "interpole/explain/checks/unrecorded_sign.hpp"

#include <fmt/format.h>

#include <chrono>

#include "interpole/base/parallel.hpp"
#include "interpole/bias_audit.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"
#include "wards.hpp"

namespace interpole {
namespace {

std::string one(const WardCondition& condition, int patients, PolicyUse policy, std::uint64_t set,
                std::uint64_t seed) {
  Policy truth;
  const Records records = condition.records(patients, set, truth);
  const DecisionProblem problem = DecisionProblem::open(structure_of(records));
  const HistoryTree tree = build_history_tree(3, records);
  learn::FitOptions options;
  options.policy = policy;
  options.seed = seed;
  options.threads = 1;
  const learn::FitSummary summary = learn::fit(tree, problem, options, quiet_sink());
  const FitResult result = learn::result_of(summary, "");
  const auto found = compare_agent_and_world(result, result.draws(500, seed), &tree, {});
  const auto cpu = clock();
  const auto profile = explain::weigh_sign_of(result, tree, 1);
  const double seconds = double(clock() - cpu) / CLOCKS_PER_SEC;
  std::string line =
      fmt::format("{:<18} {:<10} lbf {:>7.1f} nodes {} {:.2f}s ", condition.name, name_of(found.verdict),
                  summary.scale_choice->log_bayes_factor(), tree.node_count(), seconds);
  for (const auto& point : profile.points)
    line += fmt::format(" {:.2f}:{:.1f}", point.right, point.log_ratio);
  line += " " + profile.not_weighed + " failed:";
  for (const auto* check : found.checks.failed()) line += " " + check->name;
  line += " terms:";
  for (const auto& term : summary.terms->weighed)
    if (term.taken) line += " " + term.candidate.name;
  line += fmt::format(" kinds {}", summary.terms->kinds.taken);
  return line;
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  using namespace interpole;
  int sets = 4;
  int patients = 1000;
  std::uint64_t seed = 1;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--sets")
      sets = std::stoi(argv[++i]);
    else if (word == "--patients")
      patients = std::stoi(argv[++i]);
    else if (word == "--seed")
      seed = std::stoull(argv[++i]);
    else
      wanted.push_back(word);
  }
  for (const WardCondition& condition : kWardConditions) {
    if (std::find(wanted.begin(), wanted.end(), condition.name) == wanted.end()) continue;
    std::vector<std::string> lines(sets);
    base::parallel_tasks(sets, 0, [&](int i) {
      lines[i] = one(condition, patients, PolicyUse::kAuto, seed * 1000 + i, seed);
      fmt::print("{}\n", lines[i]);
      std::fflush(stdout);
    });
  }
}
