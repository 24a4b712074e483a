#include "interpole/base/stop.hpp"

#include "interpole/error.hpp"

namespace interpole::base {

void stop_if_asked(const Sink& sink, const char* sentence) {
  if (sink.stop_requested()) throw Error(ErrorKind::kInterrupted, sentence);
}

}  // namespace interpole::base
