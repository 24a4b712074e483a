// `interpole sample`: from a study and its data to posterior draws.
#pragma once

#include <string>

#include "interpole/data_files.hpp"
#include "interpole/learn/draws/sample.hpp"
#include "interpole/service/fit/learning_data.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct SampleRequest {
  std::string study;
  DataFiles data;
  std::string output;      // CSV
  std::string arviz;       // JSON; empty: none
  std::string checkpoint;  // empty: none
  double checkpoint_seconds = base::kCheckpointSeconds;
  learn::SampleOptions options;
};

struct SampleOutcome {
  learn::SampleSummary summary;
  DataCounts data;
  std::vector<std::string> warnings;  // all that were said: doubts about the draws, and what else to know
};

SampleOutcome run_sample(const SampleRequest& request, Sink& sink);

// What `--json` prints.
std::string to_json(const SampleOutcome& outcome);

}  // namespace interpole::service
