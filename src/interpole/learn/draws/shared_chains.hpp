// Chains over threads and ranks. A chain lives on one rank, which alone knows its state; others hear how far
// it is after every turn, and its text when there is something to keep. Chains are not equally long: one
// moves to another rank, as a text, where all will be done sooner for it. Where ranks work together on each
// chain (base/ranks), and on one process, every rank has all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace interpole::learn {

struct ChainProgress {
  std::int64_t iterations = 0;
  std::int64_t left = 0;  // iterations to come
};

// Moves of chains between ranks after which the last rank is done sooner: chain and new owner. `left`:
// seconds that each chain still takes; `owner`: its rank.
std::vector<std::pair<int, int>> chain_moves(std::span<const double> left, std::span<const int> owner,
                                             int ranks);

class SharedChains {
 public:
  explicit SharedChains(int count);

  // Every own chain that is not done for about as many seconds as `advance` is told.
  void take_turns(int threads, const std::function<void(int, double)>& advance);
  // How far all chains are.
  void tell(const std::function<ChainProgress(int)>& progress_of);
  // Before the next turns: `text_of` chains that leave this rank, `take` of those that come.
  void balance(const std::function<std::string(int)>& text_of,
               const std::function<void(int, const std::string&)>& take);
  // `text_of` own chains, `take` of all others, in their order.
  void gather(const std::function<std::string(int)>& text_of,
              const std::function<void(int, const std::string&)>& take) const;
  // What the first rank says.
  bool agree(bool here) const;

  bool done() const;
  std::int64_t iterations() const;

 private:
  std::vector<int> own() const;
  double seconds_left(int chain) const {
    return seconds_each_[chain] * static_cast<double>(progress_[chain].left);
  }

  bool dealt_;
  std::vector<int> owner_;  // of each chain, where they are dealt
  std::vector<ChainProgress> progress_;
  std::vector<double> seconds_each_;  // of an iteration in the chain's last turn, as its rank found
  std::vector<double> turn_seconds_;  // of the chain's last turn, here
  double turn_;                       // seconds of a rank's turns
};

}  // namespace interpole::learn
