// Can these draws be trusted? Convergence and precision of one quantity drawn by several chains.
//
// Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021), "Rank-normalization, folding, and localization":
// chains are cut in halves, draws replaced by normal scores of their ranks. R̂ is the larger of that of the
// draws (do the chains agree where?) and of their distances from the median (do they agree how wide?).
// Effective sample sizes sum autocorrelations over Geyer's initial monotone sequence, lag by lag, so the cost
// is draws × lags that matter; chains that disagree need all lags.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace interpole::sampling {

// One span of draws per chain. Chains of unequal length are cut to the shortest.
using ChainsOfDraws = std::span<const std::span<const double>>;

struct DrawsDiagnostics {
  enum class Status {
    kMeasured,
    kConstant,   // all draws are the same: nothing to measure
    kTooFew,     // less than twelve draws in a chain
    kNotFinite,  // a draw is infinite or NaN
  };
  Status status = Status::kTooFew;

  // Set only if measured; mean also if constant. Finite always.
  std::optional<double> mean;
  std::optional<double> sd;
  std::optional<double> r_hat;     // good below 1.01; at most kMostRHat, for chains that do not move
  std::optional<double> ess_bulk;  // effective draws for the centre
  std::optional<double> ess_tail;  // for the 5% and 95% quantiles, the smaller
  std::optional<double> mcse_mean;
  std::optional<double> mcse_sd;
};

inline constexpr double kMostRHat = 1e6;

DrawsDiagnostics diagnose_draws(ChainsOfDraws chains);

// Energy Bayesian fraction of missing information of one chain (Betancourt 2016): below 0.3, momenta change
// the energy too little to explore the tails. Empty if the energies are constant, not finite or fewer than
// twelve.
std::optional<double> e_bfmi(std::span<const double> energies);

}  // namespace interpole::sampling
