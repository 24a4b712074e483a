// Runs the vector kernel over trunk and shards and adds up what they found, always in the same order.

#include <algorithm>
#include <cmath>

#include "interpole/base/parallel.hpp"
#include "interpole/belief.hpp"
#include "interpole/inference/kernels.hpp"
#include "interpole/inference/shard_job.hpp"
#include "interpole/model/start/start_terms.hpp"

namespace interpole::inference {
namespace {

void prepare(const Shard& shard, int S, int A, int kinds, ShardMemory& memory) {
  const std::size_t size = shard.size;
  memory.belief.resize(size * S);
  memory.adjoint.resize(size * S);
  memory.inverse_normaliser.resize(size);
  memory.d_matrix_lanes.assign(shard.matrices.size() * S * S * kLanes, 0.0);
  memory.policy_lanes.assign(static_cast<std::size_t>(A) * (S + 1) * kLanes * kinds, 0.0);
  // Whole blocks: imported nodes first, then the null nodes.
  const std::size_t null_begin = static_cast<std::size_t>(shard.null_begin) * S;
  const std::size_t block = static_cast<std::size_t>(kLanes) * S;
  std::fill_n(&memory.belief[null_begin], block, 1.0 / S);
  std::fill_n(memory.adjoint.begin(), null_begin + block, 0.0);
}

// Index of state s of local node `at` in an array of S numbers per node.
std::size_t place(std::int32_t at, int S, int s) {
  return static_cast<std::size_t>(at) / kLanes * kLanes * S + static_cast<std::size_t>(s) * kLanes +
         at % kLanes;
}

void import_beliefs(const Shard& shard, int S, const ShardMemory& trunk, ShardMemory& memory) {
  for (std::size_t i = 0; i < shard.imported.size(); ++i) {
    for (int s = 0; s < S; ++s) {
      memory.belief[place(static_cast<std::int32_t>(i), S, s)] = trunk.belief[place(shard.imported[i], S, s)];
    }
  }
}

void export_adjoints(const Shard& shard, int S, const ShardMemory& memory, ShardMemory& trunk) {
  for (std::size_t i = 0; i < shard.imported.size(); ++i) {
    for (int s = 0; s < S; ++s) {
      trunk.adjoint[place(shard.imported[i], S, s)] +=
          memory.adjoint[place(static_cast<std::int32_t>(i), S, s)];
    }
  }
}

// Padding nodes of the roots' group are given the first root's: they count nothing.
void set_root_beliefs(const HistoryTree& tree, const Shard& trunk, const Dynamics& dynamics,
                      ShardMemory& memory) {
  const int S = static_cast<int>(dynamics.initial.size());
  const auto& group = trunk.groups.front();
  std::vector<double> belief(S);
  for (std::int32_t at = group.begin; at < group.end; ++at) {
    const int root = std::max(trunk.tree_node[at], 0);
    start_belief(dynamics, tree.covariates_of_root(root), belief);
    for (int s = 0; s < S; ++s) memory.belief[place(at, S, s)] = belief[s];
  }
}

void pull_back_roots(const HistoryTree& tree, const Shard& trunk, const Dynamics& dynamics,
                     const ShardMemory& memory, Dynamics& gradient) {
  const int S = static_cast<int>(dynamics.initial.size());
  std::vector<double> belief(S), adjoint(S);
  for (int root = 0; root < tree.root_count; ++root) {
    const std::int32_t at = trunk.groups.front().begin + root;
    for (int s = 0; s < S; ++s) {
      belief[s] = memory.belief[place(at, S, s)];
      adjoint[s] = memory.adjoint[place(at, S, s)];
    }
    model::pull_back_start(dynamics, tree.covariates_of_root(root), belief, adjoint, gradient);
  }
}

// The first impossible node in tree order. Called after a forward pass only when there is one.
int find_impossible(const TreeLayout& plan, const std::vector<ShardMemory>& memory) {
  int first = -1;
  const auto look = [&](const Shard& shard, const ShardMemory& at) {
    for (int i = shard.null_begin + kLanes; i < shard.size; ++i) {
      const int node = shard.tree_node[i];
      if (node < plan.root_count || at.inverse_normaliser[i] < INFINITY) continue;
      if (first < 0 || node < first) first = node;
    }
  };
  look(plan.trunk, memory[0]);
  for (std::size_t i = 0; i < plan.shards.size(); ++i) look(plan.shards[i], memory[i + 1]);
  return first;
}

double sum_of_lanes(const double*& lanes) {
  double sum = 0.0;
  for (int lane = 0; lane < kLanes; ++lane) sum += *lanes++;
  return sum;
}

void add_policy_lanes(const ShardMemory& memory, int S, int A, int kind, PolicySums& sums) {
  const double* lanes = memory.policy_lanes.data() + static_cast<std::size_t>(A) * (S + 1) * kLanes * kind;
  for (int a = 0; a < A; ++a) {
    sums.residual[a] += sum_of_lanes(lanes);
    for (int s = 0; s < S; ++s) sums.residual_belief[a * S + s] += sum_of_lanes(lanes);
  }
}

void add_matrix_lanes(const Shard& shard, const ShardMemory& memory, int S, std::vector<double>& d_matrices) {
  const double* lanes = memory.d_matrix_lanes.data();
  for (const std::size_t matrix : shard.matrices) {
    for (int i = 0; i < S * S; ++i) d_matrices[matrix + i] += sum_of_lanes(lanes);
  }
}

// Derivatives by the numbers of every context, from those of its cells.
void add_cells(const ShardCells& cells, const ShardMemory& memory, int A, bool mixed, int kind,
               ContextTables& d_tables) {
  const auto actions = static_cast<std::size_t>(A);
  const auto before = static_cast<std::size_t>(cells.size) * kind;  // cells of other kinds
  for (std::int32_t i = 0; i < cells.size; ++i) {
    const double* residual = &memory.residual[before * actions + block_offset(i, A)];
    for (std::size_t a = 0; a < actions; ++a) d_tables.offset[cells.row[i] + a] += residual[a * kLanes];
    if (!mixed) continue;
    const double* ratio = &memory.ratio[before * (actions + 1) + block_offset(i, A + 1)];
    for (std::size_t a = 0; a < actions; ++a) d_tables.floor[cells.row[i] + a] += ratio[a * kLanes];
    d_tables.keep[cells.context[i]] += ratio[actions * kLanes];
  }
}

// 2ημ_a(s), then −η‖μ_a‖²: the scores of all actions are linear in the belief.
void score_coefficients(const Structure& structure, const Policy& policy, std::vector<double>& coefficients) {
  const int S = structure.state_count();
  const int A = structure.action_count();
  coefficients.assign(static_cast<std::size_t>(A) * (S + 1), 0.0);
  for (int i = 0; i < A * S; ++i) {
    coefficients[i] = 2.0 * policy.inverse_temperature * policy.means[i];
    coefficients[A * S + i / S] -= policy.inverse_temperature * policy.means[i] * policy.means[i];
  }
}

// Between a shard's cells and all cells: what one kind of decision-makers would have chosen …
void export_chances(const ShardCells& cells, int A, const ShardMemory& memory,
                    std::vector<double>& log_chance) {
  for (std::int32_t i = 0; i < cells.size; ++i) {
    if (cells.cell[i] < 0) continue;
    const double* logs = &memory.log_chance[block_offset(i, A)];
    double* out = &log_chance[static_cast<std::size_t>(cells.cell[i]) * A];
    for (std::ptrdiff_t a = 0; a < A; ++a) out[a] = logs[a * kLanes];
  }
}

// … and which decisions are its own.
void import_weights(const ShardCells& cells, int A, const std::vector<double>& weight, ShardMemory& memory) {
  memory.weight.assign(static_cast<std::size_t>(cells.size) * A, 0.0);
  for (std::int32_t i = 0; i < cells.size; ++i) {
    if (cells.cell[i] < 0) continue;
    const double* own = &weight[static_cast<std::size_t>(cells.cell[i]) * A];
    double* in = &memory.weight[block_offset(i, A)];
    for (std::ptrdiff_t a = 0; a < A; ++a) in[a * kLanes] = own[a];
  }
}

// A job for one kind.
ShardJob of_kind(const ShardJob& job, int kind, const LikelihoodWorkspace::Memory& memory) {
  ShardJob result = job;
  result.kind = kind;
  result.score_slope = memory.coefficients[kind].data();
  result.score_offset = result.score_slope + static_cast<std::ptrdiff_t>(job.actions) * job.states;
  return result;
}

void shard_chances_by_kinds(const ShardJob& job, LikelihoodWorkspace::Memory& memory) {
  for (int k = 0; k < job.kinds; ++k) {
    log_chances_in_contexts(of_kind(job, k, memory));
    export_chances(*job.cells, job.actions, *job.memory, memory.kinds.log_chance[k]);
  }
}

void decide_shard_by_kinds(const ShardJob& job, const LikelihoodWorkspace::Memory& memory) {
  for (int k = 0; k < job.kinds; ++k) {
    import_weights(*job.cells, job.actions, memory.kinds.weight[k], *job.memory);
    decide_in_contexts(of_kind(job, k, memory));
  }
}

ShardJob shard_job(const Shard& shard, const ShardCells* cells, const ShardJob& trunk, ShardMemory& memory) {
  ShardJob job = trunk;
  job.shard = &shard;
  job.cells = cells;
  job.memory = &memory;
  job.has_roots = false;
  return job;
}

void run_shard(const Shard& shard, const ShardCells* cells, const ShardJob& trunk, bool want_gradient,
               ShardMemory& memory) {
  const ShardJob job = shard_job(shard, cells, trunk, memory);
  prepare(shard, job.states, job.actions, 1, memory);
  import_beliefs(shard, job.states, *trunk.memory, memory);
  forward_pass(job);
  if (cells != nullptr) decide_in_contexts(job);
  if (want_gradient && memory.smallest_normaliser > 0.0) reverse_pass(job);
}

// Value of all parts, or the first impossible node.
LikelihoodValue add_values(const TreeLayout& plan, const std::vector<ShardMemory>& parts) {
  LikelihoodValue value;
  double smallest = 1.0;
  for (const ShardMemory& part : parts) {
    value.actions += part.actions;
    value.observations += part.observations;
    smallest = std::min(smallest, part.smallest_normaliser);
  }
  if (!(smallest > 0.0)) value.impossible_node = find_impossible(plan, parts);
  return value;
}

LikelihoodValue run_all(const TreeLayout& layout, const ShardJob& trunk, const ContextJob& context,
                        bool want_gradient, int threads, LikelihoodWorkspace::Memory& memory) {
  if (context.any()) decide_in_contexts(trunk);
  base::parallel_tasks(static_cast<int>(layout.shards.size()), threads, [&](int i) {
    run_shard(layout.shards[i], context.any() ? &context.layout->shards[i] : nullptr, trunk, want_gradient,
              memory.shards[i + 1]);
  });
  return add_values(layout, memory.shards);
}

// With several kinds of decision-makers: all beliefs first, because what is known of a record's kind only
// shows at its end; then who took which decision; then derivatives.
LikelihoodValue run_with_kinds(const TreeLayout& layout, const ShardJob& trunk, const ContextJob& context,
                               bool want_gradient, int threads, LikelihoodWorkspace::Memory& memory) {
  const int shards = static_cast<int>(layout.shards.size());
  const auto job_of = [&](int i) {
    return shard_job(layout.shards[i], &context.layout->shards[i], trunk, memory.shards[i + 1]);
  };
  shard_chances_by_kinds(trunk, memory);
  base::parallel_tasks(shards, threads, [&](int i) {
    prepare(layout.shards[i], trunk.states, trunk.actions, trunk.kinds, memory.shards[i + 1]);
    import_beliefs(layout.shards[i], trunk.states, *trunk.memory, memory.shards[i + 1]);
    forward_pass(job_of(i));
    shard_chances_by_kinds(job_of(i), memory);
  });
  LikelihoodValue value = add_values(layout, memory.shards);
  if (value.impossible_node) return value;
  value.actions = mix_kinds(*context.paths, context.makers, trunk.actions, memory.shares, memory.kinds);
  if (!want_gradient) return value;
  decide_shard_by_kinds(trunk, memory);
  base::parallel_tasks(shards, threads, [&](int i) {
    decide_shard_by_kinds(job_of(i), memory);
    reverse_pass(job_of(i));
  });
  return value;
}

}  // namespace

LikelihoodValue evaluate_vector(const HistoryTree& tree, const TreeLayout& layout, const Structure& structure,
                                const Parameters& parameters, LikelihoodTerms terms,
                                const ContextJob& context, Parameters* gradient, int threads,
                                LikelihoodWorkspace::Memory& memory) {
  const int S = structure.state_count();
  const int A = structure.action_count();
  const int shards = static_cast<int>(layout.shards.size());
  memory.shards.resize(shards + 1);
  update_matrices(structure, parameters.dynamics, memory.matrices);
  const int kinds = context.paths != nullptr ? parameters.policy.kind_count() : 1;
  memory.coefficients.resize(kinds);
  memory.coefficients[0].resize(static_cast<std::size_t>(A) * (S + 1));
  for (int k = 0; terms.actions && k < kinds; ++k) {
    score_coefficients(structure, kinds > 1 ? parameters.policy.of_kind(k) : parameters.policy,
                       memory.coefficients[k]);
  }

  ShardJob trunk;
  trunk.shard = &layout.trunk;
  trunk.memory = &memory.shards[0];
  trunk.states = S;
  trunk.actions = A;
  trunk.matrices = memory.matrices.data();
  trunk.has_roots = true;
  trunk.score_slope = memory.coefficients[0].data();
  trunk.score_offset = trunk.score_slope + static_cast<std::ptrdiff_t>(A) * S;
  trunk.kinds = kinds;
  trunk.terms = {terms.actions && !context.any(), terms.observations};
  if (context.any()) {
    trunk.cells = &context.layout->trunk;
    trunk.tables = &memory.tables;
    trunk.mixed = parameters.policy.terms.inertia > 0.0 || parameters.policy.terms.lapse > 0.0;
  }
  prepare(layout.trunk, S, A, kinds, memory.shards[0]);
  set_root_beliefs(tree, layout.trunk, parameters.dynamics, memory.shards[0]);
  forward_pass(trunk);
  const LikelihoodValue value =
      kinds > 1 ? run_with_kinds(layout, trunk, context, gradient != nullptr, threads, memory)
                : run_all(layout, trunk, context, gradient != nullptr, threads, memory);
  if (gradient == nullptr || value.impossible_node) return value;

  for (int i = 0; i < shards; ++i)
    export_adjoints(layout.shards[i], S, memory.shards[i + 1], memory.shards[0]);
  reverse_pass(trunk);
  pull_back_roots(tree, layout.trunk, parameters.dynamics, memory.shards[0], gradient->dynamics);
  memory.d_matrices.assign(memory.matrices.size(), 0.0);
  for (int i = 0; i <= shards; ++i) {
    add_matrix_lanes(i == 0 ? layout.trunk : layout.shards[i - 1], memory.shards[i], S, memory.d_matrices);
  }
  pull_back_matrices(structure, parameters.dynamics, memory.d_matrices, gradient->dynamics);
  for (int k = 0; terms.actions && k < kinds; ++k) {
    memory.policy_sums.reset(structure);
    for (int i = 0; i <= shards; ++i) {
      add_policy_lanes(memory.shards[i], S, A, k, memory.policy_sums);
      if (!context.any()) continue;
      add_cells(i == 0 ? context.layout->trunk : context.layout->shards[i - 1], memory.shards[i], A,
                trunk.mixed, k, memory.d_tables);
    }
    pull_back_kind(structure, parameters.policy, k, memory.policy_sums, gradient->policy);
  }
  if (kinds > 1) pull_back_shares(memory.kinds.taken_by, memory.shares, gradient->policy);
  return value;
}

}  // namespace interpole::inference
