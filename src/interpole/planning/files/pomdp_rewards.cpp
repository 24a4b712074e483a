#include "interpole/planning/files/pomdp_rewards.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace interpole::planning {
namespace {

using RuleLists = std::map<std::pair<int, int>, std::vector<std::size_t>>;  // by (action, from)

bool speaks_of_all(const RewardRule& rule) {
  return rule.to == kEvery && rule.observation == kEvery && rule.values.size() == 1;
}

// The rules for one action and state, in file order, without those that a later one overrides wholly.
std::vector<std::size_t> rules_for(const RuleLists& lists, const std::vector<RewardRule>& rules, int action,
                                   int from) {
  std::vector<std::size_t> found;
  for (const auto& key : {std::pair(action, from), std::pair(action, kEvery), std::pair(kEvery, from),
                          std::pair(kEvery, kEvery)}) {
    const auto list = lists.find(key);
    if (list != lists.end()) found.insert(found.end(), list->second.begin(), list->second.end());
  }
  std::sort(found.begin(), found.end());
  const auto last =
      std::find_if(found.rbegin(), found.rend(), [&](std::size_t i) { return speaks_of_all(rules[i]); });
  if (last != found.rend()) found.erase(found.begin(), last.base() - 1);
  return found;
}

void apply(const RewardRule& rule, std::size_t S, std::size_t Z, std::vector<double>& table) {
  const std::size_t first_to = rule.to == kEvery ? 0 : static_cast<std::size_t>(rule.to);
  const std::size_t last_to = rule.to == kEvery ? S : first_to + 1;
  const std::size_t first_z = rule.observation == kEvery ? 0 : static_cast<std::size_t>(rule.observation);
  const std::size_t last_z = rule.observation == kEvery ? Z : first_z + 1;
  for (std::size_t to = first_to; to < last_to; ++to) {
    for (std::size_t z = first_z; z < last_z; ++z) {
      const std::size_t at = rule.values.size() == 1 ? 0 : rule.values.size() == Z ? z : to * Z + z;
      table[to * Z + z] = rule.values[at];
    }
  }
}

double mean(const Pomdp& pomdp, int action, int from, const std::vector<double>& table) {
  const std::size_t S = pomdp.states.size();
  const std::size_t Z = pomdp.observations.size();
  double sum = 0.0;
  for (std::size_t to = 0; to < S; ++to) {
    const double arrives = pomdp.transition[(action * S + from) * S + to];
    if (arrives == 0.0) continue;
    double there = 0.0;
    for (std::size_t z = 0; z < Z; ++z) {
      there += pomdp.observation[(action * S + to) * Z + z] * table[to * Z + z];
    }
    sum += arrives * there;
  }
  return sum;
}

}  // namespace

std::vector<double> mean_rewards(const Pomdp& pomdp, const std::vector<RewardRule>& rules) {
  const std::size_t S = pomdp.states.size();
  const std::size_t Z = pomdp.observations.size();
  RuleLists lists;
  for (std::size_t i = 0; i < rules.size(); ++i) lists[{rules[i].action, rules[i].from}].push_back(i);
  std::vector<double> result(pomdp.actions.size() * S, 0.0);
  std::vector<double> table;
  for (int a = 0; a < pomdp.action_count(); ++a) {
    for (int s = 0; s < pomdp.state_count(); ++s) {
      const auto matching = rules_for(lists, rules, a, s);
      double& reward = result[static_cast<std::size_t>(a) * S + static_cast<std::size_t>(s)];
      if (matching.empty()) continue;
      if (matching.size() == 1 && speaks_of_all(rules[matching.front()])) {
        reward = rules[matching.front()].values.front();
        continue;
      }
      table.assign(S * Z, 0.0);
      for (const std::size_t i : matching) apply(rules[i], S, Z, table);
      reward = mean(pomdp, a, s, table);
    }
  }
  return result;
}

}  // namespace interpole::planning
