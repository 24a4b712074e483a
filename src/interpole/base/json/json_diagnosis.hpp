// Where and why a text is not JSON. Only asked once reading has failed, so it may take its time.
#pragma once

#include <string>

namespace interpole::base {

// The message for a text nested deeper than kMostJsonDepth.
std::string too_deep_message(const std::string& where);

// A message such as "FILE: transition[0][1][0]: 1e999 is too large for a number; write a finite one".
// `otherwise` is the reason to give if this second, independent parser finds nothing wrong.
std::string diagnose_json(const std::string& text, const std::string& where, const std::string& otherwise);

}  // namespace interpole::base
