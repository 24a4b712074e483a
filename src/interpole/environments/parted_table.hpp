// A table written to one file, or to several of about the same size: NAME-00001.csv, NAME-00002.csv, … for
// NAME.csv, each with the header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "interpole/base/files/atomic_file.hpp"

namespace interpole::environments {

class PartedTable {
 public:
  // `rows_per_file`: a file ends before it would have more, unless what is written at once has; 0: one file,
  // `path` itself. Throws a usage error if `path` has no parts (it is standard output), and a runtime error
  // if parts of an earlier table are there: they would be taken for this one's.
  PartedTable(std::string path, std::string header, std::int64_t rows_per_file);

  // Lines that stay together: a patient's.
  void write(std::string_view lines, std::int64_t rows);
  // Every file is complete or not there; those before the last are there when the next is begun.
  void commit();

  int files() const { return parts_; }

 private:
  void begin_part();

  std::string path_;
  std::string header_;
  std::int64_t rows_per_file_;
  std::int64_t rows_ = 0;  // of the present file
  int parts_ = 0;
  std::optional<base::AtomicFile> file_;
};

// The name of part 1, 2, ….
std::string part_name(const std::string& path, int part);

}  // namespace interpole::environments
