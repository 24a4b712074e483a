#include "interpole/base/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "interpole/base/ranks/ranks.hpp"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace interpole::base {
namespace {

// Debian's oneTBB is not built for the thread sanitizer, which therefore cannot see that tasks begin after
// what came before the loop and end before what comes after it. This says so; between tasks it says nothing.
class LoopOrder {
 public:
#if defined(__SANITIZE_THREAD__)
  LoopOrder() {
    __tsan_release(&begin_);
  }
  ~LoopOrder() {
    __tsan_acquire(&end_);
  }
  void task_begins() {
    __tsan_acquire(&begin_);
  }
  void task_ends() {
    __tsan_release(&end_);
  }

 private:
  char begin_ = 0;
  char end_ = 0;
#else
  void task_begins() {}
  void task_ends() {}
#endif
};

constexpr int kMostThreads = 256;

// Making an arena costs more than a small kernel call, so each size is made once and kept.
tbb::task_arena& arena_of(int threads) {
  // oneTBB caps workers at the number of cores unless told otherwise; more threads than cores are slow, not
  // wrong.
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, kMostThreads);
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<tbb::task_arena>> arenas;
  const std::scoped_lock lock(mutex);
  auto& arena = arenas[threads];
  if (!arena) arena = std::make_unique<tbb::task_arena>(threads);
  return *arena;
}

}  // namespace

int resolve_threads(int threads) {
  return threads > 0 ? std::min(threads, kMostThreads) : tbb::info::default_concurrency();
}

void parallel_tasks(int tasks, int threads, const std::function<void(int)>& body) {
  const int used = resolve_threads(threads);
  const bool shared = ranks().size() > 1;
  if (tasks <= 1 || (shared && rank_context().together) || (!shared && used == 1)) {
    for (int task = 0; task < tasks; ++task) body(task);
    return;
  }
  const RankContext context = alone();
  if (used == 1) {
    const RankScope scope(context);
    for (int task = 0; task < tasks; ++task) body(task);
    return;
  }
  LoopOrder order;
  arena_of(used).execute([&] {
    tbb::parallel_for(
        0, tasks,
        [&](int task) {
          const RankScope scope(context);
          order.task_begins();
          body(task);
          order.task_ends();
        },
        tbb::simple_partitioner());
  });
}

}  // namespace interpole::base
