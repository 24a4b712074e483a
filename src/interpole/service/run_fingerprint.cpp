#include "interpole/service/run_fingerprint.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "interpole/base/files/hash.hpp"
#include "interpole/data/tables/table_file.hpp"
#include "interpole/error.hpp"
#include "interpole/version.hpp"

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

}  // namespace

base::Checkpoint::Fingerprint run_fingerprint(const std::string& verb, const std::string& study,
                                              const DataFiles& data) {
  base::Checkpoint::Fingerprint result = {
      {"verb", verb}, {"program's version", version()}, {"study's SHA-256", base::sha256_of_file(study)}};
  for (const auto& [name, file] : data.tables) {
    const data::TableLocation location = data::table_location(file);
    std::string what = "data's SHA-256";
    if (!name.empty()) what += " (" + name + ")";
    if (!location.table.empty()) what += " (#" + location.table + ")";
    result.emplace_back(what, base::sha256_of_file(location.file));
  }
  return result;
}

std::unique_ptr<base::Checkpoint> open_checkpoint(
    const std::string& path, const std::function<base::Checkpoint::Fingerprint()>& fingerprint,
    double seconds, Sink& sink) {
  if (path.empty()) return nullptr;
  auto checkpoint = std::make_unique<base::Checkpoint>(path, fingerprint(), seconds);
  if (checkpoint->resumed()) sink.note(fmt::format("going on from {}", path));
  return checkpoint;
}

void require_separate_files(const base::Checkpoint::Fingerprint& flags_and_files) {
  for (std::size_t i = 0; i < flags_and_files.size(); ++i) {
    const auto& [flag, file] = flags_and_files[i];
    if (file.empty() || file == "-") continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (flags_and_files[j].second != file) continue;
      throw usage_error(fmt::format("{} and {} both name {}; give each a file of its own",
                                    flags_and_files[j].first, flag, file));
    }
    require_folder(flag, file);
  }
}

}  // namespace interpole::service
