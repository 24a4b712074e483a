// A whole text file that somebody else wrote, read without trust in its size.
#pragma once

#include <string>

namespace interpole::base {

// `what`: what the file should be, for messages ("model file"). Throws an input error if it is a folder,
// cannot be read, or is larger than 256 MB. A pipe is read to its end.
std::string read_text_file(const std::string& path, const std::string& what);

}  // namespace interpole::base
