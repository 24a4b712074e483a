// Decisions in their contexts, many cells at once: a policy with terms. Compiled once per instruction set, as
// likelihood_vector.cpp is. The sums are those of likelihood_plain.cpp, in another order.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpole/inference/context_vector.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "interpole/inference/kernels.hpp"
#include "interpole/inference/shard_job.hpp"

HWY_BEFORE_NAMESPACE();
namespace interpole::inference {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;
using DI = hn::RebindToSigned<D>;

// How often each action was taken in every cell (by this kind), and where what follows from it goes.
struct Tallies {
  const double* counts;
  double *residual, *ratio, *policy_lanes;

  explicit Tallies(const ShardJob& job) {
    ShardMemory& memory = *job.memory;
    const auto kind = static_cast<std::size_t>(job.kind);
    counts = job.kinds > 1 ? memory.weight.data() : job.cells->counts.data();
    residual = memory.residual.data() + kind * (memory.residual.size() / job.kinds);
    ratio = memory.ratio.data() + kind * (memory.ratio.size() / job.kinds);
    policy_lanes = memory.policy_lanes.data() + kind * (memory.policy_lanes.size() / job.kinds);
  }
};

// One vector of cells.
struct Cells {
  V pi[kMostVectorActions];         // softmax
  V by_belief[kMostVectorActions];  // of the decisions, how many are the belief's
  V taken;                          // Σ by_belief
};

HWY_INLINE std::size_t block(std::size_t at, int rows) {
  return at / kLanes * kLanes * rows + at % kLanes;
}

// Softmax of belief and context; returns log Σ exp of the scores, which are left in `score`.
HWY_INLINE V choose(const ShardJob& job, std::size_t at, const V* b, V* score, V* pi) {
  const D d;
  const auto row = hn::Load(DI(), &job.cells->row[at]);
  V highest = hn::Set(d, -1e308);
  for (int a = 0; a < job.actions; ++a) {
    V x = hn::Add(hn::Set(d, job.score_offset[a]), hn::GatherIndex(d, job.tables->offset.data() + a, row));
    for (int s = 0; s < job.states; ++s) {
      x = hn::MulAdd(hn::Set(d, job.score_slope[a * job.states + s]), b[s], x);
    }
    score[a] = x;
    highest = hn::Max(highest, x);
  }
  V total = hn::Zero(d);
  for (int a = 0; a < job.actions; ++a) {
    pi[a] = hn::Exp(d, hn::Sub(score[a], highest));
    total = hn::Add(total, pi[a]);
  }
  const V inverse = hn::Div(hn::Set(d, 1.0), total);
  for (int a = 0; a < job.actions; ++a) pi[a] = hn::Mul(pi[a], inverse);
  return hn::Add(highest, hn::Log(d, total));
}

// Σ_a n_a log π(a).
HWY_INLINE V decide(const ShardJob& job, const Tallies& tallies, std::size_t at, const V* b, Cells& cells) {
  const D d;
  const double* counts = tallies.counts + block(at, job.actions);
  V score[kMostVectorActions];
  const V normaliser = choose(job, at, b, score, cells.pi);
  V value = hn::Zero(d);
  cells.taken = hn::Zero(d);
  for (int a = 0; a < job.actions; ++a) {
    cells.by_belief[a] = hn::Load(d, counts + a * kLanes);
    cells.taken = hn::Add(cells.taken, cells.by_belief[a]);
    value = hn::MulAdd(cells.by_belief[a], score[a], value);
  }
  return hn::NegMulAdd(cells.taken, normaliser, value);
}

// Σ_a n_a log(keep·π(a) + floor(a)).
HWY_INLINE V decide_mixed(const ShardJob& job, const Tallies& tallies, std::size_t at, const V* b,
                          Cells& cells) {
  const D d;
  const double* counts = tallies.counts + block(at, job.actions);
  const auto row = hn::Load(DI(), &job.cells->row[at]);
  const V keep = hn::GatherIndex(d, job.tables->keep.data(), hn::Load(DI(), &job.cells->context[at]));
  double* ratios = tallies.ratio + block(at, job.actions + 1);
  V score[kMostVectorActions];
  choose(job, at, b, score, cells.pi);
  V value = hn::Zero(d);
  V kept = hn::Zero(d);
  cells.taken = hn::Zero(d);
  for (int a = 0; a < job.actions; ++a) {
    const V n = hn::Load(d, counts + a * kLanes);
    const V floor = hn::GatherIndex(d, job.tables->floor.data() + a, row);
    const V chance = hn::Max(hn::MulAdd(keep, cells.pi[a], floor), hn::Set(d, 1e-300));
    const V ratio = hn::Div(n, chance);
    value = hn::MulAdd(n, hn::Log(d, chance), value);
    kept = hn::MulAdd(ratio, cells.pi[a], kept);
    cells.by_belief[a] = hn::Mul(ratio, hn::Mul(keep, cells.pi[a]));
    cells.taken = hn::Add(cells.taken, cells.by_belief[a]);
    hn::Store(ratio, d, ratios + a * kLanes);
  }
  hn::Store(kept, d, ratios + job.actions * kLanes);
  return value;
}

// Residuals to the cell, to the policy's sums, and through the belief to the history's adjoint.
HWY_INLINE void pull_back(const ShardJob& job, const Tallies& tallies, std::size_t at, const V* b,
                          const Cells& cells) {
  const D d;
  double* residuals = tallies.residual + block(at, job.actions);
  double* sums = tallies.policy_lanes;
  V adjoint[kMostVectorStates];
  for (int s = 0; s < job.states; ++s) adjoint[s] = hn::Zero(d);
  for (int a = 0; a < job.actions; ++a) {
    const V residual = hn::NegMulAdd(cells.taken, cells.pi[a], cells.by_belief[a]);
    hn::Store(residual, d, residuals + a * kLanes);
    hn::Store(hn::Add(hn::Load(d, sums), residual), d, sums);
    sums += kLanes;
    for (int s = 0; s < job.states; ++s) {
      hn::Store(hn::MulAdd(residual, b[s], hn::Load(d, sums)), d, sums);
      sums += kLanes;
      adjoint[s] = hn::MulAdd(hn::Set(d, job.score_slope[a * job.states + s]), residual, adjoint[s]);
    }
  }
  const auto index = hn::Load(DI(), &job.cells->belief[at]);
  for (int s = 0; s < job.states; ++s) {
    double* lane_base = &job.memory->adjoint[s * kLanes];
    if (at < static_cast<std::size_t>(job.cells->repeating_from)) {
      hn::ScatterIndex(hn::Add(hn::GatherIndex(d, lane_base, index), adjoint[s]), d, lane_base, index);
      continue;
    }
    alignas(64) double one_by_one[kLanes];
    hn::Store(adjoint[s], d, one_by_one);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      lane_base[job.cells->belief[at + lane]] += one_by_one[lane];
    }
  }
}

void decide_shard(const ShardJob& job) {
  const D d;
  const Tallies tallies(job);
  V actions = hn::Zero(d);
  V b[kMostVectorStates];
  Cells cells;
  for (std::size_t at = 0; at < static_cast<std::size_t>(job.cells->size); at += hn::Lanes(d)) {
    const auto index = hn::Load(DI(), &job.cells->belief[at]);
    for (int s = 0; s < job.states; ++s) b[s] = hn::GatherIndex(d, &job.memory->belief[s * kLanes], index);
    actions = hn::Add(
        actions, job.mixed ? decide_mixed(job, tallies, at, b, cells) : decide(job, tallies, at, b, cells));
    pull_back(job, tallies, at, b, cells);
  }
  job.memory->actions = hn::GetLane(hn::SumOfLanes(d, actions));
}

void log_chances_shard(const ShardJob& job) {
  const D d;
  V b[kMostVectorStates];
  V score[kMostVectorActions], pi[kMostVectorActions];
  for (std::size_t at = 0; at < static_cast<std::size_t>(job.cells->size); at += hn::Lanes(d)) {
    const auto index = hn::Load(DI(), &job.cells->belief[at]);
    for (int s = 0; s < job.states; ++s) b[s] = hn::GatherIndex(d, &job.memory->belief[s * kLanes], index);
    const V normaliser = choose(job, at, b, score, pi);
    double* logs = job.memory->log_chance.data() + block(at, job.actions);
    const auto row = hn::Load(DI(), &job.cells->row[at]);
    const V keep = hn::GatherIndex(d, job.tables->keep.data(), hn::Load(DI(), &job.cells->context[at]));
    for (int a = 0; a < job.actions; ++a) {
      V log_chance = hn::Sub(score[a], normaliser);
      if (job.mixed) {
        const V floor = hn::GatherIndex(d, job.tables->floor.data() + a, row);
        log_chance = hn::Log(d, hn::Max(hn::MulAdd(keep, pi[a], floor), hn::Set(d, 1e-300)));
      }
      hn::Store(log_chance, d, logs + a * kLanes);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace interpole::inference
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace interpole::inference {

HWY_EXPORT(decide_shard);
HWY_EXPORT(log_chances_shard);

void log_chances_in_contexts(const ShardJob& job) {
  job.memory->log_chance.resize(static_cast<std::size_t>(job.cells->size) * job.actions);
  HWY_DYNAMIC_DISPATCH(log_chances_shard)(job);
}

void decide_in_contexts(const ShardJob& job) {
  const auto cells = static_cast<std::size_t>(job.cells->size) * job.kinds;
  job.memory->residual.resize(cells * job.actions);
  if (job.mixed) job.memory->ratio.resize(cells * (job.actions + 1));
  HWY_DYNAMIC_DISPATCH(decide_shard)(job);
}

}  // namespace interpole::inference
#endif  // HWY_ONCE
