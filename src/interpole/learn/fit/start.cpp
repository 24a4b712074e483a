#include "interpole/learn/fit/start.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::learn {
namespace {

// Means that no study states begin within the reach of beliefs, whatever the (weak) prior's spread.
constexpr double kMeansSpread = 0.5;
// What is done whatever is believed, where it is to be learned: more than none, of which no search would
// leave.
constexpr double kShareOfOthers = 0.1;

std::vector<double> draw_row(const model::ParameterBlock& block, const std::vector<double>& concentration,
                             base::RandomStream& random) {
  std::vector<double> row;
  double total = 0.0;
  for (const int i : block.entries) {
    row.push_back(random.gamma(concentration[i]));
    total += row.back();
  }
  for (double& p : row) p *= block.mass / total;
  return row;
}

// Stated entries as stated; the others share what is left as drawn.
void set_row(const model::ParameterBlock& block, const std::vector<double>& stated,
             const std::vector<double>& drawn, std::vector<double>& target) {
  double left = block.mass;
  double drawn_left = 0.0;
  for (std::size_t k = 0; k < block.entries.size(); ++k) {
    const double value = stated[block.entries[k]];
    if (std::isnan(value)) {
      drawn_left += drawn[k];
    } else {
      left -= value;
    }
  }
  for (std::size_t k = 0; k < block.entries.size(); ++k) {
    const double value = stated[block.entries[k]];
    target[block.entries[k]] = std::isnan(value) ? std::max(left, 0.0) * drawn[k] / drawn_left : value;
  }
}

void set_means(const model::ParameterBlock& block, const DecisionProblem& problem, base::RandomStream& random,
               std::vector<double>& means) {
  const double centre = block.mass / static_cast<double>(block.entries.size());
  double sum = 0.0;
  for (const int i : block.entries) {
    const double stated = problem.start.policy.means[i];
    means[i] = std::isnan(stated) ? centre + kMeansSpread * random.normal()
                                  : stated + problem.start_noise * random.normal();
    sum += means[i];
  }
  for (const int i : block.entries)
    means[i] += (block.mass - sum) / static_cast<double>(block.entries.size());
}

// Other kinds begin around the commonest, in equal shares.
void start_kinds(const DecisionProblem& problem, const StudySpace& space, base::RandomStream& random,
                 Policy& policy) {
  const double share = 1.0 / policy.kind_count();
  for (PolicyKind& kind : policy.other_kinds) {
    kind = {share, policy.inverse_temperature, policy.means};
  }
  for (const auto& block : space.policy().kind_blocks()) {
    if (block.field != Field::kMeans) continue;
    std::vector<double>& means = policy.other_kinds[block.kind - 1].means;
    double sum = 0.0;
    for (const int i : block.entries) sum += means[i] += problem.priors.kind_spread * random.normal();
    for (const int i : block.entries)
      means[i] += (block.mass - sum) / static_cast<double>(block.entries.size());
  }
}

}  // namespace

Parameters draw_start(const DecisionProblem& problem, const StudySpace& space, base::RandomStream& random) {
  Parameters start = space.point(std::vector<double>(space.size(), 0.0));
  for (const auto& block : space.dynamics().blocks()) {
    const auto drawn = draw_row(block, model::field_of(problem.priors.concentration, block.field), random);
    set_row(block, model::field_of(problem.start.dynamics, block.field), drawn,
            model::field_of(start.dynamics, block.field));
  }
  for (const auto& block : space.policy().blocks()) {
    if (block.field == Field::kMeans) {
      set_means(block, problem, random, start.policy.means);
    } else {
      const double stated = problem.start.policy.inverse_temperature;
      start.policy.inverse_temperature =
          std::isnan(stated) ? problem.priors.temperature_shape / problem.priors.temperature_rate : stated;
    }
  }
  start_kinds(problem, space, random, start.policy);
  const PolicyTerms& known = problem.known.policy.terms;
  if (std::isnan(known.inertia)) start.policy.terms.inertia = kShareOfOthers;
  if (std::isnan(known.lapse)) start.policy.terms.lapse = kShareOfOthers;
  return start;
}

}  // namespace interpole::learn
