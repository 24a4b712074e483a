#include "interpole/data/sources/table_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "interpole/base/files/file_stamp.hpp"
#include "interpole/error.hpp"

namespace interpole::data {

void require_distinct_parts(std::span<const std::string> parts) {
  std::set<std::string> names;
  std::set<std::pair<std::uint64_t, std::uint64_t>> files;
  for (const std::string& part : parts) {
    const base::FileStamp stamp = base::file_stamp(part);
    if (names.insert(part).second && (stamp.size < 0 || files.emplace(stamp.device, stamp.inode).second))
      continue;
    throw usage_error(fmt::format("option data: {} is given twice; name each part of a table once", part));
  }
}

std::vector<int> columns_of_part(const std::vector<std::string>& columns,
                                 const std::vector<std::string>& of_first, const std::string& part,
                                 const std::string& first) {
  std::vector<int> places;
  for (const std::string& name : of_first) {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end() || columns.size() != of_first.size()) {
      throw input_error(
          fmt::format("{}: its columns are {}, those of {} are {}; give files with the same columns", part,
                      fmt::join(columns, ", "), first, fmt::join(of_first, ", ")));
    }
    places.push_back(static_cast<int>(found - columns.begin()));
  }
  return places;
}

}  // namespace interpole::data
