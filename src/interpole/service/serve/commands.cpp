#include "interpole/service/serve/commands.hpp"

#include <fmt/format.h>

namespace interpole::service {
namespace {

// As a shell reads it back.
std::string quoted(const std::string& text) {
  constexpr std::string_view kHarmless =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./=:,+";
  if (!text.empty() && text.find_first_not_of(kHarmless) == std::string::npos) return text;
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

std::string command_of(const FitRequest& request) {
  std::string command = "interpole fit --study " + quoted(request.study);
  for (const auto& [name, file] : request.data.tables) {
    command += " --data " + quoted(name.empty() ? file : fmt::format("{}={}", name, file));
  }
  command += fmt::format(" --dynamics {}", name_of(request.options.dynamics));
  if (request.options.restarts != learn::kUntilFound) {
    command += fmt::format(" --restarts {}", request.options.restarts);
  }
  return command + fmt::format(" --seed {} --output model.json", request.options.seed);
}

std::string command_with_study() {
  return "interpole serve with --study FILE";
}

std::string command_of_states() {
  return "interpole fit --states 2..5";
}

}  // namespace interpole::service
