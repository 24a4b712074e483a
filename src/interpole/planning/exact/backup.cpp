#include "interpole/planning/exact/backup.hpp"

#include <algorithm>

namespace interpole::planning {
namespace {

class ProgramBackup : public Backup {
 public:
  ProgramBackup(const Pomdp& pomdp, const PruningLimits& limits, const Sink& sink)
      : pomdp_(pomdp), pruner_(pomdp.state_count(), limits, sink) {}

  AlphaVectors apply(const AlphaVectors& next) override {
    AlphaVectors all{pomdp_.state_count(), {}, {}};
    for (int a = 0; a < pomdp_.action_count(); ++a) {
      const AlphaVectors of_action = vectors_of(a, next);
      for (std::size_t i = 0; i < of_action.size(); ++i) all.add(a, of_action.row(i));
    }
    return pruner_.prune(all);
  }

  ValueChange change(const AlphaVectors& after, const AlphaVectors& before, double enough) override {
    const double rise = pruner_.excess_at_hints(after, before);
    const double fall = pruner_.excess_at_hints(before, after);
    if (std::max(rise, fall) > enough) return {-fall, rise, false};
    return {-pruner_.largest_excess(before, after), pruner_.largest_excess(after, before), true};
  }

  long programs() const override { return pruner_.programs(); }
  void set_tolerance(double tolerance) override { pruner_.set_tolerance(tolerance); }
  double stage_error() const override { return pruner_.tolerance() * prunings_per_stage(pomdp_); }

 private:
  AlphaVectors vectors_of(int action, const AlphaVectors& next) {
    const auto S = static_cast<std::size_t>(pomdp_.state_count());
    AlphaVectors sum{pomdp_.state_count(), {action}, std::vector<double>(S)};
    for (std::size_t s = 0; s < S; ++s) sum.values[s] = pomdp_.gain(action, static_cast<int>(s));
    if (pomdp_.is_terminal(action)) return sum;
    std::vector<AlphaVectors> parts;
    parts.reserve(pomdp_.observations.size());
    for (int z = 0; z < pomdp_.observation_count(); ++z) {
      parts.push_back(pruner_.prune(project(pomdp_, action, z, next)));
    }
    // Small sets first: their sums stay small for longest.
    std::stable_sort(parts.begin(), parts.end(),
                     [](const AlphaVectors& a, const AlphaVectors& b) { return a.size() < b.size(); });
    for (const AlphaVectors& part : parts) sum = pruner_.prune_sums(sum, part);
    return sum;
  }

  const Pomdp& pomdp_;
  Pruner pruner_;
};

}  // namespace

int prunings_per_stage(const Pomdp& pomdp) {
  return 2 * pomdp.observation_count() + 1;
}

AlphaVectors project(const Pomdp& pomdp, int action, int observation, const AlphaVectors& next) {
  const auto S = static_cast<std::size_t>(pomdp.state_count());
  const auto Z = static_cast<std::size_t>(pomdp.observation_count());
  const double* T = pomdp.transition.data() + action * S * S;
  const double* O = pomdp.observation.data() + action * S * Z + observation;
  std::vector<double> matrix(S * S);
  for (std::size_t from = 0; from < S; ++from) {
    for (std::size_t to = 0; to < S; ++to) {
      matrix[from * S + to] = pomdp.discount * T[from * S + to] * O[to * Z];
    }
  }
  AlphaVectors result{pomdp.state_count(), std::vector<int>(next.size(), action),
                      std::vector<double>(next.values.size())};
  for (std::size_t i = 0; i < next.size(); ++i) {
    for (std::size_t from = 0; from < S; ++from) {
      result.values[i * S + from] = expectation(std::span(matrix).subspan(from * S, S), next.row(i));
    }
  }
  return result;
}

std::unique_ptr<Backup> program_backup(const Pomdp& pomdp, const PruningLimits& limits, const Sink& sink) {
  return std::make_unique<ProgramBackup>(pomdp, limits, sink);
}

}  // namespace interpole::planning
