// `interpole beliefs`: what the decision-maker believed, and would do, before each decision.
#pragma once

#include <cstdint>
#include <string>

#include "interpole/data_files.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct BeliefsRequest {
  std::string model;
  std::string study;  // needed if the data are not a visits table; empty: none
  DataFiles data;
  std::string output;  // CSV: patient,step,belief:<state>…,policy:<action>…
};

struct BeliefsOutcome {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
};

BeliefsOutcome run_beliefs(const BeliefsRequest& request, Sink& sink);

}  // namespace interpole::service
