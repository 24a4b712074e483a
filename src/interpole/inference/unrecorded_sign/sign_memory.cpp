#include "interpole/inference/unrecorded_sign/sign_memory.hpp"

#include <algorithm>
#include <map>

namespace interpole::inference {
namespace {

std::vector<int> after_sign(std::vector<int> counts, int sign, int most) {
  ++counts[sign];
  if (counts[sign] > most) {
    for (int& count : counts) count = std::max(0, count - 1);
  }
  const int least = *std::min_element(counts.begin(), counts.end());
  for (int& count : counts) count -= least;
  return counts;
}

}  // namespace

SignMemory sign_memory(int states, int most) {
  SignMemory memory{states, {}};
  std::vector<std::vector<int>> met = {std::vector<int>(states, 0)};
  std::map<std::vector<int>, int> known = {{met.front(), 0}};
  for (std::size_t m = 0; m < met.size(); ++m) {
    for (int sign = 0; sign < states; ++sign) {
      std::vector<int> counts = after_sign(met[m], sign, most);
      const auto [found, is_new] = known.try_emplace(counts, static_cast<int>(met.size()));
      if (is_new) met.push_back(std::move(counts));
      memory.next.push_back(found->second);
    }
  }
  return memory;
}

}  // namespace interpole::inference
