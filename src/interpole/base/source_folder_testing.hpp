// Where the project's own files are, for tests that read them. Not by __FILE__: with a compiler cache that
// clones share it names no folder, only a way from the build folder.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace interpole::base {

// The project's folder: what ctest says, or else the nearest one above the working folder.
inline std::filesystem::path source_folder() {
  if (const char* const told = std::getenv("INTERPOLE_SOURCE_FOLDER")) return told;
  std::filesystem::path folder = std::filesystem::current_path();
  while (!exists(folder / "src/interpole/rooms.tsv") && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return folder;
}

}  // namespace interpole::base
