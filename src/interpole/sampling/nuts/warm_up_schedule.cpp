#include "interpole/sampling/nuts/warm_up_schedule.hpp"

#include <algorithm>
#include <cstdint>

namespace interpole::sampling {
namespace {

constexpr int kFewest = 20;

}  // namespace

WarmUpSchedule::WarmUpSchedule(int iterations, int first_stretch, int first_window, int last_stretch) {
  if (iterations < kFewest) return;
  if (std::int64_t{first_stretch} + first_window + last_stretch > iterations) {
    first_stretch = static_cast<int>(0.15 * iterations);
    last_stretch = static_cast<int>(0.10 * iterations);
    first_window = iterations - first_stretch - last_stretch;
  }
  begin_ = first_stretch;
  end_ = iterations - last_stretch;
  std::int64_t window = first_window;
  for (std::int64_t at = begin_; at < end_; window *= 2) {
    at += window;
    // A window that would leave no room for one of twice its length takes all that is left.
    if (at + 2 * window > end_) at = end_;
    window_ends_.push_back(static_cast<int>(at));
  }
}

bool WarmUpSchedule::renews_metric(int iteration) const {
  return std::binary_search(window_ends_.begin(), window_ends_.end(), iteration);
}

}  // namespace interpole::sampling
