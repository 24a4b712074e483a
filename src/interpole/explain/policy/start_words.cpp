#include "interpole/explain/policy/start_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "interpole/belief.hpp"

namespace interpole::explain {
namespace {

struct ShownLevel {
  std::string name;
  double value = 0.0;  // of the covariate
};

std::vector<ShownLevel> shown_levels(const PolicyCovariate& of) {
  std::vector<ShownLevel> levels;
  for (std::size_t i = 0; i < of.categories.size(); ++i) {
    levels.push_back({of.categories[i], static_cast<double>(i)});
  }
  if (!levels.empty()) return levels;
  for (const double x : {of.centre - of.scale, of.centre, of.centre + of.scale}) {
    levels.push_back({fmt::format("{:.3g}", x), x});
  }
  return levels;
}

// Most categories that a sentence names.
constexpr std::size_t kMostNamed = 6;

std::string sentence_of_covariate(const std::vector<const StartingBelief*>& of_state) {
  std::vector<const StartingBelief*> named = of_state;
  std::string rest;
  if (named.size() > kMostNamed) {  // the highest and the lowest
    std::stable_sort(named.begin(), named.end(),
                     [](const auto* x, const auto* y) { return x->belief.middle > y->belief.middle; });
    rest = fmt::format(", and between them for {} others", named.size() - 2);
    named = {named.front(), named.back()};
  }
  std::vector<std::string> levels;
  levels.reserve(named.size());
  for (const StartingBelief* belief : named) {
    levels.push_back(fmt::format("{} ({})", shown_percent(belief->belief), belief->level));
  }
  return fmt::format("By {}, \"{}\" is believed at the start with {}{}", named.front()->covariate,
                     named.front()->state, fmt::join(levels, ", "), rest);
}

}  // namespace

std::vector<StartingBelief> starting_beliefs(const Structure& structure, const std::vector<AgentWorld>& draws,
                                             double level) {
  std::vector<StartingBelief> result;
  if (draws.empty()) return result;
  for (const StartTerm& term : draws.front().agent.dynamics.start) {
    for (const ShownLevel& shown : shown_levels(term.of)) {
      std::vector<double> covariates(term.covariate + 1, NAN);
      covariates.back() = shown.value;
      std::vector<std::vector<double>> by_state(structure.states.size());
      for (const AgentWorld& draw : draws) {
        const auto belief = start_belief(draw.agent.dynamics, covariates);
        for (std::size_t s = 0; s < belief.size(); ++s) by_state[s].push_back(belief[s]);
      }
      for (std::size_t s = 0; s < by_state.size(); ++s) {
        result.push_back(
            {term.of.name, shown.name, structure.states[s], estimate_of(std::move(by_state[s]), level)});
      }
    }
  }
  return result;
}

std::vector<std::string> start_sentences(const std::vector<StartingBelief>& beliefs) {
  std::vector<std::string> sentences;
  for (auto begin = beliefs.begin(); begin != beliefs.end();) {
    const auto end =
        std::find_if(begin, beliefs.end(), [&](const auto& x) { return x.covariate != begin->covariate; });
    std::map<std::string, std::vector<const StartingBelief*>> by_state;
    for (auto belief = begin; belief != end; ++belief) by_state[belief->state].push_back(&*belief);
    const std::vector<const StartingBelief*>* most = nullptr;
    double widest = -1.0;
    // Of two states that differ as much, which is so wherever there are two, the later one of the model.
    for (auto belief = begin; belief != end; ++belief) {
      const auto& of_state = by_state[belief->state];
      const auto [low, high] = std::minmax_element(
          of_state.begin(), of_state.end(),
          [](const auto* x, const auto* y) { return x->belief.middle < y->belief.middle; });
      const double spread = (*high)->belief.middle - (*low)->belief.middle;
      if (spread < widest - 1e-6) continue;
      widest = std::max(widest, spread);
      most = &of_state;
    }
    sentences.push_back(sentence_of_covariate(*most));
    begin = end;
  }
  return sentences;
}

}  // namespace interpole::explain
