#include "interpole/sink.hpp"

namespace interpole {

Sink& quiet_sink() {
  static Sink sink;
  return sink;
}

}  // namespace interpole
