// How often is a bias seen where there is none, and missed where there is one? Simulated wards whose
// clinicians follow more than their beliefs, fitted as a user would.
//
//   build/false_bias [--sets 100] [--patients 1000] [--policy auto] [--seed 1] [CONDITION …]
//
// One row for each condition: sets in which agent and world were said to differ (with odds above 20 to one:
// clearly), to be one, or in which the verdict was withheld; sets with a flagged number; searches that ended;
// how often each term was taken, and how often each check failed.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/bias_audit.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "wards.hpp"

namespace interpole {
namespace {

constexpr int kDraws = 1000;
constexpr double kCoverage = 0.9;
constexpr const char* kRow = "{:<26} {:>5} {:>5} {:>7} {:>8} {:>5} {:>9} {:>6} {:>6} {:>8} {:>6} {}\n";

struct Outcome {
  BiasVerdict verdict = BiasVerdict::kUndecided;
  bool clearly = false;
  bool converged = false;
  bool flagged = false;
  std::vector<std::string> taken;
  std::vector<std::string> failed;
  int numbers = 0;  // of true terms that were taken …
  int covered = 0;  // … and within their intervals
};

// Whether a central interval of draws holds the truth.
void count_covered(double truth, std::vector<double> draws, Outcome& outcome) {
  const Estimate interval = estimate_of(std::move(draws), kCoverage);
  ++outcome.numbers;
  outcome.covered += interval.low <= truth && truth <= interval.high;
}

// Whether the fit calls the ill well: a test then shows "normal" less often in the first state.
bool states_swapped(const Dynamics& dynamics, int outcomes) {
  const int first = kTest * 2 * outcomes;
  return dynamics.observation[first] < dynamics.observation[first + outcomes];
}

// Of the true shares of kinds, if the fit has as many. Which of its kinds is which: by where the mean of the
// first action lies.
void count_covered_shares(const Policy& truth, const std::vector<AgentWorld>& draws, Outcome& outcome) {
  const Policy& fitted = draws.front().agent.policy;
  if (truth.kind_count() != 2 || fitted.kind_count() != 2) return;
  const int well = states_swapped(draws.front().agent.dynamics, 2) ? 1 : 0;
  const bool same = (truth.means[0] < truth.other_kinds[0].means[0]) ==
                    (fitted.means[well] < fitted.other_kinds[0].means[well]);
  std::vector<double> shares;
  shares.reserve(draws.size());
  for (const AgentWorld& draw : draws) shares.push_back(draw.agent.policy.kind_shares()[same ? 1 : 0]);
  count_covered(truth.other_kinds[0].share, std::move(shares), outcome);
}

// Weights as fits have them: of mean zero over levels (the rest is the means') and over actions.
std::vector<double> centred(std::vector<double> weights, std::size_t actions) {
  const std::size_t levels = weights.size() / actions;
  for (std::size_t a = 0; a < actions; ++a) {
    double sum = 0.0;
    for (std::size_t level = 0; level < levels; ++level) sum += weights[level * actions + a];
    for (std::size_t level = 0; level < levels; ++level)
      weights[level * actions + a] -= sum / static_cast<double>(levels);
  }
  for (std::size_t level = 0; level < levels; ++level) {
    double sum = 0.0;
    for (std::size_t a = 0; a < actions; ++a) sum += weights[level * actions + a];
    for (std::size_t a = 0; a < actions; ++a)
      weights[level * actions + a] -= sum / static_cast<double>(actions);
  }
  return weights;
}

// Of the true terms that the fit has in the same shape.
void count_covered(const PolicyTerms& truth, const std::vector<AgentWorld>& draws, Outcome& outcome) {
  const PolicyTerms& fitted = draws.front().agent.policy.terms;
  const auto column = [&](const auto& number) {
    std::vector<double> values;
    values.reserve(draws.size());
    for (const AgentWorld& draw : draws) values.push_back(number(draw.agent.policy.terms));
    return values;
  };
  if (truth.inertia > 0.0 && fitted.inertia > 0.0) {
    count_covered(truth.inertia, column([](const PolicyTerms& terms) { return terms.inertia; }), outcome);
  }
  if (truth.lapse > 0.0 && fitted.lapse > 0.0) {
    count_covered(truth.lapse, column([](const PolicyTerms& terms) { return terms.lapse; }), outcome);
  }
  for (const PolicyTerm& term : truth.additive) {
    for (std::size_t i = 0; i < fitted.additive.size(); ++i) {
      if (fitted.additive[i].kind != term.kind || fitted.additive[i].weights.size() != term.weights.size())
        continue;
      const auto weights = centred(term.weights, kTreat + 1);
      for (std::size_t k = 0; k < weights.size(); ++k) {
        const auto values = column([&](const PolicyTerms& terms) { return terms.additive[i].weights[k]; });
        const bool learned = values.front() != values.back();
        if (learned) count_covered(weights[k], values, outcome);
      }
    }
  }
}

Outcome outcome_of(const WardCondition& condition, int patients, PolicyUse policy, std::uint64_t set,
                   std::uint64_t seed) {
  Policy truth;
  const Records records = condition.records(patients, set, truth);
  const DecisionProblem problem = DecisionProblem::open(structure_of(records));
  const HistoryTree tree = build_history_tree(3, records);
  learn::FitOptions options;
  options.policy = policy;
  options.seed = seed;
  options.threads = 1;
  const learn::FitSummary fit = learn::fit(tree, problem, options, quiet_sink());
  const FitResult result = learn::result_of(fit, "");
  const auto draws = result.draws(kDraws, seed);
  const auto found = compare_agent_and_world(result, draws, &tree, {});
  Outcome outcome;
  count_covered(truth.terms, draws, outcome);
  count_covered_shares(truth, draws, outcome);
  outcome.verdict = found.verdict;
  outcome.clearly =
      found.verdict == BiasVerdict::kDifference && found.log_odds.value_or(0.0) >= std::log(20.0);
  outcome.converged = fit.converged();
  for (const BiasFinding& finding : found.audit.findings) outcome.flagged |= finding.flagged;
  for (const ModelCheck* check : found.checks.failed()) outcome.failed.push_back(check->name);
  if (!fit.terms) return outcome;
  if (fit.terms->kinds.taken > 1) outcome.taken.push_back(fmt::format("{} kinds", fit.terms->kinds.taken));
  for (const auto& term : fit.terms->weighed) {
    if (term.taken) outcome.taken.push_back(term.candidate.name);
  }
  return outcome;
}

void run(const WardCondition& condition, int sets, int patients, PolicyUse policy, std::uint64_t seed) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Outcome> outcomes(sets);
  base::parallel_tasks(
      sets, 0, [&](int i) { outcomes[i] = outcome_of(condition, patients, policy, seed * 1000 + i, seed); });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto count = [&](const auto& holds) {
    return std::count_if(outcomes.begin(), outcomes.end(), holds);
  };
  const auto say = [&](BiasVerdict verdict) {
    return count([&](const Outcome& outcome) { return outcome.verdict == verdict; });
  };
  std::map<std::string, int> taken;
  std::map<std::string, int> failed;
  int numbers = 0;
  int covered = 0;
  for (const Outcome& outcome : outcomes) {
    for (const std::string& name : outcome.taken) ++taken[name];
    for (const std::string& name : outcome.failed) ++failed[name];
    numbers += outcome.numbers;
    covered += outcome.covered;
  }
  std::string terms;
  for (const auto& [name, times] : taken) terms += fmt::format(" {} {}", name, times);
  if (!failed.empty()) terms += " fails:";
  for (const auto& [name, times] : failed) terms += fmt::format(" {} {}", name, times);
  fmt::print(fmt::runtime(kRow), condition.name, condition.biased ? "yes" : "no", sets,
             say(BiasVerdict::kDifference), count([](const Outcome& outcome) { return outcome.clearly; }),
             say(BiasVerdict::kNone), say(BiasVerdict::kWithheld),
             count([](const Outcome& outcome) { return outcome.flagged; }),
             count([](const Outcome& outcome) { return outcome.converged; }),
             numbers > 0 ? fmt::format("{:.1f}%", 100.0 * covered / numbers) : "",
             fmt::format("{:.2f}", seconds / sets), terms);
  std::fflush(stdout);
}

void run_all(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--sets", "--patients", "--policy", "--seed"});
  const PolicyUse policy = policy_use_named(arguments.text("--policy", "auto"));
  fmt::print(fmt::runtime(kRow), "decisions follow", "bias", "sets", "differ", "clearly", "one", "withheld",
             "named", "ended", "covered", "s/set", "terms taken");
  for (const WardCondition& condition : kWardConditions) {
    if (!arguments.wants(condition.name)) continue;
    run(condition, arguments.number("--sets", 100), arguments.number("--patients", 1000), policy,
        arguments.number("--seed", std::uint64_t{1}));
  }
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::run_all(argc, argv); });
}
