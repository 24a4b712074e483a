#include "interpole/explain/disclosure/disclosure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/number_text.hpp"

namespace interpole::explain {

bool is_small(std::int64_t count, std::int64_t min_cell) {
  return count > 0 && count < min_cell;
}

std::string safe_count(std::int64_t count, std::int64_t min_cell) {
  return is_small(count, min_cell) ? fmt::format("<{}", min_cell) : base::grouped(count);
}

std::vector<char> withheld(std::span<const std::int64_t> counts, std::int64_t min_cell) {
  return withheld(counts, counts, min_cell);
}

std::vector<char> withheld(std::span<const std::int64_t> counts, std::span<const std::int64_t> people,
                           std::int64_t min_cell) {
  std::vector<char> hidden(counts.size(), 0);
  std::int64_t sum = 0;
  int cells = 0;
  const auto hide = [&](std::size_t i) {
    hidden[i] = 1;
    sum += std::min(counts[i], people[i]);
    ++cells;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (is_small(counts[i], min_cell) || is_small(people[i], min_cell)) hide(i);
  }
  // A single withheld cell is total − rest; of several, each is at least 1, so one is at most the sum less
  // the number of the others.
  while (cells > 0 && (cells == 1 || sum - cells < min_cell - 1)) {
    std::size_t smallest = counts.size();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (hidden[i] || counts[i] == 0) continue;
      if (smallest == counts.size() || counts[i] < counts[smallest]) smallest = i;
    }
    if (smallest == counts.size()) break;
    hide(smallest);
  }
  return hidden;
}

NamedGroups named_groups(const std::map<std::string, std::int64_t>& patients, std::int64_t min_cell) {
  NamedGroups named;
  std::vector<std::string> small;
  std::int64_t in_small = 0;
  for (const auto& [name, count] : patients) {
    if (is_small(count, min_cell)) {
      small.push_back(name);
      in_small += count;
      continue;
    }
    named.place[name] = static_cast<int>(named.names.size());
    named.names.push_back(name);
  }
  named.left_out = is_small(in_small, min_cell);
  if (small.empty() || named.left_out) return named;
  for (const std::string& name : small) named.place[name] = static_cast<int>(named.names.size());
  named.names.push_back(fmt::format("{} small groups together", small.size()));
  return named;
}

}  // namespace interpole::explain
