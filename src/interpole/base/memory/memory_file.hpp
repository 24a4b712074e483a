// Content in memory under a path, for tasks that read files: whoever has a table, a study or a model at hand
// names it like a file, and everything that reads files reads it. Such a path ("memory:7/visits.csv") is
// never looked up on a disk.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace interpole::base {

class MemoryContent {
 public:
  virtual ~MemoryContent() = default;
  // The bytes that a file with this content would hold, piece by piece.
  virtual void read(const std::function<void(std::string_view)>& take) const = 0;
};

class MemoryText : public MemoryContent {
 public:
  explicit MemoryText(std::string text) : text_(std::move(text)) {}
  void read(const std::function<void(std::string_view)>& take) const override { take(text_); }

 private:
  std::string text_;
};

// Keeps the content under a path that no other has, until the end of its life. Any thread may read it.
class MemoryFile {
 public:
  // `name`: as people know it, without a folder.
  MemoryFile(const std::string& name, std::shared_ptr<const MemoryContent> content);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Null if the path is not that of a MemoryFile. Throws a runtime error if it was one and is gone.
std::shared_ptr<const MemoryContent> memory_content(const std::string& path);

// Words in which such files have their names alone: "visits.csv" for "memory:7/visits.csv".
std::string with_plain_names(std::string words);

}  // namespace interpole::base
