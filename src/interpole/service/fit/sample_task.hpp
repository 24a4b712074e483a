// `interpole sample`: from a study and its data to posterior draws.
#pragma once

#include <string>

#include "interpole/learn/draws/sample.hpp"
#include "interpole/service/fit/learning_data.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

// Its output is a table of draws (CSV); empty: the outcome has them.
struct SampleRequest : LearningRequest {
  std::string arviz;  // JSON; empty: none
  learn::SampleOptions options;
};

struct SampleOutcome {
  learn::SampleSummary summary;
  DataCounts data;
  std::vector<std::string> warnings;  // all that were said: doubts about the draws, and what else to know
};

// The rows of that table, in order.
struct DrawsTable {
  std::vector<std::string> columns;     // after chain and iteration
  std::vector<std::int64_t> chain;      // [row], from 1
  std::vector<std::int64_t> iteration;  // [row], from 1
  std::vector<double> values;           // [row·columns + column]
};
DrawsTable draws_table(const SampleOutcome& outcome);

SampleOutcome run_sample(const SampleRequest& request, Sink& sink);

// What `--json` prints.
std::string to_json(const SampleOutcome& outcome);

}  // namespace interpole::service
