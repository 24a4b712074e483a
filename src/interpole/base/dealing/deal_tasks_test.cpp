#include "interpole/base/dealing/deal_tasks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "interpole/base/parallel.hpp"
#include "interpole/base/ranks/thread_ranks_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

std::string answer_of(int task) {
  return "answer " + std::to_string(task * task);
}

// What a rank knows when all tasks are done.
std::vector<std::string> answers(int tasks, int threads, std::atomic<int>& done) {
  std::vector<std::string> places(tasks);
  deal_tasks(tasks, threads,
             [&](int task) {
               EXPECT_EQ(ranks().size(), 1);
               places[task] = answer_of(task);
               ++done;
             },
             {[&](int task) { return places[task]; },
              [&](int task, const std::string& text) {
                EXPECT_EQ(places[task], "");
                places[task] = text;
              }});
  return places;
}

TEST(DealTasks, GivesEveryRankEveryAnswerAndDoesEachTaskOnce) {
  for (const int size : {1, 2, 3, 5, 8}) {
    for (const int threads : {1, 2}) {
      for (const int tasks : {0, 1, 2, 7, 40}) {
        std::atomic<int> done = 0;
        std::atomic<int> right = 0;
        run_as_ranks(size, [&](Ranks&) {
          const auto found = answers(tasks, threads, done);
          for (int task = 0; task < tasks; ++task) right += found[task] == answer_of(task) ? 1 : 0;
        });
        EXPECT_EQ(done, tasks);
        EXPECT_EQ(right, tasks * size);
      }
    }
  }
}

TEST(DealTasks, GivesTheNextTaskToWhoIsFree) {
  std::vector<int> who(9, -1);
  run_as_ranks(2, [&](Ranks& all) {
    std::vector<std::string> places(who.size());
    deal_tasks(static_cast<int>(who.size()), 1,
               [&](int task) {
                 who[task] = all.rank();
                 std::this_thread::sleep_for(std::chrono::milliseconds(task == 0 ? 400 : 5));
               },
               {[](int) { return "x"; }, [](int, const std::string&) {}});
  });
  EXPECT_EQ(who[0], 0);
  for (std::size_t task = 1; task < who.size(); ++task) EXPECT_EQ(who[task], 1) << task;
}

TEST(DealTasks, ThrowsTheFirstFailureOnAllRanks) {
  std::atomic<int> thrown = 0;
  run_as_ranks(3, [&](Ranks&) {
    try {
      deal_tasks(6, 1,
                 [](int task) {
                   if (task % 2 == 1) throw input_error("task " + std::to_string(task) + ": no good");
                 },
                 {[](int) { return "x"; }, [](int, const std::string&) {}});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(std::string(error.what()), "task 1: no good");
      ++thrown;
    }
  });
  EXPECT_EQ(thrown, 3);
}

TEST(DealTasks, StopsOnAllRanksWhenOneIsAsked) {
  std::atomic<bool> asked = false;
  std::atomic<int> begun = 0;
  run_as_ranks(3, [&](Ranks& all) {
    if (all.rank() == 1) all.listen([&] { return asked.load(); });
    deal_tasks(1000, 1,
               [&](int task) {
                 if (task == 10) asked = true;
                 ++begun;
                 std::this_thread::sleep_for(std::chrono::milliseconds(1));
               },
               {[](int) { return "x"; }, [](int, const std::string&) {}});
    EXPECT_TRUE(all.stop_agreed());
  });
  EXPECT_LT(begun, 1000);
}

TEST(DealTasks, LeavesOutWhatFoundNothing) {
  run_as_ranks(2, [&](Ranks&) {
    deal_tasks(4, 1, [](int) {}, {[](int) { return ""; }, [](int, const std::string&) { FAIL(); }});
  });
}

TEST(DealTasks, TogetherEveryRankDoesEveryTaskInOrder) {
  run_as_ranks(3, [&](Ranks& all) {
    const RankScope scope(together(true));
    std::vector<int> order;
    deal_tasks(5, 2,
               [&](int task) {
                 EXPECT_EQ(ranks().size(), 3);
                 EXPECT_EQ(all.gather(std::to_string(task)),
                           std::vector<std::string>(3, std::to_string(task)));
                 order.push_back(task);
               },
               {[](int) { return ""; }, [](int, const std::string&) { FAIL(); }});
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
  });
}

TEST(ParallelTasks, AreAloneOnEveryRank) {
  run_as_ranks(2, [&](Ranks&) {
    std::vector<int> sizes(6);
    parallel_tasks(6, 2, [&](int task) { sizes[task] = ranks().size(); });
    EXPECT_EQ(sizes, std::vector<int>(6, 1));
  });
}

}  // namespace
}  // namespace interpole::base
