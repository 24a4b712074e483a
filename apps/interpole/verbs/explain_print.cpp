#include "verbs/explain_print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "streams.hpp"
#include "table.hpp"

namespace interpole::cli {
namespace {

std::string bars(const std::vector<double>& shares) {
  std::string text;
  for (const double share : shares) text += small_bar(share);
  return text;
}

// A share in a column of per cents, and with its interval if there are any.
std::string percent_cell(double share) {
  return fmt::format("{:.0f}", 100.0 * share);
}

std::string percent_cell(double share, const std::vector<Estimate>& intervals, std::size_t i) {
  if (intervals.empty()) return percent_cell(share);
  return fmt::format("{:.0f} [{:.0f}, {:.0f}]", 100.0 * share, 100.0 * intervals[i].low,
                     100.0 * intervals[i].high);
}

std::string observed(const Structure& structure, int observation) {
  return observation == kMissing ? "–" : structure.outcome_name(observation);
}

// The state that moved most, with what moved it: "MCI −31 (time +2, CDR-SB −33)" in percentage points.
std::string move_words(const service::ExplainOutcome& outcome, const DecisionExplanation& decision) {
  if (!decision.move) return "–";
  const BeliefMove& move = *decision.move;
  std::size_t most = 0;
  for (std::size_t s = 0; s < move.after.size(); ++s) {
    if (std::abs(move.total.belief[s]) > std::abs(move.total.belief[most])) most = s;
  }
  const auto points = [](double x) { return fmt::format("{:+.0f}", std::round(100.0 * x) + 0.0); };
  std::string parts = "time " + points(move.time.belief[most]);
  for (const auto& share : move.factors) {
    parts += fmt::format(", {} {}", outcome.factors.names[share.factor], points(share.shift.belief[most]));
  }
  return fmt::format("{} {} ({})", outcome.structure.states[most], points(move.total.belief[most]), parts);
}

}  // namespace

std::string small_bar(double share) {
  static const std::array<const char*, 9> kBars = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const int eighths = static_cast<int>(std::lround(8.0 * std::clamp(share, 0.0, 1.0)));
  return kBars[share > 0.0 ? std::max(1, eighths) : 0];
}

void print_explanation(const service::ExplainOutcome& outcome) {
  const Structure& structure = outcome.structure;
  std::vector<std::string> heading = {"visit", ""};
  for (const auto& state : structure.states) heading.push_back(state + " %");
  for (const char* name : {"likeliest", "done", "chance %", "surprise", "nearest other", "result"}) {
    heading.emplace_back(name);
  }
  heading.push_back("belief moves, points");
  std::vector<std::vector<std::string>> table = {heading};
  for (const VisitExplanation& visit : outcome.visits) {
    const DecisionExplanation& decision = visit.decision;
    std::vector<std::string> row = {visit.visit, bars(decision.belief)};
    for (std::size_t s = 0; s < decision.belief.size(); ++s)
      row.push_back(percent_cell(decision.belief[s], visit.belief, s));
    row.push_back(fmt::format("{} {}", structure.actions[decision.region],
                              percent_cell(decision.policy[decision.region])));
    row.push_back(structure.actions[decision.step.action]);
    const std::vector<Estimate> interval =
        visit.probability ? std::vector{*visit.probability} : std::vector<Estimate>();
    row.push_back(percent_cell(decision.probability, interval, 0));
    row.push_back(fmt::format("{:.1f}", decision.surprise));
    row.push_back(decision.boundary
                      ? fmt::format("{} at {:.2f}", structure.actions[decision.boundary->action],
                                    decision.boundary->distance)
                      : "none");
    row.push_back(observed(structure, decision.step.observation));
    row.push_back(move_words(outcome, decision));
    table.push_back(row);
  }
  const std::string who = outcome.likeliest_kind.empty() ? "" : ": " + outcome.likeliest_kind;
  show("patient {}{}\n\n", outcome.patient, who);
  print_table(table);
  show("\n");
  for (const VisitExplanation& visit : outcome.visits) show("{}: {}\n", visit.visit, visit.sentence);
  show("\nBeliefs are inferred, not stated. Surprise in bits; distances between beliefs, at most 1.41.\n");
  if (!outcome.source.empty()) show("Intervals (95%) from {}.\n", outcome.source);
}

void print_counterfactuals(const service::ExplainOutcome& outcome, const VisitExplanation& visit) {
  const Structure& structure = outcome.structure;
  show("\nvisit {}: what could have come of it\n\n", visit.visit);
  std::vector<std::string> heading = {"action and result", "chance %", ""};
  for (const auto& state : structure.states) heading.push_back(state + " %");
  heading.push_back("next likeliest");
  std::vector<std::vector<std::string>> table = {heading};
  const auto add = [&](int action, const std::string& result, const OutcomeBranch& branch, bool happened) {
    std::vector<std::string> row = {
        fmt::format("{}{}: {}", happened ? "* " : "  ", structure.actions[action], result),
        branch.observation == kMissing ? "–" : percent_cell(branch.chance), bars(branch.belief)};
    for (const double b : branch.belief) row.push_back(percent_cell(b));
    row.push_back(fmt::format("{} {}", structure.actions[branch.next_action],
                              percent_cell(branch.policy[branch.next_action])));
    table.push_back(row);
  };
  const Step step = visit.decision.step;
  for (const ActionBranches& action : visit.counterfactuals) {
    const bool done = action.action == step.action;
    add(action.action, "no result", action.unseen, done && step.observation == kMissing);
    for (const FactorBranch& factor : done ? visit.without_factor : std::vector<FactorBranch>()) {
      add(action.action, fmt::format("as it was, {} not read", outcome.factors.names[factor.factor]),
          factor.branch, false);
    }
    for (const OutcomeBranch& branch : action.outcomes) {
      add(action.action, structure.outcome_name(branch.observation), branch,
          done && branch.observation == step.observation);
    }
  }
  print_table(table);
  show("* what happened\n\n");
  for (const ActionBranches& action : visit.counterfactuals) {
    show("{}: expected information {:.3f} bits as the decision-maker sees it",
         structure.actions[action.action], action.information);
    if (action.information_world) show(", {:.3f} bits in the world", *action.information_world);
    show("; its result {} the likeliest next action\n", action.decides ? "can change" : "cannot change");
  }
}

}  // namespace interpole::cli
