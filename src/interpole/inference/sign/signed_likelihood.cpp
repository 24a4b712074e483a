#include "interpole/inference/sign/signed_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole::inference {
namespace {

constexpr double kLeastChanceSigned =
    1e-300;  // a decision that nothing explains must not make a gradient infinite

double sum_of(const double* x, std::size_t n) {
  return std::accumulate(x, x + n, 0.0);
}

// Divides by the sum and returns it; 0: there is nothing.
double normalise(double* x, std::size_t n) {
  const double sum = sum_of(x, n);
  if (sum > 0.0) {
    for (std::size_t i = 0; i < n; ++i) x[i] /= sum;
  }
  return sum;
}

// The adjoint of `normalise` and of passes·log(sum): from ∂/∂ shares to ∂/∂ what was divided.
void pull_normalise(const double* shares, const double* d_shares, std::size_t n, double sum, double passes,
                    double* d_x) {
  const double along = std::inner_product(shares, shares + n, d_shares, 0.0);
  for (std::size_t i = 0; i < n; ++i) d_x[i] = (d_shares[i] - along + passes) / sum;
}

// to = M from, for each of several vectors.
inline void multiply(const double* matrix, std::size_t S, double weight, const double* from, double* to) {
  for (std::size_t i = 0; i < S; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < S; ++j) sum += matrix[i * S + j] * from[j];
    to[i] = weight * sum;
  }
}

void set_zero(const Parameters& like, Parameters& gradient) {
  gradient = like;
  for (auto* array : {&gradient.dynamics.initial, &gradient.dynamics.transition,
                      &gradient.dynamics.observation, &gradient.policy.means}) {
    std::fill(array->begin(), array->end(), 0.0);
  }
  gradient.policy.inverse_temperature = 0.0;
  gradient.policy.terms.inertia = gradient.policy.terms.lapse = 0.0;
  for (PolicyTerm& term : gradient.policy.terms.additive) {
    std::fill(term.weights.begin(), term.weights.end(), 0.0);
  }
}

}  // namespace

SignedLikelihood::SignedLikelihood(const HistoryTree& tree, const Structure& structure, SignMemory memory,
                                   bool first_sign)
    : first_sign_(first_sign),
      tree_(&tree),
      structure_(structure),
      memory_(std::move(memory)),
      S_(structure.states.size()),
      A_(structure.actions.size()),
      M_(static_cast<std::size_t>(memory_.size())),
      sign_(S_ * S_),
      moved_(M_ * S_),
      d_moved_(M_ * S_),
      d_split_(M_ * S_),
      d_belief_(S_),
      residual_(A_) {
  const auto nodes = static_cast<std::size_t>(tree.node_count());
  cells_.contexts = node_contexts(tree);
  for (auto* numbers : {&world_, &agent_, &d_world_, &d_agent_}) numbers->resize(nodes * M_ * S_);
  pi_.resize(nodes * M_ * A_);
  d_taken_.resize(nodes * M_ * A_);
  chance_.resize(nodes * A_);
  d_chance_.resize(nodes * A_);
  world_norm_.resize(nodes);
  agent_norm_.resize(nodes);
}

double SignedLikelihood::numbers_held(const HistoryTree& tree, const Structure& structure, int memories) {
  const double S = structure.state_count();
  const double A = structure.action_count();
  return static_cast<double>(tree.node_count()) * (memories * (4.0 * S + 2.0 * A) + 4.0 * A);
}

template <int kStates>
void SignedLikelihood::add_signs(const double* from, double* to) const {
  const std::size_t S = kStates > 0 ? kStates : S_;
  for (std::size_t m = 0; m < M_; ++m) {
    for (std::size_t sign = 0; sign < S; ++sign) {
      double* there = to + static_cast<std::size_t>(memory_.next[m * S + sign]) * S;
      for (std::size_t s = 0; s < S; ++s) there[s] += from[m * S + s] * sign_[sign * S + s];
    }
  }
}

template <int kStates>
void SignedLikelihood::pull_signs(const double* d_to, double* d_from) const {
  const std::size_t S = kStates > 0 ? kStates : S_;
  std::fill_n(d_from, M_ * S, 0.0);
  for (std::size_t m = 0; m < M_; ++m) {
    for (std::size_t sign = 0; sign < S; ++sign) {
      const double* there = d_to + static_cast<std::size_t>(memory_.next[m * S + sign]) * S;
      for (std::size_t s = 0; s < S; ++s) d_from[m * S + s] += there[s] * sign_[sign * S + s];
    }
  }
}

template <int kStates>
bool SignedLikelihood::begin(int root, const Dynamics& agent, const Dynamics& world) {
  const std::size_t S = kStates > 0 ? kStates : S_;
  const std::size_t at = static_cast<std::size_t>(root) * M_ * S;
  const auto fill = [&](const std::vector<double>& initial, std::vector<double>& to, double& norm) {
    std::fill_n(&to[at], M_ * S, 0.0);
    if (first_sign_) {
      std::fill(moved_.begin(), moved_.end(), 0.0);
      std::copy(initial.begin(), initial.end(), moved_.begin());
      add_signs<kStates>(moved_.data(), &to[at]);
    } else {
      std::copy(initial.begin(), initial.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
    }
    norm = normalise(&to[at], M_ * S);
    return norm > 0.0;
  };
  return fill(world.initial, world_, world_norm_[root]) && fill(agent.initial, agent_, agent_norm_[root]);
}

template <int kStates>
bool SignedLikelihood::enter(int node, int action, std::size_t matrix) {
  const std::size_t S = kStates > 0 ? kStates : S_;
  const auto parent = static_cast<std::size_t>(tree_->parent[node]);
  const std::size_t at = static_cast<std::size_t>(node) * M_ * S;
  const std::size_t from = parent * M_ * S;
  const double taken = std::max(chance_[parent * A_ + action], kLeastChanceSigned);
  const double keep = tables_.keep[parent];
  const double floor = tables_.floor[parent * A_ + action];
  for (std::size_t m = 0; m < M_; ++m) {
    const double weight = (keep * pi_[(parent * M_ + m) * A_ + action] + floor) / taken;
    multiply(&world_matrices_[matrix], S, weight, &world_[from + m * S], &moved_[m * S]);
  }
  std::fill_n(&world_[at], M_ * S, 0.0);
  add_signs<kStates>(moved_.data(), &world_[at]);
  world_norm_[node] = normalise(&world_[at], M_ * S);
  for (std::size_t m = 0; m < M_; ++m) {
    multiply(&matrices_[matrix], S, 1.0, &agent_[from + m * S], &moved_[m * S]);
  }
  std::fill_n(&agent_[at], M_ * S, 0.0);
  add_signs<kStates>(moved_.data(), &agent_[at]);
  agent_norm_[node] = normalise(&agent_[at], M_ * S);
  return world_norm_[node] > 0.0 && agent_norm_[node] > 0.0;
}

template <int kStates>
void SignedLikelihood::decide(int node, const Policy& policy) {
  const std::size_t S = kStates > 0 ? kStates : S_;
  const auto at = static_cast<std::size_t>(node);
  const double keep = tables_.keep[at];
  double* chance = &chance_[at * A_];
  std::fill_n(chance, A_, 0.0);
  for (std::size_t m = 0; m < M_; ++m) {
    double* pi = &pi_[(at * M_ + m) * A_];
    const double* own = &agent_[(at * M_ + m) * S];
    const double total = sum_of(own, S);
    const double weight = sum_of(&world_[(at * M_ + m) * S], S);
    if (!(total > 0.0)) {  // nobody remembers this yet
      std::fill_n(pi, A_, 0.0);
      continue;
    }
    double highest = -INFINITY;
    for (std::size_t a = 0; a < A_; ++a) {
      const double* mean = &policy.means[a * S];
      double score = 0.0;
      for (std::size_t s = 0; s < S; ++s) score += mean[s] * (2.0 * own[s] / total - mean[s]);
      pi[a] = policy.inverse_temperature * score + tables_.offset[at * A_ + a];
      highest = std::max(highest, pi[a]);
    }
    for (std::size_t a = 0; a < A_; ++a) pi[a] = std::exp(pi[a] - highest);
    normalise(pi, A_);
    for (std::size_t a = 0; a < A_; ++a) chance[a] += weight * (keep * pi[a] + tables_.floor[at * A_ + a]);
  }
}

template <int kStates>
void SignedLikelihood::pull_decisions(int node, const Policy& policy) {
  const std::size_t S = kStates > 0 ? kStates : S_;
  const auto at = static_cast<std::size_t>(node);
  const auto counts = tree_->counts_at(node);
  double* d_chance = &d_chance_[at * A_];  // holds what the ways on from here say
  for (std::size_t a = 0; a < A_; ++a) {
    if (counts[a] > 0)
      d_chance[a] += static_cast<double>(counts[a]) / std::max(chance_[at * A_ + a], kLeastChanceSigned);
  }
  const double eta = policy.inverse_temperature;
  const double keep = tables_.keep[at];
  for (std::size_t m = 0; m < M_; ++m) {
    const std::size_t place = (at * M_ + m) * S;
    const double total = sum_of(&agent_[place], S);
    if (!(total > 0.0)) continue;
    const double* pi = &pi_[(at * M_ + m) * A_];
    const double weight = sum_of(&world_[place], S);
    double d_weight = 0.0;
    double along = 0.0;
    for (std::size_t a = 0; a < A_; ++a) {
      d_weight += d_chance[a] * (keep * pi[a] + tables_.floor[at * A_ + a]);
      const double d = d_chance[a] * weight + d_taken_[(at * M_ + m) * A_ + a];
      d_tables_.floor[at * A_ + a] += d;
      d_tables_.keep[at] += d * pi[a];
      residual_[a] = d * keep;
      along += pi[a] * residual_[a];
    }
    for (std::size_t s = 0; s < S; ++s) d_world_[place + s] += d_weight;
    std::fill(d_belief_.begin(), d_belief_.end(), 0.0);
    for (std::size_t a = 0; a < A_; ++a) {
      const double residual = pi[a] * (residual_[a] - along);
      d_tables_.offset[at * A_ + a] += residual;
      sums_.residual[a] += residual;
      for (std::size_t s = 0; s < S; ++s) {
        sums_.residual_belief[a * S + s] += residual * agent_[place + s] / total;
        d_belief_[s] += 2.0 * eta * residual * policy.means[a * S + s];
      }
    }
    const double mean = std::inner_product(d_belief_.begin(), d_belief_.end(), &agent_[place], 0.0) / total;
    for (std::size_t s = 0; s < S; ++s) d_agent_[place + s] += (d_belief_[s] - mean) / total;
  }
}

template <int kStates>
void SignedLikelihood::pull_entry(int node, int action, std::size_t matrix) {
  const std::size_t S = kStates > 0 ? kStates : S_;
  const auto parent = static_cast<std::size_t>(tree_->parent[node]);
  const std::size_t at = static_cast<std::size_t>(node) * M_ * S;
  const std::size_t from = parent * M_ * S;
  const double taken = std::max(chance_[parent * A_ + action], kLeastChanceSigned);
  const double keep = tables_.keep[parent];
  const double floor = tables_.floor[parent * A_ + action];
  pull_normalise(&world_[at], &d_world_[at], M_ * S, world_norm_[node],
                 static_cast<double>(tree_->passes[node]), d_split_.data());
  pull_signs<kStates>(d_split_.data(), d_moved_.data());
  for (std::size_t m = 0; m < M_; ++m) {
    const double chance = keep * pi_[(parent * M_ + m) * A_ + action] + floor;
    const double* own = &world_[from + m * S];
    const double weight = chance / taken;
    double d_weight = 0.0;
    for (std::size_t to = 0; to < S; ++to) {
      const double d = d_moved_[m * S + to];
      for (std::size_t s = 0; s < S; ++s) {
        const double entry = world_matrices_[matrix + to * S + s];
        d_world_matrices_[matrix + to * S + s] += d * own[s] * weight;
        d_world_[from + m * S + s] += d * entry * weight;
        d_weight += d * entry * own[s];
      }
    }
    d_taken_[(parent * M_ + m) * A_ + action] += d_weight / taken;
    d_chance_[parent * A_ + action] -= d_weight * weight / taken;
  }
  pull_normalise(&agent_[at], &d_agent_[at], M_ * S, agent_norm_[node], 0.0, d_split_.data());
  pull_signs<kStates>(d_split_.data(), d_moved_.data());
  for (std::size_t m = 0; m < M_; ++m) {
    const double* own = &agent_[from + m * S];
    for (std::size_t to = 0; to < S; ++to) {
      const double d = d_moved_[m * S + to];
      for (std::size_t s = 0; s < S; ++s) {
        d_matrices_[matrix + to * S + s] += d * own[s];
        d_agent_[from + m * S + s] += d * matrices_[matrix + to * S + s];
      }
    }
  }
}

template <int kStates>
void SignedLikelihood::pull_beginning(int root, Dynamics& d_agent, Dynamics& d_world) {
  const std::size_t S = kStates > 0 ? kStates : S_;
  const std::size_t at = static_cast<std::size_t>(root) * M_ * S;
  const auto pull = [&](const std::vector<double>& shares, const std::vector<double>& d_shares, double norm,
                        std::vector<double>& d_initial) {
    pull_normalise(&shares[at], &d_shares[at], M_ * S, norm, 0.0, d_split_.data());
    if (first_sign_) pull_signs<kStates>(d_split_.data(), d_moved_.data());
    const auto& d = first_sign_ ? d_moved_ : d_split_;
    for (std::size_t s = 0; s < S; ++s) d_initial[s] += d[s];
  };
  pull(world_, d_world_, world_norm_[root], d_world.initial);
  pull(agent_, d_agent_, agent_norm_[root], d_agent.initial);
}

template <int kStates>
double SignedLikelihood::evaluate_for(const Parameters& agent, const Dynamics& world, double right,
                                      Parameters& d_agent, Dynamics& d_world) {
  const HistoryTree& tree = *tree_;
  for (std::size_t k = 0; k < sign_.size(); ++k) {
    sign_[k] = k / S_ == k % S_ ? right : (1.0 - right) / static_cast<double>(S_ - 1);
  }
  levels_.match(cells_, static_cast<int>(A_), agent.policy.terms);
  fill_tables(cells_, levels_, static_cast<int>(A_), agent.policy.terms, tables_);
  update_matrices(structure_, agent.dynamics, matrices_);
  update_matrices(structure_, world, world_matrices_);

  double value = 0.0;
  const auto decisions_at = [&](int node) {
    decide<kStates>(node, agent.policy);
    const auto counts = tree.counts_at(node);
    for (std::size_t a = 0; a < A_; ++a) {
      if (counts[a] == 0) continue;
      value += static_cast<double>(counts[a]) *
               std::log(std::max(chance_[static_cast<std::size_t>(node) * A_ + a], kLeastChanceSigned));
    }
  };
  for (int root = 0; root < tree.root_count; ++root) {
    if (!begin<kStates>(root, agent.dynamics, world)) return -INFINITY;
    decisions_at(root);
  }
  for (const auto& group : tree.groups) {
    const std::size_t matrix = matrix_index(structure_, group.action, group.observation);
    for (int node = group.begin; node < group.end; ++node) {
      if (!enter<kStates>(node, group.action, matrix)) return -INFINITY;
      value += static_cast<double>(tree.passes[node]) * std::log(world_norm_[node]);
      decisions_at(node);
    }
  }

  set_zero(agent, d_agent);
  d_world = d_agent.dynamics;
  for (auto* numbers : {&d_world_, &d_agent_, &d_taken_, &d_chance_}) std::ranges::fill(*numbers, 0.0);
  d_matrices_.assign(matrices_.size(), 0.0);
  d_world_matrices_.assign(matrices_.size(), 0.0);
  d_tables_.reset(cells_.contexts.size(), A_);
  sums_.reset(structure_);
  for (auto group = tree.groups.rbegin(); group != tree.groups.rend(); ++group) {
    const std::size_t matrix = matrix_index(structure_, group->action, group->observation);
    for (int node = group->begin; node < group->end; ++node) {
      pull_decisions<kStates>(node, agent.policy);
      pull_entry<kStates>(node, group->action, matrix);
    }
  }
  for (int root = 0; root < tree.root_count; ++root) {
    pull_decisions<kStates>(root, agent.policy);
    pull_beginning<kStates>(root, d_agent.dynamics, d_world);
  }
  pull_back_matrices(structure_, agent.dynamics, d_matrices_, d_agent.dynamics);
  pull_back_matrices(structure_, world, d_world_matrices_, d_world);
  pull_back_kind(structure_, agent.policy, 0, sums_, d_agent.policy);
  pull_back_tables(cells_, levels_, static_cast<int>(A_), d_tables_, d_agent.policy.terms);
  return value;
}

double SignedLikelihood::evaluate(const Parameters& agent, const Dynamics& world, double right,
                                  Parameters& d_agent, Dynamics& d_world) {
  switch (S_) {  // loops of a known length are several times as fast
    case 2:
      return evaluate_for<2>(agent, world, right, d_agent, d_world);
    case 3:
      return evaluate_for<3>(agent, world, right, d_agent, d_world);
    default:
      return evaluate_for<0>(agent, world, right, d_agent, d_world);
  }
}

}  // namespace interpole::inference
