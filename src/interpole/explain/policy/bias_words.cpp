#include "interpole/explain/policy/bias_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/time/visit_gaps.hpp"

namespace interpole::explain {
namespace {

const double kSpeaksClearly = std::log(20.0);

std::string odds(double log_ratio) {
  const double ratio = std::exp(std::abs(log_ratio));
  return ratio > 1e6 ? "more than a million to one"
                     : fmt::format("{:.{}f} to one", ratio, ratio < 10.0 ? 1 : 0);
}

// Beyond what the uncertainty of the numbers alone would seem to change.
std::string cost_sentence(const BiasCost& cost) {
  const std::string had = "Had the beliefs followed the world instead, on the same records, ";
  if (!(cost.excess.low > 0.0)) {
    return had +
           "it cannot be said that more decisions would have come out otherwise than chance alone gives";
  }
  std::string sentence = fmt::format(
      "{}at least {} of decisions would have come out otherwise, beyond what chance alone gives ({})", had,
      shown_percent(cost.excess), base::percent_words(cost.by_chance.middle));
  if (cost.other_choice_excess.low > 0.0) {
    sentence += fmt::format("; in {} another action would have been the most likely",
                            shown_percent(cost.other_choice_excess));
  }
  return sentence;
}

std::string by_evidence(std::optional<double> log_bayes_factor) {
  if (!log_bayes_factor) return "Whether agent and world differ at all was not tested";
  const double x = *log_bayes_factor;
  if (x >= kSpeaksClearly)
    return fmt::format("The records speak clearly for a difference between agent and world ({})", odds(x));
  if (x >= kSpeaks)
    return fmt::format("The records speak for a difference between agent and world ({})", odds(x));
  if (x > -kSpeaks)
    return fmt::format("The records cannot tell whether agent and world differ ({} {})", odds(x),
                       x >= 0.0 ? "for" : "against");
  return fmt::format("The records favour no difference between agent and world ({})", odds(x));
}

std::vector<std::string> why_withheld(const std::vector<std::string>& reasons) {
  std::vector<std::string> sentences = {"Whether agent and world differ cannot be said"};
  for (std::string reason : reasons) {
    reason.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reason.front())));
    sentences.push_back(reason);
  }
  return sentences;
}

// "3.1 [2.8, 3.4] mmol/L"
std::string shown_in_unit(const Estimate& x, const std::string& unit) {
  const double width = std::max(x.high - x.low, 1e-300);
  const int digits = std::clamp(static_cast<int>(std::ceil(1.0 - std::log10(width))), 0, 6);
  return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]{}{}", x.middle, digits, x.low, digits, x.high, digits,
                     unit.empty() ? "" : " ", unit);
}

// A measured factor's parameter, by its column, and the unit it has, if any.
struct NamedParameter {
  const MeasuredFactor& factor;
  model::ParameterForm form;
  std::string unit;
};

NamedParameter parameter_at(const Structure& structure, int column) {
  const auto offsets = model::factor_offsets(structure.factors);
  const auto f = static_cast<std::size_t>(std::upper_bound(offsets.begin(), offsets.end(), column) -
                                          offsets.begin() - 1);
  const MeasuredFactor& factor = structure.factors[f];
  const model::ParameterForm form = model::forms_of(factor)[static_cast<std::size_t>(column - offsets[f])];
  const bool has_unit =
      form.name != "log sd" && form.name != "df" && form.name != "size" && factor.family != Family::kOrdinal;
  return {factor, form, has_unit ? factor.unit : ""};
}

std::string measured_sentence(const Structure& structure, const BiasFinding& finding) {
  const auto [factor, form, unit] = parameter_at(structure, finding.outcome);
  const std::string& state = structure.states[finding.state];
  const std::string& action = structure.actions[finding.action];
  if (form.kind == model::ParameterForm::Kind::kProbability) {
    return fmt::format("acts as if {} were \"{}\" for {} of \"{}\" patients after \"{}\"; it is for {}",
                       factor.name, form.name, shown_percent(finding.agent), state, action,
                       shown_percent(finding.world));
  }
  return fmt::format("acts as if the {} of {} in \"{}\" after \"{}\" were {}; it is {}", form.name,
                     factor.name, state, action, shown_in_unit(finding.agent, unit),
                     shown_in_unit(finding.world, unit));
}

}  // namespace

std::string shown_parameter(const Structure& structure, int column, const Estimate& value) {
  const NamedParameter parameter = parameter_at(structure, column);
  const bool share = parameter.form.kind == model::ParameterForm::Kind::kProbability;
  return share ? shown_percent(value) : shown_in_unit(value, parameter.unit);
}

std::string sentence_of(const Structure& structure, const BiasFinding& finding) {
  const std::string state = structure.states[finding.state];
  switch (finding.field) {
    case Field::kInitial:
      return fmt::format("starts as if {} of patients were \"{}\"; {} are", shown_percent(finding.agent),
                         structure.states[finding.outcome], shown_percent(finding.world));
    case Field::kTransition:
      if (model::has_rates(structure)) {
        return fmt::format("acts as if, {} after \"{}\", {} of \"{}\" patients were {}\"{}\"; {} are",
                           model::gap_words(*structure.time), structure.actions[finding.action],
                           shown_percent(finding.agent), state,
                           finding.state == finding.outcome ? "still " : "",
                           structure.states[finding.outcome], shown_percent(finding.world));
      }
      return finding.state == finding.outcome
                 ? fmt::format(
                       "acts as if \"{}\" lasted from one \"{}\" to the next visit in {} of cases; it does "
                       "in {}",
                       state, structure.actions[finding.action], shown_percent(finding.agent),
                       shown_percent(finding.world))
                 : fmt::format(
                       "acts as if \"{}\" turned into \"{}\" after \"{}\" in {} of cases; it does in {}",
                       state, structure.states[finding.outcome], structure.actions[finding.action],
                       shown_percent(finding.agent), shown_percent(finding.world));
    default:
      if (structure.measured()) return measured_sentence(structure, finding);
      return fmt::format("acts as if \"{}\" gave \"{}\" for {} of \"{}\" patients; it does for {}",
                         structure.actions[finding.action], structure.observations[finding.outcome],
                         shown_percent(finding.agent), state, shown_percent(finding.world));
  }
}

std::vector<std::string> verdict_words(const DifferenceVerdict& verdict) {
  if (verdict.verdict == BiasVerdict::kWithheld) return why_withheld(verdict.reasons);
  std::vector<std::string> sentences;
  const bool against = verdict.log_odds && *verdict.log_odds <= -kSpeaks;
  if (verdict.verdict == BiasVerdict::kUndecided && against && !verdict.reasons.empty()) {
    sentences.push_back(fmt::format("The records cannot tell whether agent and world differ ({} against): {}",
                                    odds(*verdict.log_odds), verdict.reasons.front()));
  } else {
    sentences.push_back(by_evidence(verdict.log_odds));
  }
  if (verdict.tempered) {
    sentences.emplace_back(
        "The odds are tempered, because decisions differ from the model by more than chance");
  }
  return sentences;
}

std::string sign_sentence(std::optional<double> removable_by) {
  if (!removable_by) {
    return "No sign that those who decide see and the table does not hold would explain the records as well, "
           "if "
           "it were right in up to 95 of 100 cases";
  }
  return fmt::format(
      "A sign that those who decide see and the table does not hold, right in {:.0f} of 100 cases, would "
      "explain "
      "the records as well",
      100.0 * *removable_by);
}

BiasVerdict verdict_by(std::optional<double> log_odds) {
  if (!log_odds || std::abs(*log_odds) < kSpeaks) return BiasVerdict::kUndecided;
  return *log_odds > 0.0 ? BiasVerdict::kDifference : BiasVerdict::kNone;
}

std::vector<std::string> bias_sentences(const Structure& structure, const AgentWorldComparison& comparison,
                                        int most) {
  const BiasAudit& audit = comparison.audit;
  std::vector<std::string> sentences =
      verdict_words({comparison.verdict, comparison.reasons, comparison.log_odds,
                     comparison.log_odds && comparison.checks.misfit > 0.0});
  if (comparison.verdict == BiasVerdict::kWithheld) {
    for (std::string& sentence : sentences) sentence += ".";
    return sentences;
  }
  std::vector<const BiasFinding*> flagged;
  for (const BiasFinding& finding : audit.findings) {
    if (finding.flagged) flagged.push_back(&finding);
  }
  std::stable_sort(flagged.begin(), flagged.end(), [](const BiasFinding* x, const BiasFinding* y) {
    return std::abs(x->difference.middle) > std::abs(y->difference.middle);
  });
  for (std::size_t i = 0; i < flagged.size() && i < static_cast<std::size_t>(most); ++i) {
    sentences.push_back("The decision-maker " + sentence_of(structure, *flagged[i]));
  }
  if (flagged.empty()) sentences.push_back("No single number stands out by more than the margin");
  if (flagged.size() > static_cast<std::size_t>(most)) {
    sentences.push_back(
        fmt::format("{} further numbers stand out; the table has them", flagged.size() - most));
  }
  if (comparison.verdict == BiasVerdict::kDifference && comparison.checks.sign) {
    sentences.push_back(sign_sentence(comparison.removable_by));
  }
  if (audit.cost) sentences.push_back(cost_sentence(*audit.cost));
  if (comparison.checks.checks.empty()) {
    for (const std::string& why : comparison.checks.not_checked) {
      sentences.push_back("Read it with care: " + why);
    }
  }
  for (std::string& sentence : sentences) sentence += ".";
  return sentences;
}

}  // namespace interpole::explain
