// `interpole beliefs`: what the decision-maker believed, and would do, before each decision.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct BeliefsRequest {
  std::string model;
  std::string study;  // needed if the data are not a visits table; empty: none
  DataFiles data;
  std::string output;        // CSV: patient,step,belief:<state>…,policy:<action>…
  std::vector<double> at{};  // instead: at these times after the first visit (beliefs_between.hpp)
};

struct BeliefsOutcome {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
  std::int64_t rows = 0;  // at times that were asked for
};

BeliefsOutcome run_beliefs(const BeliefsRequest& request, Sink& sink);

}  // namespace interpole::service
