#include "interpole/base/files/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/hash.hpp"
#include "interpole/base/ranks/agree.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/base/text/printable.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

constexpr std::string_view kFormat = "interpole-checkpoint 1\n";
constexpr std::string_view kChecksum = "sha256 ";
constexpr std::size_t kTail = kChecksum.size() + 64 + 1;
constexpr double kMostShare = 0.05;            // of the time spent writing
constexpr double kLongestBetweenWrites = 1e8;  // seconds; clocks cannot add more

// Takes the front of `rest` up to a mark; empty if there is none.
std::optional<std::string_view> take_until(std::string_view& rest, char mark) {
  const std::size_t end = rest.find(mark);
  if (end == std::string_view::npos) return {};
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return taken;
}

std::optional<std::size_t> take_count(std::string_view& rest, char mark) {
  const auto digits = take_until(rest, mark);
  std::size_t value = 0;
  if (!digits || digits->empty()) return {};
  const auto [end, error] = std::from_chars(digits->data(), digits->data() + digits->size(), value);
  if (error != std::errc{} || end != digits->data() + digits->size()) return {};
  return value;
}

// A checkpoint, or the beginning of one that a killed run left half-written.
bool is_ours(const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, unknown))) return false;
  std::ifstream file(path, std::ios::binary);
  std::string begin(kFormat.size(), '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (file.bad()) return false;  // nobody knows
  return kFormat.starts_with(std::string_view(begin).substr(0, static_cast<std::size_t>(file.gcount())));
}

// "option seed" in the fingerprint is "--seed" in the file, as it has been since the first version of the
// format.
constexpr std::string_view kOption = "option ";
constexpr std::string_view kStoredOption = "--";

std::string renamed(std::string_view name, std::string_view from, std::string_view to) {
  if (!name.starts_with(from)) return std::string(name);
  return std::string(to).append(name.substr(from.size()));
}

}  // namespace

Checkpoint::Checkpoint(std::string path, Fingerprint fingerprint, double seconds, std::string remedy)
    : path_(std::move(path)),
      fingerprint_(std::move(fingerprint)),
      seconds_(std::min(seconds, kLongestBetweenWrites)),
      remedy_(std::move(remedy)) {
  read();
  next_write_ =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
}

void Checkpoint::refuse(std::string_view reason) const {
  throw input_error(fmt::format("{}: {}; {}", path_, reason, remedy_));
}

void Checkpoint::read() {
  // The first rank keeps it for all.
  const std::string bytes = from_first([&] { return bytes_if_any(); });
  if (bytes.empty()) return;
  std::string_view text = std::string_view(bytes).substr(1);
  if (!text.starts_with(kFormat)) refuse("not a checkpoint of this program");
  const std::size_t body = text.size() - std::min(text.size(), kTail);
  if (text.substr(body) != fmt::format("{}{}\n", kChecksum, sha256(text.substr(0, body)))) {
    refuse("the checkpoint is cut or was altered: its checksum does not fit");
  }
  parse(text.substr(0, body).substr(kFormat.size()));
  resumed_ = true;
}

// After a letter if there is a file; nothing if there is none.
std::string Checkpoint::bytes_if_any() const {
  std::error_code problem;
  const auto status = std::filesystem::status(path_, problem);
  if (!std::filesystem::exists(status)) return "";
  if (!std::filesystem::is_regular_file(status)) refuse("not a file that a checkpoint can be kept in");
  std::ifstream file(path_, std::ios::binary);
  if (!file) refuse("cannot be read");
  std::ostringstream bytes;
  bytes << 'f';
  // Of an empty file nothing is put out, which is no failure to read.
  if (file.peek() != std::ifstream::traits_type::eof()) bytes << file.rdbuf();
  if (file.bad() || !bytes) refuse("cannot be read to its end");
  return bytes.str();
}

void Checkpoint::parse(std::string_view text) {
  const auto needed = [&](const auto& taken) {
    if (!taken) refuse("the checkpoint does not hold together");
    return *taken;
  };
  Fingerprint found;
  for (std::size_t left = needed(take_count(text, '\n')); left > 0; --left) {
    const std::string name = renamed(needed(take_until(text, '\t')), kStoredOption, kOption);
    found.emplace_back(name, std::string(needed(take_until(text, '\n'))));
  }
  compare(found);
  for (std::size_t left = needed(take_count(text, '\n')); left > 0; --left) {
    const std::size_t size = needed(take_count(text, ' '));
    const std::string name(needed(take_until(text, '\n')));
    if (size > text.size()) refuse("the checkpoint does not hold together");
    parts_[name] = text.substr(0, size);
    text.remove_prefix(size);
  }
  if (!text.empty()) refuse("the checkpoint does not hold together");
}

void Checkpoint::compare(const Fingerprint& found) const {
  const std::size_t common = std::min(found.size(), fingerprint_.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (found[i] == fingerprint_[i]) continue;
    if (found[i].first != fingerprint_[i].first) break;
    refuse(fmt::format("the checkpoint is of another run: its {} is {}, here it is {}", found[i].first,
                       printable(found[i].second), fingerprint_[i].second));
  }
  if (found != fingerprint_) refuse("the checkpoint is of another run: other settings matter there");
}

std::string Checkpoint::text() const {
  std::string text = fmt::format("{}{}\n", kFormat, fingerprint_.size());
  for (const auto& [name, value] : fingerprint_) {
    text += fmt::format("{}\t{}\n", renamed(name, kOption, kStoredOption), value);
  }
  text += fmt::format("{}\n", parts_.size());
  for (const auto& [name, part] : parts_) {
    text += fmt::format("{} {}\n", part.size(), name);
    text += part;
  }
  text += fmt::format("{}{}\n", kChecksum, sha256(text));
  return text;
}

std::optional<std::string> Checkpoint::recall(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = parts_.find(name);
  if (found == parts_.end()) return {};
  return found->second;
}

void Checkpoint::remember(const std::string& name, std::string text) {
  const std::scoped_lock lock(mutex_);
  parts_[name] = std::move(text);
}

bool Checkpoint::due() const {
  if (!is_first_rank()) return false;
  const std::scoped_lock lock(mutex_);
  return Clock::now() >= next_write_;
}

void Checkpoint::write() {
  if (!is_first_rank()) return;
  const std::scoped_lock lock(mutex_);
  const auto begin = Clock::now();
  write_file_atomically(path_, text());
  const auto end = Clock::now();
  const double cost = std::chrono::duration<double>(end - begin).count();
  const std::chrono::duration<double> pause(std::max(seconds_, cost / kMostShare));
  next_write_ = end + std::chrono::duration_cast<Clock::duration>(pause);
}

void Checkpoint::write_if_due() {
  if (due()) write();
}

void Checkpoint::remove() {
  if (!is_first_rank()) return;
  const std::scoped_lock lock(mutex_);
  std::error_code problem;
  // A link is the user's, the file behind it is ours.
  const auto behind = std::filesystem::canonical(path_, problem);
  const std::filesystem::path path = problem ? std::filesystem::path(path_) : behind;
  if (is_ours(path)) std::filesystem::remove(path, problem);
  const std::string begin = temporary_prefix(path.string());
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(begin) && name.size() == begin.size() + kTemporaryLetters && is_ours(entry.path())) {
      std::filesystem::remove(entry.path(), problem);
    }
  }
}

}  // namespace interpole::base
