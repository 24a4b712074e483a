#include "interpole/base/abandoned.hpp"

#include <atomic>

namespace interpole::base {
namespace {

std::atomic<bool> any_abandoned = false;

}  // namespace

void note_abandoned_thread() {
  any_abandoned = true;
}

bool has_abandoned_threads() {
  return any_abandoned;
}

}  // namespace interpole::base
