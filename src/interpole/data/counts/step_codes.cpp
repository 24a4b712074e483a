#include "interpole/data/counts/step_codes.hpp"

#include <fmt/format.h>

#include <charconv>

#include "interpole/base/messages.hpp"

namespace interpole::data {
namespace {

// As the query writes it: digits alone, no zeros before them. −1: it is none.
std::int64_t code_of(std::string_view word) {
  std::int64_t code = -1;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), code);
  const bool whole = problem == std::errc() && end == word.data() + word.size() && code >= 0;
  return whole && (word.size() == 1 || word[0] != '0') ? code : -1;
}

}  // namespace

StepCodes::StepCodes(const Structure& structure, bool diagnoses)
    : structure_(structure),
      diagnoses_(diagnoses),
      of_outcome_(diagnoses ? structure.state_count() + 1 : 1),
      of_action_((structure.observation_count() + 1) * of_outcome_),
      count_(structure.action_count() * of_action_) {}

std::string StepCodes::decode(std::string_view text, std::vector<Step>& steps,
                              std::vector<std::int32_t>& diagnoses) const {
  steps.clear();
  diagnoses.clear();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    begin = end + 1;
    const std::int64_t code = code_of(word);
    const auto step_name = [&] { return fmt::format("step {}", steps.size() + 1); };
    if (code < 0 || code >= count_) {
      return fmt::format("{}: {} is not a code of this study, which has 0 to {}", step_name(),
                         base::shown(word), count_ - 1);
    }
    const Step step{static_cast<std::int32_t>(code / of_action_),
                    static_cast<std::int32_t>(code % of_action_ / of_outcome_) - 1};
    const std::string& action = structure_.actions[step.action];
    if (!steps.empty() && structure_.is_terminal(steps.back().action)) {
      return fmt::format("{}: the record goes on after {}, which ends it", step_name(),
                         base::shown(structure_.actions[steps.back().action]));
    }
    if (step.observation != kMissing && !structure_.can_yield(step.action, step.observation)) {
      return fmt::format("{}: {} stands for {} after {}, which cannot yield it", step_name(), code,
                         base::shown(structure_.observations[step.observation]), base::shown(action));
    }
    steps.push_back(step);
    if (diagnoses_) diagnoses.push_back(static_cast<std::int32_t>(code % of_outcome_) - 1);
  }
  return "";
}

std::string StepCodes::encode(std::span<const Step> steps, std::span<const std::int32_t> diagnoses) const {
  std::string text;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    std::int64_t code = steps[t].action * of_action_ + (steps[t].observation + 1) * of_outcome_;
    if (diagnoses_) code += diagnoses[t] + 1;
    text += fmt::format("{}{}", text.empty() ? "" : " ", code);
  }
  return text;
}

}  // namespace interpole::data
