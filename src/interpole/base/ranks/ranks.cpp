#include "interpole/base/ranks/ranks.hpp"

#include <chrono>
#include <cstdlib>

namespace interpole::base {
namespace {

constexpr char kGoOn = '.';
constexpr char kStop = 's';

// One process. It is shared by all threads and keeps nothing.
class OneRank : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::optional<std::vector<std::string>> part(std::string_view mine, double /*patience*/) override {
    return std::vector<std::string>{std::string(mine)};
  }
  void abort(int exit_code) override { std::_Exit(exit_code); }

 protected:
  std::vector<std::string> exchange(std::string_view mine) override { return {std::string(mine)}; }
  void exchange_numbers(std::span<double> /*all*/, std::span<const int> /*counts*/) override {}
};

Ranks& one_rank() {
  static OneRank one;
  return one;
}

std::atomic<Ranks*> of_process = nullptr;
thread_local RankContext of_thread;

Ranks& team() {
  if (of_thread.team != nullptr) return *of_thread.team;
  Ranks* process = of_process;
  return process != nullptr ? *process : one_rank();
}

class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum) {}
  ~Stopwatch() { sum_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& sum_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

Ranks::~Ranks() = default;

std::vector<std::string> Ranks::gather(std::string_view mine) {
  if (size() == 1) return {std::string(mine)};
  const Stopwatch watch(traffic_.seconds);
  std::string message(1, asked_here() ? kStop : kGoOn);
  message.append(mine);
  std::vector<std::string> all = exchange(message);
  ++traffic_.calls;
  traffic_.bytes_sent += static_cast<std::int64_t>(message.size());
  bool stop = stop_agreed_;
  for (std::string& text : all) {
    traffic_.bytes_received += static_cast<std::int64_t>(text.size());
    stop |= text.front() == kStop;
    text.erase(0, 1);
  }
  stop_agreed_ = stop;
  return all;
}

void Ranks::gather_numbers(std::span<double> all, std::span<const int> counts) {
  if (size() == 1) return;
  const Stopwatch watch(traffic_.seconds);
  std::size_t own = 0;
  for (int r = 0; r < rank(); ++r) own += counts[r];
  all[own] = asked_here() ? 1.0 : 0.0;
  exchange_numbers(all, counts);
  ++traffic_.calls;
  traffic_.bytes_sent += static_cast<std::int64_t>(counts[rank()] * sizeof(double));
  traffic_.bytes_received += static_cast<std::int64_t>(all.size_bytes());
  bool stop = stop_agreed_;
  std::size_t begin = 0;
  for (const int count : counts) {
    stop |= all[begin] != 0.0;
    begin += count;
  }
  stop_agreed_ = stop;
}

RankContext rank_context() {
  return of_thread;
}

Ranks& ranks() {
  return of_thread.alone ? one_rank() : team();
}

bool is_first_rank() {
  return team().first();
}

void set_process_ranks(Ranks* ranks) {
  of_process = ranks;
}

RankScope::RankScope(const RankContext& context) : before_(of_thread) {
  of_thread = context;
}

RankScope::~RankScope() {
  of_thread = before_;
}

RankContext alone() {
  RankContext context = of_thread;
  context.alone = true;
  context.together = false;
  return context;
}

RankContext dealt() {
  RankContext context = alone();
  context.dealt = true;
  return context;
}

RankContext together(bool wanted) {
  RankContext context = of_thread;
  context.together |= wanted && ranks().size() > 1;
  return context;
}

bool stop_for_all(bool asked_here) {
  const Ranks& all = team();
  if (all.size() == 1) return asked_here;
  return all.stop_agreed() || (of_thread.dealt && asked_here);
}

}  // namespace interpole::base
