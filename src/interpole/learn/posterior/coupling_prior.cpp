#include "interpole/learn/posterior/coupling_prior.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpole/learn/posterior/log_prior.hpp"

namespace interpole::learn {
namespace {

constexpr int kTiltGridPoints = 24;

// Turns logs into weights that sum to one; returns the log of their sum.
double normalise(std::vector<double>& logs) {
  const double highest = *std::max_element(logs.begin(), logs.end());
  double sum = 0.0;
  for (double& x : logs) sum += x = std::exp(x - highest);
  for (double& x : logs) x /= sum;
  return highest + std::log(sum);
}

// Of the row's free entries.
std::vector<double> concentration_of(const Priors& priors, const CoupledSpace::Link& link) {
  const auto& all = model::field_of(priors.concentration, link.block->field);
  std::vector<double> result;
  for (const int i : link.block->entries) result.push_back(all[i]);
  return result;
}

// log ∫∫ N(y_w; m, sd²) N(δ; 0, σ²) N(y_w + δ; m, sd²)^w, or with y_w known: what TiltNormaliser is for rows
// of probabilities.
double log_tilt_of_normal(const NormalPrior& prior, const std::vector<double>& anchor, double sigma) {
  const double tilt = tilt_of(sigma);
  const double own = prior.sd * prior.sd;
  const double away = anchor.empty() ? 0.0 : anchor[0] - prior.mean;
  const double spread = sigma * sigma + (anchor.empty() ? own : 0.0);
  return -0.5 * tilt * std::log(2.0 * std::numbers::pi * own) - 0.5 * std::log1p(tilt * spread / own) -
         0.5 * tilt * away * away / (own + tilt * spread);
}

}  // namespace

std::vector<CouplingPrior::Kind> CouplingPrior::kinds_of(const CoupledSpace& space, bool row_by_row) {
  std::vector<Kind> kinds;
  for (const Field field : kCoupledFields) {
    for (const auto& link : space.links()) {
      if (link.block->field != field) continue;
      if (row_by_row || kinds.empty() || kinds.back().field != field) kinds.push_back({field, {}, {}, 0});
      kinds.back().links.push_back(&link);
      kinds.back().size += link.block->size;
    }
  }
  return kinds;
}

CouplingPrior::CouplingPrior(const DecisionProblem& problem, const CoupledSpace& space,
                             const Coupling& coupling, TiltNormalisers* normalisers)
    : problem_(problem), kinds_(kinds_of(space, !coupling.integrate && !coupling.scales.rows.empty())) {
  ScaleGrid grid = scale_grid(kTiltGridPoints);
  TiltNormalisers own;
  if (normalisers == nullptr) normalisers = &own;
  for (Kind& kind : kinds_) {
    const auto first = static_cast<std::size_t>(kind.links.front() - space.links().data());
    if (!coupling.integrate) grid = {{coupling.scales.of_row(first, kind.field)}, {0.0}};
    for (std::size_t j = 0; j < grid.sigma.size(); ++j) {
      const double sigma = grid.sigma[j];
      const double unit = kind.links.front()->unit;
      Component component{unit == 0.0 ? 1.0 : sigma / unit, sigma, tilt_of(sigma), grid.log_weight[j]};
      if (std::isfinite(sigma)) {  // else improper: only its maximum is of use
        for (const auto* link : kind.links) {
          component.log_weight -=
              link->block->single()
                  ? log_tilt_of_normal(prior_of_single(*link->block, problem.priors), link->anchor, sigma)
                  : normalisers->log_at(concentration_of(problem.priors, *link), link->anchor, sigma);
        }
        component.log_weight -=
            kind.size * (std::log(component.ratio) + 0.5 * std::log(2.0 * std::numbers::pi));
      }
      kind.components.push_back(component);
    }
  }
}

std::vector<double> CouplingPrior::by_component(const Kind& kind, std::span<const double> gaps,
                                                double dirichlet) const {
  double squares = 0.0;
  for (const auto* link : kind.links) {
    for (int i = link->block->offset; i < link->block->offset + link->block->size; ++i) {
      squares += gaps[i] * gaps[i];
    }
  }
  std::vector<double> logs;
  for (const Component& c : kind.components) {
    logs.push_back(c.log_weight - 0.5 * squares / (c.ratio * c.ratio) + c.tilt * dirichlet);
  }
  return logs;
}

double CouplingPrior::log_dirichlet(const Kind& kind, const Dynamics& agent) const {
  double value = 0.0;
  for (const auto* link : kind.links) value += log_prior_of_row(*link->block, problem_.priors, agent);
  return value;
}

void CouplingPrior::add_dirichlet_gradient(const Kind& kind, const Dynamics& agent, double weight,
                                           std::span<double> d_agent) const {
  for (const auto* link : kind.links) {
    add_prior_gradient_of_row(*link->block, problem_.priors, agent, weight, d_agent);
  }
}

double CouplingPrior::evaluate(std::span<const double> gaps, const Dynamics& agent, std::span<double> d_gaps,
                               std::span<double> d_agent) const {
  double value = 0.0;
  for (const Kind& kind : kinds_) {
    std::vector<double> weights = by_component(kind, gaps, log_dirichlet(kind, agent));
    value += normalise(weights);
    double precision = 0.0;
    double tilt = 0.0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const Component& c = kind.components[j];
      precision += weights[j] / (c.ratio * c.ratio);
      tilt += weights[j] * c.tilt;
    }
    for (const auto* link : kind.links) {
      for (int i = link->block->offset; i < link->block->offset + link->block->size; ++i) {
        d_gaps[i] -= precision * gaps[i];
      }
    }
    if (tilt > 0.0) add_dirichlet_gradient(kind, agent, tilt, d_agent);
  }
  return value;
}

CouplingPrior::ScaleWeights CouplingPrior::scale_weights(Field field, std::span<const double> gaps,
                                                         const Dynamics& agent) const {
  ScaleWeights result;
  for (const Kind& kind : kinds_) {
    if (kind.field != field) continue;
    result.weight = by_component(kind, gaps, log_dirichlet(kind, agent));
    normalise(result.weight);
    for (const Component& c : kind.components) result.sigma.push_back(c.sigma);
  }
  return result;
}

}  // namespace interpole::learn
