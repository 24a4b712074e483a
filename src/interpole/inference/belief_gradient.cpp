#include "interpole/inference/belief_gradient.hpp"

#include <vector>

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

}  // namespace

void pull_back_beliefs(const HistoryTree& tree, const Structure& structure, const Dynamics& dynamics,
                       const NodeBeliefs& beliefs, std::span<double> by_belief,
                       std::span<const double> by_log_outcome, Dynamics& gradient) {
  const std::size_t S = beliefs.states;
  for (auto group = tree.groups.rbegin(); group != tree.groups.rend(); ++group) {
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
