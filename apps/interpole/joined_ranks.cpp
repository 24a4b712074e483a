#include "joined_ranks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "console.hpp"
#include "interpole/base/ranks/agree.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/started_ranks.hpp"
#include "interpole/error.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

constexpr std::array<std::string_view, 5> kSharedVerbs = {"fit", "sample", "compare", "reproduce", "audit"};
// Seconds in which ranks that fail alike come together; others are in the middle of something.
constexpr double kUntilAllHaveFailed = 5.0;

void be_silent_on_stdout() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
  if (nowhere >= 0) ::close(nowhere);
}

// One of the ranks says it, before there is a way to agree on who.
[[noreturn]] void refuse(const base::StartedRank& started, const Error& error) {
  if (started.rank != 0) std::_Exit(error.kind() == ErrorKind::kUsage ? kUsage : kRuntimeFailure);
  throw error;
}

void require_shared_verb(const base::StartedRank& started, int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  const bool asks_for_help = verb.empty() || verb.front() == '-' || argc == 2 ||
                             std::any_of(argv + 1, argv + argc, [](std::string_view word) {
                               return word == "--help" || word == "-h";
                             });
  if (asks_for_help || std::ranges::find(kSharedVerbs, verb) != kSharedVerbs.end()) return;
  refuse(started, usage_error(fmt::format(
                      "{} started {} processes, but interpole {} is the work of one; run it without (several "
                      "share fit, sample, compare, reproduce and audit)",
                      started.by, started.size, verb)));
}

std::string words_of(int argc, char** argv) {
  std::string words;
  for (int i = 1; i < argc; ++i) words += fmt::format("{}{}", i > 1 ? " " : "", argv[i]);
  return words;
}

}  // namespace

JoinedRanks::JoinedRanks(int argc, char** argv) {
  const auto started = base::started_rank();
  if (!started) return;
  require_shared_verb(*started, argc, argv);
  try {
    ranks_ = base::join_ranks(*started);
  } catch (const Error& error) {
    refuse(*started, error);
  }
  if (ranks_->size() == 1) {
    ranks_.reset();
    throw usage_error(
        fmt::format("{} started {} processes, but they do not find each other: it is of another MPI than "
                    "this program, which "
                    "would do the same work {} times",
                    started->by, started->size, started->size));
  }
  if (!ranks_->first()) be_silent_on_stdout();
  base::set_process_ranks(ranks_.get());
  ranks_->listen(interrupted);
  hear_with_others();
}

JoinedRanks::~JoinedRanks() {
  base::set_process_ranks(nullptr);
}

void JoinedRanks::require_alike(int argc, char** argv) {
  if (ranks_) base::require_alike(*ranks_, words_of(argc, argv));
}

JoinedRanks::End JoinedRanks::part(int exit_code, const std::string& message) {
  if (!ranks_) return {exit_code, message};
  const auto said =
      ranks_->part(base::PacketWriter()
                       .add(exit_code)
                       .add(std::string_view(base::host_name()))
                       .add(std::string_view(message))
                       .take(),
                   exit_code == kOk ? std::numeric_limits<double>::infinity() : kUntilAllHaveFailed);
  if (!said) {
    const std::string who = base::rank_words(ranks_->rank(), base::host_name());
    if (!message.empty()) print_error("error: ", (ranks_->first() ? "" : who + ": ") + message);
    std::fflush(nullptr);
    ranks_->abort(exit_code);
  }
  say_nothing_more();
  for (std::size_t rank = 0; rank < said->size(); ++rank) {
    base::PacketReader in((*said)[rank]);
    const int code = in.get<int>();
    if (code == kOk) continue;
    const std::string who = base::rank_words(static_cast<int>(rank), in.text());
    const std::string text = in.text();
    if (!ranks_->first() || text.empty()) return {code, ""};
    return {code, rank == 0 ? text : fmt::format("{}: {}", who, text)};
  }
  return {};
}

}  // namespace interpole::cli
