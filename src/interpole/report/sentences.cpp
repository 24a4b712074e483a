#include "interpole/report/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/model/belief.hpp"
#include "interpole/report/numbers.hpp"

namespace interpole {
namespace {

std::string nowhere_sentence(const Structure& structure, const std::vector<char>& has_region) {
  std::vector<std::string> nowhere;
  for (int a = 0; a < structure.action_count(); ++a) {
    if (!has_region[a]) nowhere.push_back(named(structure.actions[a]));
  }
  if (nowhere.empty()) return "";
  return fmt::format("{} {} nowhere the likeliest action.", listed(nowhere),
                     nowhere.size() == 1 ? "is" : "are");
}

// "After 5 results (3 negative, 2 positive)", "After 1 positive result", "Before any result".
std::string results_seen(const Structure& structure, const BeliefTrace& trace) {
  std::vector<int> seen(structure.observations.size(), 0);
  int total = 0;
  for (int i = 0; i + 1 < trace.points(); ++i) {
    if (trace.step(i).observation == kMissing) continue;
    ++seen[trace.step(i).observation];
    ++total;
  }
  if (total == 0) return trace.points() == 1 ? "Before any result" : "Without any result";
  std::vector<std::string> parts;
  for (std::size_t z = 0; z < seen.size(); ++z) {
    if (seen[z] == 0) continue;
    if (seen[z] == total) return "After " + counted(total, named(structure.observations[z]) + " result");
    parts.push_back(fmt::format("{} {}", grouped(seen[z]), named(structure.observations[z])));
  }
  return fmt::format("After {} ({})", counted(total, "result"), fmt::join(parts, ", "));
}

std::string two_state_move(const Structure& structure, const BeliefTrace& trace) {
  const double first = trace.at(0)[1];
  const double last = trace.at(trace.points() - 1)[1];
  const std::string state = named(structure.states[1]);
  if (percent(first) == percent(last)) {
    return fmt::format("the belief in {} {} {}", state,
                       trace.points() == 1 ? "was" : "ended where it began, at", percent(last));
  }
  return fmt::format("the belief in {} {} from {} to {}", state, last > first ? "rose" : "fell",
                     percent(first), percent(last));
}

std::string likeliest_state(const Structure& structure, std::span<const double> belief) {
  const auto top = std::max_element(belief.begin(), belief.end()) - belief.begin();
  return fmt::format("{} ({})", named(structure.states[top]), percent(belief[top]));
}

std::string belief_move(const Structure& structure, const BeliefTrace& trace) {
  if (trace.states == 1) return fmt::format("the belief in {} was 100%", named(structure.states[0]));
  if (trace.states == 2) return two_state_move(structure, trace);
  const std::string first = likeliest_state(structure, trace.at(0));
  const std::string last = likeliest_state(structure, trace.at(trace.points() - 1));
  if (first == last) return fmt::format("the likeliest state was {}", last);
  return fmt::format("the likeliest state went from {} to {}", first, last);
}

std::string ending(const Model& model, const BeliefTrace& trace) {
  const int last = trace.decisions - 1;
  const int action = trace.step(last).action;
  if (trace.impossible_step) {
    return fmt::format(
        "the fitted model calls what was seen at step {} impossible, so the belief cannot be followed "
        "further",
        *trace.impossible_step + 1);
  }
  const auto policy = action_probabilities(model.structure, model.agent.policy, trace.at(last));
  const std::string how = fmt::format("{}, to which the fitted policy gives a chance of {}",
                                      named(model.structure.actions[action]), percent(policy[action]));
  if (model.structure.is_terminal(action)) return fmt::format("the record ends with {}", how);
  return fmt::format("the last decision on record was {}", how);
}

}  // namespace

std::string named(const std::string& name) {
  return name.find(' ') == std::string::npos ? name : "“" + name + "”";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::vector<std::string> interval_sentences(const Structure& structure,
                                            const std::vector<BeliefInterval>& intervals) {
  std::vector<std::string> sentences;
  std::vector<char> has_region(structure.actions.size(), 0);
  const std::string state = named(structure.states[1]);
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const BeliefInterval& region = intervals[i];
    const std::string action = named(structure.actions[region.action]);
    has_region[region.action] = 1;
    if (intervals.size() == 1) {
      sentences.push_back(fmt::format("{} is the likeliest action at every belief.", action));
    } else if (i == 0) {
      sentences.push_back(fmt::format("{} is the likeliest action while the belief in {} is below {}.",
                                      action, state, percent(region.high)));
    } else if (i + 1 < intervals.size()) {
      sentences.push_back(fmt::format("{} is the likeliest action between {} and {}.", action,
                                      percent(region.low), percent(region.high)));
    } else {
      sentences.push_back(
          fmt::format("{} becomes the likeliest action above {}.", action, percent(region.low)));
    }
  }
  const std::string nowhere = nowhere_sentence(structure, has_region);
  if (!nowhere.empty()) sentences.push_back(nowhere);
  return sentences;
}

std::vector<std::string> polygon_sentences(const Structure& structure,
                                           const std::vector<BeliefPolygon>& polygons) {
  std::vector<std::string> sentences;
  std::vector<char> has_region(structure.actions.size(), 0);
  for (const BeliefPolygon& region : polygons) {
    has_region[region.action] = 1;
    const std::string action = named(structure.actions[region.action]);
    std::vector<std::string> certain;
    for (const Belief3& corner : region.corners) {
      const auto top = std::max_element(corner.begin(), corner.end()) - corner.begin();
      if (corner[top] == 1.0) certain.push_back(named(structure.states[top]));
    }
    const std::string where =
        certain.empty() ? "" : fmt::format(", among them certainty of {}", listed(certain));
    sentences.push_back(fmt::format("{} is the likeliest action at {} of all possible beliefs{}.", action,
                                    percent(area_share(region)), where));
  }
  const std::string nowhere = nowhere_sentence(structure, has_region);
  if (!nowhere.empty()) sentences.push_back(nowhere);
  return sentences;
}

std::string trace_sentence(const Model& model, const BeliefTrace& trace) {
  return fmt::format("{} {}; {}.", results_seen(model.structure, trace), belief_move(model.structure, trace),
                     ending(model, trace));
}

std::string largest_gap_sentence(const Model& model) {
  if (!model.world) return "";
  const Structure& structure = model.structure;
  const auto& agent = model.agent.dynamics.observation;
  const auto& world = model.world->observation;
  const auto gap = [&](std::size_t i) { return std::abs(agent[i] - world[i]); };
  constexpr double kTie = 1e-9;  // of an outcome and its opposite, the first is named whatever the rounding
  std::size_t at = 0;
  for (std::size_t i = 0; i < agent.size(); ++i) {
    if (gap(i) > gap(at) + kTie) at = i;
  }
  if (agent.empty() || gap(at) < 0.005) return "";
  const std::size_t Z = structure.observations.size();
  const std::size_t row = at / Z;
  return fmt::format(
      "The largest difference: decisions are made as if {} showed {} in {} of cases where the state is {}; "
      "in the world "
      "it is {}.",
      named(structure.actions[row / structure.states.size()]), named(structure.observations[at % Z]),
      percent(agent[at]), named(structure.states[row % structure.states.size()]), percent(world[at]));
}

}  // namespace interpole
