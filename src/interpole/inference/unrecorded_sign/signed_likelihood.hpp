// The log-likelihood of a data set if those who decide see a sign before each decision that was not recorded:
// it points at the state the patient is in with probability `right`, at each other state with
// (1 − right)/(S − 1).
//
//   p(record) = Σ_signs Σ_states p(states) Π p(sign|state) p(result|state, action) π(action|b[results,
//   signs])
//
// where b is the belief of somebody who saw the results and the signs. Sums over all signs grow with S^steps,
// so signs are remembered as counts (sign_memory.hpp): at every history there is, for each memory m, the
// world's measure w_m(s) = p(state, memory | what was recorded, decisions among it) and the agent's own
// measure, of which the belief b_m is the share. Both are linear in what came before but for the decisions:
// p(a) = Σ_m |w_m| π(a|b_m), and records that took action a go on with w_m π(a|b_m)/p(a). Memories that are
// reached in several ways are the sum of these. Exact while no count is lost: of states that never change, up
// to the limit of the memory; else the order of signs is forgotten (docs/mathematics/hidden-information.md).
//
// right = 1/S is the plain likelihood. Decisions are those of one kind of decision-makers; where they follow
// covariates, classes of records must be apart in the tree.
//
// Cost O(nodes · memories · (S² + A·S)) for the value and about twice that for the gradient; all numbers of
// all nodes are held.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/inference/kernels.hpp"
#include "interpole/inference/unrecorded_sign/sign_memory.hpp"
#include "interpole/parameters.hpp"

namespace interpole::inference {

class SignedLikelihood {
 public:
  // Keeps a reference to the tree.
  SignedLikelihood(const HistoryTree& tree, const Structure& structure, SignMemory memory,
                   bool first_sign = false);

  // −∞ if an outcome is impossible. Gradients (overwritten) are by every entry as a free number, as those of
  // Likelihood: of the policy and dynamics in the agent's head, and of the world.
  double evaluate(const Parameters& agent, const Dynamics& world, double right, Parameters& d_agent,
                  Dynamics& d_world);

  const HistoryTree& tree() const { return *tree_; }
  // Numbers held for the passes.
  static double numbers_held(const HistoryTree& tree, const Structure& structure, int memories);

 private:
  // kStates: their number where it is known to the compiler, else 0.
  template <int kStates>
  double evaluate_for(const Parameters& agent, const Dynamics& world, double right, Parameters& d_agent,
                      Dynamics& d_world);
  template <int kStates>
  bool begin(int root, const Dynamics& agent, const Dynamics& world);
  template <int kStates>
  bool enter(int node, int action, std::size_t matrix);
  template <int kStates>
  void decide(int node, const Policy& policy);
  template <int kStates>
  void pull_decisions(int node, const Policy& policy);
  template <int kStates>
  void pull_entry(int node, int action, std::size_t matrix);
  template <int kStates>
  void pull_beginning(int root, Dynamics& d_agent, Dynamics& d_world);
  // to[after(m, sign)] += from[m] ∘ p(sign|·), and the other way about.
  template <int kStates>
  void add_signs(const double* from, double* to) const;
  template <int kStates>
  void pull_signs(const double* d_to, double* d_from) const;

  bool first_sign_;
  const HistoryTree* tree_;
  Structure structure_;
  SignMemory memory_;
  std::size_t S_, A_, M_;
  DecisionCells cells_;  // contexts alone: one for each node
  ContextLevels levels_;
  ContextTables tables_, d_tables_;
  std::vector<double> sign_;                               // [sign·S + s]: p(sign|s)
  std::vector<double> world_, agent_, d_world_, d_agent_;  // [(node·M + m)·S + s]
  std::vector<double> pi_, d_taken_;             // [(node·M + m)·A + a]: softmax; ∂/∂ keep·pi + floor
  std::vector<double> chance_, d_chance_;        // [node·A + a]: p(a)
  std::vector<double> world_norm_, agent_norm_;  // [node]
  std::vector<double> matrices_, world_matrices_, d_matrices_, d_world_matrices_;
  PolicySums sums_;
  std::vector<double> moved_, d_moved_, d_split_, d_belief_, residual_;  // scratch
};

}  // namespace interpole::inference
