#include "interpole/model/policy_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole::model {
namespace {

// A category that came after those a term was learned from has no level.
ActiveLevel level_of_covariate(const PolicyCovariate& covariate, double value, int levels) {
  if (std::isnan(value)) return {};
  if (covariate.categories.empty()) return {0, (value - covariate.centre) / covariate.scale};
  return value < levels ? ActiveLevel{static_cast<int>(value), 1.0} : ActiveLevel{};
}

}  // namespace

ActiveLevel active_level(const PolicyTerms& terms, const PolicyTerm& term, int actions,
                         const DecisionContext& context) {
  const int levels = static_cast<int>(term.weights.size()) / actions;
  switch (term.kind) {
    case TermKind::kHabit:
      return {context.last_action, 1.0};
    case TermKind::kTime:
      return {term.period > 0 ? context.step % term.period : std::min(context.step, levels - 1), 1.0};
    case TermKind::kResultMissing:
      return {context.result_missing ? 0 : -1, 1.0};
    case TermKind::kContext:
    case TermKind::kGroup:
      break;
  }
  const auto at = static_cast<std::size_t>(term.covariate);
  if (at >= context.covariates.size()) return {};
  return level_of_covariate(terms.covariates[at], context.covariates[at], levels);
}

void add_offsets(const PolicyTerms& terms, const DecisionContext& context, std::span<double> offsets) {
  const int actions = static_cast<int>(offsets.size());
  for (const PolicyTerm& term : terms.additive) {
    const ActiveLevel active = active_level(terms, term, actions, context);
    if (active.level < 0) continue;
    for (int a = 0; a < actions; ++a) offsets[a] += active.value * term.weights[active.level * actions + a];
  }
}

std::vector<int> used_levels(const Structure& structure, const PolicyTerm& term) {
  std::vector<int> levels(term.weights.size() / structure.actions.size());
  std::iota(levels.begin(), levels.end(), 0);
  if (term.kind == TermKind::kHabit) std::erase_if(levels, [&](int a) { return structure.is_terminal(a); });
  return levels;
}

bool levels_exclude(const PolicyTerms& terms, const PolicyTerm& term) {
  if (term.kind == TermKind::kResultMissing) return false;
  return term.covariate < 0 || !terms.covariates[term.covariate].categories.empty();
}

PolicyTerm term_filled(const Structure& structure, const PolicyTerms& terms, TermKind kind, double value,
                       int covariate, int steps, int period) {
  std::size_t levels = 1;
  if (kind == TermKind::kHabit) levels = structure.actions.size();
  if (kind == TermKind::kTime) levels = period > 0 ? period : steps;
  if (covariate >= 0) levels = std::max<std::size_t>(1, terms.covariates[covariate].categories.size());
  PolicyTerm term{kind, covariate, period, std::vector<double>(levels * structure.actions.size(), 0.0)};
  for (const int level : used_levels(structure, term)) {
    std::fill_n(&term.weights[level * structure.actions.size()], structure.actions.size(), value);
  }
  return term;
}

const char* kind_name(TermKind kind) {
  switch (kind) {
    case TermKind::kHabit:
      return "habit";
    case TermKind::kTime:
      return "time";
    case TermKind::kResultMissing:
      return "missing";
    case TermKind::kContext:
      return "context";
    case TermKind::kGroup:
      break;
  }
  return "group";
}

std::string term_name(const PolicyTerms& terms, const PolicyTerm& term) {
  return follows_covariate(term.kind) ? terms.covariates[term.covariate].name : kind_name(term.kind);
}

std::string level_name(const Structure& structure, const PolicyTerms& terms, const PolicyTerm& term,
                       int level) {
  const int levels = static_cast<int>(term.weights.size() / structure.actions.size());
  switch (term.kind) {
    case TermKind::kHabit:
      return "after " + structure.actions[level];
    case TermKind::kTime:
      if (term.period > 0) return fmt::format("step {} of every {}", level + 1, term.period);
      return fmt::format("step {}{}", level + 1, level + 1 == levels ? " and later" : "");
    case TermKind::kResultMissing:
      return "result missing";
    case TermKind::kContext:
    case TermKind::kGroup:
      break;
  }
  const PolicyCovariate& covariate = terms.covariates[term.covariate];
  if (covariate.categories.empty()) return covariate.name;
  return fmt::format("{} = {}", covariate.name, covariate.categories[level]);
}

}  // namespace interpole::model
