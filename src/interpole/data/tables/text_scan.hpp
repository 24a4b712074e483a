// What no text table has, told by the byte before anything is parsed: a NUL, or a line longer than 2 MB.
// DuckDB drops a last line that is longer and has no end without a word, and does not look at bytes of
// columns that nobody asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace interpole::data {

class TextScan {
 public:
  static constexpr std::int64_t kLongest = 2'000'000;  // bytes; DuckDB's own limit is a little above

  struct Fault {
    const char* what = nullptr;
    const char* remedy = nullptr;
    std::int64_t offset = 0;
  };

  // The next bytes of the text.
  void take(std::string_view bytes);
  // The first fault of what was taken so far. It may lie in a line that has not ended yet.
  const std::optional<Fault>& fault() const { return fault_; }

 private:
  void take_piece(std::string_view bytes);
  void look_at_line(std::int64_t end);

  std::int64_t offset_ = 0;      // of the bytes to come
  std::int64_t line_begin_ = 0;  // of the line they belong to
  std::string mark_;             // the first two bytes
  std::optional<Fault> fault_;
};

// Reads a file that is not compressed. Throws an input error that names line and offset, or one if it cannot
// be read to its end.
void require_text(const std::string& path);

// Whether the bytes of a file that is not compressed are UTF-8.
bool is_utf8_file(const std::string& path);

}  // namespace interpole::data
