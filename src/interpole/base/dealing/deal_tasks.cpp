#include "interpole/base/dealing/deal_tasks.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "interpole/base/parallel.hpp"
#include "interpole/base/ranks/agree.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/ranks.hpp"

namespace interpole::base {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kShortestPause = 0.0005;  // seconds between exchanges
constexpr double kLongestPause = 0.1;
constexpr double kShareOfPause = 0.02;  // of the time since anything was finished

// What became of tasks on one rank since its last message.
struct News {
  struct Done {
    int task = 0;
    std::string text;
  };
  std::vector<Done> done;
  std::map<int, std::string> failures;  // by task

  bool any() const { return !done.empty() || !failures.empty(); }

  std::string packed() const {
    PacketWriter out;
    out.add(static_cast<std::uint64_t>(done.size()));
    for (const Done& one : done) out.add(one.task).add(std::string_view(one.text));
    for (const auto& [task, failure] : failures) out.add(task).add(std::string_view(failure));
    return out.take();
  }

  static News unpacked(const std::string& bytes) {
    PacketReader in(bytes);
    News news;
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
      const int task = in.get<int>();
      news.done.push_back({task, in.text()});
    }
    while (!in.ended()) {
      const int task = in.get<int>();
      news.failures[task] = in.text();
    }
    return news;
  }
};

// The threads of this rank. They take tasks as these are dealt to it.
class Workers {
 public:
  Workers(int count, const std::function<void(int)>& run, const std::function<std::string(int)>& pack)
      : run_(run), pack_(pack) {
    const RankContext context = dealt();
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this, context] {
        const RankScope scope(context);
        work();
      });
    }
  }
  ~Workers() {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
      queue_.clear();
    }
    more_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void add(int task) {
    {
      const std::scoped_lock lock(mutex_);
      queue_.push_back(task);
    }
    more_.notify_one();
  }

  // What was finished, if not at once, then before the pause is over.
  News wait(double pause) {
    std::unique_lock lock(mutex_);
    finished_.wait_for(lock, Seconds(pause), [&] { return news_.any(); });
    return std::exchange(news_, {});
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      more_.wait(lock, [&] { return closed_ || !queue_.empty(); });
      if (closed_) return;
      const int task = queue_.front();
      queue_.pop_front();
      lock.unlock();
      std::string text;
      std::string failure;
      try {
        run_(task);
        text = pack_(task);
      } catch (const std::exception& error) {
        failure = packed_error(error);
      }
      lock.lock();
      if (failure.empty()) {
        news_.done.push_back({task, std::move(text)});
      } else {
        news_.failures[task] = std::move(failure);
      }
      finished_.notify_one();
    }
  }

  const std::function<void(int)>& run_;
  const std::function<std::string(int)>& pack_;
  std::mutex mutex_;
  std::condition_variable more_, finished_;
  bool closed_ = false;
  std::deque<int> queue_;
  News news_;
  std::vector<std::thread> threads_;
};

// All ranks have the same one, and do the same with it.
class Dealing {
 public:
  Dealing(Ranks& all, int tasks, int threads, const std::function<void(int)>& run, const TaskResults& results)
      : all_(all),
        tasks_(tasks),
        results_(results),
        under_way_(all.size(), 0),
        workers_(std::min(resolve_threads(threads), tasks), run, results.pack) {
    const int own = std::min(resolve_threads(threads), tasks);
    for (const std::string& text : all_.gather(PacketWriter().add(own).take())) {
      threads_of_.push_back(PacketReader(text).get<int>());
    }
  }

  void run() {
    auto last_news = Clock::now();
    deal();
    while (left_ > 0) {
      const double since = Seconds(Clock::now() - last_news).count();
      const News own = workers_.wait(std::clamp(kShareOfPause * since, kShortestPause, kLongestPause));
      if (exchange(own)) last_news = Clock::now();
      if (failures_.empty() && !all_.stop_agreed()) deal();
    }
    if (!failures_.empty()) throw_packed(failures_.begin()->second);
  }

 private:
  bool exchange(const News& own) {
    const auto texts = all_.gather(own.packed());
    bool any = false;
    for (int rank = 0; rank < all_.size(); ++rank) {
      const News news = rank == all_.rank() ? own : News::unpacked(texts[rank]);
      any |= news.any();
      const int ended = static_cast<int>(news.done.size() + news.failures.size());
      under_way_[rank] -= ended;
      left_ -= ended;
      failures_.insert(news.failures.begin(), news.failures.end());
      if (rank == all_.rank()) continue;
      for (const News::Done& one : news.done) {
        if (!one.text.empty()) results_.unpack(one.task, one.text);
      }
    }
    return any;
  }

  // In order, to whom has most threads free; of several the first.
  void deal() {
    while (next_ < tasks_) {
      int who = 0;
      for (int rank = 1; rank < all_.size(); ++rank) {
        if (free_on(rank) > free_on(who)) who = rank;
      }
      if (free_on(who) <= 0) return;
      ++under_way_[who];
      ++left_;
      if (who == all_.rank()) workers_.add(next_);
      ++next_;
    }
  }

  int free_on(int rank) const { return threads_of_[rank] - under_way_[rank]; }

  Ranks& all_;
  int tasks_;
  const TaskResults& results_;
  std::vector<int> threads_of_, under_way_;
  std::map<int, std::string> failures_;
  int next_ = 0;  // to be dealt
  int left_ = 0;  // dealt and not finished
  Workers workers_;
};

}  // namespace

void deal_tasks(int tasks, int threads, const std::function<void(int)>& run, const TaskResults& results) {
  Ranks& all = ranks();
  if (all.size() == 1 || tasks == 0 || rank_context().together) return parallel_tasks(tasks, threads, run);
  Dealing(all, tasks, threads, run, results).run();
}

}  // namespace interpole::base
