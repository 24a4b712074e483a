// Several processes (ranks) that work on one run. Nothing above this room knows MPI; where there is one
// process, gathering gives back what was put in.
//
// All ranks go through the program in step: the same calls, with the same numbers, in the same order. Work
// that differs is done in tasks that are dealt out, and whoever does a task is alone with it. A wish to stop,
// which reaches ranks at different moments, travels with every gathering, so that all stop at one place.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace interpole::base {

class Ranks {
 public:
  virtual ~Ranks();
  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool first() const { return rank() == 0; }

  // Everybody's bytes, in the order of ranks.
  std::vector<std::string> gather(std::string_view mine);
  // Numbers, where all know how many each rank has. `all` holds the ranks' parts one after another, `counts`
  // their lengths; one's own is filled on entry, all are on return. The first number of each part is taken by
  // this layer.
  void gather_numbers(std::span<double> all, std::span<const int> counts);

  // The last gathering, on a way of its own, so that a rank that failed reaches those that have ended. Null
  // if not everybody came within so many seconds.
  virtual std::optional<std::vector<std::string>> part(std::string_view mine, double patience) = 0;
  // Ends all ranks, whatever they do.
  [[noreturn]] virtual void abort(int exit_code) = 0;

  // Whether this process was asked to stop; called from any thread.
  void listen(std::function<bool()> asked_here) { asked_here_ = std::move(asked_here); }
  // Somebody was, and everybody knows.
  bool stop_agreed() const { return stop_agreed_; }

  // What was gathered so far.
  struct Traffic {
    std::int64_t calls = 0;
    std::int64_t bytes_sent = 0;
    std::int64_t bytes_received = 0;
    double seconds = 0.0;  // waiting for others included
  };
  const Traffic& traffic() const { return traffic_; }

 protected:
  virtual std::vector<std::string> exchange(std::string_view mine) = 0;
  virtual void exchange_numbers(std::span<double> all, std::span<const int> counts) = 0;

 private:
  bool asked_here() const { return asked_here_ && asked_here_(); }

  std::function<bool()> asked_here_;
  std::atomic<bool> stop_agreed_ = false;
  Traffic traffic_;
};

// Which ranks a thread has, and what it does with them.
struct RankContext {
  Ranks* team = nullptr;  // null: those of the process
  bool alone = false;     // in a task: others do not do the same at this moment
  bool dealt = false;     // alone with a task that is this rank's; what it finds is gathered afterwards
  bool together = false;  // tasks are done one after another by all ranks together
};

// Those of the calling thread: one rank in tasks and in most programs.
Ranks& ranks();
RankContext rank_context();
// Speaks and writes files. Also true of a rank that is alone, if it is the team's first.
bool is_first_rank();
// Before threads are started. Null: one process again.
void set_process_ranks(Ranks* ranks);

// For as long as it lives, on this thread.
class RankScope {
 public:
  explicit RankScope(const RankContext& context);
  ~RankScope();
  RankScope(const RankScope&) = delete;
  RankScope& operator=(const RankScope&) = delete;

 private:
  RankContext before_;
};

RankContext alone();  // as the thread's, with one rank
RankContext dealt();  // alone with a task
// All ranks do tasks one after another and share what is in each, if `wanted`. Else as it was.
RankContext together(bool wanted);

// What a sink answers: inside a dealt task that this process was asked to stop, elsewhere what all agreed on.
bool stop_for_all(bool asked_here);

}  // namespace interpole::base
