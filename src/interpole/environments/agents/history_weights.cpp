#include "interpole/environments/agents/history_weights.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::environments {
namespace {

constexpr int kUnits = 4;
constexpr int kCovariates = 2;

std::vector<double> normals(int count, double scale, base::RandomStream& random) {
  std::vector<double> values(count);
  for (double& x : values) x = scale * random.normal();
  return values;
}

int level_of(int outcome, int sign) {
  return sign == 0 ? outcome / kLevels : outcome % kLevels;
}

}  // namespace

void softmax_in_place(std::span<double> logits) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (double& l : logits) sum += l = std::exp(l - highest);
  for (double& l : logits) l /= sum;
}

LinearPolicy::LinearPolicy(int actions, double scale, base::RandomStream& random)
    : actions_(actions),
      start_(normals(actions, scale, random)),
      last_action_(normals(actions * actions, 0.6 * scale, random)),
      last_level_(normals(kSigns * kLevels * actions, 0.8 * scale, random)),
      count_(normals(kSigns * kLevels * actions, 0.5 * scale, random)),
      covariate_(normals(kCovariates * actions, 0.5 * scale, random)) {}

void LinearPolicy::chances(std::span<const Step> history, std::span<const double> covariates,
                           std::span<double> chances) const {
  const auto A = static_cast<std::size_t>(actions_);
  std::fill(chances.begin(), chances.end(), 0.0);
  const auto add = [&](const std::vector<double>& weights, std::size_t row, double x) {
    for (std::size_t a = 0; a < A; ++a) chances[a] += x * weights[row * A + a];
  };
  for (std::size_t c = 0; c < std::min<std::size_t>(kCovariates, covariates.size()); ++c) {
    add(covariate_, c, covariates[c]);
  }
  if (history.empty()) {
    add(start_, 0, 1.0);
  } else {
    std::vector<int> seen(std::size_t{kSigns} * kLevels, 0);
    for (const Step& step : history) {
      for (int sign = 0; sign < kSigns; ++sign) ++seen[sign * kLevels + level_of(step.observation, sign)];
    }
    add(last_action_, history.back().action, 1.0);
    for (int sign = 0; sign < kSigns; ++sign) {
      add(last_level_, sign * kLevels + level_of(history.back().observation, sign), 1.0);
    }
    for (std::size_t level = 0; level < seen.size(); ++level) add(count_, level, seen[level]);
  }
  softmax_in_place(chances);
}

void TwoClinicians::chances(std::span<const Step> history, std::span<const double> covariates,
                            std::span<double> chances) const {
  std::vector<double> other(chances.size());
  double log_odds = std::log(share_) - std::log1p(-share_);
  for (std::size_t t = 0; t < history.size(); ++t) {
    first_.chances(history.first(t), covariates, chances);
    second_.chances(history.first(t), covariates, other);
    log_odds += std::log(chances[history[t].action]) - std::log(other[history[t].action]);
  }
  first_.chances(history, covariates, chances);
  second_.chances(history, covariates, other);
  const double is_first = 1.0 / (1.0 + std::exp(-log_odds));
  for (std::size_t a = 0; a < other.size(); ++a) {
    chances[a] = is_first * chances[a] + (1.0 - is_first) * other[a];
  }
}

SmallNetwork::SmallNetwork(int actions, int outcomes, double scale, base::RandomStream& random)
    : actions_(actions),
      recurrent_(normals(kUnits * kUnits, 0.7, random)),
      of_action_(normals(actions * kUnits, 0.5, random)),
      of_outcome_(normals(outcomes * kUnits, 0.9, random)),
      start_(normals(kUnits, 0.5, random)),
      output_(normals(actions * kUnits, scale, random)) {}

void SmallNetwork::chances(std::span<const Step> history, std::span<const double> /*covariates*/,
                           std::span<double> chances) const {
  std::vector<double> hidden = start_, next(kUnits);
  for (const Step& step : history) {
    for (int u = 0; u < kUnits; ++u) {
      double sum = of_action_[step.action * kUnits + u] + of_outcome_[step.observation * kUnits + u];
      for (int k = 0; k < kUnits; ++k) sum += recurrent_[u * kUnits + k] * hidden[k];
      next[u] = std::tanh(sum);
    }
    hidden = next;
  }
  for (int a = 0; a < actions_; ++a) {
    chances[a] = 0.0;
    for (int u = 0; u < kUnits; ++u) chances[a] += output_[a * kUnits + u] * hidden[u];
  }
  softmax_in_place(chances);
}

}  // namespace interpole::environments
