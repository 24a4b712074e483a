// Where chains begin: around the mode, further apart than the posterior is wide, so that chains that agree
// in the end have all found it; and the shape of the posterior as far as it is known before sampling.
#pragma once

#include <vector>

#include "interpole/learn/fit/fit.hpp"
#include "interpole/sampling/nuts/metric.hpp"

namespace interpole::learn {

struct ChainStarts {
  std::vector<std::vector<double>> points;  // [chain]; the log-posterior is finite there
  std::vector<double> inverse_metric;       // to begin with; empty: nothing is known
};

// `posterior` is what will be sampled (Measure::kCoordinates). Draws from the fit's normal approximation
// with doubled spread, drawn nearer where the log-posterior would be absurdly low.
ChainStarts chain_starts(Posterior& posterior, const DecisionProblem& problem, const FitSummary& fit,
                         const optimize::LbfgsOptions& lbfgs, sampling::MetricKind metric, int chains,
                         std::uint64_t seed);

}  // namespace interpole::learn
