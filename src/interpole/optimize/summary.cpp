#include "interpole/optimize/summary.hpp"

namespace interpole::optimize {

std::string describe(OptimizeSummary::Stop stop) {
  switch (stop) {
    case OptimizeSummary::Stop::kGradient:
      return "gradient vanished";
    case OptimizeSummary::Stop::kValue:
      return "no further gain";
    case OptimizeSummary::Stop::kIterations:
      return "iteration limit reached";
    case OptimizeSummary::Stop::kLineSearch:
      return "line search found no further gain";
    case OptimizeSummary::Stop::kPatience:
      return "no improvement within the patience";
    case OptimizeSummary::Stop::kInterrupted:
      return "interrupted";
  }
  return {};
}

}  // namespace interpole::optimize
