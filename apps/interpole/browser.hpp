// Opening the user's browser.
#pragma once

#include <string>

#include "interpole/base/files/temporary_folder.hpp"

namespace interpole::cli {

bool there_is_a_display();

// Opens an address that holds a secret. Everybody on the machine can see the arguments of a program, so the
// browser is given a file only the user can read, which sends it on. Does not wait for it, and does not mind
// if there is none: the address was printed too.
class BrowserStart {
 public:
  explicit BrowserStart(const std::string& address);

 private:
  base::TemporaryFolder folder_;
};

}  // namespace interpole::cli
