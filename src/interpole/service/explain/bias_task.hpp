// `interpole bias`: where the agent's picture of the world differs from the world.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/bias_audit.hpp"
#include "interpole/data_files.hpp"
#include "interpole/explain/policy/share_words.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct BiasRequest {
  std::string model;
  DataFiles data;
  std::string study;  // for data that are not a visits table
  std::string draws;  // from `sample`; empty: the model's own approximation
  BiasOptions options;
  bool shares = false;  // of what makes decisions foreseeable (learn/shares)
  std::uint64_t seed = 1;
  int threads = 0;
};

struct BiasOutcome {
  Structure structure;
  AgentWorldComparison found;
  std::optional<double> log_bayes_factor;
  std::vector<std::string> warnings;  // what the fit said of itself
  std::string source;                 // of the intervals
  std::optional<learn::Shares> shares;
};

BiasOutcome run_bias(const BiasRequest& request, Sink& sink);

std::string to_json(const BiasOutcome& outcome);

}  // namespace interpole::service
