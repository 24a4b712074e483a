// How much of what makes decisions foreseeable belief, habit and the rest account for: of a model file and
// its data (learn/shares).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "interpole/data_files.hpp"
#include "interpole/fit.hpp"
#include "interpole/learn/shares/shares.hpp"
#include "interpole/sink.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

struct SharesRequest {
  std::string model;  // for messages
  DataFiles data;
  std::uint64_t seed = 1;  // of the halves
  int threads = 0;
};

// Why this fit's shares cannot be told; empty: they can.
std::string why_no_shares(const FitResult& fit);

// Throws an input error if they cannot be told, Error(kInterrupted) if asked to stop.
learn::Shares shares_on_files(const SharesRequest& request, const FitResult& fit, const Study& study,
                              Sink& sink);

nlohmann::ordered_json shares_json(const learn::Shares& shares);

}  // namespace interpole::service
