// A last line without an end that is longer than DuckDB takes is dropped by it without a word. Here it is
// refused. (Longer lines elsewhere DuckDB complains of itself.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace interpole::data {

class LastLine {
 public:
  static constexpr std::int64_t kLongest = 2'000'000;  // bytes; DuckDB's own limit is a little above

  // The next bytes of the text.
  void take(std::string_view bytes);
  // Throws an input error if the text ended in a line that is too long.
  void check(const std::string& path) const;

 private:
  std::int64_t length_ = 0;  // since the last line break
};

// Of a file that is not compressed: reads its end.
void check_last_line(const std::string& path);

}  // namespace interpole::data
