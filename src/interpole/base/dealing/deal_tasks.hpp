// Tasks over all ranks and their threads. Which rank does a task depends on who is free, what comes of it
// must not: as with parallel_tasks, each task writes to a place of its own. On one process this is
// parallel_tasks.
//
// Ranks exchange what is done from time to time, at most every half millisecond and so seldom that it costs a
// few hundredths of the time. Every rank then knows who has finished what and who is free, and all deal the
// next tasks in the same way: there is no master.
#pragma once

#include <functional>
#include <string>

namespace interpole::base {

// What other ranks must know of a finished task.
struct TaskResults {
  // By the thread that did the task. Empty: nothing was found (the task was stopped).
  std::function<std::string(int)> pack;
  // On all other ranks, by the thread that called deal_tasks, as soon as it is known there.
  std::function<void(int, const std::string&)> unpack;
};

// `run` may be called by several threads at a time, and inside it the rank is alone. After a failure or an
// agreed stop no further tasks are begun; a failure is then thrown on all ranks, that of the lowest task
// first.
void deal_tasks(int tasks, int threads, const std::function<void(int)>& run, const TaskResults& results);

}  // namespace interpole::base
