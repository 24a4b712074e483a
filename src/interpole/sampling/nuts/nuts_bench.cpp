// What the sampler itself costs per leapfrog step: a target that costs next to nothing, minus that next to
// nothing.

#include <benchmark/benchmark.h>

#include <vector>

#include "interpole/sampling/nuts/nuts.hpp"

namespace interpole::sampling {
namespace {

class StandardNormal : public optimize::Objective {
 public:
  explicit StandardNormal(int size) : size_(size) {}
  int size() const override { return size_; }
  double evaluate(std::span<const double> x, std::span<double> g) override {
    double value = 0.0;
    for (int i = 0; i < size_; ++i) {
      value -= 0.5 * x[i] * x[i];
      g[i] = -x[i];
    }
    return value;
  }

 private:
  int size_;
};

void nuts_leapfrog(benchmark::State& state) {
  StandardNormal target(static_cast<int>(state.range(0)));
  NutsOptions options;
  options.metric = state.range(1) != 0 ? MetricKind::kDense : MetricKind::kDiagonal;
  NutsChain chain(target, std::vector<double>(target.size(), 0.1), options, 1, 0);
  while (chain.warming_up()) chain.next();
  std::int64_t leapfrogs = 0;
  for (auto _ : state) leapfrogs += chain.next().leapfrogs;
  state.counters["per_leapfrog"] = benchmark::Counter(
      static_cast<double>(leapfrogs), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(nuts_leapfrog)->ArgNames({"size", "dense"})->ArgsProduct({{2, 10, 50}, {0, 1}});

void target_alone(benchmark::State& state) {
  StandardNormal target(static_cast<int>(state.range(0)));
  std::vector<double> x(target.size(), 0.1), g(target.size());
  for (auto _ : state) benchmark::DoNotOptimize(target.evaluate(x, g));
}
BENCHMARK(target_alone)->ArgName("size")->Arg(2)->Arg(10)->Arg(50);

}  // namespace
}  // namespace interpole::sampling
