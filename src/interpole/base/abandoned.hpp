// Threads that were left to themselves because nothing can end them: a library that does not come back. They
// die with the process, which must then leave without cleaning up beneath them (std::_Exit).
#pragma once

namespace interpole::base {

void note_abandoned_thread();
bool has_abandoned_threads();

}  // namespace interpole::base
