// Processor time: what a computation costs, whoever else uses the machine.
#pragma once

#include <time.h>  // NOLINT(modernize-deprecated-headers): clock_gettime is POSIX

namespace interpole::base {

// Seconds the calling thread has computed for, from some moment on.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace interpole::base
