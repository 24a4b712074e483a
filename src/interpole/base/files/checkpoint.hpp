// Finished parts of a long computation, kept in a file so that a run that was killed can go on instead of
// beginning anew. Parts are named texts; what they hold is their owner's business.
//
// The file is replaced atomically, ends with a SHA-256 of all that stands above, and says what run it belongs
// to: a file that was cut or altered, or is of another run, is refused and never misread.
//
// With several ranks the file is the first one's: it reads for all, and only it writes. Parts that another
// rank remembers are in the file only if the first is told of them.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace interpole::base {

inline constexpr double kCheckpointSeconds = 5.0;

class Checkpoint {
 public:
  // What a result depends on: named values, for example {"option seed", "1"}.
  using Fingerprint = std::vector<std::pair<std::string, std::string>>;

  // Reads the file if there is one. Throws an input error if it is not a checkpoint, or one of a run with
  // another fingerprint; the message names the first difference and ends with `remedy`. `seconds`: how often
  // to write.
  Checkpoint(std::string path, Fingerprint fingerprint, double seconds = kCheckpointSeconds,
             std::string remedy = "delete it, or name another file by option checkpoint");
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  const std::string& path() const { return path_; }
  bool resumed() const { return resumed_; }  // there was a file

  // All of these may be called from any thread.
  std::optional<std::string> recall(const std::string& name) const;
  void remember(const std::string& name, std::string text);  // in the file from the next write on
  // Time to write? Writing never takes more than a small share of the time.
  bool due() const;
  void write();
  void write_if_due();
  // The run has finished: removes the file, and what a killed run may have left of a half-written one. What
  // is not a checkpoint stays, whatever it is called.
  void remove();

 private:
  using Clock = std::chrono::steady_clock;
  void read();
  std::string bytes_if_any() const;
  void parse(std::string_view text);
  void compare(const Fingerprint& found) const;
  std::string text() const;
  [[noreturn]] void refuse(std::string_view reason) const;

  std::string path_;
  Fingerprint fingerprint_;
  double seconds_;
  std::string remedy_;
  bool resumed_ = false;
  mutable std::mutex mutex_;
  std::map<std::string, std::string> parts_;
  Clock::time_point next_write_;
};

}  // namespace interpole::base
