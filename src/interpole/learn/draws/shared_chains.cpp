#include "interpole/learn/draws/shared_chains.hpp"

#include <algorithm>
#include <chrono>

#include "interpole/base/parallel.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/ranks.hpp"

namespace interpole::learn {
namespace {

// Chains take turns of this length, so that all of them have draws whenever the user stops them.
constexpr double kTurnSeconds = 0.2;
// Ranks wait for each other after a turn, for as long as an iteration takes: longer turns, but short ones
// when a rank is nearly done, so that it does not wait for others that could give it something.
constexpr double kLongestTurnOfRanks = 1.0;
constexpr double kShortestTurnOfRanks = 0.05;
// A move costs writing and reading all of a chain's draws.
constexpr double kWorthAMove = 0.05;

}  // namespace

std::vector<std::pair<int, int>> chain_moves(std::span<const double> left, std::span<const int> owner,
                                             int ranks) {
  std::vector<int> now(owner.begin(), owner.end());
  std::vector<double> load(ranks, 0.0);
  for (std::size_t c = 0; c < left.size(); ++c) load[owner[c]] += left[c];
  std::vector<std::pair<int, int>> moves;
  for (std::size_t round = 0; round < left.size(); ++round) {
    const auto from = static_cast<int>(std::ranges::max_element(load) - load.begin());
    const auto to = static_cast<int>(std::ranges::min_element(load) - load.begin());
    int best = -1;
    double least = load[from] - kWorthAMove;
    for (std::size_t c = 0; c < left.size(); ++c) {
      const double later = std::max(load[from] - left[c], load[to] + left[c]);
      if (now[c] != from || later >= least) continue;
      best = static_cast<int>(c);
      least = later;
    }
    if (best < 0) break;
    moves.emplace_back(best, to);
    load[from] -= left[best];
    load[to] += left[best];
    now[best] = to;
  }
  return moves;
}

SharedChains::SharedChains(int count)
    : dealt_(base::ranks().size() > 1 && !base::rank_context().together),
      owner_(count),
      progress_(count),
      seconds_each_(count, 0.0),
      turn_seconds_(count, 0.0),
      turn_(kLongestTurnOfRanks) {
  for (int c = 0; c < count; ++c) owner_[c] = c % base::ranks().size();
}

std::vector<int> SharedChains::own() const {
  std::vector<int> own;
  for (int c = 0; c < static_cast<int>(owner_.size()); ++c) {
    if (!dealt_ || owner_[c] == base::ranks().rank()) own.push_back(c);
  }
  return own;
}

void SharedChains::take_turns(int threads, const std::function<void(int, double)>& advance) {
  // Together, ranks must do the same number of iterations, which clocks do not know: one.
  const bool together = base::ranks().size() > 1 && !dealt_;
  std::vector<int> turns = own();
  std::erase_if(turns, [&](int c) { return progress_[c].left == 0; });
  const double seconds = together ? 0.0
                         : dealt_ ? turn_ / static_cast<double>(std::max<std::size_t>(turns.size(), 1))
                                  : kTurnSeconds;
  const base::RankScope scope(dealt_ ? base::dealt() : base::rank_context());
  base::parallel_tasks(static_cast<int>(turns.size()), threads, [&](int i) {
    const auto begin = std::chrono::steady_clock::now();
    advance(turns[i], seconds);
    turn_seconds_[turns[i]] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  });
}

void SharedChains::tell(const std::function<ChainProgress(int)>& progress_of) {
  base::PacketWriter out;
  for (const int c : own()) {
    const ChainProgress now = progress_of(c);
    const std::int64_t iterations = now.iterations - progress_[c].iterations;
    if (iterations > 0) seconds_each_[c] = turn_seconds_[c] / static_cast<double>(iterations);
    progress_[c] = now;
    out.add(c).add(now.iterations).add(now.left).add(seconds_each_[c]);
  }
  if (!dealt_) return;
  for (const std::string& bytes : base::ranks().gather(out.take())) {
    base::PacketReader in(bytes);
    while (!in.ended()) {
      const int c = in.get<int>();
      progress_[c].iterations = in.get<std::int64_t>();
      progress_[c].left = in.get<std::int64_t>();
      seconds_each_[c] = in.get<double>();
    }
  }
}

// All ranks know the same numbers and come to the same moves.
void SharedChains::balance(const std::function<std::string(int)>& text_of,
                           const std::function<void(int, const std::string&)>& take) {
  if (!dealt_ || done()) return;
  const int size = base::ranks().size();
  std::vector<double> left;
  for (std::size_t c = 0; c < owner_.size(); ++c) left.push_back(seconds_left(static_cast<int>(c)));
  for (const auto& [chain, to] : chain_moves(left, owner_, size)) {
    const auto texts = base::ranks().gather(owner_[chain] == base::ranks().rank() ? text_of(chain) : "");
    if (to == base::ranks().rank()) take(chain, texts[owner_[chain]]);
    owner_[chain] = to;
  }
  std::vector<double> load(size, 0.0);
  for (std::size_t c = 0; c < owner_.size(); ++c) load[owner_[c]] += left[c];
  std::erase(load, 0.0);
  turn_ = load.empty() ? kLongestTurnOfRanks
                       : std::clamp(std::ranges::min(load), kShortestTurnOfRanks, kLongestTurnOfRanks);
}

void SharedChains::gather(const std::function<std::string(int)>& text_of,
                          const std::function<void(int, const std::string&)>& take) const {
  base::PacketWriter out;
  for (const int c : own()) out.add(std::string_view(text_of(c)));
  if (!dealt_) return;
  const auto texts = base::ranks().gather(out.take());
  std::vector<base::PacketReader> readers(texts.begin(), texts.end());
  for (int c = 0; c < static_cast<int>(progress_.size()); ++c) {
    const std::string text = readers[owner_[c]].text();
    if (owner_[c] != base::ranks().rank()) take(c, text);
  }
}

bool SharedChains::agree(bool here) const {
  if (!dealt_) return here;
  return base::ranks().gather(here ? "yes" : "no").front() == "yes";
}

bool SharedChains::done() const {
  return std::ranges::all_of(progress_, [](const ChainProgress& chain) { return chain.left == 0; });
}

std::int64_t SharedChains::iterations() const {
  std::int64_t sum = 0;
  for (const ChainProgress& chain : progress_) sum += chain.iterations;
  return sum;
}

}  // namespace interpole::learn
