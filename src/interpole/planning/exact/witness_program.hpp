// Is there a belief at which every one of some linear functions is positive? The linear program at the heart
// of pruning: maximise, over beliefs b, the least of rows_i · b.
//
// Of hundreds of rows only a few matter. The program starts with those that are lowest at the corners, and
// gets the row that is lowest at its answer until none is lower: programs stay tiny, and most questions are
// settled before the end. Clp solves them. One object serves one thread at a time; different objects share
// nothing.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace interpole::planning {

class WitnessProgram {
 public:
  explicit WitnessProgram(int states);
  ~WitnessProgram();
  WitnessProgram(const WitnessProgram&) = delete;
  WitnessProgram& operator=(const WitnessProgram&) = delete;

  struct Answer {
    double reached = 0.0;  // the least row at belief(): exact, by adding up
    double bound = 0.0;    // no belief reaches more, up to rounding in Clp
  };
  // Stops as soon as it is known whether more than `threshold` can be reached.
  Answer decide(std::span<const double> rows, double threshold) { return solve(rows, threshold, false); }
  // The maximum itself.
  Answer maximise(std::span<const double> rows) { return solve(rows, 0.0, true); }

  std::span<const double> belief() const { return belief_; }
  long solved() const { return solved_; }  // programs given to Clp so far

 private:
  class Solver;
  Answer solve(std::span<const double> rows, double threshold, bool to_the_end);
  std::vector<std::size_t> first_rows(std::span<const double> rows) const;

  std::size_t states_;
  std::unique_ptr<Solver> solver_;
  std::vector<double> belief_;
  long solved_ = 0;
};

}  // namespace interpole::planning
