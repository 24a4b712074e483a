#include "interpole/inference/belief_gradient.hpp"

#include <cmath>
#include <vector>

#include "interpole/inference/steps/step_matrices.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/measured/outcome_weights.hpp"
#include "interpole/model/start/start_terms.hpp"

namespace interpole::inference {
namespace {

// b' = u / c with u(s') = O(z|a,s') Σ_s b(s) T(s'|s,a) and c = Σ u, of one outcome of one action.
class Way {
 public:
  Way(const HistoryTree::Group& group, const Structure& structure, const Dynamics& dynamics,
      Dynamics& gradient)
      : missing_(group.observation == kMissing),
        S_(structure.states.size()),
        Z_(structure.observations.size()),
        T_(&dynamics.transition[group.action * S_ * S_]),
        O_(missing_ ? nullptr : &dynamics.observation[group.action * S_ * Z_ + group.observation]),
        d_T_(&gradient.transition[group.action * S_ * S_]),
        d_O_(missing_ ? nullptr : &gradient.observation[group.action * S_ * Z_ + group.observation]) {}

  void back(const double* before, const double* after, double chance, const double* d_after,
            double d_log_chance, double* d_before) const {
    double along = missing_ ? 0.0 : -d_log_chance;
    for (std::size_t to = 0; to < S_; ++to) along += d_after[to] * after[to];
    for (std::size_t to = 0; to < S_; ++to) {
      const double d_u = (d_after[to] - along) / chance;
      const double outcome = missing_ ? 1.0 : O_[to * Z_];
      double arrived = 0.0;
      for (std::size_t from = 0; from < S_; ++from) {
        arrived += before[from] * T_[from * S_ + to];
        d_T_[from * S_ + to] += before[from] * outcome * d_u;
        d_before[from] += T_[from * S_ + to] * outcome * d_u;
      }
      if (!missing_) d_O_[to * Z_] += arrived * d_u;
    }
  }

 private:
  bool missing_;
  std::size_t S_, Z_;
  const double* T_;
  const double* O_;
  double* d_T_;
  double* d_O_;
};

// The same of a measured outcome: weights by state take the place of O.
class MeasuredWay {
 public:
  MeasuredWay(const HistoryTree::Group& group, const Structure& structure, const Dynamics& dynamics,
              Dynamics& gradient)
      : structure_(structure),
        dynamics_(dynamics),
        gradient_(gradient),
        action_(static_cast<std::size_t>(group.action)),
        S_(structure.states.size()),
        values_(structure.outcomes.table->at(group.observation)),
        weights_(S_),
        d_log_(S_, 0.0) {
    model::outcome_weights(structure, dynamics, group.action, values_, weights_);
  }

  void back(const double* before, const double* after, const double* d_after, double d_log_chance,
            double* d_before) {
    const double* T = &dynamics_.transition[action_ * S_ * S_];
    double* d_T = &gradient_.transition[action_ * S_ * S_];
    double chance = 0.0;
    double along = -d_log_chance;
    for (std::size_t to = 0; to < S_; ++to) {
      double arrived = 0.0;
      for (std::size_t from = 0; from < S_; ++from) arrived += before[from] * T[from * S_ + to];
      chance += arrived * weights_[to];
      along += d_after[to] * after[to];
    }
    for (std::size_t to = 0; to < S_; ++to) {
      const double d_u = (d_after[to] - along) / chance * weights_[to];
      d_log_[to] += (d_after[to] - along) * after[to];
      for (std::size_t from = 0; from < S_; ++from) {
        d_T[from * S_ + to] += before[from] * d_u;
        d_before[from] += T[from * S_ + to] * d_u;
      }
    }
  }

  // From the logarithms of the weights to the parameters of the factors.
  void finish() {
    const auto offsets = model::factor_offsets(structure_.factors);
    std::vector<double> d_parameters;
    for (std::size_t f = 0; f < structure_.factors.size(); ++f) {
      if (std::isnan(values_[f])) continue;
      d_parameters.resize(static_cast<std::size_t>(offsets[f + 1] - offsets[f]));
      for (std::size_t s = 0; s < S_; ++s) {
        const std::size_t at = (action_ * S_ + s) * offsets.back() + offsets[f];
        model::log_density(structure_.factors[f], values_[f], &dynamics_.observation[at],
                           d_parameters.data());
        for (std::size_t i = 0; i < d_parameters.size(); ++i)
          gradient_.observation[at + i] += d_log_[s] * d_parameters[i];
      }
    }
  }

 private:
  const Structure& structure_;
  const Dynamics& dynamics_;
  Dynamics& gradient_;
  std::size_t action_, S_;
  std::span<const double> values_;
  std::vector<double> weights_, d_log_;
};

}  // namespace

void pull_back_beliefs(const HistoryTree& tree, const Structure& structure, const Dynamics& dynamics,
                       const NodeBeliefs& beliefs, std::span<double> by_belief,
                       std::span<const double> by_log_outcome, Dynamics& gradient) {
  require_no_times(structure, "the way back through beliefs");
  const std::size_t S = beliefs.states;
  for (auto group = tree.groups.rbegin(); group != tree.groups.rend(); ++group) {
    if (structure.measured() && group->observation != kMissing) {
      MeasuredWay way(*group, structure, dynamics, gradient);
      for (int node = group->begin; node < group->end; ++node) {
        const std::size_t parent = tree.parent[node];
        way.back(&beliefs.beliefs[parent * S], &beliefs.beliefs[node * S], &by_belief[node * S],
                 by_log_outcome[node], &by_belief[parent * S]);
      }
      way.finish();
      continue;
    }
    const Way way(*group, structure, dynamics, gradient);
    for (int node = group->begin; node < group->end; ++node) {
      const std::size_t parent = tree.parent[node];
      way.back(&beliefs.beliefs[parent * S], &beliefs.beliefs[node * S], beliefs.outcome_probability[node],
               &by_belief[node * S], by_log_outcome[node], &by_belief[parent * S]);
    }
  }
  for (int root = 0; root < tree.root_count; ++root) {
    model::pull_back_start(dynamics, tree.covariates_of_root(root), beliefs.at(root),
                           by_belief.subspan(root * S, S), gradient);
  }
}

}  // namespace interpole::inference
