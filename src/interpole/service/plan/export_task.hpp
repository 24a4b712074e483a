// `interpole export`: a model's dynamics for other programs, as a .pomdp file.
#pragma once

#include <string>

#include "interpole/planning/pomdp.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct ExportRequest {
  std::string model;
  std::string format = "pomdp";
  std::string output;
  std::string rewards;             // JSON file; empty: zero everywhere
  std::string dynamics = "agent";  // or "world": whose
  double discount = 0.9;
};

// Throws a usage error for a format or dynamics it does not know, an input error for a bad file.
void run_export(const ExportRequest& request, Sink& sink);

// rewards[a][s] as a list of lists, under the key "rewards", or in the content of a learner file (PO-IRL's).
// Result: [a·S + s].
std::vector<double> read_rewards(const std::string& path, const Structure& structure);

}  // namespace interpole::service
