#include "interpole/explain/policy/kind_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/explain/policy/side_boundaries.hpp"

namespace interpole::explain {
namespace {

const char* count_word(int kinds) {
  return kinds == 2 ? "Two" : kinds == 3 ? "Three" : "Several";
}

std::string share_sentence(const Policy& fitted, const std::vector<AgentWorld>& draws, double level) {
  std::string text = fmt::format("{} kinds of decision-makers:", count_word(fitted.kind_count()));
  for (int k = 0; k < fitted.kind_count(); ++k) {
    std::vector<double> shares;
    shares.reserve(draws.size());
    for (const AgentWorld& draw : draws) shares.push_back(draw.agent.policy.kind_shares()[k]);
    text += fmt::format("{} {} are of kind {}", k == 0 ? "" : ",",
                        shown_percent(estimate_of(std::move(shares), level)), k + 1);
  }
  return text;
}

// Where a kind changes from one action to the other, as far as it does between these two states.
std::string place_of(const Structure& structure, const SideBoundary& boundary, int kind,
                     const std::vector<AgentWorld>& draws, double level) {
  std::vector<double> positions;
  for (const AgentWorld& draw : draws) {
    const auto position = crossing(structure, draw.agent.policy.of_kind(kind), boundary.before,
                                   boundary.after, boundary.from, boundary.to);
    if (position) positions.push_back(std::clamp(*position, 0.0, 1.0));
  }
  if (positions.empty()) return "nowhere";
  const Estimate estimate = estimate_of(std::move(positions), level);
  if (estimate.low >= 1.0) return "nowhere";
  return "from " + shown_percent(estimate);
}

}  // namespace

std::vector<std::string> kind_sentences(const Structure& structure, const Policy& fitted,
                                        const std::vector<AgentWorld>& draws, double level) {
  std::vector<std::string> sentences;
  if (fitted.other_kinds.empty() || draws.empty()) return sentences;
  sentences.push_back(share_sentence(fitted, draws, level));
  for (const SideBoundary& boundary : side_boundaries(structure, fitted)) {
    std::string text =
        fmt::format("Kind 1 prefers \"{}\" to \"{}\" {} of \"{}\"", structure.actions[boundary.after],
                    structure.actions[boundary.before], place_of(structure, boundary, 0, draws, level),
                    structure.states[boundary.to]);
    if (structure.state_count() > 2) text += fmt::format(" against \"{}\"", structure.states[boundary.from]);
    for (int k = 1; k < fitted.kind_count(); ++k) {
      text += fmt::format(", kind {} {}", k + 1, place_of(structure, boundary, k, draws, level));
    }
    sentences.push_back(std::move(text));
  }
  return sentences;
}

std::string likeliest_kind(const std::vector<double>& kinds) {
  if (kinds.empty()) return {};
  const auto top = std::max_element(kinds.begin(), kinds.end());
  return fmt::format("the decision-maker is of kind {} ({:.0f}%)", top - kinds.begin() + 1, 100.0 * *top);
}

}  // namespace interpole::explain
