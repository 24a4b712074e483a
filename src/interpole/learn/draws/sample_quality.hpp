// Can these draws be trusted? Diagnostics of every sampled quantity and of every chain, and in words what is
// wrong and what helps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/learn/draws/sampled_chain.hpp"
#include "interpole/sampling/diagnostics.hpp"

namespace interpole::learn {

struct QuantitySummary {
  std::string name;  // as in the draws file
  double mean = 0.0;
  double sd = 0.0;
  double q05 = 0.0;
  double median = 0.0;
  double q95 = 0.0;
  sampling::DrawsDiagnostics diagnostics;
};

struct ChainQuality {
  int draws = 0;
  int divergent = 0;
  int deepest = 0;  // draws whose trajectory was cut at the depth limit
  double mean_accept = 0.0;
  double step_size = 0.0;  // of the last draw
  std::int64_t leapfrogs = 0;
  std::optional<double> e_bfmi;
};

struct SampleQuality {
  std::vector<QuantitySummary> quantities;  // those that vary
  std::vector<ChainQuality> chains;
  std::vector<std::string> doubts;  // sentences; empty: nothing speaks against the draws

  // The worst of all quantities; empty if none could be measured.
  std::optional<double> largest_r_hat() const;
  std::optional<double> least_ess_bulk() const;
  std::optional<double> least_ess_tail() const;
};

// All sampled columns: names, and values by column, chain and draw.
struct DrawColumns {
  std::vector<std::string> names;
  std::vector<std::vector<std::vector<double>>> values;
};

SampleQuality judge_draws(const std::vector<SampledChain>& chains, const DrawColumns& columns,
                          int most_depth);

}  // namespace interpole::learn
