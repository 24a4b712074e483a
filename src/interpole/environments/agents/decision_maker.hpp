// A decision-maker in a small ward: a hidden course of illness in three states, two signs of three levels
// each that show it, 2 to 64 actions, two measured covariates of every patient. What is decided follows a
// policy that is known at every history.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"
#include "interpole/records.hpp"

namespace interpole::environments {

class HistoryPolicy {
 public:
  virtual ~HistoryPolicy() = default;
  // π(a | history) of a patient with these covariates.
  virtual void chances(std::span<const Step> history, std::span<const double> covariates,
                       std::span<double> chances) const = 0;
};

struct DecisionMaker {
  std::string name;
  Structure structure;
  Dynamics world;
  std::vector<PolicyCovariate> covariates;  // numbers, standard normal
  int longest = 8;                          // no action ends a record
  std::shared_ptr<const HistoryPolicy> policy;
};

// "linear": logits linear in last visit, counts and covariates. "network": a small recurrent network.
// "two-clinicians": three in five patients meet one, the others another; both linear. "planner": plans with
// errors, and takes what is seen for the state. "belief": mean vectors on beliefs. Weights are drawn from the
// seed. Usage error for another name, or for fewer than 2 or more than 64 actions.
DecisionMaker decision_maker(const std::string& name, int actions, std::uint64_t seed);
const std::vector<std::string>& decision_maker_names();

// Patient 1, 2, … as simulate_record has them.
Record met_by(const DecisionMaker& maker, std::uint64_t seed, std::int64_t patient);

// π at every history that records with these covariates have in the tree, [node·A + a]; elsewhere zero.
std::vector<double> true_policies(const DecisionMaker& maker, const HistoryTree& tree,
                                  std::span<const Record> records);

}  // namespace interpole::environments
