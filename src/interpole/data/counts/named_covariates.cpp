#include "interpole/data/counts/named_covariates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace interpole::data {
namespace {

constexpr std::string_view kPrefix = "covariate_";

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::vector<std::string> named_covariates(const DecisionProblem& problem) {
  std::vector<std::string> names = problem.policy.context;
  if (!problem.policy.group.empty()) names.push_back(problem.policy.group);
  for (const std::string& name : problem.starts.by) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string covariate_column(std::string_view name) {
  std::string column(kPrefix);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool looks_coded = name[i] == '_' && i + 1 < name.size() && name[i + 1] == 'x';
    if (is_plain(name[i]) && !looks_coded) {
      column += name[i];
    } else {
      column += fmt::format("_x{:02x}", static_cast<unsigned char>(name[i]));
    }
  }
  return column;
}

std::optional<std::string> covariate_of_column(std::string_view column) {
  if (!column.starts_with(kPrefix)) return std::nullopt;
  column.remove_prefix(kPrefix.size());
  std::string name;
  for (std::size_t i = 0; i < column.size(); ++i) {
    unsigned byte = 0;
    const char* hex = column.data() + i + 2;
    const bool coded = column.substr(i).starts_with("_x") && i + 4 <= column.size() &&
                       std::from_chars(hex, hex + 2, byte, 16).ptr == hex + 2;
    name += coded ? static_cast<char>(byte) : column[i];
    if (coded) i += 3;
  }
  return name;
}

}  // namespace interpole::data
