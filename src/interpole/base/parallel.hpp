// Tasks on threads. Results must not depend on who runs what: each task writes to a place of its own, and the
// caller combines those places in task order. That is how every result is the same for any number of threads.
#pragma once

#include <functional>

namespace interpole::base {

// 0 means all cores of the machine.
int resolve_threads(int threads);

// Calls body(0) … body(tasks − 1), at most `threads` at a time. An exception in a task is rethrown here. With
// several ranks each of them does all tasks, and is alone in them (base/ranks); deal_tasks shares them out.
void parallel_tasks(int tasks, int threads, const std::function<void(int)>& body);

}  // namespace interpole::base
