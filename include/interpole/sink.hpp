// How the library talks to whoever called it. Every function may be called from any thread.
#pragma once

#include <cstdint>
#include <string>

namespace interpole {

class Sink {
 public:
  virtual ~Sink() = default;
  // A sentence worth reading: a warning, or what was decided.
  virtual void note(const std::string& /*sentence*/) {}
  virtual void warn(const std::string& /*sentence*/) {}
  // `done` of `total` parts of `what` are finished.
  virtual void progress(const std::string& /*what*/, std::int64_t /*done*/, std::int64_t /*total*/) {}
  // Asked often; true means: stop soon and return the best so far.
  virtual bool stop_requested() const { return false; }
};

// A sink that says nothing and never stops.
Sink& quiet_sink();

}  // namespace interpole
