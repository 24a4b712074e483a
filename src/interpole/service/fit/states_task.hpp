// `interpole fit --states 2..5`: models with different numbers of states side by side.
#pragma once

#include <string>

#include "interpole/data_files.hpp"
#include "interpole/evaluate/state_counts.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct StatesRequest {
  std::string study;
  DataFiles data;
  int fewest = 2;
  int most = 5;
  int folds = 5;
  learn::FitOptions options;
};

evaluate::StateCounts run_states(const StatesRequest& request, Sink& sink);
std::string to_json(const evaluate::StateCounts& counts);

// "2..5" or "3". Throws a usage error.
void parse_state_range(const std::string& text, int& fewest, int& most);

}  // namespace interpole::service
