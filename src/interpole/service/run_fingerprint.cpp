#include "interpole/service/run_fingerprint.hpp"

#include <fmt/format.h>

#include <map>

#include "interpole/base/files/hash.hpp"
#include "interpole/data/tables/table_file.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
base::Checkpoint::Fingerprint run_fingerprint(const std::string& verb, const std::string& study,
                                              const DataFiles& data) {
  base::Checkpoint::Fingerprint result = {
      {"verb", verb}, {"program's version", version()}, {"study's SHA-256", base::sha256_of_file(study)}};
  for (auto& digest : data_digests(data)) result.push_back(std::move(digest));
  return result;
}

base::Checkpoint::Fingerprint data_digests(const DataFiles& data) {
  base::Checkpoint::Fingerprint result;
  std::map<std::string, int> parts;  // of a table, so far
  for (const auto& [name, file] : data.tables) {
    const data::TableLocation location = data::table_location(file);
    std::string what = "data's SHA-256";
    if (!name.empty()) what += " (" + name + ")";
    if (!location.table.empty()) what += " (#" + location.table + ")";
    if (const int part = ++parts[name]; part > 1) what += fmt::format(" (part {})", part);
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

}  // namespace interpole::service
