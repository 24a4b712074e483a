// The files that data are read from: one, or several tables by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace interpole {

struct DataFiles {
  std::vector<std::pair<std::string, std::string>> tables;  // name (empty: none given), file

  // For messages and titles: the file, or all of them with commas between.
  std::string shown() const;
};

// Each value is FILE or name=FILE. A file whose own name looks like name=… is written ./name=…
DataFiles parse_data_files(std::span<const std::string> values);
DataFiles data_file(const std::string& path);

// Letters, digits and _, not beginning with a digit: what SQL takes for a name as it stands.
bool is_table_name(std::string_view name);
// As SQL compares names: case is ignored.
bool same_table_name(std::string_view x, std::string_view y);

}  // namespace interpole
