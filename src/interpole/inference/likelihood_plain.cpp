// The likelihood one node at a time. Slow enough to read, fast enough to fall back on.

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/inference/kernels.hpp"
#include "interpole/model/start/start_terms.hpp"

namespace interpole::inference {
namespace {

constexpr double kLeastChance = 1e-300;  // a decision that nothing explains must not make a gradient infinite

// Σ_a n_a log π(a|b) at one node. Adds the node's residuals to `sums` and ∂/∂b to `adjoint` (if not null).
double decide(const Structure& structure, const Policy& policy, const double* b, const std::int64_t* counts,
              double* logits, PolicySums& sums, double* adjoint) {
  const std::size_t S = structure.states.size();
  const std::size_t A = structure.actions.size();
  const double eta = policy.inverse_temperature;
  double highest = -INFINITY;
  double taken = 0.0;
  double value = 0.0;
  for (std::size_t a = 0; a < A; ++a) {
    const double* mean = &policy.means[a * S];
    double score = 0.0;
    for (std::size_t s = 0; s < S; ++s) score += mean[s] * (2.0 * b[s] - mean[s]);
    logits[a] = eta * score;
    highest = std::max(highest, logits[a]);
    const auto n = static_cast<double>(counts[a]);
    taken += n;
    value += n * logits[a];
  }
  if (taken == 0.0) return 0.0;
  double total = 0.0;
  for (std::size_t a = 0; a < A; ++a) total += logits[a] = std::exp(logits[a] - highest);
  value -= taken * (highest + std::log(total));
  if (adjoint != nullptr) {
    for (std::size_t a = 0; a < A; ++a) {
      const double residual = static_cast<double>(counts[a]) - taken * logits[a] / total;
      sums.residual[a] += residual;
      for (std::size_t s = 0; s < S; ++s) {
        sums.residual_belief[a * S + s] += residual * b[s];
        adjoint[s] += 2.0 * eta * residual * policy.means[a * S + s];
      }
    }
  }
  return value;
}

// The same in a context: Σ_a n_a log(keep·π(a|b) + floor_a), with the context's offsets inside π. Derivatives
// by the context's numbers are added to `d_tables`. `log_chances` (if not null): of every action.
double decide_in_context(const Structure& structure, const Policy& policy, const double* b,
                         const double* counts, const ContextTables& tables, std::size_t context,
                         double* scratch, PolicySums& sums, double* adjoint, ContextTables* d_tables,
                         double* log_chances = nullptr) {
  const std::size_t S = structure.states.size();
  const std::size_t A = structure.actions.size();
  const double eta = policy.inverse_temperature;
  const double keep = tables.keep[context];
  const double* floor = &tables.floor[context * A];
  double* pi = scratch;             // softmax
  double* by_belief = scratch + A;  // of the decisions, how many are the belief's
  double highest = -INFINITY;
  for (std::size_t a = 0; a < A; ++a) {
    const double* mean = &policy.means[a * S];
    double score = 0.0;
    for (std::size_t s = 0; s < S; ++s) score += mean[s] * (2.0 * b[s] - mean[s]);
    pi[a] = eta * score + tables.offset[context * A + a];
    highest = std::max(highest, pi[a]);
  }
  double total = 0.0;
  for (std::size_t a = 0; a < A; ++a) total += std::exp(pi[a] - highest);
  const double normaliser = highest + std::log(total);
  double value = 0.0;
  double taken = 0.0;
  for (std::size_t a = 0; a < A; ++a) {
    const double log_pi = pi[a] - normaliser;
    pi[a] = std::exp(log_pi);
    const double chance = keep * pi[a] + floor[a];
    const double log_chance = floor[a] == 0.0 ? log_pi + std::log(keep) : std::log(chance);
    if (log_chances != nullptr) log_chances[a] = log_chance;
    if (counts[a] > 0.0) value += counts[a] * log_chance;
    by_belief[a] = floor[a] == 0.0 ? counts[a] : counts[a] * keep * pi[a] / chance;
    taken += by_belief[a];
    if (d_tables == nullptr) continue;
    const double ratio = counts[a] > 0.0 ? counts[a] / std::max(chance, kLeastChance) : 0.0;
    d_tables->floor[context * A + a] += ratio;
    d_tables->keep[context] += ratio * pi[a];
  }
  if (adjoint == nullptr) return value;
  for (std::size_t a = 0; a < A; ++a) {
    const double residual = by_belief[a] - taken * pi[a];
    d_tables->offset[context * A + a] += residual;
    sums.residual[a] += residual;
    for (std::size_t s = 0; s < S; ++s) {
      sums.residual_belief[a * S + s] += residual * b[s];
      adjoint[s] += 2.0 * eta * residual * policy.means[a * S + s];
    }
  }
  return value;
}

// u = w ∘ M b_parent, c = Σ u, b = u/c. Returns c. No w: 1 everywhere.
double update(std::size_t S, const double* M, const double* w, const double* parent, double* b) {
  double c = 0.0;
  for (std::size_t to = 0; to < S; ++to) {
    double u = 0.0;
    for (std::size_t from = 0; from < S; ++from) u += M[to * S + from] * parent[from];
    if (w != nullptr) u *= w[to];
    b[to] = u;
    c += u;
  }
  for (std::size_t s = 0; s < S; ++s) b[s] /= c;
  return c;
}

// The adjoint of `update` and of passes·log c: from ∂/∂b to ∂/∂b_parent, ∂/∂M and ∂/∂ log w.
void update_adjoint(std::size_t S, const double* M, const double* w, const double* parent, const double* b,
                    double c, const double* adjoint, double passes, double* parent_adjoint, double* d_M,
                    double* d_log_w) {
  double along = 0.0;
  for (std::size_t s = 0; s < S; ++s) along += adjoint[s] * b[s];
  for (std::size_t to = 0; to < S; ++to) {
    double d_u = (adjoint[to] - along + passes) / c;
    if (w != nullptr) {
      d_log_w[to] += (adjoint[to] - along + passes) * b[to];
      d_u *= w[to];
    }
    for (std::size_t from = 0; from < S; ++from) {
      parent_adjoint[from] += M[to * S + from] * d_u;
      d_M[to * S + from] += d_u * parent[from];
    }
  }
}

// Of several kinds of decision-makers. First what each would have chosen, then how much of every decision is
// each one's, then the derivatives with that held.
double decide_by_kinds(const Structure& structure, const Policy& policy, const ContextJob& context,
                       Policy* gradient, LikelihoodWorkspace::Memory& memory) {
  const std::size_t S = structure.states.size();
  const std::size_t A = structure.actions.size();
  const DecisionCells& cells = *context.cells;
  KindSums& kinds = memory.kinds;
  const auto each_cell = [&](int kind, const double* counts, bool differentiate) {
    const Policy own = policy.of_kind(kind);
    for (int i = 0; i < cells.size(); ++i) {
      const std::size_t at = cells.node[i] * S;
      decide_in_context(structure, own, &memory.beliefs[at], counts + i * A, memory.tables, cells.context[i],
                        memory.scratch.data(), memory.policy_sums,
                        differentiate ? &memory.adjoints[at] : nullptr,
                        differentiate ? &memory.d_tables : nullptr,
                        differentiate ? nullptr : &kinds.log_chance[kind][i * A]);
    }
  };
  for (int k = 0; k < policy.kind_count(); ++k) each_cell(k, cells.counts.data(), false);
  const double value = mix_kinds(*context.paths, context.makers, A, memory.shares, kinds);
  if (gradient == nullptr) return value;
  for (int k = 0; k < policy.kind_count(); ++k) {
    memory.policy_sums.reset(structure);
    each_cell(k, kinds.weight[k].data(), true);
    pull_back_kind(structure, policy, k, memory.policy_sums, *gradient);
  }
  pull_back_shares(kinds.taken_by, memory.shares, *gradient);
  return value;
}

}  // namespace

LikelihoodValue evaluate_plain(const HistoryTree& tree, const Structure& structure,
                               const StepMatrices& matrices, const MeasuredRows& rows,
                               const Parameters& parameters, LikelihoodTerms terms, const ContextJob& context,
                               Parameters* gradient, LikelihoodWorkspace::Memory& memory) {
  const std::size_t S = structure.states.size();
  const std::size_t A = structure.actions.size();
  const auto nodes = static_cast<std::size_t>(tree.node_count());
  memory.beliefs.resize(nodes * S);
  memory.normalisers.resize(nodes);
  memory.adjoints.assign(gradient != nullptr ? nodes * S : 0, 0.0);
  memory.scratch.resize(2 * A);
  memory.policy_sums.reset(structure);
  matrices.fill(parameters.dynamics, memory.steps);
  if (rows.any()) rows.fill(parameters.dynamics, memory.measured);

  LikelihoodValue value;
  const auto decide_at = [&](std::size_t node) {
    if (!terms.actions || context.any()) return;
    value.actions += decide(structure, parameters.policy, &memory.beliefs[node * S],
                            tree.counts_at(static_cast<int>(node)).data(), memory.scratch.data(),
                            memory.policy_sums, gradient != nullptr ? &memory.adjoints[node * S] : nullptr);
  };
  for (int root = 0; root < tree.root_count; ++root) {
    start_belief(parameters.dynamics, tree.covariates_of_root(root), {&memory.beliefs[root * S], S});
    decide_at(root);
  }
  const auto row_at = [&](std::size_t group) { return static_cast<std::size_t>(rows.row_of(group)) * S; };
  for (std::size_t g = 0; g < tree.groups.size(); ++g) {
    const auto& group = tree.groups[g];
    const double* M = &memory.steps.matrices[matrices.of_group(g)];
    const double* w = rows.any() ? &memory.measured.weights[row_at(g)] : nullptr;
    for (int i = group.begin; i < group.end; ++i) {
      const auto node = static_cast<std::size_t>(i);
      const double c = update(S, M, w, &memory.beliefs[tree.parent[node] * S], &memory.beliefs[node * S]);
      if (!(c > 0.0)) {
        value.impossible_node = i;
        return value;
      }
      memory.normalisers[node] = c;
      if (terms.observations) value.observations += static_cast<double>(tree.passes[node]) * std::log(c);
      decide_at(node);
    }
  }
  if (context.paths != nullptr) {
    value.actions = decide_by_kinds(structure, parameters.policy, context,
                                    gradient != nullptr ? &gradient->policy : nullptr, memory);
  } else if (context.any()) {
    const DecisionCells& cells = *context.cells;
    for (int i = 0; i < cells.size(); ++i) {
      const std::size_t at = cells.node[i] * S;
      value.actions +=
          decide_in_context(structure, parameters.policy, &memory.beliefs[at], &cells.counts[i * A],
                            memory.tables, cells.context[i], memory.scratch.data(), memory.policy_sums,
                            gradient != nullptr ? &memory.adjoints[at] : nullptr,
                            gradient != nullptr ? &memory.d_tables : nullptr);
    }
  }
  if (rows.any() && terms.observations) value.observations += rows.divided_out(memory.measured);
  if (gradient == nullptr) return value;

  memory.steps.d_matrices.assign(memory.steps.matrices.size(), 0.0);
  for (std::size_t g = tree.groups.size(); g-- > 0;) {
    const auto& group = tree.groups[g];
    const std::size_t at = matrices.of_group(g);
    const double* w = rows.any() ? &memory.measured.weights[row_at(g)] : nullptr;
    double* d_log_w = rows.any() ? &memory.measured.d_log[row_at(g)] : nullptr;
    for (int i = group.begin; i < group.end; ++i) {
      const auto node = static_cast<std::size_t>(i);
      const auto parent = static_cast<std::size_t>(tree.parent[node]);
      update_adjoint(S, &memory.steps.matrices[at], w, &memory.beliefs[parent * S], &memory.beliefs[node * S],
                     memory.normalisers[node], &memory.adjoints[node * S],
                     terms.observations ? static_cast<double>(tree.passes[node]) : 0.0,
                     &memory.adjoints[parent * S], &memory.steps.d_matrices[at], d_log_w);
    }
  }
  for (int root = 0; root < tree.root_count; ++root) {
    model::pull_back_start(parameters.dynamics, tree.covariates_of_root(root), {&memory.beliefs[root * S], S},
                           {&memory.adjoints[root * S], S}, gradient->dynamics);
  }
  matrices.pull_back(parameters.dynamics, memory.steps, gradient->dynamics);
  if (rows.any()) rows.pull_back(parameters.dynamics, memory.measured, gradient->dynamics.observation);
  if (terms.actions && context.paths == nullptr) {
    pull_back_kind(structure, parameters.policy, 0, memory.policy_sums, gradient->policy);
  }
  return value;
}

}  // namespace interpole::inference
