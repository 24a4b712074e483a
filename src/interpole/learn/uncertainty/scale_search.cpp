#include "interpole/learn/uncertainty/scale_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/learn/posterior/coupled_posterior.hpp"
#include "interpole/learn/posterior/log_sum.hpp"

namespace interpole::learn {
namespace {

constexpr int kGridPoints = 12;

class Search {
 public:
  Search(const inference::Likelihood& likelihood, const DecisionProblem& problem,
         const optimize::LbfgsOptions& options, const std::function<bool()>& stop, ScaleChoice& best)
      : likelihood_(likelihood), problem_(problem), options_(options), stop_(stop), best_(best) {}

  // The evidence of these scales. Modes are followed from `at`, which moves along.
  double evidence(const CouplingScales& scales, AgentWorld& at) {
    CoupledPosterior posterior(likelihood_, problem_, {scales, false}, Measure::kCoordinates);
    std::vector<double> y(posterior.size());
    posterior.coordinates(at, y);
    const Laplace expansion = laplace(posterior, y, options_);
    at = posterior.agent_world(expansion.centre);
    ++best_.evaluations;
    return expansion.log_evidence;
  }

  void consider(const CouplingScales& scales, double value, const AgentWorld& at) {
    if (value <= best_.log_evidence) return;
    best_.scales = scales;
    best_.log_evidence = value;
    best_.agent_world = at;
  }

  // Along the grid from wide to narrow, so that each mode leads to the next.
  template <class ScalesOf>
  ScaleProfile profile(AgentWorld at, const ScalesOf& scales_of) {
    const ScaleGrid grid = scale_grid(kGridPoints);
    ScaleProfile result{grid.sigma, grid.log_weight, std::vector<double>(grid.sigma.size(), -INFINITY)};
    for (std::size_t j = grid.sigma.size(); j-- > 0;) {
      if (stop_ && stop_()) break;
      const CouplingScales scales = scales_of(grid.sigma[j]);
      result.log_evidence[j] = evidence(scales, at);
      consider(scales, result.log_evidence[j], at);
    }
    return result;
  }

  // The top of the parabola through the highest point of a profile and its neighbours.
  template <class ScalesOf>
  void polish(const ScaleProfile& profile, const ScalesOf& scales_of) {
    const auto& f = profile.log_evidence;
    const auto top = static_cast<std::size_t>(std::max_element(f.begin(), f.end()) - f.begin());
    if (top == 0 || top + 1 == f.size()) return;
    const double bend = f[top - 1] - 2.0 * f[top] + f[top + 1];
    if (!(bend < 0.0) || !std::isfinite(bend)) return;
    const double step = 0.5 * (f[top - 1] - f[top + 1]) / bend;
    const double spacing = std::log(profile.sigma[1] / profile.sigma[0]);
    const CouplingScales scales = scales_of(profile.sigma[top] * std::exp(step * spacing));
    AgentWorld at = best_.agent_world;
    const double value = evidence(scales, at);
    consider(scales, value, at);
  }

 private:
  const inference::Likelihood& likelihood_;
  const DecisionProblem& problem_;
  const optimize::LbfgsOptions& options_;
  const std::function<bool()>& stop_;
  ScaleChoice& best_;
};

std::vector<Field> free_fields(const DecisionProblem& problem) {
  const model::DynamicsSpace space(problem.structure, problem.known.dynamics, problem.ties);
  std::vector<Field> fields;
  for (const Field field : kCoupledFields) {
    const bool free = std::any_of(space.blocks().begin(), space.blocks().end(),
                                  [&](const model::ParameterBlock& block) { return block.field == field; });
    if (free) fields.push_back(field);
  }
  return fields;
}

// σ at a quantile of a profile's posterior, which is taken as even in log σ around each point of the grid.
double quantile(const ScaleProfile& profile, const std::vector<double>& weights, double q) {
  const double spacing = std::log(profile.sigma[1] / profile.sigma[0]);
  double below = 0.0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (below + weights[j] >= q || j + 1 == weights.size()) {
      const double share = std::clamp((q - below) / std::max(weights[j], 1e-300), 0.0, 1.0);
      const double sigma = profile.sigma[j] * std::exp((share - 0.5) * spacing);
      return std::clamp(sigma, kSmallestScale, kLargestScale);
    }
    below += weights[j];
  }
  return profile.sigma.back();
}

}  // namespace

double ScaleChoice::log_bayes_factor() const {
  if (kinds.empty()) return 0.0;
  std::vector<double> logs(common.sigma.size());
  for (std::size_t j = 0; j < logs.size(); ++j) logs[j] = common.log_prior[j] + common.log_evidence[j];
  return log_sum(logs) - log_evidence_of_one;
}

ScaleChoice choose_scales(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                          const AgentWorld& start, const optimize::LbfgsOptions& options,
                          const std::function<bool()>& stop, const Parameters* one) {
  ScaleChoice choice;
  choice.log_evidence = -INFINITY;
  Search search(likelihood, problem, options, stop, choice);
  const auto fields = free_fields(problem);
  const auto everywhere = [](double sigma) { return CouplingScales::all(sigma); };
  AgentWorld at = start;
  choice.common = search.profile(start, everywhere);
  at = choice.agent_world;
  choice.log_evidence_of_one = search.evidence({}, at);
  if (one != nullptr) {
    AgentWorld from_one{*one, {}};
    choice.log_evidence_of_one = std::max(choice.log_evidence_of_one, search.evidence({}, from_one));
  }
  if (fields.size() == 1) {
    search.polish(choice.common, everywhere);
    choice.kinds.push_back({fields[0], choice.common});
    return choice;
  }
  for (const Field field : fields) {
    const CouplingScales others = choice.scales;
    const auto here = [&](double sigma) {
      CouplingScales scales = others;
      scales.of(field) = sigma;
      return scales;
    };
    choice.kinds.push_back({field, search.profile(choice.agent_world, here)});
    search.polish(choice.kinds.back().profile, here);
  }
  return choice;
}

std::vector<double> posterior_of_scale(const ScaleProfile& profile) {
  std::vector<double> weights(profile.sigma.size());
  for (std::size_t j = 0; j < weights.size(); ++j) {
    weights[j] = profile.log_prior[j] + profile.log_evidence[j];
  }
  const double total = log_sum(weights);
  for (double& weight : weights) weight = std::exp(weight - total);
  return weights;
}

std::vector<CouplingScales> draw_scales(const ScaleChoice& choice, int count, base::RandomStream& random) {
  std::vector<CouplingScales> result(count, choice.scales);
  std::vector<int> order(count);
  for (const auto& kind : choice.kinds) {
    std::iota(order.begin(), order.end(), 0);
    for (int i = count - 1; i > 0; --i) {
      std::swap(order[i], order[static_cast<int>(random.uniform() * (i + 1))]);
    }
    const auto weights = posterior_of_scale(kind.profile);
    for (int i = 0; i < count; ++i) {
      result[i].of(kind.field) = quantile(kind.profile, weights, (order[i] + 0.5) / count);
    }
  }
  return result;
}

}  // namespace interpole::learn
