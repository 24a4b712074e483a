#include "interpole/data/mapping/read_ahead.hpp"

#include <utility>

namespace interpole::data {
namespace {

constexpr std::size_t kMostReady = 64;  // chunks of 2,048 rows

}  // namespace

ReadAhead::ReadAhead(const DuckdbConnection& connection, const std::string& sql, std::string where)
    : query_(connection, sql, std::move(where)), fetcher_([this] { fetch_all(); }) {}

ReadAhead::~ReadAhead() {
  stop();
}

void ReadAhead::fetch_all() {
  std::exception_ptr problem;
  try {
    while (query_.fetch() != nullptr) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopped_ || ready_.size() < kMostReady; });
      if (stopped_) break;
      ready_.push_back(query_.take());
      changed_.notify_one();
    }
  } catch (...) {
    problem = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  problem_ = problem;
  finished_ = true;
  changed_.notify_one();
}

duckdb_data_chunk ReadAhead::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return finished_ || !ready_.empty(); });
  if (ready_.empty()) {
    if (problem_) std::rethrow_exception(problem_);
    present_.reset();
    return nullptr;
  }
  std::swap(present_, ready_.front());
  const OwnedChunk old = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_one();
  lock.unlock();
  return present_.get();
}

void ReadAhead::stop() {
  if (!fetcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_one();
  }
  fetcher_.join();
}

}  // namespace interpole::data
