#include "interpole/base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace interpole::base {
namespace {

TEST(Parallel, RunsEachTaskOnce) {
  for (const int threads : {0, 1, 2, 3, 8}) {
    for (const int tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(tasks));
      parallel_tasks(tasks, threads, [&](int task) { ++runs.at(static_cast<std::size_t>(task)); });
      for (int task = 0; task < tasks; ++task) {
        ASSERT_EQ(runs[static_cast<std::size_t>(task)], 1) << task << " of " << tasks << " on " << threads;
      }
    }
  }
}

TEST(Parallel, NeverRunsMoreThanTheChosenThreads) {
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;
  parallel_tasks(64, 2, [&](int) {
    const int running = ++now;
    int seen = most;
    while (running > seen && !most.compare_exchange_weak(seen, running)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --now;
  });
  EXPECT_LE(most, 2);
  EXPECT_GE(most, 1);
}

TEST(Parallel, OneThreadRunsInOrderOnTheCaller) {
  std::vector<int> order;
  const auto caller = std::this_thread::get_id();
  parallel_tasks(20, 1, [&](int task) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(task);
  });
  std::vector<int> expected(20);
  for (int i = 0; i < 20; ++i) expected[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(order, expected);
}

TEST(Parallel, RethrowsTheExceptionOfATaskAndStaysUsable) {
  for (const int threads : {1, 2, 8}) {
    const auto body = [](int task) {
      if (task == 13) throw std::runtime_error("task 13");
    };
    try {
      parallel_tasks(100, threads, body);
      FAIL() << "no exception on " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "task 13");
    }
    std::atomic<int> runs = 0;
    parallel_tasks(10, threads, [&](int) { ++runs; });
    EXPECT_EQ(runs, 10);
  }
}

TEST(Parallel, TasksMayHaveTasks) {
  std::atomic<int> runs = 0;
  parallel_tasks(4, 2, [&](int) { parallel_tasks(5, 2, [&](int) { ++runs; }); });
  EXPECT_EQ(runs, 20);
}

TEST(Parallel, ZeroThreadsMeansAllCores) {
  EXPECT_GE(resolve_threads(0), 1);
  EXPECT_EQ(resolve_threads(3), 3);
}

}  // namespace
}  // namespace interpole::base
