// libFuzzer's door to one target, INTERPOLE_FUZZ_TARGET.

#include <cstddef>
#include <cstdint>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  interpole::fuzz::INTERPOLE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
