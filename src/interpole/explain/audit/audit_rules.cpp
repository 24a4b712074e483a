#include "interpole/explain/audit/audit_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/outcome_points.hpp"

namespace interpole::explain {
namespace {

bool can_surprise(const Structure& structure, int action) {
  if (structure.measured()) return !model::yielded_factors(structure, action).empty();
  int outcomes = 0;
  for (int z = 0; z < structure.observation_count(); ++z) outcomes += structure.can_yield(action, z) ? 1 : 0;
  return !structure.is_terminal(action) && outcomes > 1;
}

// It measures a factor that some other action, which does not end the record either, does not.
bool measures_more(const Structure& structure, const OutcomeFactors& factors, int action) {
  for (int other = 0; other < structure.action_count(); ++other) {
    if (structure.is_terminal(other)) continue;
    for (int k = 0; k < factors.count(); ++k) {
      if (factors.measures(action, k) && !factors.measures(other, k)) return true;
    }
  }
  return false;
}

std::vector<char> named_tests(const Structure& structure, const std::vector<std::string>& names) {
  std::vector<char> test(structure.actions.size(), 0);
  for (const std::string& name : names) {
    const int action = structure.find_action(name);
    if (action < 0) {
      throw usage_error(fmt::format("option test: {} is not an action of the model{}", base::shown(name),
                                    base::suggestion(name, structure.actions, "the actions are")));
    }
    if (!can_surprise(structure, action)) {
      throw usage_error(fmt::format(
          "option test: {} {}, so it is no test; name an action that can have several outcomes",
          base::shown(name), structure.is_terminal(action) ? "ends a record" : "has one possible outcome"));
    }
    test[action] = 1;
  }
  return test;
}

std::vector<char> found_tests(const Structure& structure, const OutcomeFactors& factors) {
  std::vector<char> test(structure.actions.size(), 0);
  for (int a = 0; a < structure.action_count(); ++a) {
    test[a] = can_surprise(structure, a) && measures_more(structure, factors, a) ? 1 : 0;
  }
  if (std::find(test.begin(), test.end(), 1) != test.end()) return test;
  for (int a = 0; a < structure.action_count(); ++a) test[a] = can_surprise(structure, a) ? 1 : 0;
  return test;
}

// Of a test: the factors that would not have been seen without it; all it measures if there is no "without".
std::vector<char> own_factors(const Structure& structure, const OutcomeFactors& factors,
                              const std::vector<char>& test, int action) {
  std::vector<char> own(factors.names.size(), 0);
  bool any = false;
  for (int k = 0; k < factors.count(); ++k) {
    for (int other = 0; other < structure.action_count() && factors.measures(action, k); ++other) {
      if (structure.is_terminal(other) || test[other] != 0 || factors.measures(other, k)) continue;
      own[k] = 1;
      any = true;
    }
  }
  if (!any) std::fill(own.begin(), own.end(), 1);
  return own;
}

void find_alternatives(const Structure& structure, const OutcomeFactors& factors, AuditRules& rules) {
  if (structure.measured()) {
    rules.factors = factors.count();
    rules.own.assign(factors.measured.size(), 0);
    for (const int a : rules.tests()) {
      const auto own = own_factors(structure, factors, rules.test, a);
      for (int k = 0; k < factors.count(); ++k)
        rules.own[a * factors.count() + k] = own[k] != 0 && factors.measures(a, k) ? 1 : 0;
    }
    return;
  }
  const int Z = structure.observation_count();
  rules.instead.resize(static_cast<std::size_t>(structure.action_count()) * Z);
  for (int a = 0; a < structure.action_count(); ++a) {
    if (!rules.is_test(a)) continue;
    const auto own = own_factors(structure, factors, rules.test, a);
    for (int z = 0; z < Z; ++z) {
      for (int other = 0; other < Z; ++other) {
        bool fits = structure.can_yield(a, z) && structure.can_yield(a, other);
        for (int k = 0; fits && k < factors.count(); ++k) {
          fits = own[k] != 0 || factors.level_of(z, k) == factors.level_of(other, k);
        }
        if (fits) rules.instead[a * Z + z].push_back(other);
      }
    }
  }
}

}  // namespace

bool AuditRules::has_result(const Structure& structure, Step step) const {
  if (!is_test(step.action) || step.observation == kMissing) return false;
  if (!structure.measured()) return true;
  const auto values = structure.outcomes.table->at(step.observation);
  for (int k = 0; k < factors; ++k) {
    if (is_own(step.action, k) && !std::isnan(values[k])) return true;
  }
  return false;
}

std::vector<int> AuditRules::tests() const {
  std::vector<int> result;
  for (std::size_t a = 0; a < test.size(); ++a) {
    if (test[a] != 0) result.push_back(static_cast<int>(a));
  }
  return result;
}

AuditRules audit_rules(const Structure& structure, const OutcomeFactors& factors,
                       const AuditOptions& options) {
  AuditRules rules;
  rules.test =
      options.tests.empty() ? found_tests(structure, factors) : named_tests(structure, options.tests);
  find_alternatives(structure, factors, rules);
  if (rules.tests().empty()) {
    rules.no_belated = rules.no_uninformative =
        "no action has more than one possible outcome: nothing is a test";
    return rules;
  }
  bool other = false;
  for (int a = 0; a < structure.action_count(); ++a) other |= !structure.is_terminal(a) && !rules.is_test(a);
  if (!other) {
    rules.no_belated =
        "whoever does not test ends the record, so no test can follow a visit at which it was left out";
  }
  return rules;
}

}  // namespace interpole::explain

namespace interpole {
namespace {

void require(bool good, const char* flag, double value, const char* range) {
  if (!good) throw usage_error(fmt::format("{}: {} is out of range; choose {}", flag, value, range));
}

}  // namespace

void AuditOptions::validate() const {
  require(near_certain > 0.0 && near_certain <= 1.0, "option near-certain", near_certain,
          "a probability above 0, as 0.9");
  require(insignificant >= -10.0 && insignificant <= 10.0, "option insignificant", insignificant,
          "a number of standard deviations, as 0.5");
  require(false_discoveries > 0.0 && false_discoveries < 1.0, "option false-discoveries", false_discoveries,
          "a share between 0 and 1, as 0.05");
  require(certainty >= 0.0 && certainty <= 1.0, "option certainty", certainty,
          "a probability, as 0.9; 0: any flag of the model");
  require(clearly >= 0.0 && clearly < 1.0, "option clearly", clearly,
          "a difference of probabilities, as 0.05; 0: the most likely action, by however little");
  require(draws >= 1, "option use-draws", draws, "1 or more");
}

}  // namespace interpole
