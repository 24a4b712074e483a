// Are posteriors of measured factors right? Simulation-based calibration and coverage of 90% intervals, on
// small studies drawn from the prior (measured_studies.hpp): one normal factor, one count, three factors of
// mixed kinds; irregular visits, 30% of single cells missing. Each set is searched as `interpole fit` does;
// ranks are among the sampler's draws, intervals those of the sampler and of the model file.
//
//   build/calibrate_measured [--sets 200] [--first 0] [--patients 60] [--longest 8] [--dynamics coupled]
//                            [--draws 400] [--controls 200] [--seed 1] [--threads 0] [--rows 0] [KIND …]
//
// Kinds: normal, count, mixed, "mixed, lognormal". --rows 1 prints a line for every number, --draws 0 leaves
// the sampler out. Exit code 1 if ranks are not uniform, if the sampler's intervals hold too much or too
// little, or if the ranks do not show a wrong prior (--controls sets of it; 0: none).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "arguments.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/learn/draws/calibration_testing.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "measured_studies.hpp"

namespace interpole {
namespace {

constexpr int kBins = 20;
constexpr int kKept = 99;  // thinned draws a truth is ranked among
constexpr double kLevel = 0.9;
constexpr double kErrors = 4.0;  // standard errors of a share, as in calibrate.cpp
constexpr const char* kRow = "{:<48} {:>7} {:>10} {:>12} {:>10}\n";

struct Setting {
  int sets = 200;
  int first = 0;
  int patients = 60;
  int longest = 8;
  int draws = 400;
  int threads = 0;
  std::uint64_t seed = 1;
  DynamicsMode dynamics = DynamicsMode::kCoupled;
  double assumed_width = kPriorWidth;  // differs in a negative control
  bool rows = false;
};

enum Part { kAgent, kWorld, kDifference, kMeans, kParts };
constexpr const char* kPartNames[kParts] = {"agent", "world", "difference", "means"};

struct Quantity {
  Part part;
  std::string name;
};

// The numbers that are compared: of every row one less than it has probabilities, all parameters of factors.
struct Quantities {
  std::vector<Quantity> list;
  std::vector<std::pair<Field, int>> entries;
  bool coupled = false;

  Quantities(const DecisionProblem& problem, DynamicsMode mode) : coupled(mode == DynamicsMode::kCoupled) {
    const model::DynamicsSpace space(problem.structure, problem.known.dynamics, problem.ties);
    for (const auto& block : space.blocks()) {
      for (int i = 0; i < block.size; ++i) entries.emplace_back(block.field, block.entries[i]);
      for (int i = 0; i < block.size; ++i) list.push_back({kAgent, block.name});
    }
    if (!coupled) {
      add_means();
      return;
    }
    const std::vector<Quantity> agent = list;
    for (const Part part : {kWorld, kDifference}) {
      for (const Quantity& of : agent) list.push_back({part, of.name});
    }
    add_means();
  }
  void add_means() {
    for (const char* action : {"see", "treat"}) list.push_back({kMeans, action});
  }

  std::vector<double> of(const AgentWorld& x) const {
    std::vector<double> agent, world, result;
    for (const auto& [field, entry] : entries) {
      agent.push_back(model::field_of(x.agent.dynamics, field)[entry]);
      if (coupled) world.push_back(model::field_of(*x.world, field)[entry]);
    }
    result = agent;
    result.insert(result.end(), world.begin(), world.end());
    for (std::size_t i = 0; i < world.size(); ++i) result.push_back(agent[i] - world[i]);
    for (const std::size_t a : {0, 1}) result.push_back(x.agent.policy.means[2 * a]);
    return result;
  }
};

struct SetResult {
  std::vector<int> ranks;
  std::vector<char> in_nuts, in_laplace;
  int divergences = 0;
};

void sample(const Setting& setting, learn::Posterior& posterior, const AgentWorld& start,
            const Quantities& quantities, const std::vector<double>& truth, std::uint64_t set,
            SetResult& result) {
  std::vector<double> y(posterior.size());
  posterior.coordinates(start, y);
  sampling::NutsOptions options;
  options.warm_up = 300;
  options.metric = sampling::MetricKind::kDense;
  options.target_accept = 0.9;
  sampling::NutsChain chain(posterior, y, options, setting.seed, set);
  for (int i = 0; i < options.warm_up; ++i) chain.next();
  std::vector<std::vector<double>> draws, thinned;
  for (int i = 0; i < setting.draws; ++i) {
    const sampling::NutsDraw& draw = chain.next();
    result.divergences += draw.divergent ? 1 : 0;
    draws.push_back(quantities.of(posterior.agent_world(draw.position)));
  }
  for (int i = 0; i < kKept; ++i)
    thinned.push_back(draws[static_cast<std::size_t>(i) * draws.size() / kKept]);
  std::vector<char> ignored;
  testing::compare_with_draws(truth, thinned, &result.ranks, ignored);
  testing::compare_with_draws(truth, draws, nullptr, result.in_nuts);
}

SetResult result_of(const Setting& setting, const MeasuredKind& kind, int index) {
  const auto set = static_cast<std::uint64_t>(setting.first) + static_cast<std::uint64_t>(index);
  base::RandomStream random(setting.seed, set, base::RandomPurpose::kBootstrap);
  const bool coupled = setting.dynamics == DynamicsMode::kCoupled;
  const DecisionProblem drawn_from = measured_problem(kind);
  const AgentWorld truth = drawn_truth(drawn_from, !coupled, random);
  const HistoryTree tree =
      measured_tree(drawn_from, truth, setting.patients, setting.longest, random.next_bits());
  DecisionProblem problem = measured_problem(kind, setting.assumed_width);
  problem.structure = drawn_from.structure;  // with the outcomes and gaps that were met
  learn::FitOptions options;
  options.dynamics = setting.dynamics;
  options.seed = setting.seed + set;
  options.threads = 1;
  const learn::FitSummary fit = learn::fit(tree, problem, options, quiet_sink());
  const Quantities quantities(problem, setting.dynamics);
  const auto expected = quantities.of(truth);
  SetResult result;
  if (fit.uncertainty) {
    std::vector<std::vector<double>> normal;
    for (const AgentWorld& draw : draw_agent_worlds(fit.problem, *fit.uncertainty, 1000, setting.seed + set))
      normal.push_back(quantities.of(draw));
    testing::compare_with_draws(expected, normal, nullptr, result.in_laplace);
  }
  if (setting.draws == 0) return result;
  const inference::Likelihood likelihood(tree, problem.structure);
  const auto posterior = learn::make_posterior(likelihood, problem,
                                               {setting.dynamics, learn::Measure::kCoordinates, {{}, true}});
  sample(setting, *posterior, {fit.parameters, fit.world}, quantities, expected, set, result);
  return result;
}

struct Calibration {
  std::vector<Quantity> list;
  std::vector<std::vector<int>> ranks;  // [quantity][set]
  std::vector<double> in_nuts, in_laplace;
  int divergences = 0, without_intervals = 0;

  double p_of(std::size_t q) const { return testing::uniformity(ranks[q], kKept, kBins); }
  double smallest_p() const {
    double smallest = 1.0;
    for (std::size_t q = 0; q < list.size(); ++q) smallest = std::min(smallest, p_of(q));
    return smallest;
  }
};

Calibration calibrated(const Setting& setting, const MeasuredKind& kind) {
  std::vector<SetResult> sets(setting.sets);
  base::parallel_tasks(setting.sets, setting.threads, [&](int i) { sets[i] = result_of(setting, kind, i); });
  Calibration sum;
  sum.list = Quantities(measured_problem(kind), setting.dynamics).list;
  const std::size_t n = sum.list.size();
  sum.ranks.resize(n);
  sum.in_nuts.assign(n, 0.0);
  sum.in_laplace.assign(n, 0.0);
  for (const SetResult& set : sets) {
    sum.divergences += set.divergences;
    sum.without_intervals += set.in_laplace.empty();
  }
  for (std::size_t q = 0; q < n; ++q) {
    for (const SetResult& set : sets) {
      if (setting.draws > 0) sum.ranks[q].push_back(set.ranks[q]);
      if (setting.draws > 0) sum.in_nuts[q] += set.in_nuts[q] / static_cast<double>(setting.sets);
      if (!set.in_laplace.empty())
        sum.in_laplace[q] += set.in_laplace[q] / static_cast<double>(setting.sets - sum.without_intervals);
    }
  }
  return sum;
}

// True if ranks are uniform and the sampler's intervals hold what they promise.
bool report(const Setting& setting, const MeasuredKind& kind) {
  const auto begin = std::chrono::steady_clock::now();
  const Calibration found = calibrated(setting, kind);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("\n{}, {} dynamics: {} sets of {} patients, {:.0f} s", kind.name, name_of(setting.dynamics),
             setting.sets, setting.patients, seconds);
  fmt::print("; {} divergent draws of {}, {} fits without intervals\n", found.divergences,
             setting.sets * setting.draws, found.without_intervals);
  fmt::print(fmt::runtime(kRow), "", "numbers", "NUTS 90%", "Laplace 90%", "least p");
  const bool sampled = setting.draws > 0;
  const auto shown = [&](double share, bool any) {
    return any ? fmt::format("{:.1f}%", 100.0 * share) : std::string();
  };
  const double limit = 0.05 / static_cast<double>(found.list.size());
  const double error = kErrors * std::sqrt(kLevel * (1.0 - kLevel) / setting.sets);
  bool good = true;
  std::array<double, kParts> nuts{}, laplace{}, least{}, count{};
  least.fill(1.0);
  for (std::size_t q = 0; q < found.list.size(); ++q) {
    const Part part = found.list[q].part;
    const double p = sampled ? found.p_of(q) : 1.0;
    nuts[part] += found.in_nuts[q];
    laplace[part] += found.in_laplace[q];
    least[part] = std::min(least[part], p);
    count[part] += 1.0;
    const bool holds = !sampled || (p >= limit && std::abs(found.in_nuts[q] - kLevel) <= error);
    good &= holds;
    if (setting.rows || !holds) {
      fmt::print(fmt::runtime(kRow), fmt::format("  {}: {}", kPartNames[part], found.list[q].name), "",
                 shown(found.in_nuts[q], sampled), shown(found.in_laplace[q], true),
                 sampled ? fmt::format("{:.4f}{}", p, holds ? "" : " fails") : "");
    }
  }
  for (int part = 0; part < kParts; ++part) {
    if (count[part] == 0.0) continue;
    fmt::print(fmt::runtime(kRow), kPartNames[part], count[part], shown(nuts[part] / count[part], sampled),
               shown(laplace[part] / count[part], true), sampled ? fmt::format("{:.4f}", least[part]) : "");
  }
  if (sampled) {
    fmt::print("ranks must have p of at least {:.4f}, NUTS intervals hold {:.0f} to {:.0f}%: {}\n", limit,
               100.0 * (kLevel - error), 100.0 * std::min(1.0, kLevel + error),
               good ? "they do" : "they do not");
  }
  std::fflush(stdout);
  return good;
}

// True if the ranks show that the prior is another.
bool control(const MeasuredKind& kind, Setting setting, int sets) {
  setting.sets = sets;
  setting.assumed_width = 2.0 * kPriorWidth;
  setting.patients = 5;  // few, so that the prior matters
  setting.dynamics = DynamicsMode::kShared;
  const Calibration found = calibrated(setting, kind);
  const double p = found.smallest_p();
  const bool caught = p < 0.05 / static_cast<double>(found.list.size());
  fmt::print("negative control, a prior twice as wide: smallest p {:.2g}, {}\n", p,
             caught ? "caught as it must be" : "not caught");
  std::fflush(stdout);
  return caught;
}

void run_all(int argc, char** argv) {
  const Arguments arguments(argc, argv,
                            {"--sets", "--first", "--patients", "--longest", "--dynamics", "--draws",
                             "--controls", "--seed", "--threads", "--rows"});
  Setting setting;
  setting.sets = std::max(arguments.number("--sets", setting.sets), 2);
  setting.first = arguments.number("--first", setting.first);
  setting.patients = arguments.number("--patients", setting.patients);
  setting.longest = arguments.number("--longest", setting.longest);
  setting.draws = arguments.number("--draws", setting.draws);
  setting.threads = arguments.number("--threads", setting.threads);
  setting.seed = arguments.number("--seed", setting.seed);
  setting.rows = arguments.number("--rows", 0) != 0;
  setting.dynamics = dynamics_mode_named(arguments.text("--dynamics", "coupled"));
  const int controls = arguments.number("--controls", 200);
  if (setting.draws != 0 && setting.draws < kKept)
    throw std::invalid_argument(fmt::format("--draws: at least {}, or 0", kKept));
  bool good = true;
  for (const MeasuredKind& kind : measured_kinds()) {
    if (!arguments.wants(kind.name)) continue;
    good &= report(setting, kind);
    if (controls > 0 && setting.draws > 0) good &= control(kind, setting, controls);
  }
  if (!good) throw std::runtime_error("not everything is as it must be");
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::run_all(argc, argv); });
}
