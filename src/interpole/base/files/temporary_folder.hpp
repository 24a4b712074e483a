// A folder for files that nobody else may read and that are gone afterwards.
#pragma once

#include <string>

namespace interpole::base {

class TemporaryFolder {
 public:
  TemporaryFolder();   // in the system's folder for temporary files, mode 0700; throws a runtime error
  ~TemporaryFolder();  // with everything in it
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace interpole::base
