#include "interpole/version.hpp"

namespace interpole {

const char* version() {
  return INTERPOLE_VERSION;
}

}  // namespace interpole
