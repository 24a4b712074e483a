#include "interpole/learn/draws/shared_chains.hpp"

#include <algorithm>

#include "interpole/base/parallel.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/ranks.hpp"

namespace interpole::learn {
namespace {

// Chains take turns of this length, so that all of them have draws whenever the user stops them.
constexpr double kTurnSeconds = 0.2;
// Ranks wait for each other after a turn, for as long as an iteration takes.
constexpr double kTurnSecondsOfRanks = 1.0;

}  // namespace

SharedChains::SharedChains(int count)
    : dealt_(base::ranks().size() > 1 && !base::rank_context().together), progress_(count) {
  for (int c = 0; c < count; ++c) {
    if (!dealt_ || c % base::ranks().size() == base::ranks().rank()) own_.push_back(c);
  }
}

void SharedChains::take_turns(int threads, const std::function<void(int, double)>& advance) const {
  // Together, ranks must do the same number of iterations, which clocks do not know: one.
  const bool together = base::ranks().size() > 1 && !dealt_;
  const double seconds = together ? 0.0 : dealt_ ? kTurnSecondsOfRanks : kTurnSeconds;
  const base::RankScope scope(dealt_ ? base::dealt() : base::rank_context());
  base::parallel_tasks(static_cast<int>(own_.size()), threads, [&](int i) {
    advance(own_[i], seconds / static_cast<double>(dealt_ ? own_.size() : 1));
  });
}

void SharedChains::tell(const std::function<ChainProgress(int)>& progress_of) {
  for (const int c : own_) progress_[c] = progress_of(c);
  if (!dealt_) return;
  base::PacketWriter out;
  for (const int c : own_) out.add(c).add(progress_[c].iterations).add(progress_[c].done);
  for (const std::string& bytes : base::ranks().gather(out.take())) {
    base::PacketReader in(bytes);
    while (!in.ended()) {
      const int c = in.get<int>();
      progress_[c].iterations = in.get<std::int64_t>();
      progress_[c].done = in.get<bool>();
    }
  }
}

void SharedChains::gather(const std::function<std::string(int)>& text_of,
                          const std::function<void(int, const std::string&)>& take) const {
  base::PacketWriter out;
  for (const int c : own_) out.add(std::string_view(text_of(c)));
  if (!dealt_) return;
  const auto texts = base::ranks().gather(out.take());
  std::vector<base::PacketReader> readers(texts.begin(), texts.end());
  const int size = base::ranks().size();
  for (int c = 0; c < static_cast<int>(progress_.size()); ++c) {
    const std::string text = readers[c % size].text();
    if (c % size != base::ranks().rank()) take(c, text);
  }
}

bool SharedChains::agree(bool here) const {
  if (!dealt_) return here;
  return base::ranks().gather(here ? "yes" : "no").front() == "yes";
}

bool SharedChains::done() const {
  return std::ranges::all_of(progress_, [](const ChainProgress& chain) { return chain.done; });
}

std::int64_t SharedChains::iterations() const {
  std::int64_t sum = 0;
  for (const ChainProgress& chain : progress_) sum += chain.iterations;
  return sum;
}

}  // namespace interpole::learn
