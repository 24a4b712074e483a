#include "interpole/environments/parted_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "interpole/error.hpp"

namespace interpole::environments {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPartDigits = 5;

bool is_part_of(const std::string& name, const fs::path& path) {
  const std::string before = path.stem().string() + "-";
  const std::string after = path.extension().string();
  if (name.size() != before.size() + kPartDigits + after.size()) return false;
  const std::string digits = name.substr(before.size(), kPartDigits);
  return name.starts_with(before) && name.ends_with(after) &&
         std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void refuse_older_parts(const fs::path& path) {
  std::error_code ignored;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (!is_part_of(entry.path().filename().string(), path)) continue;
    throw runtime_error(
        fmt::format("{}: there are parts of an earlier table, which would be taken for this one's; remove "
                    "them, or write to another name",
                    entry.path().string()));
  }
}

}  // namespace

std::string part_name(const std::string& path, int part) {
  const fs::path whole(path);
  return (whole.parent_path() /
          fmt::format("{}-{:0{}}{}", whole.stem().string(), part, kPartDigits, whole.extension().string()))
      .string();
}

PartedTable::PartedTable(std::string path, std::string header, std::int64_t rows_per_file)
    : path_(std::move(path)), header_(std::move(header)), rows_per_file_(rows_per_file) {
  if (rows_per_file_ < 0)
    throw usage_error(
        fmt::format("option rows-per-file: {} is below 1; leave it out for one file", rows_per_file_));
  if (rows_per_file_ > 0) {
    if (path_ == "-")
      throw usage_error("option rows-per-file: standard output has no parts; name a file with option output");
    refuse_older_parts(path_);
  }
  begin_part();
}

void PartedTable::begin_part() {
  ++parts_;
  rows_ = 0;
  file_.emplace(rows_per_file_ > 0 ? part_name(path_, parts_) : path_);
  file_->write(header_);
}

void PartedTable::write(std::string_view lines, std::int64_t rows) {
  if (rows_per_file_ > 0 && rows_ > 0 && rows_ + rows > rows_per_file_) {
    file_->commit();
    begin_part();
  }
  file_->write(lines);
  rows_ += rows;
}

void PartedTable::commit() {
  file_->commit();
}

}  // namespace interpole::environments
