// How often is a bias seen where there is none, and missed where there is one? Simulated wards whose
// clinicians follow more than their beliefs, fitted as a user would.
//
//   build/false_bias [--sets 100] [--patients 1000] [--policy auto] [--seed 1] [CONDITION …]
//
// One row for each condition: sets in which agent and world were said to differ (with odds above 20 to one:
// clearly), to be one, or in which the verdict was withheld; sets with a flagged number; searches that ended;
// and how often each term was taken.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "interpole/base/parallel.hpp"
#include "interpole/base/random.hpp"
#include "interpole/bias_audit.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/simulate.hpp"

namespace interpole {
namespace {

constexpr int kDraws = 1000;
constexpr double kCoverage = 0.9;
constexpr const char* kRow = "{:<26} {:>5} {:>5} {:>7} {:>8} {:>5} {:>9} {:>6} {:>6} {:>8} {:>6} {}\n";

enum Action { kWait, kTest, kTreat };

void believe_in_worse_test(Environment& environment) {
  environment.truth.agent.dynamics.observation[6] = 0.35;
  environment.truth.agent.dynamics.observation[7] = 0.65;
}

PolicyTerm& add_term(Environment& environment, TermKind kind, int steps = 0) {
  PolicyTerms& terms = environment.truth.agent.policy.terms;
  terms.additive.push_back(model::term_filled(environment.truth.structure, terms, kind, 0.0, -1, steps));
  return terms.additive.back();
}

using Records = std::vector<Record>;

Records records_of(const Environment& environment, int patients, std::uint64_t seed) {
  Records records;
  SimulateOptions options;
  options.patients = patients;
  options.seed = seed;
  options.threads = 1;
  simulate(environment, options, [&](const Record& record) { records.push_back(record); });
  return records;
}

// Clinicians saw every result; the table lost some, more often of the ill. What it lost is an outcome of its
// own.
Records with_lost_results(int patients, std::uint64_t seed) {
  const Environment environment = plain_ward();
  constexpr int kLost = 2;
  constexpr double kChance[] = {0.1, 0.5};
  Records records;
  for (int i = 1; i <= patients; ++i) {
    Record record;
    std::vector<int> states;
    simulate_record(environment, seed, i, 0, record, &states);
    base::RandomStream random(seed, i, base::RandomPurpose::kBootstrap);
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      Step& step = record.steps[t];
      if (step.observation != kMissing && random.uniform() < kChance[states[t]]) step.observation = kLost;
    }
    records.push_back(std::move(record));
  }
  return records;
}

// The ward's, or with one more outcome where records have one.
Structure structure_of(const Records& records) {
  Structure structure = plain_ward().truth.structure;
  const bool lost = std::any_of(records.begin(), records.end(), [](const Record& record) {
    return std::any_of(record.steps.begin(), record.steps.end(),
                       [](Step step) { return step.observation == 2; });
  });
  if (!lost) return structure;
  structure =
      Structure::unrestricted(structure.states, structure.actions, {"normal", "abnormal", "not recorded"});
  structure.make_terminal(kTreat);
  return structure;
}

using Ward = Records (*)(int patients, std::uint64_t seed, Policy& truth);

struct Condition {
  const char* name;
  bool biased;
  Ward records;
};

template <class Change>
Records changed_ward(int patients, std::uint64_t seed, Policy& truth, const Change& change) {
  Environment environment = plain_ward();
  change(environment);
  truth = environment.truth.agent.policy;
  return records_of(environment, patients, seed);
}

const Condition kConditions[] = {
    {"nothing else", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment&) {});
     }},
    {"inertia 20%", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment& e) { e.truth.agent.policy.terms.inertia = 0.2; });
     }},
    {"inertia 40%", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment& e) { e.truth.agent.policy.terms.inertia = 0.4; });
     }},
    {"additive habit", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment& e) {
         add_term(e, TermKind::kHabit).weights = {0.8, -0.6, -0.2, -0.8, 0.6, 0.2, 0, 0, 0};
       });
     }},
    {"lapses of 30%", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment& e) { e.truth.agent.policy.terms.lapse = 0.3; });
     }},
    {"drift by step", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment& e) {
         PolicyTerm& term = add_term(e, TermKind::kTime, 10);
         for (int step = 0; step < 10; ++step) {
           const double x = (step - 4.5) / 4.5;
           term.weights[step * 3 + kWait] = -1.5 * x;
           term.weights[step * 3 + kTreat] = 1.5 * x;
         }
       });
     }},
    {"protocol test", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment& e) {
         PolicyTerm& term = add_term(e, TermKind::kTime, 10);
         for (const int step : {0, 4}) term.weights[step * 3 + kTest] = 8.0;
       });
     }},
    {"two kinds", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       Environment quick = plain_ward();
       Environment slow = plain_ward();
       quick.truth.agent.policy.means = {1.15, -0.15, 0.85, 0.15, 0.35, 0.65};
       slow.truth.agent.policy.means = {0.75, 0.25, 0.3, 0.7, -0.2, 1.2};
       truth = quick.truth.agent.policy;
       truth.other_kinds = {{0.5, 6.0, slow.truth.agent.policy.means}};
       Records records = records_of(quick, n / 2, 2 * seed);
       for (Record& record : records_of(slow, n - n / 2, 2 * seed + 1)) records.push_back(std::move(record));
       return records;
     }},
    {"a third are quick", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       const Environment environment = two_kinds_ward();
       truth = environment.truth.agent.policy;
       return records_of(environment, n, seed);
     }},
    {"results lost", false, [](int n, std::uint64_t seed, Policy&) { return with_lost_results(n, seed); }},
    {"true bias", true,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, believe_in_worse_test);
     }},
    {"true bias and inertia 30%", true,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment& e) {
         believe_in_worse_test(e);
         e.truth.agent.policy.terms.inertia = 0.3;
       });
     }},
};

struct Outcome {
  BiasVerdict verdict = BiasVerdict::kUndecided;
  bool clearly = false;
  bool converged = false;
  bool flagged = false;
  std::vector<std::string> taken;
  int numbers = 0;  // of true terms that were taken …
  int covered = 0;  // … and within their intervals
};

// Whether a central interval of draws holds the truth.
void count_covered(double truth, std::vector<double> draws, Outcome& outcome) {
  const Estimate interval = estimate_of(std::move(draws), kCoverage);
  ++outcome.numbers;
  outcome.covered += interval.low <= truth && truth <= interval.high;
}

// Of the true shares of kinds, if the fit has as many. Which of its kinds is which: by where the mean of the
// first action lies.
void count_covered_shares(const Policy& truth, const std::vector<AgentWorld>& draws, Outcome& outcome) {
  const Policy& fitted = draws.front().agent.policy;
  if (truth.kind_count() != 2 || fitted.kind_count() != 2) return;
  const bool same =
      (truth.means[0] < truth.other_kinds[0].means[0]) == (fitted.means[0] < fitted.other_kinds[0].means[0]);
  std::vector<double> shares;
  shares.reserve(draws.size());
  for (const AgentWorld& draw : draws) shares.push_back(draw.agent.policy.kind_shares()[same ? 1 : 0]);
  count_covered(truth.other_kinds[0].share, std::move(shares), outcome);
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
      for (std::size_t k = 0; k < term.weights.size(); ++k) {
        const auto values = column([&](const PolicyTerms& terms) { return terms.additive[i].weights[k]; });
        const bool learned = values.front() != values.back();
        if (learned) count_covered(term.weights[k], values, outcome);
      }
    }
  }
}

Outcome outcome_of(const Condition& condition, int patients, PolicyUse policy, std::uint64_t set,
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
      found.verdict == BiasVerdict::kDifference && fit.scale_choice->log_bayes_factor() >= std::log(20.0);
  outcome.converged = fit.converged();
  for (const BiasFinding& finding : found.audit.findings) outcome.flagged |= finding.flagged;
  if (!fit.terms) return outcome;
  if (fit.terms->kinds.taken > 1) outcome.taken.push_back(fmt::format("{} kinds", fit.terms->kinds.taken));
  for (const auto& term : fit.terms->weighed) {
    if (term.taken) outcome.taken.push_back(term.candidate.name);
  }
  return outcome;
}

void run(const Condition& condition, int sets, int patients, PolicyUse policy, std::uint64_t seed) {
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
  int numbers = 0;
  int covered = 0;
  for (const Outcome& outcome : outcomes) {
    for (const std::string& name : outcome.taken) ++taken[name];
    numbers += outcome.numbers;
    covered += outcome.covered;
  }
  std::string terms;
  for (const auto& [name, times] : taken) terms += fmt::format(" {} {}", name, times);
  fmt::print(fmt::runtime(kRow), condition.name, condition.biased ? "yes" : "no", sets,
             say(BiasVerdict::kDifference), count([](const Outcome& outcome) { return outcome.clearly; }),
             say(BiasVerdict::kNone), say(BiasVerdict::kWithheld),
             count([](const Outcome& outcome) { return outcome.flagged; }),
             count([](const Outcome& outcome) { return outcome.converged; }),
             numbers > 0 ? fmt::format("{:.1f}%", 100.0 * covered / numbers) : "",
             fmt::format("{:.2f}", seconds / sets), terms);
  std::fflush(stdout);
}

int main_with(int argc, char** argv) {
  int sets = 100;
  int patients = 1000;
  std::uint64_t seed = 1;
  PolicyUse policy = PolicyUse::kAuto;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = word.starts_with("--") && i + 1 < argc;
    if (!has_value) {
      wanted.push_back(word);
      continue;
    }
    const std::string value = argv[++i];
    if (word == "--sets") sets = std::stoi(value);
    if (word == "--patients") patients = std::stoi(value);
    if (word == "--seed") seed = std::stoull(value);
    if (word == "--policy") policy = policy_use_named(value);
  }
  fmt::print(fmt::runtime(kRow), "decisions follow", "bias", "sets", "differ", "clearly", "one", "withheld",
             "named", "ended", "covered", "s/set", "terms taken");
  for (const Condition& condition : kConditions) {
    const bool all = wanted.empty();
    if (all || std::find(wanted.begin(), wanted.end(), condition.name) != wanted.end()) {
      run(condition, sets, patients, policy, seed);
    }
  }
  return 0;
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  try {
    return interpole::main_with(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
