// What is seen, taken for the state: a context is the last action with its outcome (or that it was not
// recorded), and one more is the start. How contexts follow each other is counted from records:
//
//   P(z | x, a) = (n(x, a, z) + κ P(z | a)) / (n(x, a) + κ)     with P(z | a) from all contexts, likewise
//   leaving(x)  = share of those who come to x of whom no further decision is recorded
//
// A terminal action leads nowhere. Everything is finite, so what a policy leads to is computed, not sampled.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <span>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/learners/simple/by_context.hpp"
#include "interpole/structure.hpp"

namespace interpole::learners {

struct ObservedProcess {
  int actions = 0;
  int outcomes = 0;  // with the missing one, the last
  int contexts = 0;
  std::vector<char> terminal;   // [a]
  std::vector<double> chances;  // [(x·A + a)·outcomes + z]; zero after terminal actions
  std::vector<double> leaving;  // [x]

  int context_of(int action, int outcome) const { return 1 + action * outcomes + outcome; }
  std::span<const double> chances_of(int context, int action) const {
    return std::span(chances).subspan((static_cast<std::size_t>(context) * actions + action) * outcomes,
                                      outcomes);
  }
  // Σ_z P(z | x, a) values[context of (a, z)]: what an action leads to. Zero for a terminal one.
  double expected_next(int context, int action, std::span<const double> values) const;
};

// What was recorded, in the process's terms.
struct ObservedRecords {
  std::int64_t records = 0;
  std::vector<double> decisions;  // [x·A + a]
  // By step, as far as kMostObservedSteps: who comes to a context before decision t, who ends by a terminal
  // action at it, and the share of those who came of whom no further decision is recorded.
  struct Visits {
    std::vector<double> arrivals;  // [x]
    std::vector<double> stops;     // [a]
    std::vector<double> stops_at;  // [x·A + a], the same by where they were
    double leaving = 0.0;
  };
  std::vector<Visits> steps;
};

inline constexpr int kMostObservedSteps = 1000;

ObservedRecords observed_records(const HistoryTree& tree, const Structure& structure);
ObservedProcess observed_process(const HistoryTree& tree, const Structure& structure, double pseudo_count);

// How often each context is met with a decision under a policy, per record, in the long run; exact, by one
// linear system. `policy` is [x·A + a].
class Occupancy {
 public:
  // Keeps references.
  Occupancy(const ObservedProcess& process, std::span<const double> policy);
  const std::vector<double>& visits() const { return visits_; }  // [x] decisions there

  // The adjoint: from derivatives by ρ(x, a) = visits(x) π(a|x) to those by π(a|x), as if each could change
  // by itself.
  std::vector<double> pull_back(std::span<const double> by_occupancy) const;

 private:
  const ObservedProcess& process_;
  std::span<const double> policy_;
  Eigen::PartialPivLU<Eigen::MatrixXd> moves_;
  std::vector<double> visits_;
};

}  // namespace interpole::learners
