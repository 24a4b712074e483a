#include "interpole/inference/measured/measured_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "interpole/model/measured/families.hpp"

namespace interpole::inference {
namespace {

// Calls body with the number of states: a constant where there are few, which lets loops unroll.
template <class Body>
void with_states(std::size_t states, const Body& body) {
  switch (states) {
    case 2:
      return body(std::integral_constant<std::size_t, 2>());
    case 3:
      return body(std::integral_constant<std::size_t, 3>());
    case 4:
      return body(std::integral_constant<std::size_t, 4>());
    case 5:
      return body(std::integral_constant<std::size_t, 5>());
    default:
      return body(states);
  }
}

}  // namespace

std::vector<OutcomeUse> outcome_uses(const HistoryTree& tree) {
  std::vector<OutcomeUse> uses;
  uses.reserve(tree.groups.size());
  for (const HistoryTree::Group& group : tree.groups) {
    OutcomeUse use{group.action, group.observation, 0.0};
    for (int node = group.begin; node < group.end; ++node)
      use.passes += static_cast<double>(tree.passes[node]);
    uses.push_back(use);
  }
  return uses;
}

MeasuredRows::MeasuredRows(const Structure& structure, std::span<const OutcomeUse> uses)
    : structure_(structure) {
  if (!structure.measured()) return;
  offsets_ = model::factor_offsets(structure.factors);
  const std::size_t F = structure.factors.size();
  // Rows in the order in which they are met; the empty one first.
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> rows;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs = {{0, kMissing}};
  passes_ = {0.0};
  row_of_.reserve(uses.size());
  for (const OutcomeUse& use : uses) {
    std::int32_t row = 0;
    if (use.observation != kMissing) {
      const auto [it, added] =
          rows.try_emplace({use.action, use.observation}, static_cast<std::int32_t>(pairs.size()));
      if (added) {
        pairs.push_back(it->first);
        passes_.push_back(0.0);
      }
      row = it->second;
    }
    row_of_.push_back(row);
    passes_[row] += use.passes;
  }
  size_ = pairs.size();

  // The distinct values of each factor after each action.
  values_.resize(structure.actions.size() * F);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].action = static_cast<int>(i / F);
    values_[i].factor = static_cast<int>(i % F);
  }
  for (std::size_t row = 1; row < size_; ++row) {
    const auto outcome = structure.outcomes.table->at(pairs[row].second);
    for (std::size_t f = 0; f < F; ++f) {
      if (!std::isnan(outcome[f])) values_[pairs[row].first * F + f].of.values.push_back(outcome[f]);
    }
  }
  std::vector<std::vector<std::int32_t>> places;
  places.reserve(values_.size());
  for (Values& values : values_) {
    places.push_back(values.of.finish(structure.factors[values.factor]));
    values.first = densities_;
    densities_ += values.of.values.size();
  }
  std::vector<std::size_t> met(values_.size(), 0);
  part_begin_ = {0, 0};
  for (std::size_t row = 1; row < size_; ++row) {
    const auto outcome = structure.outcomes.table->at(pairs[row].second);
    for (std::size_t f = 0; f < F; ++f) {
      if (std::isnan(outcome[f])) continue;
      const std::size_t i = pairs[row].first * F + f;
      parts_.push_back(static_cast<std::int32_t>(values_[i].first) + places[i][met[i]++]);
    }
    part_begin_.push_back(parts_.size());
  }
}

void MeasuredRows::fill(const Dynamics& dynamics, Memory& memory,
                        void (*exponentiate)(std::span<double>)) const {
  const std::size_t S = structure_.states.size();
  memory.densities.resize(densities_ * S);
  const auto columns = static_cast<std::size_t>(offsets_.back());
  for (const Values& values : values_) {
    if (values.of.values.empty()) continue;
    model::log_densities(structure_.factors[values.factor], values.of,
                         &dynamics.observation[values.action * S * columns + offsets_[values.factor]],
                         columns, S, &memory.densities[values.first * S]);
  }
  memory.weights.resize(size_ * S);
  memory.log_scale.resize(size_);
  memory.d_log.assign(size_ * S, 0.0);
  with_states(S, [&](auto states) {
    for (std::size_t row = 0; row < size_; ++row) {
      double* w = &memory.weights[row * states];
      for (std::size_t s = 0; s < states; ++s) w[s] = 0.0;
      for (std::size_t i = part_begin_[row]; i < part_begin_[row + 1]; ++i) {
        const double* log_p = &memory.densities[static_cast<std::size_t>(parts_[i]) * states];
        for (std::size_t s = 0; s < states; ++s) w[s] += log_p[s];
      }
      double highest = w[0];
      for (std::size_t s = 1; s < states; ++s) highest = std::max(highest, w[s]);
      memory.log_scale[row] = highest = std::isinf(highest) ? 0.0 : highest;
      for (std::size_t s = 0; s < states; ++s) w[s] -= highest;
    }
  });
  if (exponentiate != nullptr) return exponentiate(memory.weights);
  for (double& w : memory.weights) w = std::exp(w);
}

double MeasuredRows::divided_out(const Memory& memory) const {
  return std::inner_product(passes_.begin(), passes_.end(), memory.log_scale.begin(), 0.0);
}

void MeasuredRows::pull_back(const Dynamics& dynamics, Memory& memory, std::span<double> gradient) const {
  const std::size_t S = structure_.states.size();
  memory.d_densities.assign(densities_ * S, 0.0);
  with_states(S, [&](auto states) {
    for (std::size_t row = 1; row < size_; ++row) {
      const double* d = &memory.d_log[row * states];
      for (std::size_t i = part_begin_[row]; i < part_begin_[row + 1]; ++i) {
        double* to = &memory.d_densities[static_cast<std::size_t>(parts_[i]) * states];
        for (std::size_t s = 0; s < states; ++s) to[s] += d[s];
      }
    }
  });
  const auto columns = static_cast<std::size_t>(offsets_.back());
  for (const Values& values : values_) {
    if (values.of.values.empty()) continue;
    const std::size_t at = values.action * S * columns + offsets_[values.factor];
    model::pull_back_densities(structure_.factors[values.factor], values.of, &dynamics.observation[at],
                               columns, S, &memory.d_densities[values.first * S], &gradient[at]);
  }
}

}  // namespace interpole::inference
