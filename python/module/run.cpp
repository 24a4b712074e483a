#include "run.hpp"

#include <chrono>

#include "interpole/base/memory/memory_file.hpp"

namespace interpole::python {

namespace py = pybind11;

namespace {

constexpr auto kLook = std::chrono::milliseconds(50);  // how often Ctrl-C is looked for

void hand_on(QueueSink& sink, const py::object& listener) {
  const auto said = sink.take();
  if (listener.is_none()) return;
  for (const auto& one : said) listener(one.kind, base::with_plain_names(one.words), one.done, one.total);
}

}  // namespace

void QueueSink::add(Said said) {
  const std::scoped_lock lock(mutex_);
  said_.push_back(std::move(said));
}

void QueueSink::progress(const std::string& what, std::int64_t done, std::int64_t total) {
  const std::scoped_lock lock(mutex_);
  for (Said& said : said_) {
    if (said.words != what || std::string_view(said.kind) != "progress") continue;
    said.done = done;
    said.total = total;
    return;
  }
  said_.push_back({"progress", what, done, total});
}

void QueueSink::finish() {
  const std::scoped_lock lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

bool QueueSink::wait() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kLook, [this] { return finished_; });
}

std::vector<QueueSink::Said> QueueSink::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(said_, {});
}

void attend(QueueSink& sink, const py::object& listener, std::thread& worker) {
  std::exception_ptr raised;
  bool done = false;
  while (!done) {
    {
      const py::gil_scoped_release release;
      done = sink.wait();
    }
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!raised) hand_on(sink, listener);
    } catch (...) {
      if (!raised) raised = std::current_exception();
      sink.ask_to_stop();
    }
  }
  {
    const py::gil_scoped_release release;
    worker.join();
  }
  if (raised) std::rethrow_exception(raised);
}

}  // namespace interpole::python
