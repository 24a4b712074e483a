#include "interpole/learn/result/draw_digits.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::learn {
namespace {

constexpr int kDigits = 5;
constexpr double kShareOfSd = 1e-3;
constexpr int kMostDecimals = 15;

void list(std::vector<double>& values, std::vector<double*>& numbers) {
  for (double& x : values) numbers.push_back(&x);
}

void list(Dynamics& dynamics, std::vector<double*>& numbers) {
  list(dynamics.initial, numbers);
  list(dynamics.transition, numbers);
  list(dynamics.observation, numbers);
  for (StartTerm& term : dynamics.start) list(term.weights, numbers);
}

std::vector<double*> numbers_of(AgentWorld& draw) {
  std::vector<double*> numbers;
  Policy& policy = draw.agent.policy;
  list(draw.agent.dynamics, numbers);
  if (draw.world) list(*draw.world, numbers);
  list(policy.means, numbers);
  for (double* x : {&policy.inverse_temperature, &policy.terms.inertia, &policy.terms.lapse})
    numbers.push_back(x);
  for (PolicyTerm& term : policy.terms.additive) list(term.weights, numbers);
  for (PolicyKind& kind : policy.other_kinds) {
    list(kind.means, numbers);
    numbers.push_back(&kind.share);
    numbers.push_back(&kind.inverse_temperature);
  }
  return numbers;
}

double rounded(double x, int decimals) {
  if (decimals > kMostDecimals) return x;
  const double unit = std::pow(10.0, std::abs(decimals));
  return decimals >= 0 ? std::round(x * unit) / unit : std::round(x / unit) * unit;
}

int place_of(double x) {
  return static_cast<int>(std::floor(std::log10(x)));
}

}  // namespace

void keep_known_digits(std::vector<AgentWorld>& draws) {
  if (draws.empty()) return;
  std::vector<std::vector<double*>> numbers;
  numbers.reserve(draws.size());
  for (AgentWorld& draw : draws) numbers.push_back(numbers_of(draw));
  const auto count = static_cast<double>(draws.size());
  for (std::size_t k = 0; k < numbers.front().size(); ++k) {
    double mean = 0.0;
    for (const auto& draw : numbers) mean += *draw[k] / count;
    double variance = 0.0;
    for (const auto& draw : numbers) variance += (*draw[k] - mean) * (*draw[k] - mean) / count;
    if (!(variance > 0.0)) continue;  // known, the same in all draws
    const int of_sd = -place_of(kShareOfSd * std::sqrt(variance));
    for (const auto& draw : numbers) {
      double& x = *draw[k];
      if (x != 0.0) x = rounded(x, std::max(of_sd, kDigits - 1 - place_of(std::abs(x))));
    }
  }
}

}  // namespace interpole::learn
