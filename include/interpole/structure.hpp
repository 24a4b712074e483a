// What a decision problem is made of: named states, actions and outcomes, which actions end a record, and
// which outcomes each action can yield. Everything else (how likely, how decided) is in parameters.hpp.
#pragma once

#include <string>
#include <vector>

namespace interpole {

// Marks an outcome that was not recorded. The belief then moves by the transition alone.
inline constexpr int kMissing = -1;

struct Structure {
  std::vector<std::string> states;
  std::vector<std::string> actions;
  std::vector<std::string> observations;
  std::vector<char> terminal;  // [a]: the action ends the record and yields nothing
  std::vector<char> allowed;   // [a·Z + z]: action a can yield outcome z (a mask: declared, never learned)

  int state_count() const { return static_cast<int>(states.size()); }
  int action_count() const { return static_cast<int>(actions.size()); }
  int observation_count() const { return static_cast<int>(observations.size()); }
  bool is_terminal(int action) const { return terminal[action] != 0; }
  bool can_yield(int action, int observation) const {
    return allowed[static_cast<std::size_t>(action) * observations.size() + observation] != 0;
  }

  // −1 if there is none of that name.
  int find_state(const std::string& name) const;
  int find_action(const std::string& name) const;
  int find_observation(const std::string& name) const;

  // A structure in which no action is terminal and every action can yield every outcome.
  static Structure unrestricted(std::vector<std::string> states, std::vector<std::string> actions,
                                std::vector<std::string> observations);
  // Declares an action terminal: it ends records and yields nothing.
  void make_terminal(int action);

  // Throws an input error that begins with `where` if names are empty, repeated or too many, or if arrays do
  // not fit.
  void validate(const std::string& where) const;

  bool operator==(const Structure&) const = default;
};

}  // namespace interpole
