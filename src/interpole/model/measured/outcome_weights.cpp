#include "interpole/model/measured/outcome_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "interpole/error.hpp"
#include "interpole/model/measured/families.hpp"

namespace interpole::model {

double outcome_weights(const Structure& structure, const Dynamics& dynamics, int action,
                       std::span<const double> values, std::span<double> weights) {
  const std::size_t S = structure.states.size();
  const auto offsets = factor_offsets(structure.factors);
  const auto columns = static_cast<std::size_t>(offsets.back());
  std::fill(weights.begin(), weights.end(), 0.0);
  for (std::size_t f = 0; f < structure.factors.size(); ++f) {
    if (std::isnan(values[f])) continue;
    for (std::size_t s = 0; s < S; ++s) {
      weights[s] += log_density(structure.factors[f], values[f],
                                &dynamics.observation[(action * S + s) * columns + offsets[f]], nullptr);
    }
  }
  const double highest = *std::max_element(weights.begin(), weights.end());
  for (double& w : weights) w = std::isinf(highest) ? 0.0 : std::exp(w - highest);
  return highest;
}

void set_uninformative(const Structure& structure, std::vector<double>& observation) {
  std::vector<double> row;
  for (const MeasuredFactor& factor : structure.factors) {
    for (const ParameterForm& form : forms_of(factor)) {
      const bool probability = form.kind == ParameterForm::Kind::kProbability;
      row.push_back(probability ? 1.0 / static_cast<double>(factor.levels.size()) : form.at(0.0));
    }
  }
  for (std::size_t i = 0; i < observation.size(); ++i) {
    const std::size_t action = i / row.size() / structure.states.size();
    observation[i] = structure.is_terminal(static_cast<int>(action)) ? 0.0 : row[i % row.size()];
  }
}

void check_factor_parameters(const Structure& structure, Dynamics& dynamics, const std::string& prefix) {
  const std::size_t S = structure.states.size();
  const auto offsets = factor_offsets(structure.factors);
  const auto columns = static_cast<std::size_t>(offsets.back());
  for (int a = 0; a < structure.action_count(); ++a) {
    if (structure.is_terminal(a)) continue;
    for (std::size_t s = 0; s < S; ++s) {
      for (std::size_t f = 0; f < structure.factors.size(); ++f) {
        const std::span<double> row(&dynamics.observation[(a * S + s) * columns + offsets[f]],
                                    static_cast<std::size_t>(offsets[f + 1] - offsets[f]));
        const std::string complaint = complaint_about_parameters(structure.factors[f], row);
        if (complaint.empty()) continue;
        throw input_error(fmt::format("{}observation[{}][{}]: factor \"{}\": {}; correct the entry", prefix,
                                      a, s, structure.factors[f].name, complaint));
      }
    }
  }
}

}  // namespace interpole::model

namespace interpole {

int OutcomeTable::place_of(std::span<const double> values) {
  std::uint64_t hash = 0;
  bool any = false;
  for (const double x : values) {
    any = any || !std::isnan(x);
    hash = (hash ^ std::bit_cast<std::uint64_t>(std::isnan(x) ? NAN : x)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  if (!any) return kMissing;
  const auto same = [&](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  const auto [first, last] = outcomes_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (std::ranges::equal(at(it->second), values, same)) return it->second;
  }
  const int place = size();
  if (place == std::numeric_limits<int>::max()) {
    throw runtime_error("the data have more than two thousand million distinct outcomes; fit a sample");
  }
  values_.insert(values_.end(), values.begin(), values.end());
  outcomes_.emplace(hash, place);
  return place;
}

}  // namespace interpole
