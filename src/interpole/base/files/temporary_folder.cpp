#include "interpole/base/files/temporary_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "interpole/base/files/unfinished.hpp"
#include "interpole/error.hpp"

namespace interpole::base {

TemporaryFolder::TemporaryFolder() {
  std::error_code missing;
  const auto parent = std::filesystem::temp_directory_path(missing);
  if (missing) {
    throw runtime_error(fmt::format("there is no folder for temporary files ({}); set TMPDIR to one that is",
                                    missing.message()));
  }
  path_ = (parent / "interpole-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) {
    throw runtime_error(
        fmt::format("{}: no folder can be made there ({}); set TMPDIR to one that can be written", path_,
                    std::strerror(errno)));
  }
  remember_unfinished(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  forget_unfinished(path_);
}

}  // namespace interpole::base
