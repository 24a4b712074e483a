#include "interpole/service/serve/study_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/data/draft/draft_text.hpp"
#include "interpole/data/mapping/mapped_table.hpp"
#include "interpole/error.hpp"
#include "interpole/service/serve/builder_json.hpp"

namespace interpole::service {
namespace {

constexpr std::int64_t kHistogramBins = 24;
constexpr std::size_t kPreviewRecords = 5;

std::vector<std::vector<Step>> first_records(const Study& study, const DataFiles& files) {
  std::vector<std::vector<Step>> records;
  data::for_each_mapped_record(
      study, files,
      [&](const data::RecordView& record) {
        records.emplace_back(record.steps.begin(), record.steps.end());
        return records.size() < kPreviewRecords;
      },
      nullptr, data::RecordDetails::kVisits);
  return records;
}

}  // namespace

// Where a private file lies is nothing to tell.
std::string StudyBuilder::without_folder(std::string message) const {
  if (!folder_) return message;
  const std::string inside[] = {fmt::format("{}/table-{}/", folder_->path(), tables_), folder_->path() + "/"};
  for (const std::string& folder : inside) {
    for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder, at))
      message.erase(at, folder.size());
  }
  return message;
}

std::string safe_file_name(std::string_view name) {
  const std::size_t folder = name.find_last_of("/\\");
  std::string safe(folder == std::string_view::npos ? name : name.substr(folder + 1));
  constexpr std::size_t kMostLetters = 100;
  if (safe.size() > kMostLetters) safe.erase(0, safe.size() - kMostLetters);
  for (char& c : safe) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '-' || c == '_' || c == '.';
    if (!plain) c = '_';
  }
  if (const std::size_t first = safe.find_first_not_of('.'); first != 0) safe.erase(0, first);
  return safe.empty() ? "table.csv" : safe;
}

StudyBuilder::StudyBuilder(const std::string& table) {
  open(table, std::filesystem::path(table).filename().string());
}

void StudyBuilder::open(const std::string& path, const std::string& shown) {
  auto table = std::make_unique<data::ChoiceTable>(path);
  std::string open;
  data::StudyChoice choice = table->first_choice(open);
  table_ = std::move(table);
  shown_ = shown;
  open_ = std::move(open);
  choice_ = std::move(choice);
  text_.clear();
}

void StudyBuilder::take(std::string_view name, const std::string& bytes) {
  const std::scoped_lock lock(mutex_);
  if (!folder_) folder_ = std::make_unique<base::TemporaryFolder>();
  const std::string safe = safe_file_name(name);
  const std::string folder = folder_->file(fmt::format("table-{}", ++tables_));
  std::filesystem::create_directory(folder);
  const std::string path = folder + "/" + safe;
  base::write_file_atomically(path, bytes);
  try {
    open(path, safe);
  } catch (const Error& error) {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    throw Error(error.kind(), without_folder(error.what()));
  }
}

bool StudyBuilder::has_table() const {
  const std::scoped_lock lock(mutex_);
  return table_ != nullptr;
}

std::string StudyBuilder::state_json() const {
  const std::scoped_lock lock(mutex_);
  return builder_state_json(table_.get(), shown_, open_, choice_);
}

BuiltStudy StudyBuilder::build() {
  BuiltStudy built;
  try {
    built.roles = table_->roles(choice_);
    for (const data::FactorGuess& factor : built.roles->factors) {
      const data::ColumnProfile& column = *table_->profile().find(factor.column);
      const auto bins = static_cast<int>(std::min(kHistogramBins, column.distinct));
      built.histograms.push_back(column.is_numeric() ? table_->histogram(factor.column, bins)
                                                     : data::Histogram{});
    }
    built.text = table_->study_text(choice_);
    if (!folder_) folder_ = std::make_unique<base::TemporaryFolder>();
    const std::string file = folder_->file("study.toml");
    base::write_file_atomically(file, built.text);
    const DataFiles data = data_file(table_->path());
    built.check = run_study_check({file, data}, quiet_sink());
    built.preview = first_records(built.check->study, data);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    built.trouble = without_folder(error.what());
  }
  return built;
}

std::string StudyBuilder::choose(const std::string& body) {
  data::StudyChoice choice = parse_choice(body);
  const std::scoped_lock lock(mutex_);
  if (!table_) throw input_error("there is no table yet; choose one first");
  choice_ = std::move(choice);
  const BuiltStudy built = build();
  const bool usable = built.trouble.empty() && built.check->summary->patients > 0;
  text_ = usable ? built.text : "";
  return built_study_json(built);
}

std::optional<BuiltFiles> StudyBuilder::files() {
  const std::scoped_lock lock(mutex_);
  if (text_.empty()) return std::nullopt;
  BuiltFiles files;
  files.study = folder_->file(fmt::format("study-{}.toml", ++studies_));
  base::write_file_atomically(files.study, text_);
  files.data = data_file(table_->path());
  files.study_name = data::stem_of(shown_) + ".toml";
  files.table_name = shown_;
  return files;
}

}  // namespace interpole::service
