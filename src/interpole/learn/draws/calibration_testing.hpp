// Simulation-based calibration: draw a truth from the prior, records from the truth, a posterior from the
// records. Then the truth's rank among posterior draws is uniform, and 90% intervals hold it 90% of the time,
// whatever the model, if and only if posterior, gradient, Jacobians, search and sampler are right. Searches
// begin where a user's do: nothing here knows the truth but what is compared with it. Used by a short test
// and by `make calibrate`.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "interpole/base/parallel.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/posterior/coupled_posterior.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/sampling/nuts/nuts.hpp"

namespace interpole::testing {

struct CalibrationSetting {
  DynamicsMode dynamics = DynamicsMode::kCoupled;
  double concentration = 3.0;  // of every row, in the prior that truths are drawn from
  double assumed_concentration =
      3.0;  // … and in the one the posterior is told: differs in a negative control
  learn::Measure measure = learn::Measure::kCoordinates;  // kNatural forgets the Jacobian: a negative control
  int records = 40;
  int longest = 8;
  int sets = 200;
  int warm_up = 300;
  int draws = 400;
  int kept = 99;  // thinned draws a truth is ranked among
  std::uint64_t seed = 1;
};

struct CalibrationResult {
  std::vector<std::string> names;
  std::vector<std::vector<int>> ranks;  // [quantity][set], 0 … kept
  std::vector<double> nuts_coverage;    // [quantity] of 90% intervals
  std::vector<double> laplace_coverage;
  int divergences = 0;
};

// BIAS with a prior that truths can be drawn from: results and the means of both declarations are unknown.
inline Study calibration_study(double concentration) {
  Study study = bias_study();
  study.start = Parameters::filled(study.structure, NAN);
  study.priors.concentration = Dynamics::filled(study.structure, concentration);
  study.priors.means_sd = 0.7;
  return study;
}

inline double beta_draw(double alpha, base::RandomStream& random) {
  const double x = random.gamma(alpha);
  return x / (x + random.gamma(alpha));
}

inline void set_chance(Dynamics& dynamics, std::size_t state, double negative) {
  dynamics.observation[2 * state] = negative;
  dynamics.observation[2 * state + 1] = 1.0 - negative;
}

// One row of world and agent from their joint prior given σ: world from the Dirichlet, a normal gap, kept
// with the probability that the tilt asks for.
inline std::pair<double, double> draw_pair(double alpha, double sigma, base::RandomStream& random) {
  const auto tilted = [&](double p) {
    return std::pow(4.0 * p * (1.0 - p), (alpha - 1.0) * learn::tilt_of(sigma));
  };
  while (true) {
    const double world = beta_draw(alpha, random);
    const double gap = sigma * random.normal();
    const double agent = 1.0 / (1.0 + std::exp(-(std::log(world / (1.0 - world)) + std::sqrt(2.0) * gap)));
    if (random.uniform() < tilted(agent)) return {world, agent};
  }
}

// An agent and a world from the prior.
inline AgentWorld draw_truth(const CalibrationSetting& setting, base::RandomStream& random) {
  AgentWorld truth{bias_parameters(), bias_parameters().dynamics};
  const learn::ScaleGrid grid = learn::scale_grid(24);
  std::vector<double> weights;
  for (const double w : grid.log_weight) weights.push_back(std::exp(w));
  const double sigma = grid.sigma[random.categorical(weights)];
  for (int s = 0; s < 2; ++s) {
    const auto [world, agent] = setting.dynamics == DynamicsMode::kCoupled
                                    ? draw_pair(setting.concentration, sigma, random)
                                    : std::pair(beta_draw(setting.concentration, random), 0.0);
    set_chance(*truth.world, s, world);
    set_chance(truth.agent.dynamics, s, setting.dynamics == DynamicsMode::kCoupled ? agent : world);
  }
  for (const std::size_t action : {1, 2}) {
    const double y = 0.7 * random.normal() / std::sqrt(2.0);
    truth.agent.policy.means[2 * action] = 0.5 + y;
    truth.agent.policy.means[2 * action + 1] = 0.5 - y;
  }
  return truth;
}

// States have no names in this prior: the one with fewer negative results is called diseased. Truth and draws
// are named alike, so the rank is that of the same question.
inline std::vector<double> named_quantities(const Structure& structure, AgentWorld x, DynamicsMode mode) {
  const Dynamics& naming = mode == DynamicsMode::kCoupled ? *x.world : x.agent.dynamics;
  if (naming.observation[0] < naming.observation[2]) x = permute_states(structure, x, {1, 0});
  std::vector<double> values = {x.agent.dynamics.observation[0], x.agent.dynamics.observation[2],
                                x.agent.policy.means[2], x.agent.policy.means[4]};
  if (mode == DynamicsMode::kCoupled) {
    values.push_back(x.world->observation[0]);
    values.push_back(x.world->observation[2]);
    values.push_back(x.agent.dynamics.observation[2] - x.world->observation[2]);
  }
  return values;
}

inline std::vector<std::string> quantity_names(DynamicsMode mode) {
  std::vector<std::string> names = {"observation[monitor,healthy,negative]",
                                    "observation[monitor,diseased,negative]",
                                    "means[declare-healthy,healthy]", "means[declare-diseased,healthy]"};
  if (mode == DynamicsMode::kCoupled) {
    names.push_back("world.observation[monitor,healthy,negative]");
    names.push_back("world.observation[monitor,diseased,negative]");
    names.push_back("difference[monitor,diseased,negative]");
  }
  return names;
}

struct CalibrationSet {
  std::vector<int> ranks;
  std::vector<char> in_nuts, in_laplace;
  int divergences = 0;
};

// Rank of the truth and whether the central 90% of the draws hold it, for each quantity.
inline void compare_with_draws(const std::vector<double>& truth,
                               const std::vector<std::vector<double>>& draws, std::vector<int>* ranks,
                               std::vector<char>& inside) {
  for (std::size_t q = 0; q < truth.size(); ++q) {
    const auto below = static_cast<int>(std::count_if(
        draws.begin(), draws.end(), [&](const std::vector<double>& draw) { return draw[q] < truth[q]; }));
    if (ranks != nullptr) ranks->push_back(below);
    const double place = below / static_cast<double>(draws.size());
    inside.push_back(place >= 0.05 && place < 0.95);
  }
}

// What `interpole fit` does by default.
inline learn::FitSummary searched(const CalibrationSetting& setting, const HistoryTree& tree,
                                  const Study& study, int index) {
  learn::FitOptions options;
  options.dynamics = setting.dynamics;
  options.seed = setting.seed + static_cast<std::uint64_t>(index);
  options.threads = 1;
  return learn::fit(tree, study, options, quiet_sink());
}

inline CalibrationSet run_set(const CalibrationSetting& setting, int index) {
  base::RandomStream random(setting.seed, index, base::RandomPurpose(31));
  const Study study = calibration_study(setting.assumed_concentration);
  const AgentWorld truth = draw_truth(setting, random);
  const Dynamics& world = setting.dynamics == DynamicsMode::kCoupled ? *truth.world : truth.agent.dynamics;
  const auto records = random_records(study.structure, truth.agent, setting.records, setting.longest,
                                      random.next_bits(), 0.0, &world);
  const auto tree = build_history_tree(3, records);
  const inference::Likelihood likelihood(tree, study.structure);
  const auto posterior =
      learn::make_posterior(likelihood, study, {setting.dynamics, setting.measure, {{}, true}});

  const learn::FitSummary fit = searched(setting, tree, study, index);
  std::vector<double> start(posterior->size());
  posterior->coordinates({fit.parameters, fit.world}, start);
  const auto normal_draws = draw_agent_worlds(fit.problem, *fit.uncertainty, setting.draws,
                                              setting.seed + static_cast<std::uint64_t>(index));
  sampling::NutsOptions options;
  options.warm_up = setting.warm_up;
  options.metric = sampling::MetricKind::kDense;
  options.target_accept = 0.9;
  sampling::NutsChain chain(*posterior, start, options, setting.seed, static_cast<std::uint64_t>(index));
  std::vector<std::vector<double>> draws, thinned, normal;
  CalibrationSet set;
  for (int i = 0; i < setting.warm_up; ++i) chain.next();
  for (int i = 0; i < setting.draws; ++i) {
    const sampling::NutsDraw& draw = chain.next();
    set.divergences += draw.divergent ? 1 : 0;
    draws.push_back(
        named_quantities(study.structure, posterior->agent_world(draw.position), setting.dynamics));
    normal.push_back(named_quantities(study.structure, normal_draws[i], setting.dynamics));
  }
  for (int i = 0; i < setting.kept; ++i) {
    thinned.push_back(draws[static_cast<std::size_t>(i) * draws.size() / setting.kept]);
  }
  const auto expected = named_quantities(study.structure, truth, setting.dynamics);
  std::vector<char> ignored;
  compare_with_draws(expected, thinned, &set.ranks, ignored);
  compare_with_draws(expected, draws, nullptr, set.in_nuts);
  compare_with_draws(expected, normal, nullptr, set.in_laplace);
  return set;
}

inline CalibrationResult calibrate(const CalibrationSetting& setting, int threads) {
  std::vector<CalibrationSet> sets(setting.sets);
  base::parallel_tasks(setting.sets, threads, [&](int i) { sets[i] = run_set(setting, i); });
  CalibrationResult result;
  result.names = quantity_names(setting.dynamics);
  for (std::size_t q = 0; q < result.names.size(); ++q) {
    result.ranks.emplace_back();
    result.nuts_coverage.push_back(0.0);
    result.laplace_coverage.push_back(0.0);
    for (const CalibrationSet& set : sets) {
      result.ranks[q].push_back(set.ranks[q]);
      result.nuts_coverage[q] += set.in_nuts[q] / static_cast<double>(setting.sets);
      result.laplace_coverage[q] += set.in_laplace[q] / static_cast<double>(setting.sets);
    }
  }
  for (const CalibrationSet& set : sets) result.divergences += set.divergences;
  return result;
}

// P(χ² with `degrees` > x), by the regularised incomplete gamma function.
inline double chi_squared_tail(double x, int degrees) {
  const double a = 0.5 * degrees;
  const double t = 0.5 * x;
  double term = std::exp(-t + a * std::log(t) - std::lgamma(a + 1.0));
  double below = 0.0;
  for (int n = 1; term > 1e-16 * (below + 1e-300) && n < 10'000; ++n) {
    below += term;
    term *= t / (a + n);
  }
  return std::max(0.0, 1.0 - below);
}

// p-value of uniform ranks: `bins` equal bins of the kept + 1 possible ranks.
inline double uniformity(const std::vector<int>& ranks, int kept, int bins) {
  std::vector<double> counts(bins, 0.0);
  for (const int rank : ranks) counts[rank * bins / (kept + 1)] += 1.0;
  const double expected = static_cast<double>(ranks.size()) / bins;
  double statistic = 0.0;
  for (const double count : counts) statistic += (count - expected) * (count - expected) / expected;
  return statistic > 0.0 ? chi_squared_tail(statistic, bins - 1) : 1.0;
}

}  // namespace interpole::testing
