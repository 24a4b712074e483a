// The version of the library.
#pragma once

namespace interpole {

const char* version();  // "major.minor.patch"

}  // namespace interpole
