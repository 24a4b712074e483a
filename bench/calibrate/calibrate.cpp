// Are the posteriors right? Simulation-based calibration and coverage of 90% intervals on BIAS-like data sets
// drawn from the prior, with negative controls that must fail. Run by `make calibrate`.
//
// Usage: calibrate [SETS = 1000]. Exit code 1 if anything is not as it must be.
#include <fmt/format.h>

#include <cstdlib>

#include "interpole/learn/draws/calibration_testing.hpp"

namespace interpole::testing {
namespace {

constexpr int kBins = 20;
constexpr double kLowest = 0.87;
constexpr double kHighest = 0.93;

double smallest_p(const CalibrationSetting& setting, const CalibrationResult& result) {
  double smallest = 1.0;
  for (const auto& ranks : result.ranks)
    smallest = std::min(smallest, uniformity(ranks, setting.kept, kBins));
  return smallest;
}

// True if ranks are uniform and NUTS intervals hold what they promise.
bool report(const CalibrationSetting& setting) {
  const CalibrationResult result = calibrate(setting, 0);
  const double limit = 0.05 / static_cast<double>(result.names.size());
  fmt::print("\n{} dynamics, {} sets of {} records, {} divergent draws of {}\n", name_of(setting.dynamics),
             setting.sets, setting.records, result.divergences, setting.sets * setting.draws);
  fmt::print("{:<48} {:>14} {:>14} {:>12}\n", "", "NUTS 90%", "Laplace 90%", "rank p");
  bool good = true;
  for (std::size_t q = 0; q < result.names.size(); ++q) {
    const double p = uniformity(result.ranks[q], setting.kept, kBins);
    const bool holds =
        p >= limit && result.nuts_coverage[q] >= kLowest && result.nuts_coverage[q] <= kHighest;
    fmt::print("{:<48} {:>13.1f}% {:>13.1f}% {:>12.4f}{}\n", result.names[q], 100.0 * result.nuts_coverage[q],
               100.0 * result.laplace_coverage[q], p, holds ? "" : "  fails");
    good &= holds;
  }
  fmt::print("ranks must have p of at least {:.4f}, NUTS intervals hold {:.0f} to {:.0f}%: {}\n", limit,
             100.0 * kLowest, 100.0 * kHighest, good ? "they do" : "they do not");
  return good;
}

// True if the ranks show what is wrong.
bool control(const char* what, CalibrationSetting setting) {
  setting.records = 12;
  setting.longest = 5;
  const CalibrationResult result = calibrate(setting, 0);
  const double p = smallest_p(setting, result);
  const bool caught = p < 0.05 / static_cast<double>(result.names.size());
  fmt::print("negative control, {}: smallest p {:.2g}, {}\n", what, p,
             caught ? "caught as it must be" : "not caught");
  return caught;
}

}  // namespace
}  // namespace interpole::testing

int main(int argc, char** argv) {
  using namespace interpole;
  testing::CalibrationSetting setting;
  setting.sets = argc > 1 ? std::max(std::atoi(argv[1]), 20) : 1000;
  bool good = true;
  for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kSubjective, DynamicsMode::kCoupled}) {
    setting.dynamics = mode;
    good &= testing::report(setting);
  }
  fmt::print("\n");
  setting.dynamics = DynamicsMode::kShared;
  auto without_jacobian = setting;
  without_jacobian.measure = learn::Measure::kNatural;
  without_jacobian.concentration = without_jacobian.assumed_concentration = 1.5;
  good &= testing::control("the Jacobian forgotten", without_jacobian);
  auto wrong_prior = setting;
  wrong_prior.assumed_concentration = 1.0;
  good &= testing::control("a wrong prior", wrong_prior);
  return good ? 0 : 1;
}
