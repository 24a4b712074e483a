// How far an agent's picture of the world may be from the world (docs/mathematics/coupling.md).
//
// Row by row, the agent's coordinates are the world's plus a gap δ, and
//
//   δ ~ Normal(0, σ²)     one σ for each kind of row (initial belief, transitions, observations), or one
//                         for each row
//
// σ = 0 is one set of dynamics (shared), σ = ∞ is two that know nothing of each other (the agent's is then
// the subjective one). To the extent that the agent is free of the world, w = σ²/(1 + σ²), the study's
// Dirichlet prior speaks of the agent too; with uniform priors that changes nothing.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "interpole/model/parameter_space.hpp"
#include "interpole/priors.hpp"

namespace interpole::learn {

// σ by kind of row, or row by row.
struct CouplingScales {
  double initial = 0.0;
  double transition = 0.0;
  double observation = 0.0;
  std::vector<double> rows{};  // of every row (CoupledSpace::links); empty: by its kind

  static CouplingScales all(double sigma) { return {sigma, sigma, sigma}; }
  double of(Field field) const;
  double& of(Field field);
  double of_row(std::size_t row, Field field) const { return rows.empty() ? of(field) : rows[row]; }
  bool operator==(const CouplingScales&) const = default;
};

inline constexpr std::array<Field, 3> kCoupledFields = {Field::kInitial, Field::kTransition,
                                                        Field::kObservation};

// A proper prior of σ: half-normal with standard deviation kScaleSpread, on a grid even in log σ.
inline constexpr double kScaleSpread = 1.0;
inline constexpr double kSmallestScale = 0.02;  // gaps of half a percentage point: no difference worth a name
inline constexpr double kLargestScale = 4.0;
struct ScaleGrid {
  std::vector<double> sigma;
  std::vector<double> log_weight;  // the weights sum to one
};
ScaleGrid scale_grid(int points);

struct Coupling {
  CouplingScales scales;
  // Integrate over every σ with its prior instead (sampling); `scales` are then not used.
  bool integrate = false;
  bool operator==(const Coupling&) const = default;
};

// The weight of the study's prior on the agent.
double tilt_of(double sigma);

// log ∫∫ Dirichlet(θ_w) N(δ; 0, σ²) Dirichlet(θ_a)^w: what makes the prior of a row's two points integrate to
// one. By Monte Carlo with fixed draws, so that it is a smooth function of σ; exact for a uniform prior.
class TiltNormaliser {
 public:
  // `concentration`: of the row's free entries. `anchor`: the world's coordinates where they are known, else
  // empty.
  TiltNormaliser(std::vector<double> concentration, std::span<const double> anchor);
  double log_at(double sigma) const;

 private:
  std::vector<double> concentration_;
  bool uniform_ = true;
  std::vector<double> world_, normals_;  // [draw·size + coordinate]
};

// Normalisers and their values, each computed once: rows with the same prior share theirs, and so do the many
// hypotheses that are weighed about one data set. May be asked from several threads.
class TiltNormalisers {
 public:
  double log_at(const std::vector<double>& concentration, const std::vector<double>& anchor, double sigma);

 private:
  struct Row {
    TiltNormaliser normaliser;
    std::map<double, double> known;  // by σ
  };
  std::mutex mutex_;
  std::map<std::pair<std::vector<double>, std::vector<double>>, Row> rows_;
};

}  // namespace interpole::learn
