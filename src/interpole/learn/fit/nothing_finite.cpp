#include "interpole/learn/fit/nothing_finite.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace interpole::learn {
namespace {

// The number furthest from 1 in order of magnitude, and its key.
class MostExtreme {
 public:
  void look_at(double x, const std::string& key) {
    const double far = std::fabs(std::log10(std::fabs(x)));
    if (x == 0.0 || !(far > furthest_)) return;
    furthest_ = far;
    number_ = x;
    key_ = key;
  }
  void look_at(const std::vector<double>& numbers, const std::string& key) {
    for (const double x : numbers) look_at(x, key);
  }
  const std::string& key() const { return key_; }
  double number() const { return number_; }

 private:
  double furthest_ = 0.0;
  double number_ = 1.0;
  std::string key_;
};

MostExtreme most_extreme(const DecisionProblem& problem) {
  MostExtreme found;
  const Priors& priors = problem.priors;
  found.look_at(priors.concentration.initial, "priors.initial_belief");
  found.look_at(priors.concentration.transition, "priors.transition");
  found.look_at(priors.concentration.observation, "priors.observation");
  found.look_at(priors.means_sd, "priors.means_sd");
  found.look_at(priors.temperature_shape, "priors.inverse_temperature");
  found.look_at(priors.temperature_rate, "priors.inverse_temperature");
  for (const auto& [values, where] :
       {std::pair(&problem.known, "known"), std::pair(&problem.start, "start")}) {
    found.look_at(values->policy.inverse_temperature, std::string(where) + ".inverse_temperature");
    for (std::size_t i = 0; i < values->policy.means.size(); ++i) {
      const std::string& action = problem.structure.actions[i / problem.structure.states.size()];
      found.look_at(values->policy.means[i], fmt::format("{}.means.{}", where, action));
    }
  }
  return found;
}

std::string words_about(const MostExtreme& found) {
  const std::string said = "no search met a finite log-posterior";
  if (found.key().empty()) return said + "; are there any records?";
  return fmt::format(
      "{}: its numbers are too extreme to compute with, {} = {:g} the most; bring it nearer to 1", said,
      found.key(), found.number());
}

}  // namespace

NothingFinite::NothingFinite(const DecisionProblem& problem)
    : Error(ErrorKind::kInput, words_about(most_extreme(problem))) {}

}  // namespace interpole::learn
