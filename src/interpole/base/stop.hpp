// Stopping work that has no result to keep.
#pragma once

#include "interpole/sink.hpp"

namespace interpole::base {

// Throws an error of kind kInterrupted, with this sentence, if the sink asks for a stop.
void stop_if_asked(const Sink& sink, const char* sentence = "stopped; nothing was written");

}  // namespace interpole::base
