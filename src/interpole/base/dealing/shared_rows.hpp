// Rows of numbers that ranks fill together: each fills a block of neighbouring rows, then all have all of
// them. Whoever adds rows up in their order gets the same bits whatever the number of ranks. One call of the
// layer below for each gathering.
#pragma once

#include <span>
#include <vector>

namespace interpole::base {

class SharedRows {
 public:
  // Deals rows of these lengths to the ranks that the calling thread has. Numbers are not kept.
  void lay_out(std::span<const int> lengths);

  // Rows [begin, end) are this rank's to fill.
  int begin() const { return begin_; }
  int end() const { return end_; }
  std::span<double> row(int i) { return std::span(numbers_).subspan(offset_[i], length_[i]); }
  std::span<const double> row(int i) const { return std::span(numbers_).subspan(offset_[i], length_[i]); }

  // By all ranks, when each has filled its rows.
  void gather();

 private:
  int ranks_ = 0;
  int rank_ = 0;
  int begin_ = 0;
  int end_ = 0;
  std::vector<int> length_;
  std::vector<std::size_t> offset_;
  std::vector<int> counts_;  // by rank, with one number more that the layer below takes
  std::vector<double> numbers_;
};

}  // namespace interpole::base
