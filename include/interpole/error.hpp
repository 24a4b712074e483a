// The one exception the library throws. Its message names the place, the value and the remedy; its kind
// decides the exit code of the program.
#pragma once

#include <stdexcept>
#include <string>

namespace interpole {

enum class ErrorKind {
  kRuntime,      // exit code 1: the machine failed us (disk, memory, a library)
  kUsage,        // exit code 2: the call's words are wrong
  kInput,        // exit code 3: bad data, study or model file
  kInterrupted,  // exit code 130: stopped by the user before there was a result
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

inline Error input_error(const std::string& message) {
  return {ErrorKind::kInput, message};
}
inline Error usage_error(const std::string& message) {
  return {ErrorKind::kUsage, message};
}
inline Error runtime_error(const std::string& message) {
  return {ErrorKind::kRuntime, message};
}

}  // namespace interpole
