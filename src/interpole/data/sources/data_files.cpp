#include "interpole/data_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/error.hpp"

namespace interpole {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool is_table_name(std::string_view name) {
  const auto is_letter = [](char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

bool same_table_name(std::string_view x, std::string_view y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::string DataFiles::shown() const {
  std::string text;
  for (const auto& [name, file] : tables) text += (text.empty() ? "" : ", ") + file;
  return text;
}

DataFiles parse_data_files(std::span<const std::string> values) {
  DataFiles files;
  for (const std::string& value : values) {
    const std::size_t equals = value.find('=');
    const bool named =
        equals != std::string::npos && is_table_name(std::string_view(value).substr(0, equals));
    files.tables.emplace_back(named ? value.substr(0, equals) : "", named ? value.substr(equals + 1) : value);
    if (files.tables.back().second.empty()) {
      throw usage_error(fmt::format(
          "option data: \"{}\" names no file; write option data FILE or option data name=FILE", value));
    }
  }
  return files;
}

DataFiles data_file(const std::string& path) {
  return {{{"", path}}};
}

DataFiles counts_file(const std::string& path) {
  return {{{"", path}}, true};
}

}  // namespace interpole
