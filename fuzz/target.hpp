// What fuzz targets share. A target takes any bytes, gives them to one reader of the library, and demands of
// it what the reader promises: to take the input, or to refuse it with an input error that names the file and
// is safe to print. Whatever else happens (a crash, another exception, a sanitizer's word, a broken promise)
// is a finding.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace interpole::fuzz {

// Ends the process with `promise` if it does not hold.
void require(bool holds, const char* promise);

// Whether `act` takes its input. An input error must name `file` and be safe to print.
bool taken(const std::function<void()>& act, std::string_view file);

// Without characters that steer a terminal or turn text around, and UTF-8 throughout.
bool is_safe_to_print(std::string_view text);

// A file with these bytes, until the end of its life. `name`: "in.csv", where readers go by the name.
class InputFile {
 public:
  explicit InputFile(std::string_view bytes, const std::string& name = "");
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;  // of a file in memory, where no name is asked for
  std::string path_;
};

// Numbers and texts taken from the front of an input.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  unsigned below(unsigned limit);  // 0 where nothing is left
  double number();                 // any bits
  std::string text(std::size_t most);
  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace interpole::fuzz
