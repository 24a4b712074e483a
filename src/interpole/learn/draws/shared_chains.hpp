// Chains over threads and ranks. A chain lives on one rank, which alone knows its state; others hear how far
// it is after every turn, and its text when there is something to keep. Where ranks work together on each
// chain (base/ranks), and on one process, every rank has all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace interpole::learn {

struct ChainProgress {
  std::int64_t iterations = 0;
  bool done = false;
};

class SharedChains {
 public:
  explicit SharedChains(int count);

  // Every own chain for about as many seconds as `advance` is told.
  void take_turns(int threads, const std::function<void(int, double)>& advance) const;
  // How far all chains are.
  void tell(const std::function<ChainProgress(int)>& progress_of);
  // `text_of` own chains, `take` of all others, in their order.
  void gather(const std::function<std::string(int)>& text_of,
              const std::function<void(int, const std::string&)>& take) const;
  // What the first rank says.
  bool agree(bool here) const;

  bool done() const;
  std::int64_t iterations() const;

 private:
  bool dealt_;
  std::vector<int> own_;
  std::vector<ChainProgress> progress_;
};

}  // namespace interpole::learn
