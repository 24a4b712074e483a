// Two sites: how often does the comparison call equal sites different, and how often do its intervals hold
// the boundaries of sites that differ? Run by `make calibrate`.
//
// Usage: calibrate_groups [SETS = 200] [PATIENTS = 200 per site]. Exit code 1 if more than 5% false alarms.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "interpole/base/parallel.hpp"
#include "interpole/learn/groups/groups.hpp"
#include "interpole/learn/groups/sites_testing.hpp"

namespace interpole::testing {
namespace {

struct Verdict {
  double log_bayes_factor = 0.0;
  bool holds[2] = {false, false};  // 90% intervals, by site
};

Verdict judge(double first, double second, int patients, std::uint64_t seed) {
  const Sites sites(first, second, patients, seed);
  learn::GroupOptions options;
  options.fit.restarts = 3;
  options.fit.threads = 1;
  const learn::GroupFit fit = learn::fit_groups(sites.all, sites.trees, bias_study(), options, quiet_sink());
  Verdict verdict{fit.log_bayes_factor()};
  for (const int g : {0, 1}) {
    std::vector<double> draws;
    for (const auto& draw : fit.draws) draws.push_back(boundary_of(draw[g]));
    std::sort(draws.begin(), draws.end());
    const double truth = g == 0 ? first : second;
    verdict.holds[g] =
        draws[draws.size() / 20] <= truth && truth <= draws[draws.size() - 1 - draws.size() / 20];
  }
  return verdict;
}

// Share of sets called different (evidence ratio of at least three).
double report(double first, double second, int sets, int patients) {
  std::vector<Verdict> verdicts(sets);
  base::parallel_tasks(sets, 0, [&](int i) { verdicts[i] = judge(first, second, patients, 1000 + i); });
  double called = 0.0;
  double held[2] = {0.0, 0.0};
  for (const Verdict& verdict : verdicts) {
    called += verdict.log_bayes_factor >= std::log(3.0) ? 1.0 / sets : 0.0;
    for (const int g : {0, 1}) held[g] += verdict.holds[g] ? 1.0 / sets : 0.0;
  }
  fmt::print(
      "boundaries at {:.0f}% and {:.0f}%: called different in {:.1f}% of {} sets ({} patients a site); 90% "
      "intervals hold {:.1f}% and {:.1f}%\n",
      100.0 * first, 100.0 * second, 100.0 * called, sets, patients, 100.0 * held[0], 100.0 * held[1]);
  return called;
}

}  // namespace
}  // namespace interpole::testing

int main(int argc, char** argv) {
  const int sets = argc > 1 ? std::max(std::atoi(argv[1]), 10) : 200;
  const int patients = argc > 2 ? std::max(std::atoi(argv[2]), 10) : 200;
  interpole::testing::report(0.7, 0.9, sets, patients);
  return interpole::testing::report(0.8, 0.8, sets, patients) <= 0.05 ? 0 : 1;
}
