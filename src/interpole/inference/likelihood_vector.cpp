// The likelihood of many nodes at once. Compiled once per instruction set; the best one is chosen at run
// time. The sums are those of likelihood_plain.cpp, in another order.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpole/inference/likelihood_vector.cpp"
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

// kStates = 0: the number of states is known at run time only.
template <int kStates>
struct Sizes {
  static constexpr int kArray = kStates > 0 ? kStates : kMostVectorStates;
  static int states(const ShardJob& job) { return kStates > 0 ? kStates : job.states; }
};

// Where the numbers of local node `at` begin in an array of `rows` numbers per node (plan.hpp).
HWY_INLINE std::size_t block_offset(std::size_t at, int rows) {
  return at / kLanes * kLanes * rows + at % kLanes;
}

// Σ_a n_a log π(a|b) for a vector of nodes. Adds residuals to the shard's sums and writes ∂/∂b to `adjoint`.
template <int kStates>
HWY_INLINE V decide(const ShardJob& job, std::size_t at, const V* b, V* adjoint) {
  const D d;
  const int S = Sizes<kStates>::states(job);
  const double* counts = job.shard->counts.data() + block_offset(at, job.actions);
  V logit[kMostVectorActions];
  V value = hn::Zero(d);
  V highest = hn::Set(d, -1e308);
  for (int a = 0; a < job.actions; ++a) {
    V score = hn::Set(d, job.score_offset[a]);
    for (int s = 0; s < S; ++s) score = hn::MulAdd(hn::Set(d, job.score_slope[a * S + s]), b[s], score);
    logit[a] = score;
    highest = hn::Max(highest, score);
    value = hn::MulAdd(hn::Load(d, counts + a * kLanes), score, value);
  }
  V total = hn::Zero(d);
  for (int a = 0; a < job.actions; ++a) {
    logit[a] = hn::Exp(d, hn::Sub(logit[a], highest));
    total = hn::Add(total, logit[a]);
  }
  const V taken = hn::Load(d, &job.shard->decisions[at]);
  const V share = hn::Div(taken, total);
  double* sums = job.memory->policy_lanes.data();
  for (int a = 0; a < job.actions; ++a) {
    const V residual = hn::NegMulAdd(logit[a], share, hn::Load(d, counts + a * kLanes));
    hn::Store(hn::Add(hn::Load(d, sums), residual), d, sums);
    sums += kLanes;
    for (int s = 0; s < S; ++s) {
      hn::Store(hn::MulAdd(residual, b[s], hn::Load(d, sums)), d, sums);
      sums += kLanes;
      adjoint[s] = hn::MulAdd(hn::Set(d, job.score_slope[a * S + s]), residual, adjoint[s]);
    }
  }
  return hn::NegMulAdd(taken, hn::Add(highest, hn::Log(d, total)), value);
}

// Of measured outcomes: how well what was measured at these nodes agrees with a state.
HWY_INLINE V weights_of(const ShardJob& job, std::size_t at, int state) {
  return hn::GatherIndex(D(), job.weights + state, hn::Load(DI(), &job.shard->row_offset[at]));
}

template <int kStates>
void forward(const ShardJob& job) {
  const D d;
  const int S = Sizes<kStates>::states(job);
  const Shard& shard = *job.shard;
  ShardMemory& memory = *job.memory;
  V actions = hn::Zero(d);
  V observations = hn::Zero(d);
  V smallest = hn::Set(d, 1.0);
  V b[Sizes<kStates>::kArray];
  V parent[Sizes<kStates>::kArray];
  V adjoint[Sizes<kStates>::kArray];
  for (const auto& group : shard.groups) {
    const bool is_root = job.has_roots && &group == &shard.groups.front();
    const double* M = job.matrices + shard.matrices[group.slot];
    const bool deciding = group.has_decisions && job.terms.actions;
    for (std::size_t at = group.begin; at < static_cast<std::size_t>(group.end); at += hn::Lanes(d)) {
      if (is_root) {
        const std::size_t block = block_offset(at, S);
        for (int s = 0; s < S; ++s) b[s] = hn::Load(d, &memory.belief[block + s * kLanes]);
      } else {
        const auto index = hn::Load(DI(), &shard.parent_offset[at]);
        for (int s = 0; s < S; ++s) parent[s] = hn::GatherIndex(d, &memory.belief[s * kLanes], index);
        V c = hn::Zero(d);
        for (int to = 0; to < S; ++to) {
          V u = hn::Mul(hn::Set(d, M[to * S]), parent[0]);
          for (int from = 1; from < S; ++from) u = hn::MulAdd(hn::Set(d, M[to * S + from]), parent[from], u);
          if (job.weights != nullptr) u = hn::Mul(u, weights_of(job, at, to));
          b[to] = u;
          c = hn::Add(c, u);
        }
        smallest =
            hn::IfThenElse(hn::Lt(c, smallest), c, smallest);  // keeps the first 0, whatever NaN follows
        const V inverse = hn::Div(hn::Set(d, 1.0), c);
        for (int s = 0; s < S; ++s) b[s] = hn::Mul(b[s], inverse);
        hn::Store(inverse, d, &memory.inverse_normaliser[at]);
        if (job.terms.observations) {
          observations = hn::MulAdd(hn::Load(d, &shard.passes[at]), hn::Log(d, c), observations);
        }
      }
      for (int s = 0; s < S; ++s) adjoint[s] = hn::Zero(d);
      if (deciding) actions = hn::Add(actions, decide<kStates>(job, at, b, adjoint));
      const std::size_t block = block_offset(at, S);
      for (int s = 0; s < S; ++s) {
        hn::Store(b[s], d, &memory.belief[block + s * kLanes]);
        hn::Store(adjoint[s], d, &memory.adjoint[block + s * kLanes]);
      }
    }
  }
  memory.actions = hn::GetLane(hn::SumOfLanes(d, actions));
  memory.observations = hn::GetLane(hn::SumOfLanes(d, observations));
  memory.smallest_normaliser = hn::GetLane(hn::MinOfLanes(d, smallest));
}

// parent adjoint += Mᵀ d_u
template <int kStates>
HWY_INLINE void pass_to_parents(const ShardJob& job, const Shard::Group& group, std::size_t at,
                                const V* d_u) {
  const D d;
  const int S = Sizes<kStates>::states(job);
  const double* M = job.matrices + job.shard->matrices[group.slot];
  const auto index = hn::Load(DI(), &job.shard->parent_offset[at]);
  for (int from = 0; from < S; ++from) {
    double* lane_base = &job.memory->adjoint[from * kLanes];
    V passed = hn::Mul(hn::Set(d, M[from]), d_u[0]);
    for (int to = 1; to < S; ++to) passed = hn::MulAdd(hn::Set(d, M[to * S + from]), d_u[to], passed);
    if (!group.parents_repeat) {
      hn::ScatterIndex(hn::Add(hn::GatherIndex(d, lane_base, index), passed), d, lane_base, index);
      continue;
    }
    alignas(64) double one_by_one[kLanes];
    hn::Store(passed, d, one_by_one);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane)
      lane_base[job.shard->parent_offset[at + lane]] += one_by_one[lane];
  }
}

// ∂/∂M += d_u ⊗ parent. Few states: summed in registers over a group. Many: straight in memory.
template <int kStates>
struct MatrixSums {
  static constexpr bool kInRegisters = kStates > 0 && kStates <= 4;
  V sums[kInRegisters ? kStates * kStates : 1];
  double* lanes;
  int states;

  HWY_INLINE MatrixSums(const ShardJob& job, const Shard::Group& group)
      : lanes(job.memory->d_matrix_lanes.data() +
              static_cast<std::size_t>(group.slot) * job.states * job.states * kLanes),
        states(Sizes<kStates>::states(job)) {
    if constexpr (kInRegisters) {
      for (int i = 0; i < kStates * kStates; ++i) sums[i] = hn::Load(D(), lanes + i * kLanes);
    }
  }

  HWY_INLINE void add(int from, const V* d_u, V parent) {
    for (int to = 0; to < states; ++to) {
      const int i = to * states + from;
      if constexpr (kInRegisters) {
        sums[i] = hn::MulAdd(d_u[to], parent, sums[i]);
      } else {
        double* lane = lanes + static_cast<std::size_t>(i) * kLanes;
        hn::Store(hn::MulAdd(d_u[to], parent, hn::Load(D(), lane)), D(), lane);
      }
    }
  }

  HWY_INLINE void finish() const {
    if constexpr (kInRegisters) {
      for (int i = 0; i < kStates * kStates; ++i) hn::Store(sums[i], D(), lanes + i * kLanes);
    }
  }
};

template <int kStates>
void reverse(const ShardJob& job) {
  const D d;
  const int S = Sizes<kStates>::states(job);
  const Shard& shard = *job.shard;
  ShardMemory& memory = *job.memory;
  const V observed = hn::Set(d, job.terms.observations ? 1.0 : 0.0);
  V d_u[Sizes<kStates>::kArray];
  for (std::size_t g = shard.groups.size(); g-- > (job.has_roots ? 1u : 0u);) {
    const auto& group = shard.groups[g];
    MatrixSums<kStates> d_M(job, group);
    for (std::size_t at = group.begin; at < static_cast<std::size_t>(group.end); at += hn::Lanes(d)) {
      const std::size_t block = block_offset(at, S);
      V along = hn::Zero(d);
      for (int s = 0; s < S; ++s) {
        d_u[s] = hn::Load(d, &memory.adjoint[block + s * kLanes]);
        along = hn::MulAdd(d_u[s], hn::Load(d, &memory.belief[block + s * kLanes]), along);
      }
      const V shift = hn::MulSub(hn::Load(d, &shard.passes[at]), observed, along);
      const V inverse = hn::Load(d, &memory.inverse_normaliser[at]);
      if (job.weights != nullptr) {
        for (int s = 0; s < S; ++s) {
          const V d_log = hn::Mul(hn::Add(d_u[s], shift), hn::Load(d, &memory.belief[block + s * kLanes]));
          hn::Store(d_log, d, &memory.d_log_weight[block + s * kLanes]);
          d_u[s] = hn::Mul(hn::Mul(hn::Add(d_u[s], shift), inverse), weights_of(job, at, s));
        }
      } else {
        for (int s = 0; s < S; ++s) d_u[s] = hn::Mul(hn::Add(d_u[s], shift), inverse);
      }
      const auto index = hn::Load(DI(), &shard.parent_offset[at]);
      for (int from = 0; from < S; ++from) {
        d_M.add(from, d_u, hn::GatherIndex(d, &memory.belief[from * kLanes], index));
      }
      pass_to_parents<kStates>(job, group, at, d_u);
    }
    d_M.finish();
  }
}

// Numbers of states up to this one are compiled in, which lets loops over states unroll.
constexpr int kMostCompiledStates = 10;

template <int kStates = 1>
void forward_any(const ShardJob& job, int states) {
  if constexpr (kStates > kMostCompiledStates) {
    forward<0>(job);
  } else {
    states == kStates ? forward<kStates>(job) : forward_any<kStates + 1>(job, states);
  }
}

template <int kStates = 1>
void reverse_any(const ShardJob& job, int states) {
  if constexpr (kStates > kMostCompiledStates) {
    reverse<0>(job);
  } else {
    states == kStates ? reverse<kStates>(job) : reverse_any<kStates + 1>(job, states);
  }
}

void exponentiate_all(double* numbers, std::size_t size) {
  const D d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d))
    hn::StoreU(hn::Exp(d, hn::LoadU(d, numbers + i)), d, numbers + i);
  for (; i < size; ++i) numbers[i] = hn::GetLane(hn::Exp(d, hn::Set(d, numbers[i])));
}

void forward_shard(const ShardJob& job) {
  forward_any(job, job.states);
}
void reverse_shard(const ShardJob& job) {
  reverse_any(job, job.states);
}

}  // namespace HWY_NAMESPACE
}  // namespace interpole::inference
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace interpole::inference {

HWY_EXPORT(forward_shard);
HWY_EXPORT(reverse_shard);
HWY_EXPORT(exponentiate_all);

void forward_pass(const ShardJob& job) {
  HWY_DYNAMIC_DISPATCH(forward_shard)(job);
}
void reverse_pass(const ShardJob& job) {
  HWY_DYNAMIC_DISPATCH(reverse_shard)(job);
}

void exponentiate(std::span<double> numbers) {
  HWY_DYNAMIC_DISPATCH(exponentiate_all)(numbers.data(), numbers.size());
}

}  // namespace interpole::inference
#endif  // HWY_ONCE
