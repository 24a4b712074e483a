#include "interpole/data_files.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "interpole/error.hpp"

namespace interpole {
namespace {

constexpr std::size_t kMostShown = 4;  // more parts of a table than these are counted, not listed

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The files that a pattern names, in the order of their names; a file of the very name comes first.
std::vector<std::string> files_like(const std::string& name) {
  std::error_code ignored;
  if (name.find_first_of("*?[") == std::string::npos || std::filesystem::exists(name, ignored)) return {name};
  glob_t found{};
  const int problem = ::glob(name.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (problem != 0 && problem != GLOB_NOMATCH)
    throw runtime_error(fmt::format("{}: the folder could not be searched; name the files", name));
  if (files.empty())
    throw input_error(fmt::format("{}: no file is called like this; check the pattern", name));
  std::sort(files.begin(), files.end());
  return files;
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
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto is_other = [&](const auto& entry) { return entry.first != tables[i].first; };
    const auto end = std::find_if(tables.begin() + static_cast<std::ptrdiff_t>(i), tables.end(), is_other);
    const auto last = static_cast<std::size_t>(end - tables.begin()) - 1;
    text += (text.empty() ? "" : ", ") + tables[i].second;
    if (last < i + kMostShown) continue;
    text += fmt::format(" … {} ({} files)", tables[last].second, last - i + 1);
    i = last;
  }
  return text;
}

DataFiles parse_data_files(std::span<const std::string> values) {
  DataFiles files;
  for (const std::string& value : values) {
    const std::size_t equals = value.find('=');
    const bool named =
        equals != std::string::npos && is_table_name(std::string_view(value).substr(0, equals));
    const std::string file = named ? value.substr(equals + 1) : value;
    if (file.empty()) {
      throw usage_error(fmt::format(
          "option data: \"{}\" names no file; write option data FILE or option data name=FILE", value));
    }
    for (std::string& part : files_like(file))
      files.tables.emplace_back(named ? value.substr(0, equals) : "", std::move(part));
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
