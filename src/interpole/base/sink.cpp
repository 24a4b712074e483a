#include "interpole/base/sink.hpp"

namespace interpole {

Sink& quiet_sink() {
  static Sink sink;
  return sink;
}

}  // namespace interpole
