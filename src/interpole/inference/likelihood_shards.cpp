// Runs the vector kernel over trunk and shards and adds up what they found, always in the same order.

#include <algorithm>
#include <cmath>
#include <functional>

#include "interpole/base/dealing/shared_rows.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/belief.hpp"
#include "interpole/inference/kernels.hpp"
#include "interpole/inference/shard_job.hpp"
#include "interpole/inference/shard_sums.hpp"
#include "interpole/model/start/start_terms.hpp"

namespace interpole::inference {
namespace {

void prepare(const Shard& shard, int S, int A, int kinds, ShardMemory& memory) {
  const std::size_t size = shard.size;
  memory.belief.resize(size * S);
  memory.adjoint.resize(size * S);
  memory.inverse_normaliser.resize(size);
  if (!shard.row_offset.empty()) memory.d_log_weight.resize(size * S);
  memory.d_matrix_lanes.assign(shard.matrices.size() * S * S * kLanes, 0.0);
  memory.policy_lanes.assign(static_cast<std::size_t>(A) * (S + 1) * kLanes * kinds, 0.0);
  // Whole blocks: imported nodes first, then the null nodes.
  const std::size_t null_begin = static_cast<std::size_t>(shard.null_begin) * S;
  const std::size_t block = static_cast<std::size_t>(kLanes) * S;
  std::fill_n(&memory.belief[null_begin], block, 1.0 / S);
  std::fill_n(memory.adjoint.begin(), null_begin + block, 0.0);
}

void import_beliefs(const Shard& shard, int S, const ShardMemory& trunk, ShardMemory& memory) {
  for (std::size_t i = 0; i < shard.imported.size(); ++i) {
    for (int s = 0; s < S; ++s) {
      memory.belief[block_place(static_cast<std::int32_t>(i), S, s)] =
          trunk.belief[block_place(shard.imported[i], S, s)];
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
    for (int s = 0; s < S; ++s) memory.belief[block_place(at, S, s)] = belief[s];
  }
}

void pull_back_roots(const HistoryTree& tree, const Shard& trunk, const Dynamics& dynamics,
                     const ShardMemory& memory, Dynamics& gradient) {
  const int S = static_cast<int>(dynamics.initial.size());
  std::vector<double> belief(S), adjoint(S);
  for (int root = 0; root < tree.root_count; ++root) {
    const std::int32_t at = trunk.groups.front().begin + root;
    for (int s = 0; s < S; ++s) {
      belief[s] = memory.belief[block_place(at, S, s)];
      adjoint[s] = memory.adjoint[block_place(at, S, s)];
    }
    model::pull_back_start(dynamics, tree.covariates_of_root(root), belief, adjoint, gradient);
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

// Weights of what was measured here, then beliefs and values.
void forward(ShardJob job) {
  if (job.dynamics == nullptr) return forward_pass(job);
  MeasuredRows::Memory& measured = job.memory->measured;
  job.shard->rows.fill(*job.dynamics, measured, exponentiate);
  job.weights = measured.weights.data();
  forward_pass(job);
  if (job.terms.observations) job.memory->observations += job.shard->rows.divided_out(measured);
}

void reverse(ShardJob job) {
  job.weights = job.dynamics != nullptr ? job.memory->measured.weights.data() : nullptr;
  reverse_pass(job);
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
  forward(job);
  if (cells != nullptr) decide_in_contexts(job);
  if (want_gradient && memory.smallest_normaliser > 0.0) reverse(job);
}

// Everything an evaluation is about besides numbers.
struct Evaluation {
  const TreeLayout& layout;
  const ContextJob& context;
  const Dynamics& dynamics;
  SumSizes sizes;
  int threads;

  int shards() const { return static_cast<int>(layout.shards.size()); }
  const ShardCells* cells(int i) const { return context.any() ? &context.layout->shards[i] : nullptr; }
};

void lay_out_sums(const Evaluation& evaluation, LikelihoodWorkspace::Memory& memory) {
  memory.sum_lengths.resize(evaluation.shards());
  for (int i = 0; i < evaluation.shards(); ++i) {
    memory.sum_lengths[i] = evaluation.sizes.all(evaluation.layout.shards[i], evaluation.cells(i));
  }
  memory.sums.lay_out(memory.sum_lengths);
}

// Of own shards, each by itself.
void for_own_shards(const Evaluation& evaluation, const base::SharedRows& sums,
                    const std::function<void(int)>& body) {
  const base::RankScope scope(base::alone());
  base::parallel_tasks(sums.end() - sums.begin(), evaluation.threads, [&](int i) { body(sums.begin() + i); });
}

// Value of all parts, or the first impossible node.
LikelihoodValue add_values(const Evaluation& evaluation, const ShardMemory& trunk,
                           const base::SharedRows& sums) {
  LikelihoodValue value;
  value.actions = trunk.actions;
  value.observations = trunk.observations;
  double smallest = std::min(1.0, trunk.smallest_normaliser);
  const TreeLayout& layout = evaluation.layout;
  int impossible =
      trunk.smallest_normaliser > 0.0 ? -1 : first_impossible(layout.trunk, layout.root_count, trunk);
  for (int i = 0; i < evaluation.shards(); ++i) {
    const auto row = sums.row(i);
    value.actions += row[0];
    value.observations += row[1];
    smallest = std::min(smallest, row[2]);
    const int node = static_cast<int>(row[3]);
    if (node >= 0 && (impossible < 0 || node < impossible)) impossible = node;
  }
  if (!(smallest > 0.0)) value.impossible_node = impossible;
  return value;
}

LikelihoodValue run_all(const Evaluation& evaluation, const ShardJob& trunk,
                        LikelihoodWorkspace::Memory& memory) {
  const TreeLayout& layout = evaluation.layout;
  if (evaluation.context.any()) decide_in_contexts(trunk);
  for_own_shards(evaluation, memory.sums, [&](int i) {
    ShardMemory& own = memory.shards[i + 1];
    run_shard(layout.shards[i], evaluation.cells(i), trunk, evaluation.sizes.gradient, own);
    put_values(layout.shards[i], layout.root_count, own, memory.sums.row(i));
    if (!evaluation.sizes.gradient) return;
    put_gradient(layout.shards[i], evaluation.cells(i), evaluation.dynamics, evaluation.sizes, own,
                 memory.sums.row(i));
  });
  memory.sums.gather();
  return add_values(evaluation, memory.shards[0], memory.sums);
}

// With several kinds of decision-makers: all beliefs first, because what is known of a record's kind only
// shows at its end; then who took which decision; then derivatives.
LikelihoodValue run_with_kinds(const Evaluation& evaluation, const ShardJob& trunk,
                               LikelihoodWorkspace::Memory& memory) {
  const TreeLayout& layout = evaluation.layout;
  const ContextJob& context = evaluation.context;
  const auto job_of = [&](int i) {
    return shard_job(layout.shards[i], evaluation.cells(i), trunk, memory.shards[i + 1]);
  };
  shard_chances_by_kinds(trunk, memory);
  for_own_shards(evaluation, memory.sums, [&](int i) {
    prepare(layout.shards[i], trunk.states, trunk.actions, trunk.kinds, memory.shards[i + 1]);
    import_beliefs(layout.shards[i], trunk.states, *trunk.memory, memory.shards[i + 1]);
    forward(job_of(i));
    shard_chances_by_kinds(job_of(i), memory);
    put_values(layout.shards[i], layout.root_count, memory.shards[i + 1], memory.sums.row(i));
  });
  LikelihoodValue value = add_values(evaluation, memory.shards[0], memory.sums);
  if (value.impossible_node) return value;
  value.actions = mix_kinds(*context.paths, context.makers, trunk.actions, memory.shares, memory.kinds);
  if (!evaluation.sizes.gradient) return value;
  decide_shard_by_kinds(trunk, memory);
  for_own_shards(evaluation, memory.sums, [&](int i) {
    decide_shard_by_kinds(job_of(i), memory);
    reverse(job_of(i));
    put_gradient(layout.shards[i], evaluation.cells(i), evaluation.dynamics, evaluation.sizes,
                 memory.shards[i + 1], memory.sums.row(i));
  });
  return value;
}

}  // namespace

LikelihoodValue evaluate_vector(const HistoryTree& tree, const TreeLayout& layout, const Structure& structure,
                                const StepMatrices& matrices, const Parameters& parameters,
                                LikelihoodTerms terms, const ContextJob& context, Parameters* gradient,
                                int threads, LikelihoodWorkspace::Memory& memory) {
  const int S = structure.state_count();
  const int A = structure.action_count();
  const int shards = static_cast<int>(layout.shards.size());
  memory.shards.resize(shards + 1);
  matrices.fill(parameters.dynamics, memory.steps);
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
  trunk.matrices = memory.steps.matrices.data();
  trunk.dynamics = structure.measured() ? &parameters.dynamics : nullptr;
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
  forward(trunk);
  // What kinds decided is known along whole records, which lie in several shards: each rank computes it all.
  const bool shared = kinds == 1 && worth_sharing(tree);
  const base::RankScope scope(shared ? base::rank_context() : base::alone());
  const int measured = structure.measured() ? static_cast<int>(parameters.dynamics.observation.size()) : 0;
  const Evaluation evaluation{layout,
                              context,
                              parameters.dynamics,
                              {S, A, kinds, gradient != nullptr, trunk.mixed, measured},
                              threads};
  lay_out_sums(evaluation, memory);
  const LikelihoodValue value =
      kinds > 1 ? run_with_kinds(evaluation, trunk, memory) : run_all(evaluation, trunk, memory);
  if (gradient == nullptr || value.impossible_node) return value;

  const SumSizes& sizes = evaluation.sizes;
  for (int i = 0; i < shards; ++i) {
    add_adjoints(layout.shards[i], sizes, memory.sums.row(i), memory.shards[0]);
  }
  reverse(trunk);
  pull_back_roots(tree, layout.trunk, parameters.dynamics, memory.shards[0], gradient->dynamics);
  std::vector<double>& d_matrices = memory.steps.d_matrices;
  d_matrices.assign(memory.steps.matrices.size(), 0.0);
  add_matrix_lanes(layout.trunk, memory.shards[0], S, d_matrices);
  for (int i = 0; i < shards; ++i) {
    add_matrices(layout.shards[i], sizes, memory.sums.row(i), d_matrices);
  }
  if (structure.measured()) {
    std::vector<double>& d_observation = gradient->dynamics.observation;
    add_log_weights(layout.trunk, parameters.dynamics, memory.shards[0], d_observation);
    for (int i = 0; i < shards; ++i) {
      add_measured(layout.shards[i], evaluation.cells(i), sizes, memory.sums.row(i), d_observation);
    }
  }
  matrices.pull_back(parameters.dynamics, memory.steps, gradient->dynamics);
  for (int k = 0; terms.actions && k < kinds; ++k) {
    memory.policy_sums.reset(structure);
    add_policy_lanes(memory.shards[0], S, A, k, memory.policy_sums);
    if (context.any()) add_cells(context.layout->trunk, memory.shards[0], A, trunk.mixed, k, memory.d_tables);
    for (int i = 0; i < shards; ++i) {
      const auto row = memory.sums.row(i);
      add_scores(layout.shards[i], evaluation.cells(i), sizes, k, row, memory.policy_sums);
      if (!context.any()) continue;
      add_contexts(layout.shards[i], *evaluation.cells(i), sizes, k, row, memory.d_tables);
    }
    pull_back_kind(structure, parameters.policy, k, memory.policy_sums, gradient->policy);
  }
  if (kinds > 1) pull_back_shares(memory.kinds.taken_by, memory.shares, gradient->policy);
  return value;
}

}  // namespace interpole::inference
