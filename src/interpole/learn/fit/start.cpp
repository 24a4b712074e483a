#include "interpole/learn/fit/start.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/learn/posterior/log_prior.hpp"

namespace interpole::learn {
namespace {

// Means that no study states begin within the reach of beliefs, whatever the (weak) prior's spread.
constexpr double kMeansSpread = 0.5;
// … or each near a state of its own.
constexpr double kTowardsState = 0.8;
constexpr double kAroundState = 0.2;
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

// What is measured begins alike after every action, so that states mean the same; where it lies as the prior
// says, how it is spread close to what is expected.
class FactorStarts {
 public:
  explicit FactorStarts(const DecisionProblem& problem)
      : problem_(problem),
        row_(static_cast<std::size_t>(problem.structure.state_count()) *
             problem.structure.observation_columns()),
        drawn_(row_, NAN) {}

  double draw(const model::ParameterBlock& block, base::RandomStream& random) {
    double& y = drawn_[static_cast<std::size_t>(block.entries[0]) % row_];
    if (std::isnan(y)) {
      const NormalPrior prior = prior_of_single(block, problem_.priors);
      y = prior.mean + prior.sd * random.normal() * (block.form.locates ? 1.0 : kSpreadOfSpreads);
    }
    return block.form.at(y);
  }

 private:
  static constexpr double kSpreadOfSpreads = 0.1;

  const DecisionProblem& problem_;
  std::size_t row_;
  std::vector<double> drawn_;  // [s·columns + i]: coordinates; NaN: not drawn yet
};

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

// Where means begin. By lot either anywhere, or each near another state as far as there are states: means
// drawn one by one often leave several actions on one side of all beliefs, where searches do not part them.
class MeansDraw {
 public:
  MeansDraw(int states, base::RandomStream& random) : near_states_(random.uniform() < 0.5), states_(states) {
    for (int s = 0; s < states; ++s) {
      const auto place = static_cast<std::size_t>(random.uniform() * (s + 1));
      order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(place), s);
    }
  }

  void next_action() { ++action_; }
  double of(int state, double centre, base::RandomStream& random) const {
    if (!near_states_) return centre + kMeansSpread * random.normal();
    const double own = order_[static_cast<std::size_t>(action_ % states_)] == state ? 1.0 : 0.0;
    return centre + kTowardsState * (own - 1.0 / states_) + kAroundState * random.normal();
  }

 private:
  bool near_states_;
  int states_;
  int action_ = 0;
  std::vector<int> order_;  // of the states that actions get
};

void set_means(const model::ParameterBlock& block, const DecisionProblem& problem, const MeansDraw& draw,
               base::RandomStream& random, std::vector<double>& means) {
  const double centre = block.mass / static_cast<double>(block.entries.size());
  double sum = 0.0;
  for (const int i : block.entries) {
    const double stated = problem.start.policy.means[i];
    means[i] = std::isnan(stated) ? draw.of(i % problem.structure.state_count(), centre, random)
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
  FactorStarts factors(problem);
  for (const auto& block : space.dynamics().blocks()) {
    if (block.single()) {
      const double stated = problem.start.dynamics.observation[block.entries[0]];
      const double drawn = factors.draw(block, random);
      double& value = start.dynamics.observation[block.entries[0]];
      value = std::isnan(stated) ? drawn : stated;
      for (const auto& copy : block.copies) start.dynamics.observation[copy[0]] = value;
      continue;
    }
    const auto drawn = draw_row(block, model::field_of(problem.priors.concentration, block.field), random);
    set_row(block, model::field_of(problem.start.dynamics, block.field), drawn,
            model::field_of(start.dynamics, block.field));
  }
  MeansDraw means(problem.structure.state_count(), random);
  for (const auto& block : space.policy().blocks()) {
    if (block.field == Field::kMeans) {
      set_means(block, problem, means, random, start.policy.means);
      means.next_action();
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
