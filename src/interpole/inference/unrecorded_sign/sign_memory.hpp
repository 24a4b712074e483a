// What is remembered of the signs seen so far: how much oftener each state was pointed at than the least
// pointed-at one, up to a limit. Signs beyond the limit count against the others.
#pragma once

#include <cstddef>
#include <vector>

namespace interpole::inference {

struct SignMemory {
  int states = 0;
  std::vector<int> next;  // [m·states + sign]: the memory after one more sign; 0: nothing was seen

  int size() const { return static_cast<int>(next.size()) / states; }
  int after(int memory, int sign) const { return next[static_cast<std::size_t>(memory) * states + sign]; }
};

// `most`: how much oftener one state may be pointed at than another. (most + 1)^S − most^S memories.
SignMemory sign_memory(int states, int most);

}  // namespace interpole::inference
