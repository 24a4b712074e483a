// Simulated wards whose clinicians follow more than their beliefs, or see more than the table holds: what
// bias must not be seen in, and model checks must notice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/simulate.hpp"

namespace interpole {

enum Action { kWait, kTest, kTreat };

inline void believe_in_worse_test(Environment& environment) {
  environment.truth.agent.dynamics.observation[6] = 0.35;
  environment.truth.agent.dynamics.observation[7] = 0.65;
}

inline PolicyTerm& add_term(Environment& environment, TermKind kind, int steps = 0) {
  PolicyTerms& terms = environment.truth.agent.policy.terms;
  terms.additive.push_back(model::term_filled(environment.truth.structure, terms, kind, 0.0, -1, steps));
  return terms.additive.back();
}

using Records = std::vector<Record>;

inline Records records_of(const Environment& environment, int patients, std::uint64_t seed) {
  Records records;
  SimulateOptions options;
  options.patients = patients;
  options.seed = seed;
  options.threads = 1;
  simulate(environment, options, [&](const Record& record) { records.push_back(record); });
  return records;
}

// "not recorded", an outcome of its own.
inline constexpr int kLost = 2;

// Clinicians saw every result; the table lost some, more often of the ill, and has `instead`.
inline Records with_lost_results(int patients, std::uint64_t seed, int instead = kLost) {
  const Environment environment = plain_ward();
  constexpr double kChance[] = {0.1, 0.5};
  Records records;
  for (int i = 1; i <= patients; ++i) {
    Record record;
    std::vector<int> states;
    simulate_record(environment, seed, i, 0, record, &states);
    base::RandomStream random(seed, i, base::RandomPurpose::kBootstrap);
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      Step& step = record.steps[t];
      if (step.observation != kMissing && random.uniform() < kChance[states[t]]) step.observation = instead;
    }
    records.push_back(std::move(record));
  }
  return records;
}

// From the first record to the last, clinicians wait longer.
inline Records with_calendar_drift(int patients, std::uint64_t seed) {
  Records records;
  for (int i = 1; i <= patients; ++i) {
    Environment environment = plain_ward();
    const double x = static_cast<double>(i - 1) / std::max(1, patients - 1) - 0.5;
    environment.truth.agent.policy.means = {1.0 - 0.4 * x, 0.4 * x,  0.6 - 0.4 * x,
                                            0.4 + 0.4 * x, -0.4 * x, 1.0 + 0.4 * x};
    records.push_back(simulate_record(environment, seed, i));
  }
  return records;
}

// The table does not hold the sign of signed_ward().
inline Records without_sign(Records records) {
  for (Record& record : records) {
    for (Step& step : record.steps) {
      if (step.observation != kMissing) step.observation /= 2;
    }
  }
  return records;
}

inline Records with_unrecorded_sign(int patients, std::uint64_t seed) {
  return without_sign(records_of(signed_ward(), patients, seed));
}

// The ward's, or with one more outcome where records have one.
inline Structure structure_of(const Records& records) {
  Structure structure = plain_ward().truth.structure;
  const bool lost = std::any_of(records.begin(), records.end(), [](const Record& record) {
    return std::any_of(record.steps.begin(), record.steps.end(),
                       [](Step step) { return step.observation == kLost; });
  });
  if (!lost) return structure;
  structure =
      Structure::unrestricted(structure.states, structure.actions, {"normal", "abnormal", "not recorded"});
  structure.make_terminal(kTreat);
  structure.not_recorded = kLost;
  return structure;
}

using Ward = Records (*)(int patients, std::uint64_t seed, Policy& truth);

struct WardCondition {
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

inline const WardCondition kWardConditions[] = {
    {"nothing else", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment&) {});
     }},
    {"inertia 3%", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       return changed_ward(n, seed, truth, [](Environment& e) { e.truth.agent.policy.terms.inertia = 0.03; });
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
       truth.other_kinds = {{0.5, truth.inverse_temperature, slow.truth.agent.policy.means}};
       const Records of_quick = records_of(quick, n - n / 2, 2 * seed);
       const Records of_slow = records_of(slow, n / 2, 2 * seed + 1);
       Records records;
       for (int i = 0; i < n; ++i) records.push_back(i % 2 == 0 ? of_quick[i / 2] : of_slow[i / 2]);
       return records;
     }},
    {"a third are quick", false,
     [](int n, std::uint64_t seed, Policy& truth) {
       const Environment environment = two_kinds_ward();
       truth = environment.truth.agent.policy;
       return records_of(environment, n, seed);
     }},
    {"calendar drift", false,
     [](int n, std::uint64_t seed, Policy&) { return with_calendar_drift(n, seed); }},
    {"results lost", false, [](int n, std::uint64_t seed, Policy&) { return with_lost_results(n, seed); }},
    {"results lost, cells empty", false,
     [](int n, std::uint64_t seed, Policy&) { return with_lost_results(n, seed, kMissing); }},
    {"unrecorded sign", false,
     [](int n, std::uint64_t seed, Policy&) { return with_unrecorded_sign(n, seed); }},
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

}  // namespace interpole
