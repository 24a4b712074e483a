// Threads as ranks: each runs the same body and has its own place in a gathering.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "interpole/base/ranks/ranks.hpp"

namespace interpole::base {

// Where threads meet. Everybody puts something down, waits for the last, and takes everything.
class MeetingPlace {
 public:
  explicit MeetingPlace(int size) : size_(size), put_(size) {}

  // Null if not all came in time.
  std::optional<std::vector<std::string>> meet(int rank, std::string mine, double patience) {
    std::unique_lock lock(mutex_);
    const std::int64_t round = round_;
    put_[rank] = std::move(mine);
    if (++here_ == size_) {
      here_ = 0;
      ++round_;
      taken_ = put_;
      all_here_.notify_all();
      return taken_;
    }
    const auto came = [&] { return round_ != round || closed_; };
    const bool in_time = all_here_.wait_for(lock, std::chrono::duration<double>(patience), came);
    if (!in_time || round_ == round) return {};
    return taken_;
  }

  // Nobody more will come.
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    all_here_.notify_all();
  }

 private:
  int size_;
  int here_ = 0;
  bool closed_ = false;
  std::int64_t round_ = 0;
  std::vector<std::string> put_, taken_;
  std::mutex mutex_;
  std::condition_variable all_here_;
};

struct RankEnded : std::exception {};

class ThreadRanks : public Ranks {
 public:
  ThreadRanks(int rank, int size, MeetingPlace& work, MeetingPlace& end)
      : rank_(rank), size_(size), work_(work), end_(end) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::optional<std::vector<std::string>> part(std::string_view mine, double patience) override {
    return end_.meet(rank_, std::string(mine), patience);
  }
  void abort(int /*exit_code*/) override {
    work_.close();
    end_.close();
    throw RankEnded{};
  }

 protected:
  std::vector<std::string> exchange(std::string_view mine) override {
    constexpr double kForever = 600.0;
    auto all = work_.meet(rank_, std::string(mine), kForever);
    if (!all) throw RankEnded{};
    return *all;
  }
  void exchange_numbers(std::span<double> all, std::span<const int> counts) override {
    std::size_t own = 0;
    for (int r = 0; r < rank_; ++r) own += counts[r];
    const auto* bytes = reinterpret_cast<const char*>(all.data() + own);
    const auto texts = exchange({bytes, counts[rank_] * sizeof(double)});
    std::size_t begin = 0;
    for (int r = 0; r < size_; ++r) {
      std::copy(texts[r].begin(), texts[r].end(), reinterpret_cast<char*>(all.data() + begin));
      begin += counts[r];
    }
  }

 private:
  int rank_, size_;
  MeetingPlace& work_;
  MeetingPlace& end_;
};

// body(ranks) on every rank; the first exception, in the order of ranks, is rethrown when all have ended.
inline void run_as_ranks(int size, const std::function<void(Ranks&)>& body) {
  MeetingPlace work(size), end(size);
  std::vector<std::exception_ptr> failures(size);
  std::vector<std::thread> threads;
  threads.reserve(size);
  for (int r = 0; r < size; ++r) {
    threads.emplace_back([&, r] {
      ThreadRanks own(r, size, work, end);
      const RankScope scope({.team = &own});
      try {
        body(own);
      } catch (...) {
        failures[r] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace interpole::base
