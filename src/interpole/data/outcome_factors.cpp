#include "interpole/outcome_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/number_text.hpp"

namespace interpole {
namespace {

constexpr std::string_view kBetween = " | ";

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = name.find(kBetween); end != std::string::npos; end = name.find(kBetween, begin)) {
    parts.push_back(name.substr(begin, end - begin));
    begin = end + kBetween.size();
  }
  parts.push_back(name.substr(begin));
  return parts;
}

int index_in(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) names.push_back(name);
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

OutcomeFactors one_factor(const Structure& structure) {
  OutcomeFactors factors{{"outcome"}, {structure.observations}, {}, {}};
  for (int z = 0; z < structure.observation_count(); ++z) factors.level.push_back(z);
  return factors;
}

OutcomeFactors from_names(const Structure& structure) {
  const std::size_t K = parts_of(structure.observations[0]).size();
  OutcomeFactors factors;
  factors.levels.resize(K);
  for (std::size_t k = 0; k < K; ++k) factors.names.push_back(fmt::format("part {}", k + 1));
  for (const std::string& name : structure.observations) {
    const auto parts = parts_of(name);
    if (parts.size() != K) return one_factor(structure);
    for (std::size_t k = 0; k < K; ++k) factors.level.push_back(index_in(factors.levels[k], parts[k]));
  }
  std::size_t joint = 1;
  for (const auto& levels : factors.levels) joint *= levels.size();
  return K > 1 && joint == structure.observations.size() ? factors : one_factor(structure);
}

OutcomeFactors from_mapping(const TableMapping& mapping, int observations) {
  OutcomeFactors factors;
  for (const Factor& factor : mapping.factors) {
    factors.names.push_back(factor.name);
    factors.levels.push_back(factor.levels);
  }
  for (int z = 0; z < observations; ++z) {
    for (int k = 0; k < factors.count(); ++k) factors.level.push_back(mapping.level_of(z, k));
  }
  return factors;
}

void find_measured(const Structure& structure, OutcomeFactors& factors) {
  factors.measured.assign(structure.actions.size() * factors.names.size(), 0);
  for (int a = 0; a < structure.action_count(); ++a) {
    for (int k = 0; k < factors.count(); ++k) {
      int seen = -1;
      for (int z = 0; z < structure.observation_count(); ++z) {
        if (!structure.can_yield(a, z) || structure.is_terminal(a)) continue;
        if (seen >= 0 && factors.level_of(z, k) != seen) factors.measured[a * factors.count() + k] = 1;
        seen = factors.level_of(z, k);
      }
    }
  }
}

}  // namespace

std::vector<int> OutcomeFactors::measured_by(int action) const {
  std::vector<int> result;
  for (int k = 0; k < count(); ++k) {
    if (measures(action, k)) result.push_back(k);
  }
  return result;
}

std::vector<int> OutcomeFactors::measured_in(Step step) const {
  std::vector<int> result = measured_by(step.action);
  if (factors.empty() || step.observation == kMissing) return result;
  const auto values = outcomes.table->at(step.observation);
  std::erase_if(result, [&](int k) { return std::isnan(values[static_cast<std::size_t>(k)]); });
  return result;
}

std::string OutcomeFactors::words(int observation, int factor) const {
  if (!factors.empty()) {
    const MeasuredFactor& of = factors[static_cast<std::size_t>(factor)];
    const double value = outcomes.table->at(observation)[static_cast<std::size_t>(factor)];
    if (std::isnan(value)) return of.name + " not measured";
    if (of.has_levels()) return fmt::format("{} {}", of.name, of.levels[static_cast<std::size_t>(value)]);
    return fmt::format("{} {}{}{}", of.name, base::short_number(value), of.unit.empty() ? "" : " ", of.unit);
  }
  const std::string& name = levels[factor][level_of(observation, factor)];
  return count() == 1 ? name : names[factor] + " " + name;
}

OutcomeFactors outcome_factors(const Study& study) {
  if (study.structure.measured()) return outcome_factors(study.structure);
  if (!study.mapping || study.mapping->factors.empty()) return outcome_factors(study.structure);
  OutcomeFactors factors = from_mapping(*study.mapping, study.structure.observation_count());
  find_measured(study.structure, factors);
  return factors;
}

OutcomeFactors outcome_factors(const Structure& structure) {
  OutcomeFactors factors;
  if (structure.measured()) {
    factors.factors = structure.factors;
    factors.outcomes = structure.outcomes;
    for (const MeasuredFactor& factor : structure.factors) {
      factors.names.push_back(factor.name);
      factors.levels.push_back(factor.levels);
    }
    for (int a = 0; a < structure.action_count(); ++a) {
      for (const MeasuredFactor& factor : structure.factors)
        factors.measured.push_back(!structure.is_terminal(a) && factor.yielded(a) ? 1 : 0);
    }
    return factors;
  }
  if (!structure.observations.empty()) factors = from_names(structure);
  find_measured(structure, factors);
  return factors;
}

}  // namespace interpole
