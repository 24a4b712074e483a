// Forward-backward smoothing on the history tree: what the hidden states must have been, given whole records
// (paper, appendix A.1), summed over records as Algorithm 1's E-step needs it.
//
// Records that share a history share its filtered belief; what follows differs. With
// P(s_t | s_{t+1}, everything) = b_t(s_t) M(s_{t+1}, s_t) / u(s_{t+1}), the smoothed counts of all records
// below a node pass to its parent at once, so one backward sweep over nodes suffices: no β messages, no
// rescaling.
#pragma once

#include <optional>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"

namespace interpole::inference {

struct SmoothedCounts {
  // Expected visits summed over all records, laid out as Dynamics is:
  // initial[s] = Σ γ_1(s); transition[a,s,s'] = Σ_{t: a_t = a} ξ_t(s,s'); observation[a,s',z] = Σ_{t: a_t =
  // a, z_t = z} γ_{t+1}(s')
  Dynamics expected;
  std::vector<double> gamma;           // [node·S + s]: Σ over the records passing the node of γ_t(s)
  std::optional<int> impossible_node;  // as in LikelihoodValue
  double log_likelihood = 0.0;         // of the observations, from the forward pass
};

SmoothedCounts smooth(const HistoryTree& tree, const Structure& structure, const Dynamics& dynamics);

// E[log P(D, D̄ | θ)] less the action terms: Σ expected · log θ, with 0·log 0 = 0. −∞ if θ rules out what is
// expected.
double expected_log_dynamics(const SmoothedCounts& counts, const Dynamics& dynamics);

}  // namespace interpole::inference
