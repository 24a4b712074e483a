#include "interpole/model/time/gap_transition.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"

namespace interpole::model {
namespace {

// A state that is left faster than this many times in a typical gap is left at once.
constexpr double kLeastStay = 1e-12;

}  // namespace

GapTransition::GapTransition(const Structure& structure)
    : structure_(structure), exponential_(structure.states.size()) {}

void fill_rates(const Structure& structure, const Dynamics& dynamics, int action, std::span<double> rates) {
  const std::size_t S = structure.states.size();
  for (std::size_t s = 0; s < S; ++s) {
    const double* row = &dynamics.transition[(static_cast<std::size_t>(action) * S + s) * S];
    const double unit = std::max(row[s], kLeastStay) * structure.time->typical_gap();
    double leaving = 0.0;
    for (std::size_t to = 0; to < S; ++to) {
      if (to != s) leaving += rates[s * S + to] = row[to] / unit;
    }
    rates[s * S + s] = 0.0 - leaving;
  }
}

void GapTransition::evaluate(const Dynamics& dynamics, int action, double gap, std::span<double> transition) {
  action_ = action;
  gap_ = gap;
  if (structure_.time->rule == TimeRule::kSteps) return evaluate_steps(dynamics, transition);
  rates_.resize(transition.size());
  fill_rates(structure_, dynamics, action, rates_);
  exponential_.evaluate(rates_, gap, transition);
}

void GapTransition::pull_back(const Dynamics& dynamics, std::span<const double> d_transition,
                              Dynamics& gradient) {
  if (structure_.time->rule == TimeRule::kSteps) return pull_back_steps(dynamics, d_transition, gradient);
  const std::size_t S = structure_.states.size();
  d_rates_.assign(d_transition.size(), 0.0);
  exponential_.pull_back(d_transition, d_rates_);
  for (std::size_t s = 0; s < S; ++s) {
    const std::size_t at = (static_cast<std::size_t>(action_) * S + s) * S;
    const double stay = std::max(dynamics.transition[at + s], kLeastStay);
    const double unit = stay * structure_.time->typical_gap();
    for (std::size_t to = 0; to < S; ++to) {
      if (to == s) continue;
      const double d_rate = d_rates_[s * S + to] - d_rates_[s * S + s];
      gradient.transition[at + to] += d_rate / unit;
      if (dynamics.transition[at + s] > kLeastStay)
        gradient.transition[at + s] -= d_rate * rates_[s * S + to] / stay;
    }
  }
}

void GapTransition::evaluate_steps(const Dynamics& dynamics, std::span<double> transition) {
  const std::size_t S = structure_.states.size();
  const std::size_t size = S * S;
  const auto steps = static_cast<std::size_t>(std::lround(gap_ / structure_.time->typical_gap()));
  if (steps == 0) {
    products_.clear();
    for (std::size_t i = 0; i < size; ++i) transition[i] = i / S == i % S ? 1.0 : 0.0;
    return;
  }
  const double* wait = &dynamics.transition[static_cast<std::size_t>(structure_.time->wait) * size];
  products_.assign(steps * size, 0.0);
  std::copy_n(&dynamics.transition[static_cast<std::size_t>(action_) * size], size, products_.begin());
  for (std::size_t k = 1; k < steps; ++k) {
    const double* before = &products_[(k - 1) * size];
    double* after = &products_[k * size];
    for (std::size_t i = 0; i < S; ++i) {
      for (std::size_t m = 0; m < S; ++m) {
        for (std::size_t j = 0; j < S; ++j) after[i * S + j] += before[i * S + m] * wait[m * S + j];
      }
    }
  }
  std::copy_n(products_.end() - static_cast<std::ptrdiff_t>(size), size, transition.begin());
}

void GapTransition::pull_back_steps(const Dynamics& dynamics, std::span<const double> d_transition,
                                    Dynamics& gradient) {
  if (products_.empty()) return;
  const std::size_t S = structure_.states.size();
  const std::size_t size = S * S;
  const std::size_t wait_at = static_cast<std::size_t>(structure_.time->wait) * size;
  d_.assign(d_transition.begin(), d_transition.end());
  for (std::size_t k = products_.size() / size - 1; k > 0; --k) {
    const double* before = &products_[(k - 1) * size];
    d_next_.assign(size, 0.0);
    for (std::size_t i = 0; i < S; ++i) {
      for (std::size_t m = 0; m < S; ++m) {
        for (std::size_t j = 0; j < S; ++j) {
          d_next_[i * S + m] += d_[i * S + j] * dynamics.transition[wait_at + m * S + j];
          gradient.transition[wait_at + m * S + j] += before[i * S + m] * d_[i * S + j];
        }
      }
    }
    d_.swap(d_next_);
  }
  const std::size_t own = static_cast<std::size_t>(action_) * size;
  for (std::size_t i = 0; i < size; ++i) gradient.transition[own + i] += d_[i];
}

}  // namespace interpole::model

namespace interpole {

std::vector<double> transition_over(const Structure& structure, const Dynamics& dynamics, int action,
                                    double gap) {
  std::vector<double> transition(structure.states.size() * structure.states.size());
  model::GapTransition(structure).evaluate(dynamics, action, gap, transition);
  return transition;
}

Dynamics dynamics_over(const Structure& structure, const Dynamics& dynamics, double gap) {
  Dynamics result = dynamics;
  const std::size_t size = structure.states.size() * structure.states.size();
  model::GapTransition transition(structure);
  for (int a = 0; a < structure.action_count(); ++a) {
    transition.evaluate(dynamics, a, gap, {&result.transition[static_cast<std::size_t>(a) * size], size});
  }
  return result;
}

std::vector<double> rates_of(const Structure& structure, const Dynamics& dynamics, int action) {
  std::vector<double> rates(structure.states.size() * structure.states.size());
  model::fill_rates(structure, dynamics, action, rates);
  return rates;
}

void set_rates(const Structure& structure, int action, std::span<const double> rates, Dynamics& dynamics) {
  const std::size_t S = structure.states.size();
  const double gap = structure.time->typical_gap();
  for (std::size_t s = 0; s < S; ++s) {
    double* row = &dynamics.transition[(static_cast<std::size_t>(action) * S + s) * S];
    double sum = 1.0;  // NaN if any rate is open
    for (std::size_t to = 0; to < S; ++to) sum += to == s ? 0.0 : rates[s * S + to] * gap;
    for (std::size_t to = 0; to < S; ++to) {
      const double share = to == s ? 1.0 : rates[s * S + to] * gap;
      row[to] = share == 0.0 ? 0.0 : share / sum;
    }
  }
}

}  // namespace interpole
