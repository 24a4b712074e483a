#include "interpole/base/files/unfinished.hpp"

#include <filesystem>
#include <mutex>
#include <set>

namespace interpole::base {
namespace {

struct Unfinished {
  std::mutex mutex;
  std::set<std::string> paths;
};

Unfinished& unfinished() {
  static auto* all = new Unfinished;  // lives as long as any thread
  return *all;
}

}  // namespace

void remember_unfinished(const std::string& path) {
  const std::scoped_lock lock(unfinished().mutex);
  unfinished().paths.insert(path);
}

void forget_unfinished(const std::string& path) {
  const std::scoped_lock lock(unfinished().mutex);
  unfinished().paths.erase(path);
}

void remove_unfinished() {
  unfinished().mutex.lock();  // for good
  std::error_code ignored;
  for (const std::string& path : unfinished().paths) std::filesystem::remove_all(path, ignored);
}

}  // namespace interpole::base
