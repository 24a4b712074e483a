#include "interpole/service/start/start_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/base/number_text.hpp"

namespace interpole::service {
namespace {

constexpr std::size_t kMostSentences = 3;

std::string quoted_list(const std::vector<std::string>& names) {
  return base::name_list(names);
}

std::string order_words(const data::OrderGuess& order) {
  switch (order.kind) {
    case OrderKind::kDate:
      return "days";
    case OrderKind::kCodes:
      return "codes";
    case OrderKind::kNumber:
      break;
  }
  return "numbers";
}

std::string factor_words(const data::FactorGuess& factor) {
  const std::string what =
      factor.family ? factor.family->family : fmt::format("{}", fmt::join(factor.levels, ", "));
  return fmt::format("{} ({})", base::shown(factor.column), what);
}

std::string seen_words(const data::StudyGuess& guess) {
  std::vector<std::string> before, after;
  for (const data::FactorGuess& factor : guess.factors) {
    (factor.seen == data::Reading::kBefore ? before : after).push_back(factor_words(factor));
  }
  std::string text;
  if (!before.empty())
    text += fmt::format("seen before the decision of its row: {}", fmt::join(before, "; "));
  if (!after.empty()) {
    text += fmt::format("{}seen after the decision of its row: {}", text.empty() ? "" : "; ",
                        fmt::join(after, "; "));
  }
  return text + (guess.seen.clear() ? "" : " (the table does not say clearly which came first: look at it)");
}

}  // namespace

std::vector<std::string> assumptions(const StartOutcome& outcome) {
  std::vector<std::string> sentences;
  const data::DataSummary& summary = *outcome.check.summary;
  const Structure& structure = outcome.check.study.structure;
  if (!outcome.draft.guess) {
    sentences.push_back(fmt::format("a visits table of {}: actions {}; observations {}, seen after them",
                                    base::counted(summary.patients, "patient"),
                                    quoted_list(structure.actions), quoted_list(structure.observations)));
  } else {
    const data::StudyGuess& guess = *outcome.draft.guess;
    for (const std::string& note : outcome.draft.shape.notes) sentences.push_back(note);
    sentences.push_back(fmt::format("{} by {}, visits in the order of {} ({})",
                                    base::counted(summary.patients, "patient"), base::shown(guess.id),
                                    base::shown(guess.order.column), order_words(guess.order)));
    if (structure.timed()) {
      sentences.push_back(
          fmt::format("visits come at irregular distances (most after {:.3g} to {:.3g} {}): how states "
                      "change depends on them",
                      guess.time->low, guess.time->high, guess.time->unit));
    }
    sentences.push_back(fmt::format(
        "decided: {} ({})", quoted_list(structure.actions),
        guess.action.by_presence ? fmt::format("whether {} is filled in", base::shown(guess.action.column))
                                 : fmt::format("column {}", base::shown(guess.action.column))));
    sentences.push_back(seen_words(guess));
  }
  sentences.push_back(
      fmt::format("{} hidden states without names; whoever decided knew how patients fare (a whole fit asks "
                  "whether they did)",
                  structure.state_count()));
  if (outcome.check.mapping) {
    const data::Attrition& attrition = outcome.check.mapping->attrition;
    if (attrition.rows_kept < attrition.rows_in) {
      sentences.push_back(fmt::format("{} of {} rows kept", attrition.rows_kept, attrition.rows_in));
    }
  }
  return sentences;
}

std::vector<std::string> first_findings(const StartOutcome& outcome) {
  std::vector<std::string> sentences;
  const data::DataSummary& summary = *outcome.check.summary;
  std::string foreseen = base::counted(summary.decisions, "decision");
  if (outcome.auroc) {
    foreseen +=
        fmt::format(", foreseen with AUROC {:.2f} (0.5 is chance; on the records that were learned from)",
                    *outcome.auroc);
  }
  sentences.push_back(foreseen);
  if (outcome.fit.intervals) {
    for (const auto& boundary : outcome.fit.intervals->boundaries) {
      if (sentences.size() > kMostSentences) break;
      sentences.push_back(explain::sentence_of(outcome.fit.result.model.structure, boundary));
    }
  }
  for (const std::string& sentence : outcome.fit.term_sentences) {
    if (sentences.size() > kMostSentences + 2) break;
    sentences.push_back(sentence);
  }
  return sentences;
}

std::vector<std::string> cautions_of(const StartOutcome& outcome) {
  std::vector<std::string> sentences = outcome.check.warnings;
  const learn::FitSummary& summary = outcome.fit.summary;
  if (summary.interrupted) {
    sentences.emplace_back("the search was cut short; a whole fit may find something else");
  } else if (!summary.converged()) {
    sentences.emplace_back("the search did not converge");
  }
  const std::string disagreement = disagreement_of(outcome.fit.result.quality);
  if (!disagreement.empty()) sentences.push_back(disagreement);
  for (const ModelCheck* check : outcome.fit.checks.failed()) {
    sentences.push_back(check->sentence);
  }
  if (outcome.draft.decisions > 0) {
    sentences.push_back(fmt::format("{} of the study marked DECIDE {} yours to look at",
                                    base::counted(outcome.draft.decisions, "line"),
                                    outcome.draft.decisions == 1 ? "is" : "are"));
  }
  return sentences;
}

}  // namespace interpole::service
