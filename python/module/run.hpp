// Long work away from Python's lock: it runs on a thread of its own, while the calling thread waits, hands on
// what is said, and looks for Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "interpole/sink.hpp"

namespace interpole::python {

// What the work says, kept until the calling thread takes it.
class QueueSink : public Sink {
 public:
  struct Said {
    const char* kind = "note";  // note, warning or progress
    std::string words;
    std::int64_t done = 0;
    std::int64_t total = 0;
  };

  void note(const std::string& sentence) override { add({"note", sentence}); }
  void warn(const std::string& sentence) override { add({"warning", sentence}); }
  // Only the newest of each kind of work is kept.
  void progress(const std::string& what, std::int64_t done, std::int64_t total) override;
  bool stop_requested() const override { return stop_; }

  void ask_to_stop() { stop_ = true; }
  void finish();
  // True when the work is done; waits a little otherwise.
  bool wait();
  std::vector<Said> take();

 private:
  void add(Said said);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Said> said_;
  bool finished_ = false;
  std::atomic<bool> stop_ = false;
};

// With Python's lock held: waits for the work without it. What is said goes to `listener` (kind, words, done,
// total), unless it is None. Whatever it throws, and KeyboardInterrupt, asks the work to stop and is thrown
// when it has.
void attend(QueueSink& sink, const pybind11::object& listener, std::thread& worker);

template <class Work>
auto run(const pybind11::object& listener, const Work& work) {
  QueueSink sink;
  std::optional<decltype(work(sink))> result;
  std::exception_ptr problem;
  std::thread worker([&] {
    try {
      result.emplace(work(sink));
    } catch (...) {
      problem = std::current_exception();
    }
    sink.finish();
  });
  attend(sink, listener, worker);
  if (problem) std::rethrow_exception(problem);
  return std::move(*result);
}

}  // namespace interpole::python
