// A partially observable decision problem with rewards, as plain arrays:
//
//   start[s]                       belief before the first decision
//   transition[(a·S + s)·S + s']   T(s'|s,a)    a row (a,s) sums to one
//   observation[(a·S + s')·Z + z]  O(z|a,s')    a row (a,s') sums to one; zero for terminal actions
//   reward[a·S + s]                what doing a in state s yields, on average over what follows
//
// A file may let the reward depend on the next state and on what is seen there. Plans only need its mean over
// both, so only that is kept. A terminal action yields its reward and ends the process: nothing follows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole::planning {

enum class Goal { kReward, kCost };  // kCost: `reward` holds costs, and less is better

struct Pomdp {
  std::vector<std::string> states;
  std::vector<std::string> actions;
  std::vector<std::string> observations;
  double discount = 1.0;  // from 0 to 1; 1 only with a finite horizon
  Goal goal = Goal::kReward;
  std::vector<double> start;
  std::vector<double> transition;
  std::vector<double> observation;
  std::vector<double> reward;
  std::vector<char> terminal;  // [a]

  int state_count() const { return static_cast<int>(states.size()); }
  int action_count() const { return static_cast<int>(actions.size()); }
  int observation_count() const { return static_cast<int>(observations.size()); }
  bool is_terminal(int action) const { return terminal[action] != 0; }
  // What planning maximises: the reward, or the negated cost.
  double gain(int action, int state) const {
    const double r = reward[static_cast<std::size_t>(action) * states.size() + state];
    return goal == Goal::kReward ? r : -r;
  }

  // Throws an input error that begins with `where` unless arrays fit, numbers are finite and rows sum to one
  // within 1e-8.
  void validate(const std::string& where) const;

  bool operator==(const Pomdp&) const = default;
};

// The dynamics of a model with rewards[a·S + s]. Throws a usage error if those do not fit.
Pomdp pomdp_of(const Structure& structure, const Dynamics& dynamics, std::span<const double> rewards,
               double discount);

// The same problem without terminal actions, for programs that do not know them: terminal actions lead to one
// more state, the last, which nothing leaves and where nothing is gained. Beliefs get a zero at the end.
// Returned unchanged if no action is terminal.
Pomdp with_end_state(const Pomdp& pomdp);

// How likely each outcome z is together with each next state: joint[z·S + s'] = O(z|a,s') Σ_s b(s) T(s'|s,a).
// Row z sums to the outcome's probability; divided by it, it is the next belief.
void joint_outcomes(const Pomdp& pomdp, int action, std::span<const double> belief, std::span<double> joint);

// Whether some state lets the outcome follow the action.
bool may_follow(const Pomdp& pomdp, int action, int observation);

}  // namespace interpole::planning
