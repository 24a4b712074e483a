#include "interpole/explain/policy/guideline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpole/belief.hpp"
#include "interpole/boundary.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/policy/side_boundaries.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/records.hpp"

namespace interpole::explain {
namespace {

struct History {
  std::vector<Step> steps;
  std::vector<double> belief;
  double weight = 1.0;  // chance of it
};

struct Child {
  History history;
  int observation = 0;
};

// Follows a history; nothing if these dynamics call it impossible.
std::optional<std::vector<double>> belief_after(const Structure& structure, const Dynamics& dynamics,
                                                const std::vector<Step>& steps) {
  std::vector<double> belief = dynamics.initial;
  std::vector<double> next(belief.size());
  for (const Step& step : steps) {
    if (!(update_belief(structure, dynamics, step.action, step.observation, belief, next) > 0.0))
      return std::nullopt;
    belief.swap(next);
  }
  return belief;
}

// What a decision-maker chooses: without what is done whatever is believed, which is no choice.
Policy chosen(Policy policy) {
  policy.terms.inertia = policy.terms.lapse = 0.0;
  return policy;
}

// What the context adds to the exponent of `after`, less what it adds to that of `before`.
double advantage_of(const PolicyTerms& terms, const DecisionContext& context, int before, int after,
                    std::size_t actions) {
  std::vector<double> offsets(actions, 0.0);
  model::add_offsets(terms, context, offsets);
  return offsets[after] - offsets[before];
}

double weight_of(const std::vector<Child>& children) {
  double sum = 0.0;
  for (const Child& child : children) sum += child.history.weight;
  return sum;
}

// Of those who saw result z.
double weight_of(const std::vector<Child>& children, int z) {
  double sum = 0.0;
  for (const Child& child : children) sum += child.observation == z ? child.history.weight : 0.0;
  return sum;
}

class GuidelineMaker {
 public:
  GuidelineMaker(const Structure& structure, const Parameters& agent, const std::vector<AgentWorld>& draws,
                 const GuidelineOptions& options)
      : structure_(structure),
        agent_(agent),
        policy_(chosen(agent.policy)),
        draws_(draws),
        options_(options) {}

  Guideline make() {
    const History start{{}, agent_.dynamics.initial, 1.0};
    const int action = most_likely_action(structure_, policy_, start.belief, {});
    grow({start}, action, 0);
    return std::move(guideline_);
  }

 private:
  using Groups = std::map<int, std::vector<Child>>;  // by the next action

  // Adds the step at which `action` is taken after these histories, and all that follows. Returns its number.
  int grow(const std::vector<History>& histories, int action, int depth) {
    const auto number = guideline_.steps.size();
    GuidelineStep step{action, depth, 0.0, false, {}, {}, 0.0};
    for (const History& history : histories) step.share += history.weight;
    guideline_.steps.push_back(step);
    if (structure_.is_terminal(action)) return static_cast<int>(number);
    if (depth == options_.deepest) {
      guideline_.steps[number].goes_on = true;
      return static_cast<int>(number);
    }
    Groups groups = groups_after(histories, action);
    std::erase_if(groups, [&](const auto& group) {
      const double weight = weight_of(group.second);
      const bool rare = weight < options_.least_share;
      if (rare) step.left_out += weight / step.share;
      return rare;
    });
    step.question = question_between(groups);
    for (const auto& [next, children] : in_order(groups, step.question)) {
      std::vector<History> followers;
      for (const Child& child : children) followers.push_back(child.history);
      GuidelineBranch branch = branch_to(children, groups, step);
      branch.next = grow(followers, next, depth + 1);
      step.branches.push_back(std::move(branch));
    }
    guideline_.steps[number] = std::move(step);
    return static_cast<int>(number);
  }

  Groups groups_after(const std::vector<History>& histories, int action) const {
    Groups groups;
    std::vector<double> next(structure_.states.size());
    for (const History& history : histories) {
      for (int z = 0; z < structure_.observation_count(); ++z) {
        if (!structure_.can_yield(action, z)) continue;
        const double chance = update_belief(structure_, agent_.dynamics, action, z, history.belief, next);
        if (!(chance > 0.0)) continue;
        History longer{history.steps, next, history.weight * chance};
        longer.steps.push_back({action, z});
        const int likeliest = most_likely_action(structure_, policy_, next, context_after(longer.steps));
        groups[likeliest].push_back({std::move(longer), z});
      }
    }
    return groups;
  }

  // The two states between which all beliefs of these groups lie; nothing if there are more.
  std::optional<std::pair<int, int>> side_of(const Groups& groups) const {
    std::vector<int> held;
    for (int s = 0; s < structure_.state_count(); ++s) {
      const bool believed = std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
        return std::any_of(group.second.begin(), group.second.end(),
                           [&](const Child& child) { return child.history.belief[s] > 1e-9; });
      });
      if (believed) held.push_back(s);
    }
    if (held.size() != 2) return std::nullopt;
    return std::pair(held[0], held[1]);
  }

  std::optional<GuidelineQuestion> question_between(const Groups& groups) const {
    const auto side = side_of(groups);
    if (groups.size() != 2 || !side) return std::nullopt;
    const int other = side->first;
    const int state = side->second;
    const int first = groups.begin()->first;
    const int second = groups.rbegin()->first;
    // All of these decisions follow the same action at the same step.
    const DecisionContext context = context_after(groups.begin()->second.front().history.steps);
    const auto crossing_of = [&](const Policy& policy) {
      return crossing(structure_, policy, first, second, other, state,
                      advantage_of(policy.terms, context, first, second, structure_.actions.size()));
    };
    const auto threshold = crossing_of(policy_);
    if (!threshold || !(*threshold > 0.0 && *threshold < 1.0)) return std::nullopt;
    GuidelineQuestion question{state, other, *threshold, {}};
    std::vector<double> values;
    for (const AgentWorld& draw : draws_) {
      const auto value = crossing_of(draw.agent.policy);
      if (value) values.push_back(std::clamp(*value, 0.0, 1.0));
    }
    if (!values.empty()) question.range = estimate_of(std::move(values), options_.level);
    return question;
  }

  // With a question, the branch below the threshold comes first; else the likelier one.
  std::vector<std::pair<int, std::vector<Child>>> in_order(
      const Groups& groups, const std::optional<GuidelineQuestion>& question) const {
    std::vector<std::pair<int, std::vector<Child>>> order(groups.begin(), groups.end());
    std::stable_sort(order.begin(), order.end(), [&](const auto& x, const auto& y) {
      if (!question) return x.second.front().observation < y.second.front().observation;
      const auto state = static_cast<std::size_t>(question->state);
      return x.second.front().history.belief[state] < y.second.front().history.belief[state];
    });
    return order;
  }

  GuidelineBranch branch_to(const std::vector<Child>& children, const Groups& groups,
                            const GuidelineStep& step) const {
    GuidelineBranch branch;
    branch.share = weight_of(children) / step.share;
    GuidelineBranch::Result commonest;  // stands for a branch that no result leads to most often
    double commonest_weight = 0.0;
    for (int z = 0; z < structure_.observation_count(); ++z) {
      const double here = weight_of(children, z);
      if (!(here > 0.0)) continue;
      double everywhere = 0.0;
      double most = 0.0;
      for (const auto& group : groups) {
        everywhere += weight_of(group.second, z);
        most = std::max(most, weight_of(group.second, z));
      }
      const GuidelineBranch::Result result{z, here / everywhere, 0.0, {}};
      if (here >= most) branch.results.push_back(result);
      if (here > commonest_weight) commonest = result;
      commonest_weight = std::max(commonest_weight, here);
    }
    if (branch.results.empty()) branch.results.push_back(commonest);
    for (auto& result : branch.results) {
      if (step.question) fill_belief(children, result.observation, step.question->state, result);
    }
    return branch;
  }

  // The belief in a state after result z, averaged over the histories that end in it.
  void fill_belief(const std::vector<Child>& children, int z, int state,
                   GuidelineBranch::Result& result) const {
    const auto average = [&](const auto& belief_of) {
      double sum = 0.0;
      double total = 0.0;
      for (const Child& child : children) {
        if (child.observation != z) continue;
        const std::optional<std::vector<double>> belief = belief_of(child.history);
        if (!belief) continue;
        sum += child.history.weight * (*belief)[state];
        total += child.history.weight;
      }
      return total > 0.0 ? std::optional(sum / total) : std::nullopt;
    };
    result.belief =
        average([](const History& history) { return std::optional(history.belief); }).value_or(0.0);
    result.belief_range = {result.belief, result.belief, result.belief};
    std::vector<double> values;
    for (const AgentWorld& draw : draws_) {
      const auto value = average([&](const History& history) {
        return belief_after(structure_, draw.agent.dynamics, history.steps);
      });
      if (value) values.push_back(*value);
    }
    if (!values.empty()) result.belief_range = estimate_of(std::move(values), options_.level);
  }

  const Structure& structure_;
  const Parameters& agent_;
  const Policy policy_;
  const std::vector<AgentWorld>& draws_;
  const GuidelineOptions& options_;
  Guideline guideline_;
};

}  // namespace

void GuidelineOptions::validate() const {
  if (deepest < 1 || deepest > 12) {
    throw usage_error(fmt::format("a guideline is {} steps deep at most; give 1 to 12", deepest));
  }
  if (!(least_share > 0.0 && least_share < 1.0)) {
    throw usage_error(
        fmt::format("the least share of a branch is {}; give a number between 0 and 1", least_share));
  }
  if (!(level > 0.0 && level < 1.0)) {
    throw usage_error(fmt::format("option level: {} is not between 0 and 1", level));
  }
}

Guideline guideline_of(const Structure& structure, const Parameters& agent,
                       const std::vector<AgentWorld>& draws, const GuidelineOptions& options) {
  options.validate();
  GuidelineOptions fitting = options;
  while (true) {
    Guideline guideline = GuidelineMaker(structure, agent, draws, fitting).make();
    const auto ends = std::count_if(guideline.steps.begin(), guideline.steps.end(),
                                    [](const GuidelineStep& step) { return step.branches.empty(); });
    if (ends <= options.most_ends || fitting.deepest == 1) return guideline;
    --fitting.deepest;
  }
}

}  // namespace interpole::explain
