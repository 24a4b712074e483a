#include "interpole/inference/measured/measured_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "interpole/model/measured/families.hpp"

namespace interpole::inference {

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

  // The distinct values of each factor after each action, ascending.
  values_.resize(structure.actions.size() * F);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].action = static_cast<int>(i / F);
    values_[i].factor = static_cast<int>(i % F);
  }
  for (std::size_t row = 1; row < size_; ++row) {
    const auto outcome = structure.outcomes.table->at(pairs[row].second);
    for (std::size_t f = 0; f < F; ++f) {
      if (!std::isnan(outcome[f])) values_[pairs[row].first * F + f].values.push_back(outcome[f]);
    }
  }
  for (Values& of : values_) {
    std::ranges::sort(of.values);
    of.values.erase(std::unique(of.values.begin(), of.values.end()), of.values.end());
    of.first = densities_;
    densities_ += of.values.size();
  }
  part_begin_ = {0, 0};
  for (std::size_t row = 1; row < size_; ++row) {
    const auto outcome = structure.outcomes.table->at(pairs[row].second);
    for (std::size_t f = 0; f < F; ++f) {
      if (std::isnan(outcome[f])) continue;
      const Values& of = values_[pairs[row].first * F + f];
      const auto at = std::ranges::lower_bound(of.values, outcome[f]) - of.values.begin();
      parts_.push_back(static_cast<std::int32_t>(of.first + static_cast<std::size_t>(at)));
    }
    part_begin_.push_back(parts_.size());
  }
}

void MeasuredRows::fill(const Dynamics& dynamics, Memory& memory) const {
  const std::size_t S = structure_.states.size();
  memory.densities.resize(densities_ * S);
  for (const Values& of : values_) {
    const MeasuredFactor& factor = structure_.factors[of.factor];
    for (std::size_t v = 0; v < of.values.size(); ++v) {
      for (std::size_t s = 0; s < S; ++s) {
        memory.densities[(of.first + v) * S + s] = model::log_density(
            factor, of.values[v],
            &dynamics.observation[(of.action * S + s) * offsets_.back() + offsets_[of.factor]], nullptr);
      }
    }
  }
  memory.weights.assign(size_ * S, 0.0);
  memory.log_scale.assign(size_, 0.0);
  memory.d_log.assign(size_ * S, 0.0);
  for (std::size_t row = 0; row < size_; ++row) {
    double* w = &memory.weights[row * S];
    for (std::size_t i = part_begin_[row]; i < part_begin_[row + 1]; ++i) {
      const double* log_p = &memory.densities[static_cast<std::size_t>(parts_[i]) * S];
      for (std::size_t s = 0; s < S; ++s) w[s] += log_p[s];
    }
    const double highest = *std::max_element(w, w + S);
    memory.log_scale[row] = std::isinf(highest) ? 0.0 : highest;
    for (std::size_t s = 0; s < S; ++s) w[s] = std::exp(w[s] - memory.log_scale[row]);
  }
}

double MeasuredRows::divided_out(const Memory& memory) const {
  return std::inner_product(passes_.begin(), passes_.end(), memory.log_scale.begin(), 0.0);
}

void MeasuredRows::pull_back(const Dynamics& dynamics, Memory& memory, std::span<double> gradient) const {
  const std::size_t S = structure_.states.size();
  memory.d_densities.assign(densities_ * S, 0.0);
  for (std::size_t row = 1; row < size_; ++row) {
    const double* d = &memory.d_log[row * S];
    for (std::size_t i = part_begin_[row]; i < part_begin_[row + 1]; ++i) {
      double* to = &memory.d_densities[static_cast<std::size_t>(parts_[i]) * S];
      for (std::size_t s = 0; s < S; ++s) to[s] += d[s];
    }
  }
  std::vector<double>& d_parameters = memory.by_parameter;
  for (const Values& of : values_) {
    const MeasuredFactor& factor = structure_.factors[of.factor];
    d_parameters.resize(static_cast<std::size_t>(model::parameter_count(factor)));
    for (std::size_t v = 0; v < of.values.size(); ++v) {
      for (std::size_t s = 0; s < S; ++s) {
        const double d = memory.d_densities[(of.first + v) * S + s];
        if (d == 0.0) continue;
        const std::size_t at = (of.action * S + s) * offsets_.back() + offsets_[of.factor];
        model::log_density(factor, of.values[v], &dynamics.observation[at], d_parameters.data());
        for (std::size_t i = 0; i < d_parameters.size(); ++i) gradient[at + i] += d * d_parameters[i];
      }
    }
  }
}

}  // namespace interpole::inference
