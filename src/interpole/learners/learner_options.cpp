#include "interpole/learners/learner_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "interpole/base/messages.hpp"

namespace interpole::learners {
namespace {

LearnerOption* find(std::vector<LearnerOption>& options, std::string_view name) {
  for (LearnerOption& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

Error unknown_option(const Learner& learner, const std::string& name,
                     const std::vector<LearnerOption>& options) {
  if (options.empty()) {
    return usage_error(fmt::format("learner option: {} has no options, so not {} either; remove it",
                                   learner.name(), base::shown(name)));
  }
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const LearnerOption& option : options) names.push_back(option.name);
  return usage_error(fmt::format("learner option: {} is not an option of {}{}", base::shown(name),
                                 learner.name(), base::suggestion(name, names, "its options are")));
}

}  // namespace

OptionValues::OptionValues(const Learner& learner, const LearnerOptions& options)
    : options_(learner.options()) {
  for (const auto& [name, value] : options.set) {
    LearnerOption* option = find(options_, name);
    if (option == nullptr) throw unknown_option(learner, name, options_);
    if (!(value >= option->lowest && value <= option->highest) ||
        (option->whole && value != std::floor(value))) {
      throw usage_error(fmt::format("learner option {}: {} is not a {}number from {:g} to {:g} ({})", name,
                                    value, option->whole ? "whole " : "", option->lowest, option->highest,
                                    option->help));
    }
    option->value = value;
  }
}

double OptionValues::number(std::string_view name) const {
  for (const LearnerOption& option : options_) {
    if (option.name == name) return option.value;
  }
  throw runtime_error(
      fmt::format("a learner asks for {}, which is not among the options it describes", name));
}

std::pair<std::string, double> parse_learner_option(const std::string& text) {
  const auto sign = text.find('=');
  const std::string value = sign == std::string::npos ? "" : text.substr(sign + 1);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (sign == 0 || value.empty() || *end != '\0' || !std::isfinite(number)) {
    throw usage_error(fmt::format("learner option: {} is not name=number; write for example restarts=20",
                                  base::shown(text)));
  }
  return {text.substr(0, sign), number};
}

void require_known_outcomes(const Learner& learner, const Structure& structure) {
  const std::string name = learner.name();
  if (structure.timed() && !name.starts_with("interpole") && name != "majority" &&
      name != "previous-action") {
    throw input_error(
        "this learner takes one visit like another, and visits have times in this study; choose an interpole "
        "learner, or a study without time under [record]");
  }
  if (!structure.measured() || name.starts_with("interpole") || name == "majority" ||
      name == "previous-action")
    return;
  throw input_error(
      "this learner knows outcomes from a list, and the study measures factors; choose an interpole learner, "
      "or "
      "a study that cuts the factors into levels (version = 1, or joint = true)");
}

Error interrupted_learner(const std::string& name) {
  return {ErrorKind::kInterrupted, fmt::format("stopped before {} had learned anything", name)};
}

Error impossible_data() {
  return input_error(
      "the study's known values call an outcome of the data impossible; free the zero under [known], or "
      "correct "
      "the table");
}

}  // namespace interpole::learners
