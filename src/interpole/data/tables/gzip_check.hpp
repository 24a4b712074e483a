// A gzip file that was cut off reads like a shorter table. This reads it through once and refuses it if it is
// not whole, or holds what no text table has (text_scan.hpp).
#pragma once

#include <string>

namespace interpole::data {

// Throws an input error if the file is not gzip, is damaged, or ends too early.
void require_whole_gzip(const std::string& path);

}  // namespace interpole::data
