// Small studies of measured factors whose truth is drawn from the very prior that a fit assumes: two states,
// two actions, visits at irregular times, 30% of single cells missing. For simulation-based calibration and
// the coverage of intervals.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/environment.hpp"
#include "interpole/learn/posterior/coupled_space.hpp"
#include "interpole/learn/posterior/log_prior.hpp"
#include "interpole/problem.hpp"
#include "interpole/simulate.hpp"

namespace interpole {

// What is measured in a study, and what its prior says: where each parameter is expected in either state
// (NaN: probabilities of levels, which are uniform).
struct MeasuredKind {
  const char* name;
  std::vector<MeasuredFactor> factors;
  std::vector<double> expected[2];
};

inline std::vector<MeasuredKind> measured_kinds() {
  MeasuredFactor score{"score", Family::kNormal};
  score.centre = 4.0, score.scale = 1.5;
  MeasuredFactor marker{"marker", Family::kLogNormal};
  marker.centre = 8.0, marker.scale = 0.7;
  MeasuredFactor joints{"joints", Family::kPoisson};
  joints.centre = 3.0, joints.scale = 0.6;
  MeasuredFactor episodes{"episodes", Family::kNegativeBinomial};
  episodes.centre = 3.0, episodes.scale = 0.6;
  const MeasuredFactor sign{"sign", Family::kCategorical, {"no", "yes"}};
  return {{"normal", {score}, {{2.5, 1.2}, {5.5, 1.2}}},
          {"count", {episodes}, {{1.6, 4.0}, {5.6, 4.0}}},
          {"mixed", {score, joints, sign}, {{2.5, 1.2, 1.6, NAN, NAN}, {5.5, 1.2, 5.6, NAN, NAN}}},
          {"mixed, lognormal",
           {marker, episodes, sign},
           {{4.0, 0.5, 1.6, 4.0, NAN, NAN}, {16.0, 0.5, 5.6, 4.0, NAN, NAN}}}};
}

inline constexpr double kPriorWidth = 0.5;  // of a factor's parameters, in the factor's units
inline constexpr double kTypicalGap = 10.0;

// Seeing or treating a patient changes neither what is seen nor how states change: rows are tied. η is known.
inline DecisionProblem measured_problem(const MeasuredKind& kind, double width = kPriorWidth) {
  Structure structure = Structure::of_factors({"quiet", "flare"}, {"see", "treat"}, kind.factors);
  structure.set_time({"days", TimeRule::kGenerators, kTypicalGap});
  DecisionProblem problem = DecisionProblem::open(structure);
  problem.known.policy.inverse_temperature = 4.0;
  problem.priors.means_sd = 0.7;
  problem.ties = {true, true};
  problem.priors.expected.clear();
  for (int action = 0; action < 2; ++action) {
    for (const auto& row : kind.expected)
      problem.priors.expected.insert(problem.priors.expected.end(), row.begin(), row.end());
  }
  auto& widths = problem.priors.concentration.observation;
  for (std::size_t i = 0; i < widths.size(); ++i)
    widths[i] = std::isnan(problem.priors.expected[i]) ? 1.0 : width;
  return problem;
}

// The world's coordinates of a row, and the agent's: the world's and a normal gap, kept with the probability
// that the study's prior, weighed as the coupling does, gives the agent's.
inline void draw_row(const model::ParameterBlock& block, const Priors& priors, double sigma,
                     base::RandomStream& random, std::span<double> world, std::span<double> agent) {
  while (true) {
    double log_kept = 0.0;
    if (block.single()) {
      const learn::NormalPrior prior = learn::prior_of_single(block, priors);
      world[0] = prior.mean + prior.sd * random.normal();
      agent[0] = world[0] + sigma * random.normal();
      const double t = (agent[0] - prior.mean) / prior.sd;
      log_kept = -0.5 * t * t * learn::tilt_of(sigma);
    } else {  // uniform: the agent's is as likely whatever it is
      model::block_coordinates(block, random.dirichlet(static_cast<int>(block.entries.size()), 1.0), world);
      for (std::size_t i = 0; i < world.size(); ++i) agent[i] = world[i] + sigma * random.normal();
    }
    if (random.uniform() < std::exp(log_kept)) return;
  }
}

// Agent and world from the prior: alike, or with a σ for each kind of row.
inline AgentWorld drawn_truth(const DecisionProblem& problem, bool alike, base::RandomStream& random) {
  const learn::CoupledSpace space(problem, {learn::CouplingScales::all(1.0), false});
  const learn::ScaleGrid grid = learn::scale_grid(24);
  std::vector<double> weights;
  for (const double w : grid.log_weight) weights.push_back(std::exp(w));
  learn::CouplingScales scales;
  for (const Field field : learn::kCoupledFields)
    scales.of(field) = alike ? 0.0 : grid.sigma[random.categorical(weights)];
  std::vector<double> world(space.world().size()), agent(world.size()), policy(space.policy().size());
  for (const auto& block : space.world().blocks()) {
    draw_row(block, problem.priors, scales.of(block.field), random,
             std::span(world).subspan(block.offset, block.size),
             std::span(agent).subspan(block.offset, block.size));
  }
  for (double& y : policy) y = problem.priors.means_sd * random.normal();
  return {{space.agent().point(agent), space.policy().point(policy)}, space.world().point(world)};
}

// Patients come back sooner or later; `seed` tells the sets apart.
inline HistoryTree measured_tree(const DecisionProblem& problem, const AgentWorld& truth, int patients,
                                 int longest, std::uint64_t seed) {
  Environment environment;
  environment.name = "measured";
  environment.truth = {problem.structure, truth.agent, truth.world};
  environment.longest_record = longest;
  environment.results_lost = 0.3;  // of single cells
  environment.gaps = {1, 2, 3.5, 5, 7, 8, 11, 14, 15, 21, 30, 45};
  std::vector<Record> records;
  for (int i = 1; i <= patients; ++i) records.push_back(simulate_record(environment, seed, i));
  return build_history_tree(problem.structure.action_count(), records);
}

}  // namespace interpole
