#include "interpole/service/run_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "interpole/data/tables/table_file.hpp"
#include "interpole/error.hpp"

namespace interpole::service {
namespace {

void require_folder(const std::string& flag, const std::string& file) {
  std::error_code problem;
  const auto status = std::filesystem::status(file, problem);
  // A pipe or a device is written to as it is; a link stands for what it names.
  if (std::filesystem::is_other(status)) return;
  const std::filesystem::path path = std::filesystem::exists(status)
                                         ? std::filesystem::canonical(file, problem)
                                         : std::filesystem::path(file);
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  if (!std::filesystem::is_directory(folder, problem)) {
    throw runtime_error(fmt::format("{}: {}: there is no folder {}; make it first", flag, file, folder));
  }
  if (std::filesystem::is_directory(status)) {
    throw runtime_error(fmt::format("{}: {} is a folder; name a file", flag, file));
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    throw runtime_error(fmt::format("{}: {}: the folder {} may not be written to", flag, file, folder));
  }
}

bool is_file_name(const std::string& file) {
  return !file.empty() && file != "-";
}

}  // namespace

NamedFiles with_data(NamedFiles inputs, const DataFiles& data) {
  for (const auto& [name, file] : data.tables) {
    inputs.emplace_back(data.counts ? "option counts" : "option data", data::table_location(file).file);
  }
  return inputs;
}

void require_separate_files(const NamedFiles& outputs, const NamedFiles& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [flag, file] = outputs[i];
    if (!is_file_name(file)) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j].second != file && !base::same_file(outputs[j].second, file)) continue;
      throw usage_error(
          fmt::format("{} and {} both name {}; give each a file of its own", outputs[j].first, flag, file));
    }
    for (const auto& [use, input] : inputs) {
      if (!base::same_file(input, file)) continue;
      throw usage_error(fmt::format(
          "{}: {} is read by {} and would be lost; give the result a file of its own", flag, file, use));
    }
    require_folder(flag, file);
  }
}

base::WatchedFiles watched(const NamedFiles& inputs) {
  std::vector<std::string> paths;
  for (const auto& [use, file] : inputs) {
    if (is_file_name(file)) paths.push_back(file);
  }
  return base::WatchedFiles(paths);
}

}  // namespace interpole::service
