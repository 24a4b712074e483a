#include "interpole/base/memory/memory_file.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "interpole/error.hpp"

namespace interpole::base {
namespace {

constexpr std::string_view kMemoryPrefix = "memory:";

struct HeldFiles {
  std::mutex mutex;
  std::uint64_t next = 1;
  std::map<std::string, std::shared_ptr<const MemoryContent>, std::less<>> by_path;
};

HeldFiles& held_files() {
  static HeldFiles files;
  return files;
}

// How long "memory:7/" is at the beginning of these words; 0: they begin otherwise.
std::size_t prefix_length(std::string_view words) {
  if (!words.starts_with(kMemoryPrefix)) return 0;
  const std::size_t end = words.find_first_not_of("0123456789", kMemoryPrefix.size());
  return end != std::string_view::npos && end > kMemoryPrefix.size() && words[end] == '/' ? end + 1 : 0;
}

}  // namespace

MemoryFile::MemoryFile(const std::string& name, std::shared_ptr<const MemoryContent> content) {
  if (name.empty() || name.find('/') != std::string::npos) {
    throw usage_error(fmt::format("\"{}\" cannot be the name of a file; give one without a folder", name));
  }
  HeldFiles& files = held_files();
  const std::scoped_lock lock(files.mutex);
  path_ = fmt::format("{}{}/{}", kMemoryPrefix, files.next++, name);
  files.by_path.emplace(path_, std::move(content));
}

MemoryFile::~MemoryFile() {
  HeldFiles& files = held_files();
  std::shared_ptr<const MemoryContent> content;  // destroyed after the lock: its end may take long
  const std::scoped_lock lock(files.mutex);
  const auto found = files.by_path.find(path_);
  content = std::move(found->second);
  files.by_path.erase(found);
}

std::shared_ptr<const MemoryContent> memory_content(const std::string& path) {
  if (prefix_length(path) == 0) return nullptr;
  HeldFiles& files = held_files();
  const std::scoped_lock lock(files.mutex);
  const auto found = files.by_path.find(path);
  if (found == files.by_path.end()) {
    throw runtime_error(fmt::format("{}: is no longer in memory; keep it until the work is done", path));
  }
  return found->second;
}

std::string with_plain_names(std::string words) {
  std::size_t at = words.find(kMemoryPrefix);
  while (at != std::string::npos) {
    const std::size_t length = prefix_length(std::string_view(words).substr(at));
    words.erase(at, length);
    at = words.find(kMemoryPrefix, length > 0 ? at : at + 1);
  }
  return words;
}

}  // namespace interpole::base
