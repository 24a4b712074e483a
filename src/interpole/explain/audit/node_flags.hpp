// The audit's criteria at every history of a data set. They depend on the history alone (and, where the
// policy follows covariates, on the class of the record, in a tree that keeps classes apart), so they are
// computed once for each node of the tree, and all records that share it share them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpole/explain/audit/audit_rules.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::explain {

struct NodeFlags {
  std::vector<char> wanted;     // [node]: a test is the most likely action here, in its context
  std::vector<char> confirmed;  // [node]: its last step is a test, after which some state is near-certain
  std::vector<char> belated;    // [node]: a test was wanted and left out, and a later one confirmed a state
  std::vector<char> clearly_belated;  // [node]: … and it was likelier than anything else by options.clearly
  // [node]: how often an unrecorded sign must be right for no test to be wanted; 0: none is, NaN: no sign
  // would do. Empty unless asked for.
  std::vector<float> unwanted_with;
  std::vector<char> uninformative;  // [node]: its last step is a test that could not have moved the belief
  double least_move = 0.0;          // the Euclidean move of belief from which on it is significant
  std::optional<int> impossible;    // as in NodeBeliefs: flags from here on are meaningless
};

// Cost O(nodes · (S² + A·S)), and for test outcomes O(S²) for each alternative.
NodeFlags node_flags(const HistoryTree& tree, const Structure& structure, const Parameters& agent,
                     const AuditRules& rules, const AuditOptions& options, bool with_signs = false);

// How sure: the share of posterior draws in which a flag stands, of belated ones clearly. Draws that call a
// recorded outcome impossible are left out. Empty vectors without draws.
struct FlagProbabilities {
  int draws = 0;
  std::vector<float> belated, uninformative;  // [node]
  // Of up to kImputations of these draws, spread evenly: which flags stand, however clearly, bit by bit. By
  // these, comparisons of cohorts count how uncertain flags are.
  int imputed = 0;
  std::vector<std::uint32_t> belated_in, uninformative_in;  // [node]
};
inline constexpr int kImputations = 20;
FlagProbabilities flag_probabilities(const HistoryTree& tree, const Structure& structure,
                                     const std::vector<AgentWorld>& draws, const AuditRules& rules,
                                     const AuditOptions& options);

}  // namespace interpole::explain
