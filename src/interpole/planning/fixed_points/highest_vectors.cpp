#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpole/planning/fixed_points/highest_vectors.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
//
#include <hwy/highway.h>

#include <cmath>

#include "interpole/planning/fixed_points/highest_vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace interpole::planning {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

struct Sweep {
  std::span<const double> vectors;
  PointColumns points;
  double* highest;
  std::int64_t* which;  // nullptr: add to `highest`
};

// The points of kRegisters registers, beginning with point `at`. Several registers at a time hide the latency
// of one. kStates = 0: the number of states is known at run time only.
template <std::size_t kStates, std::size_t kRegisters, bool kWhich, class D>
HWY_INLINE void sweep_points(D d, const Sweep& job, std::size_t at) {
  using V = hn::Vec<D>;
  const hn::RebindToSigned<D> d_index;
  const std::size_t S = kStates > 0 ? kStates : job.points.states;
  const std::size_t lanes = hn::Lanes(d);
  const double* const first = job.points.values + at;
  const auto column = [&](std::size_t s, std::size_t r) {
    return hn::LoadU(d, first + s * job.points.stride + r * lanes);
  };
  V kept[kStates > 0 ? kStates * kRegisters : 1];
  for (std::size_t i = 0; i < kStates * kRegisters; ++i) kept[i] = column(i / kRegisters, i % kRegisters);

  V best[kRegisters];
  hn::Vec<decltype(d_index)> which[kRegisters];
  for (std::size_t r = 0; r < kRegisters; ++r) {
    best[r] = hn::Set(d, -INFINITY);
    which[r] = hn::Zero(d_index);
  }
  auto k = hn::Zero(d_index);
  for (const double* v = job.vectors.data(); v != job.vectors.data() + job.vectors.size(); v += S) {
    V value[kRegisters];
    for (std::size_t r = 0; r < kRegisters; ++r) value[r] = hn::Zero(d);
    for (std::size_t s = 0; s < S; ++s) {
      const V factor = hn::Set(d, v[s]);
      for (std::size_t r = 0; r < kRegisters; ++r) {
        const V x = kStates > 0 ? kept[kStates > 0 ? s * kRegisters + r : 0] : column(s, r);
        value[r] = s == 0 ? hn::Mul(factor, x) : hn::MulAdd(factor, x, value[r]);
      }
    }
    for (std::size_t r = 0; r < kRegisters; ++r) {
      if constexpr (kWhich) {
        const auto higher = hn::Gt(value[r], best[r]);
        which[r] = hn::IfThenElse(hn::RebindMask(d_index, higher), k, which[r]);
      }
      best[r] = hn::Max(value[r], best[r]);
    }
    k = hn::Add(k, hn::Set(d_index, 1));
  }
  for (std::size_t r = 0; r < kRegisters; ++r) {
    double* const highest = job.highest + at + r * lanes;
    if constexpr (kWhich) {
      hn::StoreU(best[r], d, highest);
      hn::StoreU(which[r], d_index, job.which + at + r * lanes);
    } else {
      hn::StoreU(hn::Add(hn::LoadU(d, highest), best[r]), d, highest);
    }
  }
}

// What is left of the points: with registers half as wide, a quarter, …
template <std::size_t kStates, bool kWhich, std::size_t kLanes>
HWY_INLINE void sweep_rest(const Sweep& job, std::size_t at) {
  const hn::CappedTag<double, kLanes> d;
  const std::size_t lanes = hn::Lanes(d);
  for (; at + lanes <= job.points.count; at += lanes) sweep_points<kStates, 1, kWhich>(d, job, at);
  if constexpr (kLanes > 1) {
    if (at < job.points.count) sweep_rest<kStates, kWhich, kLanes / 2>(job, at);
  }
}

template <std::size_t kStates, bool kWhich>
void sweep_all(const Sweep& job) {
  const hn::CappedTag<double, 8> d;
  constexpr std::size_t kRegisters = HWY_TARGET <= HWY_AVX3 && kStates <= 4 ? 4 : 2;
  const std::size_t step = kRegisters * hn::Lanes(d);
  std::size_t at = 0;
  for (; at + step <= job.points.count; at += step) sweep_points<kStates, kRegisters, kWhich>(d, job, at);
  sweep_rest<kStates, kWhich, hn::MaxLanes(d)>(job, at);
}

// Numbers of states up to this one are compiled in, which keeps the points in registers.
constexpr std::size_t kMostCompiledStates = 5;

template <bool kWhich, std::size_t kStates = 1>
void sweep_any(const Sweep& job) {
  if constexpr (kStates > kMostCompiledStates) {
    sweep_all<0, kWhich>(job);
  } else {
    job.points.states == kStates ? sweep_all<kStates, kWhich>(job) : sweep_any<kWhich, kStates + 1>(job);
  }
}

void find_best(std::span<const double> vectors, const PointColumns& points, double* highest,
               std::int64_t* which) {
  sweep_any<true>({vectors, points, highest, which});
}

void add_best(std::span<const double> vectors, const PointColumns& points, double* sums) {
  sweep_any<false>({vectors, points, sums, nullptr});
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace interpole::planning
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace interpole::planning {

HWY_EXPORT(find_best);
HWY_EXPORT(add_best);

void find_highest(std::span<const double> vectors, const PointColumns& points, double* highest,
                  std::int64_t* which) {
  HWY_DYNAMIC_DISPATCH(find_best)(vectors, points, highest, which);
}

void add_highest(std::span<const double> vectors, const PointColumns& points, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_best)(vectors, points, sums);
}

}  // namespace interpole::planning
#endif  // HWY_ONCE
