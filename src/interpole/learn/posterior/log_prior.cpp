#include "interpole/learn/posterior/log_prior.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "interpole/model/coordinates.hpp"

namespace interpole::learn {

NormalPrior prior_of_single(const model::ParameterBlock& block, const Priors& priors) {
  const int entry = block.entries[0];
  const double expected = priors.expected.empty() ? NAN : priors.expected[entry];
  return {std::isnan(expected) ? 0.0 : block.form.coordinate(expected),
          priors.concentration.observation[entry]};
}

double log_prior_of_row(const model::ParameterBlock& block, const Priors& priors, const Dynamics& at) {
  if (block.single()) {
    const NormalPrior prior = prior_of_single(block, priors);
    const double y = block.form.coordinate(at.observation[block.entries[0]]);
    const double t = (y - prior.mean) / prior.sd;
    return -0.5 * t * t - std::log(prior.sd * std::sqrt(2.0 * std::numbers::pi));
  }
  const auto& theta = model::field_of(at, block.field);
  const auto& alpha = model::field_of(priors.concentration, block.field);
  double value = 0.0;
  double total = 0.0;
  for (const int i : block.entries) {
    total += alpha[i];
    value -= std::lgamma(alpha[i]);
    if (alpha[i] != 1.0) value += (alpha[i] - 1.0) * std::log(theta[i] / block.mass);
  }
  return value + std::lgamma(total);
}

void add_prior_gradient_of_row(const model::ParameterBlock& block, const Priors& priors, const Dynamics& at,
                               double weight, std::span<double> d_y) {
  if (block.single()) {
    const NormalPrior prior = prior_of_single(block, priors);
    const double y = block.form.coordinate(at.observation[block.entries[0]]);
    d_y[block.offset] -= weight * (y - prior.mean) / (prior.sd * prior.sd);
    return;
  }
  const auto& theta = model::field_of(at, block.field);
  const auto& alpha = model::field_of(priors.concentration, block.field);
  double excess = 0.0;
  for (const int i : block.entries) excess += alpha[i] - 1.0;
  // ∂/∂x_i Σ_j (α_j − 1) log softmax(x)_j, then to y by Vᵀ. Finite even where θ_i underflows.
  std::vector<double> d_x;
  for (const int i : block.entries) d_x.push_back(alpha[i] - 1.0 - excess * theta[i] / block.mass);
  std::vector<double> d_block(block.size);
  model::helmert_transpose<double>(d_x, d_block);
  for (int k = 0; k < block.size; ++k) d_y[block.offset + k] += weight * d_block[k];
}

double log_prior(const model::DynamicsSpace& space, const Priors& priors, const Dynamics& at,
                 std::span<double> d_y) {
  double value = 0.0;
  for (const auto& block : space.blocks()) {
    value += log_prior_of_row(block, priors, at);
    add_prior_gradient_of_row(block, priors, at, 1.0, d_y);
  }
  for (const auto& block : space.start_blocks()) {
    const double scale = priors.start_scale(block.term);
    const auto y = block.zero_sum.coordinates(at.start[block.term].weights);
    const auto d_start = space.start_part(d_y).subspan(block.offset, block.size);
    for (std::size_t k = 0; k < y.size(); ++k) {
      value -= 0.5 * y[k] * y[k] / (scale * scale) + std::log(scale * std::sqrt(2.0 * std::numbers::pi));
      d_start[k] -= y[k] / (scale * scale);
    }
  }
  return value;
}

namespace {

// Normal weights, their coordinates an isometry away; a Dirichlet mixture.
double log_prior_of_terms(const model::TermSpace& space, const Priors& priors, std::span<const double> y,
                          std::span<double> d_y) {
  double value = 0.0;
  for (const auto& block : space.blocks()) {
    const double scale = priors.term_scale(block.term);
    const double precision = 1.0 / (scale * scale);
    for (int k = block.offset; k < block.offset + block.size; ++k) {
      value -= 0.5 * y[k] * y[k] * precision + std::log(scale * std::sqrt(2.0 * std::numbers::pi));
      d_y[k] -= y[k] * precision;
    }
  }
  if (space.mixture_size() == 0) return value;
  const double all[] = {priors.belief_share, priors.inertia_share, priors.lapse_share};
  const std::size_t n = space.mixture().size();
  std::vector<double> share(n), d_x(n), d_block(n - 1);
  model::simplex_point<double>(y.first(n - 1), 1.0, share);
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double alpha = all[space.mixture()[i]];
    total += alpha;
    value += (alpha - 1.0) * std::log(share[i]) - std::lgamma(alpha);
  }
  for (std::size_t i = 0; i < n; ++i) {
    d_x[i] = all[space.mixture()[i]] - 1.0 - (total - static_cast<double>(n)) * share[i];
  }
  model::helmert_transpose<double>(d_x, d_block);
  for (std::size_t k = 0; k + 1 < n; ++k) d_y[k] += d_block[k];
  return value + std::lgamma(total);
}

// Gamma(shape, rate) of η, by its logarithm.
double log_prior_of_temperature(const Priors& priors, double log_eta, double& d_log_eta) {
  const double eta = std::exp(log_eta);
  const double shape = priors.temperature_shape;
  const double rate = priors.temperature_rate;
  d_log_eta += shape - 1.0 - rate * eta;
  return shape * std::log(rate) - std::lgamma(shape) + (shape - 1.0) * log_eta - rate * eta;
}

// One coordinate of the means of all kinds: their average has the prior of means, what they are apart has the
// spread of kinds. No kind comes first in it: relabelled, they are as likely.
double log_prior_of_mean(const Priors& priors, const std::vector<int>& at, std::span<const double> y,
                         std::span<double> d_y) {
  const auto kinds = static_cast<double>(at.size());
  const double precision = 1.0 / (priors.means_sd * priors.means_sd);
  const double tightness = 1.0 / (priors.kind_spread * priors.kind_spread);
  const double root = std::sqrt(2.0 * std::numbers::pi);
  double average = 0.0;
  for (const int i : at) average += y[i] / kinds;
  double value = -0.5 * average * average * precision - std::log(priors.means_sd * root) -
                 (kinds - 1.0) * std::log(priors.kind_spread * root) - 0.5 * std::log(kinds);
  for (const int i : at) {
    const double apart = y[i] - average;
    value -= 0.5 * apart * apart * tightness;
    d_y[i] -= average * precision / kinds + apart * tightness;
  }
  return value;
}

// Of several kinds of decision-makers: means of all, η of the others (each as the commonest kind's), shares
// (Dirichlet).
double log_prior_of_kinds(const model::PolicySpace& space, const Priors& priors, std::span<const double> y,
                          std::span<double> d_y) {
  double value = 0.0;
  const std::size_t rows = space.blocks().size();
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& own = space.blocks()[i];
    for (int k = 0; k < own.size; ++k) {
      std::vector<int> at = {own.offset + k};
      for (std::size_t j = i; j < space.kind_blocks().size(); j += rows) {
        at.push_back(space.kind_blocks()[j].offset + k);
      }
      if (own.field == Field::kMeans) {
        value += log_prior_of_mean(priors, at, y, d_y);
        continue;
      }
      for (std::size_t j = 1; j < at.size(); ++j) {
        value += log_prior_of_temperature(priors, y[at[j]], d_y[at[j]]);
      }
    }
  }
  const std::size_t n = space.shares_part(y).size() + 1;
  if (n == 1) return value;
  const double alpha = priors.kind_share;
  const auto kinds = static_cast<double>(n);
  std::vector<double> share(n), d_x(n), d_block(n - 1);
  model::simplex_point<double>(space.shares_part(y), 1.0, share);
  value += std::lgamma(kinds * alpha) - kinds * std::lgamma(alpha);
  for (std::size_t i = 0; i < n; ++i) {
    value += (alpha - 1.0) * std::log(share[i]);
    d_x[i] = (alpha - 1.0) * (1.0 - kinds * share[i]);
  }
  model::helmert_transpose<double>(d_x, d_block);
  const auto d_shares = space.shares_part(d_y);
  for (std::size_t k = 0; k + 1 < n; ++k) d_shares[k] += d_block[k];
  return value;
}

}  // namespace

double log_prior(const model::PolicySpace& space, const Priors& priors, std::span<const double> y,
                 std::span<double> d_y) {
  double value = log_prior_of_terms(space.terms(), priors, space.terms_part(y), space.terms_part(d_y));
  const bool kinds = !space.kind_blocks().empty();
  if (kinds) value += log_prior_of_kinds(space, priors, y, d_y);
  for (const auto& block : space.blocks()) {
    if (block.field == Field::kTemperature) {
      value += log_prior_of_temperature(priors, y[block.offset], d_y[block.offset]);
      continue;
    }
    if (kinds) continue;
    // The entries are mass/n + V y and the centre is the same for all, so the density is that of y ~ N(0,
    // sd²).
    const double precision = 1.0 / (priors.means_sd * priors.means_sd);
    for (int k = block.offset; k < block.offset + block.size; ++k) {
      value -= 0.5 * y[k] * y[k] * precision + std::log(priors.means_sd * std::sqrt(2.0 * std::numbers::pi));
      d_y[k] -= y[k] * precision;
    }
  }
  return value;
}

}  // namespace interpole::learn
