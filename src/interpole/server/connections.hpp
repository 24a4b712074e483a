// Who is connected, and who gives way when there are too many: first those that never sent a whole request,
// then those idle between two, then those that do not take their response; among equals, whoever has been at
// it for longest. One that is being answered stays.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace interpole::server {

class Connection {
 public:
  enum class State { kNew, kIdle, kWriting, kAnswering };
  using Clock = std::chrono::steady_clock;

  virtual ~Connection() = default;
  // Ends the connection soon, unless it is being answered by then. From any thread.
  virtual void dismiss() = 0;

  void enter(State state) {
    since_ = Clock::now().time_since_epoch();
    state_ = state;
  }
  State state() const { return state_; }
  Clock::duration since() const { return since_; }

 private:
  std::atomic<State> state_ = State::kNew;
  std::atomic<Clock::duration> since_ = Clock::now().time_since_epoch();
};

class Connections {
 public:
  explicit Connections(std::size_t most) : most_(most) {}
  // Dismisses another one if there are too many; false: all are being answered, and this one finds no place.
  bool add(const std::shared_ptr<Connection>& connection);
  void remove(const Connection* connection);

 private:
  struct Entry {
    std::weak_ptr<Connection> connection;
    bool dismissed = false;
  };

  std::size_t most_;
  std::mutex mutex_;
  std::map<const Connection*, Entry> entries_;
};

}  // namespace interpole::server
