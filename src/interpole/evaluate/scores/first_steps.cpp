#include "interpole/evaluate/scores/first_steps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "interpole/error.hpp"
#include "interpole/learners/observed/observed_process.hpp"

namespace interpole::evaluate {
namespace {

constexpr std::size_t kMostHistories = 50'000;

// All records of so many steps that the world can yield, as a tree.
class PossibleHistories {
 public:
  PossibleHistories(const learners::ObservedProcess& world, int steps)
      : world_(world), steps_(steps), builder_(world.actions, true, RecordClasses::kApart) {}

  void add_root(std::span<const double> covariates) {
    builder_.set_covariates(covariates);
    extend(0);
  }
  HistoryTree build() { return builder_.build(); }

 private:
  void extend(int context) {
    const bool last = static_cast<int>(path_.size()) + 1 >= steps_;
    for (int a = 0; a < world_.actions; ++a) {
      if (last || world_.terminal[a] != 0) {
        path_.push_back({a, kMissing});
        builder_.add(path_);
        path_.pop_back();
        continue;
      }
      const auto chances = world_.chances_of(context, a);
      for (int z = 0; z < world_.outcomes; ++z) {
        if (chances[z] == 0.0) continue;
        path_.push_back({a, z + 1 == world_.outcomes ? kMissing : z});
        extend(world_.context_of(a, z));
        path_.pop_back();
      }
    }
  }

  const learners::ObservedProcess& world_;
  int steps_;
  HistoryTreeBuilder builder_;
  std::vector<Step> path_;
};

double histories_of(const learners::ObservedProcess& world, int steps) {
  double branches = 0.0;
  for (int a = 0; a < world.actions; ++a) branches += world.terminal[a] != 0 ? 0.0 : world.outcomes;
  double count = 1.0, level = 1.0;
  for (int t = 1; t < steps; ++t) count += level *= branches;
  return count;
}

// predicted[t][(a·outcomes) + z]: chance of each step; a terminal action has z = 0.
std::vector<std::vector<double>> predicted_steps(const HistoryTree& tree, std::vector<double> mass,
                                                 const std::vector<double>& policies,
                                                 const learners::ObservedProcess& world,
                                                 const learners::ObservedRecords& recorded, int steps) {
  const auto A = static_cast<std::size_t>(world.actions);
  std::vector<std::vector<double>> result(steps, std::vector<double>(A * world.outcomes, 0.0));
  std::vector<int> context(tree.parent.size(), 0);
  mass.resize(tree.parent.size(), 0.0);
  for (const HistoryTree::Group& group : tree.groups) {
    const int z = group.observation == kMissing ? world.outcomes - 1 : group.observation;
    for (int node = group.begin; node < group.end; ++node) {
      const auto parent = static_cast<std::size_t>(tree.parent[node]);
      context[node] = world.context_of(group.action, z);
      const double stays = 1.0 - recorded.steps[tree.depth[node] - 1].leaving;
      mass[node] = mass[parent] * stays * policies[parent * A + group.action] *
                   world.chances_of(context[parent], group.action)[z];
    }
  }
  for (std::size_t node = 0; node < mass.size(); ++node) {
    const int t = tree.depth[node];
    if (t >= steps) continue;
    const double decided = mass[node] * (1.0 - recorded.steps[t].leaving);
    for (std::size_t a = 0; a < A; ++a) {
      double* row = &result[t][a * world.outcomes];
      const double taken = decided * policies[node * A + a];
      if (world.terminal[a] != 0) {
        row[0] += taken;
        continue;
      }
      const auto chances = world.chances_of(context[node], static_cast<int>(a));
      for (int z = 0; z < world.outcomes; ++z) row[z] += taken * chances[z];
    }
  }
  return result;
}

double variation_at(const std::vector<double>& predicted, const learners::ObservedRecords& recorded,
                    const learners::ObservedProcess& world, int step) {
  const auto records = static_cast<double>(recorded.records);
  double sum = 0.0, predicted_rest = 1.0, recorded_rest = 1.0;
  for (int a = 0; a < world.actions; ++a) {
    for (int z = 0; z < world.outcomes; ++z) {
      const bool ends = world.terminal[a] != 0;
      if (ends && z > 0) break;
      const double share =
          (ends ? recorded.steps[step].stops[a] : recorded.steps[step + 1].arrivals[world.context_of(a, z)]) /
          records;
      const double chance = predicted[static_cast<std::size_t>(a) * world.outcomes + z];
      sum += std::abs(chance - share);
      predicted_rest -= chance;
      recorded_rest -= share;
    }
  }
  return 0.5 * (sum + std::abs(predicted_rest - recorded_rest));
}

}  // namespace

std::optional<double> first_steps_variation(const HistoryTree& train, const HistoryTree& test,
                                            const Structure& structure,
                                            const learners::FittedLearner& learner) {
  if (test.records == 0 || train.records == 0 || structure.measured() || structure.timed())
    return std::nullopt;
  const learners::ObservedProcess world = learners::observed_process(train, structure, 1.0);
  const learners::ObservedRecords recorded = learners::observed_records(test, structure);
  int steps = std::min(kFirstSteps, static_cast<int>(recorded.steps.size()) - 1);
  while (steps > 1 && histories_of(world, steps) > static_cast<double>(kMostHistories)) --steps;
  const auto most_roots =
      std::max<std::size_t>(1, static_cast<std::size_t>(kMostHistories / histories_of(world, steps)));
  // Who does not follow covariates says the same of every kind of record.
  const bool follows = learner.model() != nullptr || !learner.covariates().empty();
  const std::size_t roots = follows ? test.root_count : 1;
  const std::size_t stride = (roots + most_roots - 1) / most_roots;
  PossibleHistories histories(world, steps);
  for (std::size_t root = 0; root < roots; root += stride) {
    histories.add_root(follows ? test.covariates_of_root(static_cast<int>(root)) : std::span<const double>());
  }
  const HistoryTree tree = histories.build();
  std::vector<double> mass(tree.root_count, 0.0);
  double total = 0.0;
  for (std::size_t root = 0; root < roots; root += stride) {
    const auto covariates = test.covariates_of_root(static_cast<int>(root));
    mass[covariates.empty() || !follows ? 0 : tree.root_of(covariates)] +=
        static_cast<double>(test.passes[root]);
    total += static_cast<double>(test.passes[root]);
  }
  for (double& share : mass) share /= total;
  std::vector<double> policies;
  try {
    policies = learner.policies(tree);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInput) return std::nullopt;
    throw;
  }
  const auto predicted = predicted_steps(tree, std::move(mass), policies, world, recorded, steps);
  double sum = 0.0;
  for (int t = 0; t < steps; ++t) sum += variation_at(predicted[t], recorded, world, t);
  return sum / steps;
}

}  // namespace interpole::evaluate
