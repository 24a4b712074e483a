// Ranks by MPI. Only the thread that joined calls it.
//
// Ranks do not spin for long while they wait: they ask whether a gathering is over, soon give way to other
// threads between questions, and after a while sleep between them. What waits may share its core with what
// computes.

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "interpole/base/ranks/ranks.hpp"

namespace {

using interpole::base::Ranks;
using Clock = std::chrono::steady_clock;

constexpr int kQuestionsSpinning = 500;  // some tens of microseconds
constexpr int kQuestionsAwake = 4000;    // a millisecond or so
constexpr auto kShortestSleep = std::chrono::microseconds(20);
constexpr auto kLongestSleep = std::chrono::microseconds(500);
// Counts in MPI are ints; longer texts go in several pieces of all ranks together.
constexpr std::uint64_t kMostBytesAtOnce = std::uint64_t{1} << 30;

// False if it was not over in time.
bool wait_for(MPI_Request& request, double patience) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(patience, 1e8)));
  auto sleep = kShortestSleep;
  for (int asked = 0;; ++asked) {
    int over = 0;
    MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    if (over != 0) return true;
    if (asked < kQuestionsSpinning) continue;
    if (asked < kQuestionsAwake) {
      ::sched_yield();
      continue;
    }
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(sleep);
    sleep = std::min(sleep * 2, kLongestSleep);
  }
}

std::vector<int> begins_of(const std::vector<int>& counts) {
  std::vector<int> begins(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  return begins;
}

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_dup(MPI_COMM_WORLD, &work_);
    MPI_Comm_dup(MPI_COMM_WORLD, &end_);
    MPI_Comm_rank(work_, &rank_);
    MPI_Comm_size(work_, &size_);
  }
  // Where ranks did not part, others may never come to the end: then there is none to be waited for.
  ~MpiRanks() override {
    if (parted_) MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::optional<std::vector<std::string>> part(std::string_view mine, double patience) override {
    auto texts = gathered(end_, mine, patience);
    parted_ = texts.has_value();
    return texts;
  }
  void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 protected:
  std::vector<std::string> exchange(std::string_view mine) override {
    return *gathered(work_, mine, kForever);
  }

  void exchange_numbers(std::span<double> all, std::span<const int> counts) override {
    counts_.assign(counts.begin(), counts.end());
    begins_ = begins_of(counts_);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), counts_.data(), begins_.data(),
                    MPI_DOUBLE, work_, &request);
    wait_for(request, kForever);
  }

 private:
  static constexpr double kForever = 1e8;  // seconds

  // Null if not all came. Patience is for the first step: whoever came goes on to the next.
  std::optional<std::vector<std::string>> gathered(MPI_Comm where, std::string_view mine,
                                                   double patience) const {
    const std::uint64_t length = mine.size();
    std::vector<std::uint64_t> lengths(size_);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(&length, 1, MPI_UINT64_T, lengths.data(), 1, MPI_UINT64_T, where, &request);
    if (!wait_for(request, patience)) return {};
    std::vector<std::string> texts(size_);
    const std::uint64_t longest = *std::max_element(lengths.begin(), lengths.end());
    const std::uint64_t piece = kMostBytesAtOnce / size_;
    for (std::uint64_t done = 0; done < longest; done += piece) {
      std::vector<int> counts(size_);
      for (int r = 0; r < size_; ++r) {
        counts[r] = static_cast<int>(std::min(piece, lengths[r] - std::min(lengths[r], done)));
      }
      const std::vector<int> begins = begins_of(counts);
      std::string all(static_cast<std::size_t>(begins.back()) + counts.back(), '\0');
      const std::string_view own = mine.substr(std::min<std::size_t>(done, mine.size()), counts[rank_]);
      MPI_Iallgatherv(own.data(), counts[rank_], MPI_CHAR, all.data(), counts.data(), begins.data(), MPI_CHAR,
                      where, &request);
      wait_for(request, kForever);
      for (int r = 0; r < size_; ++r) texts[r].append(all, begins[r], counts[r]);
    }
    return texts;
  }

  MPI_Comm work_ = MPI_COMM_NULL;
  MPI_Comm end_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  bool parted_ = false;
  std::vector<int> counts_, begins_;
};

}  // namespace

extern "C" Ranks* interpole_join_ranks() {
  return new MpiRanks;
}
