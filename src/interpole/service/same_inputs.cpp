#include "interpole/service/same_inputs.hpp"

#include <fmt/format.h>

#include "interpole/base/files/hash.hpp"
#include "interpole/base/ranks/agree.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/error.hpp"

namespace interpole::service {
namespace {

// Empty if it cannot be read.
std::string digest_if_any(const std::string& file) {
  try {
    return base::sha256_of_file(file);
  } catch (const Error&) {
    return "";
  }
}

Error missing(int rank, const std::string& host, int other, const std::string& other_host,
              const std::string& use, const std::string& file) {
  return input_error(fmt::format(
      "{}: {} cannot be read on {}, but on {}; put it where every rank finds it under the same name", use,
      file, base::rank_words(rank, host), base::rank_words(other, other_host)));
}

std::string names_of(const NamedFiles& inputs) {
  base::PacketWriter out;
  for (const auto& [use, file] : inputs) out.add(std::string_view(use)).add(std::string_view(file));
  return out.take();
}

// A pattern may fit other files in other places.
void require_same_names(base::Ranks& all, const NamedFiles& inputs) {
  const auto names = all.gather(base::PacketWriter()
                                    .add(std::string_view(base::host_name()))
                                    .add(std::string_view(names_of(inputs)))
                                    .take());
  base::PacketReader first(names.front());
  const std::string first_host = first.text();
  const std::string expected = first.text();
  for (int rank = 1; rank < all.size(); ++rank) {
    base::PacketReader in(names[rank]);
    const std::string host = in.text();
    if (in.text() == expected) continue;
    throw input_error(fmt::format(
        "option data: the pattern fits other files on {} than on {}; put them where every rank finds them "
        "under the same names",
        base::rank_words(rank, host), base::rank_words(0, first_host)));
  }
}

}  // namespace

void require_same_inputs(const NamedFiles& inputs) {
  base::Ranks& all = base::ranks();
  if (all.size() == 1) return;
  require_same_names(all, inputs);
  base::PacketWriter out;
  out.add(std::string_view(base::host_name()));
  for (const auto& [use, file] : inputs) out.add(std::string_view(file.empty() ? "" : digest_if_any(file)));
  const auto texts = all.gather(out.take());
  base::PacketReader first_in(texts.front());
  const std::string first_host = first_in.text();
  std::vector<std::string> first;
  while (!first_in.ended()) first.push_back(first_in.text());
  for (int rank = 1; rank < all.size(); ++rank) {
    base::PacketReader in(texts[rank]);
    const std::string host = in.text();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string digest = in.text();
      if (digest == first[i]) continue;
      const auto& [use, file] = inputs[i];
      if (digest.empty()) throw missing(rank, host, 0, first_host, use, file);
      if (first[i].empty()) throw missing(0, first_host, rank, host, use, file);
      throw input_error(fmt::format("{}: {} is another file on {} than on {}; give every rank the same files",
                                    use, file, base::rank_words(rank, host),
                                    base::rank_words(0, first_host)));
    }
  }
}

}  // namespace interpole::service
