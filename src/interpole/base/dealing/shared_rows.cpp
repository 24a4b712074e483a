#include "interpole/base/dealing/shared_rows.hpp"

#include <algorithm>
#include <cstdint>

#include "interpole/base/ranks/ranks.hpp"

namespace interpole::base {

void SharedRows::lay_out(std::span<const int> lengths) {
  const Ranks& all = ranks();
  if (ranks_ == all.size() && rank_ == all.rank() && std::ranges::equal(length_, lengths)) return;
  ranks_ = all.size();
  rank_ = all.rank();
  length_.assign(lengths.begin(), lengths.end());
  offset_.resize(lengths.size());
  counts_.assign(ranks_, 1);
  std::size_t next = 0;
  for (int rank = 0; rank < ranks_; ++rank) {
    const auto rows = static_cast<std::int64_t>(lengths.size());
    const auto first = static_cast<int>(rows * rank / ranks_);
    const auto last = static_cast<int>(rows * (rank + 1) / ranks_);
    if (rank == rank_) {
      begin_ = first;
      end_ = last;
    }
    ++next;
    for (int row = first; row < last; ++row) {
      offset_[row] = next;
      next += lengths[row];
      counts_[rank] += lengths[row];
    }
  }
  numbers_.assign(next, 0.0);
}

void SharedRows::gather() {
  ranks().gather_numbers(numbers_, counts_);
}

}  // namespace interpole::base
