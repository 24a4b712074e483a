#include "interpole/base/ranks/agree.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/error.hpp"

namespace interpole::base {

std::string packed_error(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  const ErrorKind kind = ours != nullptr ? ours->kind() : ErrorKind::kRuntime;
  return PacketWriter().add(static_cast<int>(kind)).add(std::string_view(error.what())).take();
}

void throw_packed(const std::string& error, const std::string& before) {
  PacketReader in(error);
  const auto kind = static_cast<ErrorKind>(in.get<int>());
  throw Error(kind, before + in.text());
}

std::string from_first(const std::function<std::string()>& make) {
  Ranks& all = ranks();
  if (all.size() == 1) return make();
  std::string made;
  std::string failure;
  std::exception_ptr own;
  if (all.first()) {
    try {
      made = make();
    } catch (const std::exception& error) {
      failure = packed_error(error);
      own = std::current_exception();
    }
  }
  const auto texts =
      all.gather(PacketWriter().add(std::string_view(failure)).add(std::string_view(made)).take());
  if (own) std::rethrow_exception(own);
  PacketReader in(texts.front());
  failure = in.text();
  if (!failure.empty()) throw_packed(failure);
  return in.text();
}

void agree(const std::function<void()>& work) {
  Ranks& all = ranks();
  if (all.size() == 1) return work();
  std::string failure;
  std::exception_ptr own;
  try {
    work();
  } catch (const std::exception& error) {
    failure = packed_error(error);
    own = std::current_exception();
  }
  const auto texts =
      all.gather(PacketWriter().add(std::string_view(failure)).add(std::string_view(host_name())).take());
  std::vector<std::pair<std::string, std::string>> said;
  for (const std::string& text : texts) {
    PacketReader in(text);
    std::string of_rank = in.text();
    said.emplace_back(std::move(of_rank), in.text());
  }
  const auto failed = [](const auto& rank) { return !rank.first.empty(); };
  const auto first = std::find_if(said.begin(), said.end(), failed);
  if (first == said.end()) return;
  if (own && std::all_of(said.begin(), said.end(), failed)) std::rethrow_exception(own);
  throw_packed(first->first,
               rank_words(static_cast<int>(first - said.begin()), first->second) + ", but not everywhere: ");
}

std::string rank_words(int rank, const std::string& host) {
  return fmt::format("rank {} on {}", rank, host);
}

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof(name) - 1);
  return name;
}

}  // namespace interpole::base
