// Scores of predictions given on stdin, for comparison with another program's. A line for each set of
// predictions: score, positive and negative weight of each, separated by spaces. A line of output for each:
// Brier, AUROC, AUPRC, then observed and predicted of every bin that is not empty; "-" where there is none.
#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "interpole/evaluate/scores/calibration.hpp"
#include "interpole/evaluate/scores/scores_testing.hpp"

namespace {

void print(const std::optional<double>& x) {
  x ? fmt::print("{} ", *x) : fmt::print("- ");
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream numbers(line);
    std::vector<interpole::evaluate::WeightedScore> scores;
    for (interpole::evaluate::WeightedScore entry;
         numbers >> entry.score >> entry.positive >> entry.negative;) {
      scores.push_back(entry);
    }
    print(interpole::evaluate::brier_score(scores));
    print(interpole::evaluate::area_under_roc(scores));
    print(interpole::evaluate::average_precision(scores));
    for (const interpole::evaluate::CalibrationBin& bin : interpole::evaluate::calibration_curve(scores)) {
      if (bin.decisions > 0.0) fmt::print("{} {} ", bin.observed, bin.predicted);
    }
    fmt::print("\n");
  }
}
