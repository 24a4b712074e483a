// Simulated pairs of sites that differ in one thing, or in nothing.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/learn/groups/sites_testing.hpp"
#include "wards.hpp"

namespace interpole {

struct SitePair {
  DecisionProblem problem;
  std::vector<HistoryTree> trees;
  HistoryTree all;
};

inline SitePair pair_of(DecisionProblem problem, const Records& north, const Records& south) {
  const int actions = problem.structure.action_count();
  SitePair pair{std::move(problem), {}, {}};
  pair.trees.push_back(build_history_tree(actions, north));
  pair.trees.push_back(build_history_tree(actions, south));
  Records all = north;
  all.insert(all.end(), south.begin(), south.end());
  pair.all = build_history_tree(actions, all);
  return pair;
}

// Wards of which nothing is known beforehand.
template <class Change>
SitePair two_wards(int patients, std::uint64_t seed, const Change& change_south) {
  const Environment north = plain_ward();
  Environment south = plain_ward();
  change_south(south);
  return pair_of(DecisionProblem::open(north.truth.structure), records_of(north, patients, 2 * seed),
                 records_of(south, patients, 2 * seed + 1));
}

// Doctors who watch until they are sure enough, as in DIAG and BIAS; the start is stated as even.
inline SitePair two_clinics(int patients, std::uint64_t seed, const Parameters& north,
                            const Parameters& south, const Dynamics* world_of_south = nullptr) {
  const Study study = testing::bias_study();
  const auto records = [&](const Parameters& doctor, std::uint64_t s, const Dynamics* world) {
    return testing::random_records(study.structure, doctor, patients, 200, s, 0.0, world);
  };
  return pair_of(study, records(north, 2 * seed, nullptr), records(south, 2 * seed + 1, world_of_south));
}

// Doctors who see, with every result, a sign that is right in three of four cases and is not recorded.
inline Records seeing_more(const Structure& recorded, const Parameters& doctor, int patients,
                           std::uint64_t seed) {
  constexpr double kRight = 0.75;
  Structure seen =
      Structure::unrestricted(recorded.states, recorded.actions, {"-, well", "-, ill", "+, well", "+, ill"});
  seen.make_terminal(1);
  seen.make_terminal(2);
  Parameters more{Dynamics::filled(seen, 0.0), doctor.policy};
  more.dynamics.initial = doctor.dynamics.initial;
  more.dynamics.transition = doctor.dynamics.transition;
  for (int row = 0; row < 2; ++row) {  // of watching, in two states
    for (int z = 0; z < 4; ++z) {
      more.dynamics.observation[row * 4 + z] =
          doctor.dynamics.observation[row * 2 + z / 2] * (z % 2 == row ? kRight : 1.0 - kRight);
    }
  }
  Records records = testing::random_records(seen, more, patients, 200, seed, 0.0);
  for (Record& record : records) {
    for (Step& step : record.steps) {
      if (step.observation != kMissing) step.observation /= 2;
    }
  }
  return records;
}

struct SiteCondition {
  const char* name;
  SitePair (*sites)(int patients, std::uint64_t seed);
};

inline void set_test(Dynamics& dynamics, double ill_missed) {
  dynamics.observation[6] = ill_missed;
  dynamics.observation[7] = 1.0 - ill_missed;
}

inline const SiteCondition kSiteConditions[] = {
    {"ward-equal", [](int n, std::uint64_t seed) { return two_wards(n, seed, [](Environment&) {}); }},
    {"ward-prevalence",
     [](int n, std::uint64_t seed) {
       return two_wards(n, seed, [](Environment& e) {
         e.truth.agent.dynamics.initial = e.truth.world->initial = {0.5, 0.5};
       });
     }},
    {"ward-test",
     [](int n, std::uint64_t seed) {
       return two_wards(n, seed, [](Environment& e) {
         set_test(e.truth.agent.dynamics, 0.35);
         set_test(*e.truth.world, 0.35);
       });
     }},
    {"ward-picture", [](int n, std::uint64_t seed) { return two_wards(n, seed, believe_in_worse_test); }},
    {"ward-policy",
     [](int n, std::uint64_t seed) {
       return two_wards(n, seed, [](Environment& e) {
         e.truth.agent.policy.means = {1.15, -0.15, 0.75, 0.25, 0.15, 0.85};
       });
     }},
    {"ward-sign",
     [](int n, std::uint64_t seed) {
       const Environment north = plain_ward();
       return pair_of(DecisionProblem::open(north.truth.structure), records_of(north, n, 2 * seed),
                      with_unrecorded_sign(n, 2 * seed + 1));
     }},
    {"clinic-sign",
     [](int n, std::uint64_t seed) {
       const Study study = testing::bias_study();
       const Parameters doctor = testing::doctor(0.8);
       return pair_of(study, testing::random_records(study.structure, doctor, n, 200, 2 * seed, 0.0),
                      seeing_more(study.structure, doctor, n, 2 * seed + 1));
     }},
    {"clinic-equal",
     [](int n, std::uint64_t seed) {
       return two_clinics(n, seed, testing::doctor(0.8), testing::doctor(0.8));
     }},
    {"clinic-prevalence",
     [](int n, std::uint64_t seed) {
       Parameters south = testing::doctor(0.8);
       south.dynamics.initial = {0.7, 0.3};
       return two_clinics(n, seed, testing::doctor(0.8), south);
     }},
    {"clinic-test",
     [](int n, std::uint64_t seed) {
       Parameters south = testing::doctor(0.8);
       south.dynamics.observation[2] = 0.35;
       south.dynamics.observation[3] = 0.65;
       return two_clinics(n, seed, testing::doctor(0.8), south);
     }},
    {"clinic-picture",
     [](int n, std::uint64_t seed) {
       Parameters south = testing::doctor(0.8);
       const Dynamics world = south.dynamics;
       south.dynamics.observation[2] = 0.4;
       south.dynamics.observation[3] = 0.6;
       return two_clinics(n, seed, testing::doctor(0.8), south, &world);
     }},
    {"clinic-boundaries",
     [](int n, std::uint64_t seed) {
       return two_clinics(n, seed, testing::doctor(0.7), testing::doctor(0.9));
     }},
};

}  // namespace interpole
