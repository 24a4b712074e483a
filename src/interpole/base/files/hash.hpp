// Fingerprints of inputs, for provenance: the same digest `sha256sum` prints.
#pragma once

#include <string>
#include <string_view>

namespace interpole::base {

std::string sha256(std::string_view bytes);
std::string sha256_of_file(const std::string& path);  // streams; throws if the file cannot be read

}  // namespace interpole::base
