// Records whose decisions are unlikely under the fitted policy.
//
// Of a record: its surprise Σ −log π(a_t|b_t) less what a decision-maker at the same beliefs is expected to
// have (Σ entropy), in nats: how far its log-likelihood falls below expectation. The expectation is taken off
// so that patients near a boundary, where every choice is a little surprising, are not named for being there.
// Its tail probability is the share of records simulated from the model, of the same length (or ended by a
// terminal action, if this one was), whose excess is at least as large, counted as (1 + n)/(1 + N): never
// zero, valid for any N. Many records are judged at once, so those named are chosen by Benjamini and
// Hochberg's rule.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpole/explain/audit/audit_rules.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"

namespace interpole::explain {

// How a record ends in the tree: at a node after its last outcome (action −1), or with an action that has
// none.
struct RecordEnd {
  std::int32_t node = 0;
  std::int32_t action = -1;
};
RecordEnd end_of(const HistoryTree& tree, std::span<const Step> record,
                 std::span<const double> covariates = {});

class UnlikelyRecords {
 public:
  // The world's dynamics give the outcomes of simulated records; where there is none, the agent's. Where
  // classes of records are apart, simulated records are of each as often as the tree's. How long it is to the
  // next visit, and which factors have a value there, is taken from a visit of the tree with the same action.
  UnlikelyRecords(const HistoryTree& tree, const Model& model, const AuditOptions& options);

  double excess(RecordEnd end) const;
  // None where no simulated record is comparable.
  std::optional<double> tail(RecordEnd end) const;
  bool is_unlikely(RecordEnd end) const;
  double cut() const { return cut_; }  // the largest tail probability that is named; 0: none is
  std::int64_t simulated() const { return simulated_; }

 private:
  void sum_up(const Model& model);
  void simulate(const Model& model, const AuditOptions& options);
  void choose_cut(double share);

  const HistoryTree& tree_;
  const Structure& structure_;
  std::vector<double> excess_;                // [node], of the decisions before it
  std::vector<double> action_excess_;         // [node·A + a], of the decision at it
  std::vector<std::vector<double>> running_;  // [length]: excess of simulated records still running, sorted
  std::vector<double> ended_;                 // of those ended by a terminal action, sorted
  std::int64_t simulated_ = 0;
  double cut_ = 0.0;
};

// Of p-values (with multiplicities): the largest p that Benjamini and Hochberg's rule accepts at this share
// of false discoveries; 0 if none.
double benjamini_hochberg_cut(std::vector<std::pair<double, std::int64_t>> values, double share);

}  // namespace interpole::explain
