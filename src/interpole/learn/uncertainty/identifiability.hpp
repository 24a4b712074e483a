// What the decisions cannot tell about the policy. If |A| ≤ |S|, other (η, μ) give the same π at every
// belief; if the beliefs in the data lie on a line, means are free across it. Found from the Fisher
// information of the decisions.
#pragma once

#include <string>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

struct PolicyIdentifiability {
  int free_directions = 0;  // of the policy's coordinates that change no decision probability in the data
  bool temperature_free = false;                // η takes part in one of them
  std::vector<std::string> involved;            // names of parameters that take part, e.g. means[monitor]
  std::string sentence;                         // for people; empty if everything is identified
  std::vector<std::vector<double>> directions;  // the free ones: unit vectors of the policy's coordinates
};

PolicyIdentifiability policy_identifiability(const HistoryTree& tree, const DecisionProblem& problem,
                                             const Parameters& parameters);

}  // namespace interpole::learn
