// A chain's state as text and back: one line per field, numbers exact (hexadecimal), a SHA-256 of all that
// stands above in the last line. Reading is strict: a text that was cut, altered or appended to is refused.
#pragma once

#include <string>
#include <string_view>

#include "interpole/sampling/nuts/nuts.hpp"

namespace interpole::sampling {

std::string nuts_state_to_text(const NutsState& state);

// `place` is named in errors, for example the file the text came from. Throws an input error.
NutsState nuts_state_from_text(std::string_view text, std::string_view place);

}  // namespace interpole::sampling
