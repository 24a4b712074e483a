#include "interpole/explain/record/trajectory_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/number_text.hpp"

namespace interpole::explain {
namespace {

constexpr double kHardly = 0.005;  // a change of belief that percents do not show
constexpr double kRare = 0.05;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return text;
}

std::string first_belief(const Structure& structure, const std::vector<double>& belief) {
  std::vector<std::string> words;
  for (std::size_t s = 0; s < belief.size(); ++s) {
    words.push_back(fmt::format("{} {}", structure.states[s], base::percent_words(belief[s])));
  }
  return "At first the belief is " + joined(words);
}

std::string cause_of(const OutcomeFactors& factors, Step step) {
  if (step.observation == kMissing) return "Without a result,";
  std::vector<std::string> words;
  for (int k = 0; k < factors.count(); ++k) {
    if (factors.measures(step.action, k)) words.push_back(factors.words(step.observation, k));
  }
  return words.empty() ? "With time," : "After " + joined(words) + ",";
}

std::string change_of(const Structure& structure, const OutcomeFactors& factors,
                      const DecisionExplanation& last, const std::vector<double>& now) {
  std::size_t moved = 0;
  for (std::size_t s = 0; s < now.size(); ++s) {
    if (std::abs(now[s] - last.belief[s]) > std::abs(now[moved] - last.belief[moved])) moved = s;
  }
  const double change = now[moved] - last.belief[moved];
  const std::string cause = cause_of(factors, last.step);
  if (std::abs(change) < kHardly) {
    const auto likeliest = std::max_element(now.begin(), now.end()) - now.begin();
    return fmt::format("{} the belief hardly moved ({} {})", cause, structure.states[likeliest],
                       base::percent_words(now[likeliest]));
  }
  return fmt::format("{} the belief in {} {} from {} to {}", cause, structure.states[moved],
                     change > 0.0 ? "rose" : "fell", base::percent_words(last.belief[moved]),
                     base::percent_words(now[moved]));
}

std::string choice_of(const Structure& structure, const DecisionExplanation& decision) {
  const std::string& likely = structure.actions[decision.region];
  const double chance = decision.policy[decision.region];
  const std::string how = chance > 0.5 ? "more likely than not" : "the likeliest choice";
  std::string shown = base::percent_words(chance);
  if (!decision.by_belief.empty()) {
    shown += "; by belief alone " + base::percent_words(decision.by_belief[decision.region]);
  }
  if (decision.step.action == decision.region) {
    return fmt::format("{} was {} ({}), and was chosen", likely, how, shown);
  }
  return fmt::format("{} was {} ({}), but {} was chosen ({}{})", likely, how, shown,
                     structure.actions[decision.step.action], base::percent_words(decision.probability),
                     decision.probability < kRare ? ", a rare choice here" : "");
}

}  // namespace

std::vector<std::string> decision_sentences(const Structure& structure, const OutcomeFactors& factors,
                                            const RecordExplanation& record) {
  std::vector<std::string> sentences;
  for (std::size_t t = 0; t < record.decisions.size(); ++t) {
    const DecisionExplanation& decision = record.decisions[t];
    const std::string before = t == 0
                                   ? first_belief(structure, decision.belief)
                                   : change_of(structure, factors, record.decisions[t - 1], decision.belief);
    sentences.push_back(before + "; " + choice_of(structure, decision) + ".");
  }
  return sentences;
}

}  // namespace interpole::explain
