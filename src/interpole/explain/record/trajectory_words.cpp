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

// "64%", or "64% [58, 70]" where there are intervals.
std::string percent_in(double share, const std::vector<Estimate>* intervals, std::size_t i) {
  std::string text = base::percent_words(share);
  if (intervals == nullptr) return text;
  const auto whole = [](double x) { return std::nearbyint(100.0 * x) + 0.0; };
  return text + fmt::format(" [{:.0f}, {:.0f}]", whole((*intervals)[i].low), whole((*intervals)[i].high));
}

std::string first_belief(const Structure& structure, const std::vector<double>& belief,
                         const std::vector<Estimate>* sure) {
  std::vector<std::string> words;
  for (std::size_t s = 0; s < belief.size(); ++s) {
    words.push_back(fmt::format("{} {}", structure.states[s], percent_in(belief[s], sure, s)));
  }
  return "At first the belief is " + joined(words);
}

// What moved the belief in one state, as the table of `explain` has it: time first, then what was seen of
// each factor. Parts that whole percentage points do not show are left out.
struct MovePart {
  std::string words;
  double change = 0.0;
  bool of_time = false;
};

std::vector<MovePart> visible_parts(const OutcomeFactors& factors, const DecisionExplanation& last,
                                    std::size_t state) {
  std::vector<MovePart> parts;
  const auto add = [&](const std::string& words, double change, bool of_time) {
    if (std::nearbyint(100.0 * change) != 0.0) parts.push_back({words, change, of_time});
  };
  if (!last.move) return parts;
  add("the passing of time", last.move->time.belief[state], true);
  for (const BeliefMove::OfFactor& factor : last.move->factors) {
    add(factors.words(last.step.observation, factor.factor), factor.shift.belief[state], false);
  }
  return parts;
}

// "+12 points by the passing of time, −3 by CDR-SB normal"
std::string in_points(const std::vector<MovePart>& parts) {
  std::string text;
  for (const MovePart& part : parts) {
    const double points = std::nearbyint(100.0 * part.change);
    const char* unit = !text.empty() ? "" : std::abs(points) == 1.0 ? " point" : " points";
    text += fmt::format("{}{}{:.0f}{} by {}", text.empty() ? "" : ", ", points < 0.0 ? "−" : "+",
                        std::abs(points), unit, part.words);
  }
  return text;
}

std::string seen_words(const OutcomeFactors& factors, Step step) {
  std::vector<std::string> words;
  for (const int k : step.observation == kMissing ? std::vector<int>() : factors.measured_in(step)) {
    words.push_back(factors.words(step.observation, k));
  }
  return joined(words);
}

// Where one thing did it all, it comes first; where several did, each with what it did.
std::string change_of(const Structure& structure, const OutcomeFactors& factors,
                      const DecisionExplanation& last, const std::vector<double>& now,
                      const std::vector<Estimate>* sure_last, const std::vector<Estimate>* sure_now) {
  std::size_t moved = 0;
  // What differs by rounding alone counts as equal where exponentials are computed here and in the page.
  const double alike = structure.measured() || structure.timed() ? 1e-9 : 0.0;
  for (std::size_t s = 0; s < now.size(); ++s) {
    if (std::abs(now[s] - last.belief[s]) > std::abs(now[moved] - last.belief[moved]) + alike) moved = s;
  }
  const double change = now[moved] - last.belief[moved];
  const bool hardly = std::abs(change) < kHardly;
  const auto likeliest = static_cast<std::size_t>(std::max_element(now.begin(), now.end()) - now.begin());
  const std::vector<MovePart> parts = visible_parts(factors, last, hardly ? likeliest : moved);
  const bool by_time = std::ranges::any_of(parts, &MovePart::of_time);
  const std::string seen = seen_words(factors, last.step);
  const bool missing = last.step.observation == kMissing;
  const std::string stays = fmt::format("the belief hardly moved ({} {})", structure.states[likeliest],
                                        percent_in(now[likeliest], sure_now, likeliest));
  const std::string moves = fmt::format(
      "the belief in {} {} from {} to {}", structure.states[moved], change > 0.0 ? "rose" : "fell",
      percent_in(last.belief[moved], sure_last, moved), percent_in(now[moved], sure_now, moved));
  const std::string& what = hardly ? stays : moves;
  if (missing) return "Without a result, " + what;
  if (seen.empty()) return "With time, " + what;
  const bool one_way =
      std::ranges::all_of(parts, [&](const MovePart& part) { return (part.change > 0.0) == (change > 0.0); });
  if (parts.empty() || (!by_time && one_way && !hardly)) {
    std::vector<std::string> words;
    words.reserve(parts.size());
    for (const MovePart& part : parts) words.push_back(part.words);
    return fmt::format("After {}, {}", words.empty() ? seen : joined(words), what);
  }
  if (by_time && parts.size() == 1) return fmt::format("With time, {}, which {} hardly changed", what, seen);
  return fmt::format("T{}: {}", what.substr(1), in_points(parts));
}

std::string choice_of(const Structure& structure, const DecisionExplanation& decision,
                      const std::vector<Estimate>* sure) {
  const std::string& likely = structure.actions[decision.region];
  const double chance = decision.policy[decision.region];
  const std::string how = chance > 0.5 ? "more likely than not" : "the likeliest choice";
  std::string shown = percent_in(chance, sure, static_cast<std::size_t>(decision.region));
  if (!decision.by_belief.empty()) {
    shown += "; by belief alone " + base::percent_words(decision.by_belief[decision.region]);
  }
  if (decision.step.action == decision.region) {
    return fmt::format("{} was {} ({}), and was chosen", likely, how, shown);
  }
  return fmt::format("{} was {} ({}), but {} was chosen ({}{})", likely, how, shown,
                     structure.actions[decision.step.action],
                     percent_in(decision.probability, sure, static_cast<std::size_t>(decision.step.action)),
                     decision.probability < kRare ? ", a rare choice here" : "");
}

}  // namespace

std::vector<std::string> decision_sentences(const Structure& structure, const OutcomeFactors& factors,
                                            const RecordExplanation& record,
                                            std::span<const DecisionIntervals> intervals) {
  std::vector<std::string> sentences;
  for (std::size_t t = 0; t < record.decisions.size(); ++t) {
    const DecisionExplanation& decision = record.decisions[t];
    const DecisionIntervals* sure = t < intervals.size() ? &intervals[t] : nullptr;
    const std::vector<Estimate>* belief = sure ? &sure->belief : nullptr;
    const std::string before = t == 0
                                   ? first_belief(structure, decision.belief, belief)
                                   : change_of(structure, factors, record.decisions[t - 1], decision.belief,
                                               sure ? &intervals[t - 1].belief : nullptr, belief);
    sentences.push_back(before + "; " + choice_of(structure, decision, sure ? &sure->policy : nullptr) + ".");
  }
  return sentences;
}

}  // namespace interpole::explain
