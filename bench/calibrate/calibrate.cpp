// Are the posteriors right? Simulation-based calibration and coverage of 90% intervals on BIAS-like data sets
// drawn from the prior, each searched as `interpole fit` does, with negative controls that must fail. Run by
// `make calibrate`.
//
//   build/calibrate [--sets 1000] [--controls 1000] [--threads 0] [shared] [subjective] [coupled]
//
// Exit code 1 if anything is not as it must be.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "arguments.hpp"
#include "interpole/learn/draws/calibration_testing.hpp"

namespace interpole::testing {
namespace {

constexpr int kBins = 20;
constexpr double kLevel = 0.9;
// Standard errors of a share, so many that of the fifteen that are looked at none is further off in 999 of
// 1,000 runs.
constexpr double kErrors = 4.0;

double smallest_p(const CalibrationSetting& setting, const CalibrationResult& result) {
  double smallest = 1.0;
  for (const auto& ranks : result.ranks)
    smallest = std::min(smallest, uniformity(ranks, setting.kept, kBins));
  return smallest;
}

// True if ranks are uniform and NUTS intervals hold what they promise.
bool report(const CalibrationSetting& setting, int threads) {
  const CalibrationResult result = calibrate(setting, threads);
  const double limit = 0.05 / static_cast<double>(result.names.size());
  const double error = kErrors * std::sqrt(kLevel * (1.0 - kLevel) / setting.sets);
  fmt::print("\n{} dynamics, {} sets of {} records, {} divergent draws of {}\n", name_of(setting.dynamics),
             setting.sets, setting.records, result.divergences, setting.sets * setting.draws);
  fmt::print("{:<48} {:>14} {:>14} {:>12}\n", "", "NUTS 90%", "Laplace 90%", "rank p");
  bool good = true;
  for (std::size_t q = 0; q < result.names.size(); ++q) {
    const double p = uniformity(result.ranks[q], setting.kept, kBins);
    const bool holds = p >= limit && std::abs(result.nuts_coverage[q] - kLevel) <= error;
    fmt::print("{:<48} {:>13.1f}% {:>13.1f}% {:>12.4f}{}\n", result.names[q], 100.0 * result.nuts_coverage[q],
               100.0 * result.laplace_coverage[q], p, holds ? "" : "  fails");
    good &= holds;
  }
  fmt::print("ranks must have p of at least {:.4f}, NUTS intervals hold {:.0f} to {:.0f}%: {}\n", limit,
             100.0 * (kLevel - error), 100.0 * std::min(1.0, kLevel + error),
             good ? "they do" : "they do not");
  return good;
}

// True if the ranks show what is wrong.
bool control(const char* what, CalibrationSetting setting, int threads) {
  setting.records = 12;
  setting.longest = 5;
  const CalibrationResult result = calibrate(setting, threads);
  const double p = smallest_p(setting, result);
  const bool caught = p < 0.05 / static_cast<double>(result.names.size());
  fmt::print("negative control, {}: smallest p {:.2g}, {}\n", what, p,
             caught ? "caught as it must be" : "not caught");
  return caught;
}

void run_all(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--sets", "--controls", "--threads"});
  const int threads = arguments.number("--threads", 0);
  CalibrationSetting setting;
  setting.sets = std::max(arguments.number("--sets", 1000), 20);
  bool good = true;
  for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kSubjective, DynamicsMode::kCoupled}) {
    setting.dynamics = mode;
    if (arguments.wants(name_of(mode))) good &= report(setting, threads);
  }
  fmt::print("\n");
  setting.dynamics = DynamicsMode::kShared;
  setting.sets = std::max(arguments.number("--controls", 1000), 20);
  auto without_jacobian = setting;
  without_jacobian.measure = learn::Measure::kNatural;
  without_jacobian.concentration = without_jacobian.assumed_concentration = 1.5;
  good &= control("the Jacobian forgotten", without_jacobian, threads);
  auto wrong_prior = setting;
  wrong_prior.assumed_concentration = 1.0;
  good &= control("a wrong prior", wrong_prior, threads);
  if (!good) throw std::runtime_error("not everything is as it must be");
}

}  // namespace
}  // namespace interpole::testing

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::testing::run_all(argc, argv); });
}
