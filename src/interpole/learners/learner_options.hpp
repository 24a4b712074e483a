// The options a learner is called with, checked against those it describes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpole/error.hpp"
#include "interpole/learners/learner.hpp"

namespace interpole::learners {

class OptionValues {
 public:
  // Throws a usage error naming the option, the value and what is allowed.
  OptionValues(const Learner& learner, const LearnerOptions& options);

  // The name must be one of the learner's own.
  double number(std::string_view name) const;
  int whole(std::string_view name) const { return static_cast<int>(number(name)); }

  const std::vector<LearnerOption>& all() const { return options_; }  // with the values in force

 private:
  std::vector<LearnerOption> options_;
};

// "name=value" as on the command line. Usage error.
std::pair<std::string, double> parse_learner_option(const std::string& text);

// Throws an input error if outcomes are measured and the learner knows them from a list alone.
void require_known_outcomes(const Learner& learner, const Structure& structure);

// The error of a learner that was asked to stop before it had a result.
Error interrupted_learner(const std::string& name);
// The error of one that cannot learn from data which the study rules out.
Error impossible_data();

}  // namespace interpole::learners
