#include "interpole/explain/policy/term_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/model/policy_terms.hpp"

namespace interpole::explain {
namespace {

// "3.1 [2.7, 3.6] times".
std::string shown_factor(const Estimate& x) {
  const auto digits = [](double value) { return value >= 100.0 ? 0 : value >= 10.0 ? 1 : 2; };
  return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}] times", x.middle, digits(x.middle), x.low, digits(x.low),
                     x.high, digits(x.high));
}

class Effects {
 public:
  Effects(const Structure& structure, const std::vector<AgentWorld>& draws, double level)
      : structure_(structure), draws_(draws), level_(level), first_(draws.front().agent.policy.terms) {}

  std::vector<TermEffect> all() {
    if (first_.inertia > 0.0) {
      add_share(
          "inertia", [](const PolicyTerms& terms) { return terms.inertia; },
          "In {} of decisions after the first, the last action is taken again, whatever is believed");
    }
    if (first_.lapse > 0.0) {
      add_share(
          "lapse", [](const PolicyTerms& terms) { return terms.lapse; },
          "In {} of decisions any action may be taken, whatever is believed");
    }
    for (std::size_t i = 0; i < first_.additive.size(); ++i) add_term(i);
    return std::move(effects_);
  }

 private:
  template <class Share>
  void add_share(const char* name, const Share& share, const char* words) {
    std::vector<double> values;
    for (const AgentWorld& draw : draws_) values.push_back(share(draw.agent.policy.terms));
    TermEffect effect{name, "", "", estimate_of(std::move(values), level_), ""};
    effect.sentence = fmt::format(fmt::runtime(words), shown_percent(effect.size));
    effects_.push_back(std::move(effect));
  }

  void add_term(std::size_t index) {
    const PolicyTerm& term = first_.additive[index];
    const int A = structure_.action_count();
    for (const int level : model::used_levels(structure_, term)) {
      for (int a = A == 2 ? 1 : 0; a < A; ++a) {
        std::vector<double> factors;
        for (const AgentWorld& draw : draws_) {
          const double* weights =
              &draw.agent.policy.terms.additive[index].weights[static_cast<std::size_t>(level) * A];
          double others = 0.0;
          for (int k = 0; k < A; ++k) others += k == a ? 0.0 : weights[k] / (A - 1);
          factors.push_back(std::exp(weights[a] - others));
        }
        TermEffect effect{model::term_name(first_, term), model::level_name(structure_, first_, term, level),
                          structure_.actions[a], estimate_of(std::move(factors), level_), ""};
        effect.sentence = sentence_of(term, level, effect);
        effects_.push_back(std::move(effect));
      }
    }
  }

  std::string sentence_of(const PolicyTerm& term, int level, const TermEffect& effect) const {
    const std::string odds =
        fmt::format("the odds of \"{}\" are {} ", effect.action, shown_factor(effect.size));
    switch (term.kind) {
      case TermKind::kHabit:
        return fmt::format("After \"{}\", {}what they are after any action on average, whatever is believed",
                           structure_.actions[level], odds);
      case TermKind::kTime:
        return fmt::format("At {}, {}what they are at any step on average, whatever is believed",
                           effect.level, odds);
      case TermKind::kResultMissing:
        return fmt::format("Where the last result is missing, {}what they are elsewhere at the same belief",
                           odds);
      case TermKind::kContext:
      case TermKind::kGroup:
        break;
    }
    const PolicyCovariate& covariate = first_.covariates[term.covariate];
    if (covariate.categories.empty()) {
      return fmt::format("For every {:.3g} more of {}, {}as high at the same belief", covariate.scale,
                         covariate.name, odds);
    }
    return fmt::format("Where {} is \"{}\", {}what they are on average at the same belief", covariate.name,
                       covariate.categories[level], odds);
  }

  const Structure& structure_;
  const std::vector<AgentWorld>& draws_;
  double level_;
  const PolicyTerms& first_;
  std::vector<TermEffect> effects_;
};

// How far the interval is from saying nothing, in its own widths.
double sureness(const TermEffect& effect) {
  const double middle = std::abs(std::log(std::max(effect.size.middle, 1e-300)));
  const double width = std::log(std::max(effect.size.high, 1e-300) / std::max(effect.size.low, 1e-300));
  return middle / std::max(width, 1e-12);
}

}  // namespace

std::vector<TermEffect> term_effects(const Structure& structure, const std::vector<AgentWorld>& draws,
                                     double level) {
  return Effects(structure, draws, level).all();
}

std::vector<std::string> term_sentences(const std::vector<TermEffect>& effects, int most) {
  std::vector<std::string> sentences;
  for (auto begin = effects.begin(); begin != effects.end();) {
    const auto end = std::find_if(begin, effects.end(), [&](const auto& x) { return x.term != begin->term; });
    std::vector<const TermEffect*> order;
    for (auto effect = begin; effect != end; ++effect) order.push_back(&*effect);
    std::stable_sort(order.begin(), order.end(),
                     [](const TermEffect* x, const TermEffect* y) { return sureness(*x) > sureness(*y); });
    for (std::size_t i = 0; i < order.size() && i < static_cast<std::size_t>(most); ++i) {
      sentences.push_back(order[i]->sentence);
    }
    begin = end;
  }
  return sentences;
}

}  // namespace interpole::explain
