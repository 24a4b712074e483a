// What several processes cost and gain on this machine: the time of one evaluation of a large likelihood and
// what is gathered for it, and the latency and bandwidth of gatherings, from which docs/cluster.md predicts
// where more ranks stop paying.
//
//   build/ranks_probe [RECORDS [LENGTH [THREADS]]]              one process
//   mpirun -n 2 build/ranks_probe [RECORDS [LENGTH [THREADS]]]  two

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/base/ranks/started_ranks.hpp"
#include "interpole/error.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/oracle_testing.hpp"

namespace interpole {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kEvaluations = 100;
constexpr int kGatherings = 2000;
constexpr int kLargeGatherings = 100;

// Other work on the machine makes the median longer, and hardly the least.
struct Seconds {
  double median = 0.0;
  double least = 0.0;
};

template <class Work>
Seconds seconds_of(int times, const Work& work) {
  std::vector<double> seconds(times);
  for (double& one : seconds) {
    const auto begin = Clock::now();
    work();
    one = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  std::ranges::sort(seconds);
  return {seconds[times / 2], seconds.front()};
}

// Stands for the first of so many ranks, whose others answer at once: what is left is this rank's own work.
class FirstOfMany : public base::Ranks {
 public:
  explicit FirstOfMany(int size) : size_(size) {}
  int rank() const override { return 0; }
  int size() const override { return size_; }
  std::optional<std::vector<std::string>> part(std::string_view /*mine*/, double /*patience*/) override {
    return std::nullopt;
  }
  void abort(int exit_code) override { std::_Exit(exit_code); }

 protected:
  std::vector<std::string> exchange(std::string_view mine) override {
    return std::vector<std::string>(size_, std::string(mine));
  }
  // Any numbers do; those that are probabilities must not be zero.
  void exchange_numbers(std::span<double> all, std::span<const int> counts) override {
    for (std::size_t i = counts[0]; i < all.size(); ++i) all[i] = 0.5;
    for (std::size_t r = 1, at = counts[0]; r < counts.size(); at += counts[r++]) all[at] = 0.0;
  }

 private:
  int size_;
};

HistoryTree random_tree(int records, int length) {
  HistoryTreeBuilder builder(2);
  for (int i = 0; i < records; ++i) {
    base::RandomStream outcomes(6, i);
    std::vector<Step> steps(length);
    for (Step& step : steps) {
      step = {static_cast<int>(2.0 * outcomes.uniform()), static_cast<int>(2.0 * outcomes.uniform())};
    }
    builder.add(steps);
  }
  return builder.build();
}

Seconds gathering_seconds(base::Ranks& ranks, int numbers, int times) {
  const std::vector<int> counts(ranks.size(), numbers);
  std::vector<double> all(static_cast<std::size_t>(numbers) * ranks.size());
  return seconds_of(times, [&] { ranks.gather_numbers(all, counts); });
}

void run(base::Ranks& ranks, int records, int length, int threads) {
  const Structure structure = Structure::unrestricted({"s1", "s2", "s3"}, {"a1", "a2"}, {"z1", "z2"});
  base::RandomStream random(5);
  const Parameters parameters = testing::random_parameters(structure, random);
  const HistoryTree tree = random_tree(records, length);
  const inference::Likelihood likelihood(tree, structure, inference::Kernel::kVector, threads);
  auto workspace = likelihood.make_workspace();
  Parameters gradient = parameters;
  likelihood.evaluate(parameters, {}, &gradient, workspace);
  const base::Ranks::Traffic before = ranks.traffic();
  const Seconds evaluation =
      seconds_of(kEvaluations, [&] { likelihood.evaluate(parameters, {}, &gradient, workspace); });
  const base::Ranks::Traffic after = ranks.traffic();
  constexpr int kSmall = 2;
  constexpr int kLarge = 1 << 17;
  const Seconds small = gathering_seconds(ranks, kSmall, kGatherings);
  const Seconds large = gathering_seconds(ranks, kLarge, kLargeGatherings);
  if (!ranks.first()) return;
  fmt::print("ranks {}, threads {}, nodes {}\n", ranks.size(), threads, tree.node_count());
  fmt::print("evaluation {:.2f} ms, at least {:.2f} (median and least of {})\n", 1e3 * evaluation.median,
             1e3 * evaluation.least, kEvaluations);
  if (ranks.size() == 1) {
    for (const int size : {2, 8, 64, 1024}) {
      FirstOfMany pretended(size);
      const base::RankScope scope({.team = &pretended});
      const Seconds own =
          seconds_of(kEvaluations, [&] { likelihood.evaluate(parameters, {}, &gradient, workspace); });
      fmt::print("what one of {} ranks computes: {:.3f} ms, at least {:.3f}\n", size, 1e3 * own.median,
                 1e3 * own.least);
    }
    return;
  }
  const auto each = [&](std::int64_t base::Ranks::Traffic::*what) {
    return static_cast<double>(after.*what - before.*what) / kEvaluations;
  };
  fmt::print("per evaluation: {:.0f} calls, {:.0f} bytes sent by a rank, {:.0f} received\n",
             each(&base::Ranks::Traffic::calls), each(&base::Ranks::Traffic::bytes_sent),
             each(&base::Ranks::Traffic::bytes_received));
  fmt::print("gathering of 16 bytes {:.1f} us, at least {:.1f}; of 1 MiB {:.0f} us, at least {:.0f}\n",
             1e6 * small.median, 1e6 * small.least, 1e6 * large.median, 1e6 * large.least);
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  const int records = argc > 1 ? std::atoi(argv[1]) : 20'000;
  const int length = argc > 2 ? std::atoi(argv[2]) : 60;
  const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
  try {
    std::unique_ptr<interpole::base::Ranks> joined;
    if (const auto started = interpole::base::started_rank()) joined = interpole::base::join_ranks(*started);
    interpole::base::set_process_ranks(joined.get());
    interpole::run(interpole::base::ranks(), records, length, threads);
    interpole::base::set_process_ranks(nullptr);
    if (joined) joined->part("", 600.0);
  } catch (const interpole::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
