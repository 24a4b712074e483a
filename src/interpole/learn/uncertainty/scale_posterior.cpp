// What a choice of scales says: odds, chances and draws of σ.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/learn/uncertainty/scale_search.hpp"

namespace interpole::learn {
namespace {

const double kHalf = std::log(0.5);

// One σ for all rows, averaged over its prior.
double log_evidence_of_dense(const ScaleChoice& choice) {
  std::vector<double> logs(choice.common.sigma.size());
  for (std::size_t j = 0; j < logs.size(); ++j) {
    logs[j] = choice.common.log_prior[j] + choice.common.log_evidence[j];
  }
  return log_sum(logs);
}

double log_weight(const RowHypothesis& hypothesis) {
  return hypothesis.log_prior + hypothesis.log_evidence;
}

double log_evidence_of_sparse(const ScaleChoice& choice) {
  std::vector<double> logs;
  for (const RowHypothesis& hypothesis : choice.sparse) logs.push_back(log_weight(hypothesis));
  return log_sum(logs);
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

std::vector<int> shuffled(int count, base::RandomStream& random) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i) {
    std::swap(order[i], order[static_cast<int>(random.uniform() * (i + 1))]);
  }
  return order;
}

std::vector<CouplingScales> draw_dense(const ScaleChoice& choice, int count, base::RandomStream& random) {
  CouplingScales by_kind = choice.scales;
  by_kind.rows.clear();
  std::vector<CouplingScales> result(count, by_kind);
  for (const auto& kind : choice.kinds) {
    const auto order = shuffled(count, random);
    const auto weights = posterior_of_scale(kind.profile);
    for (int i = 0; i < count; ++i) {
      result[i].of(kind.field) = quantile(kind.profile, weights, (order[i] + 0.5) / count);
    }
  }
  return result;
}

// The likeliest hypothesis about rows, unless one set of dynamics is likelier still: then none.
const RowHypothesis* likeliest_rows(const ScaleChoice& choice) {
  const auto top = std::ranges::max_element(choice.sparse, {}, log_weight);
  if (top == choice.sparse.end() || kHalf + log_weight(*top) <= choice.log_evidence_of_one) return nullptr;
  return &*top;
}

// The chance of a row to be wrong, given that some are.
std::vector<double> chances_in_sparse(const ScaleChoice& choice) {
  std::vector<double> result(choice.sparse[0].sigma.size(), 0.0);
  const auto chances = chances_of_rows(choice);
  for (std::size_t h = 0; h < chances.size(); ++h) {
    for (std::size_t r = 0; r < result.size(); ++r) {
      if (choice.sparse[h].sigma[r] > 0.0) result[r] += chances[h];
    }
  }
  return result;
}

// σ of a row in the likeliest hypothesis that has one.
double likeliest_scale(const ScaleChoice& choice, std::size_t row) {
  const RowHypothesis* best = nullptr;
  for (const RowHypothesis& hypothesis : choice.sparse) {
    if (hypothesis.sigma[row] > 0.0 && (best == nullptr || log_weight(hypothesis) > log_weight(*best))) {
      best = &hypothesis;
    }
  }
  return best == nullptr ? 0.0 : best->sigma[row];
}

// Quantiles of the hypotheses, the likeliest first; beside them every row that they leave open is in as many
// draws as its own evidence says at even odds.
std::vector<std::vector<double>> draw_sparse(const ScaleChoice& choice, int count,
                                             base::RandomStream& random) {
  std::vector<std::vector<double>> result;
  if (count == 0) return result;
  std::vector<RowHypothesis> likeliest = choice.sparse;
  std::ranges::stable_sort(likeliest, std::ranges::greater{}, log_weight);
  const double total = log_evidence_of_sparse(choice);
  double reached = 0.0;
  for (const RowHypothesis& hypothesis : likeliest) {
    reached += std::exp(log_weight(hypothesis) - total);
    while (static_cast<int>(result.size()) < count && (result.size() + 0.5) / count <= reached) {
      result.push_back(hypothesis.sigma);
    }
  }
  result.resize(count, likeliest.front().sigma);  // rounding
  const RowHypothesis* best = likeliest_rows(choice);
  const auto ratios = choice.row_log_ratios();
  for (std::size_t r = 0; r < ratios.size(); ++r) {
    const auto order = shuffled(count, random);
    const double chance = 1.0 / (1.0 + std::exp(-ratios[r]));
    const int times = std::min(count, static_cast<int>(chance * count + random.uniform()));
    if (best != nullptr && best->sigma[r] > 0.0) continue;
    for (int i = 0; i < times; ++i) result[order[i]][r] = likeliest_scale(choice, r);
  }
  return result;
}

}  // namespace

double ScaleChoice::log_evidence_of_two() const {
  const double dense = log_evidence_of_dense(*this);
  if (sparse.empty()) return dense;
  return log_sum({kHalf + dense, kHalf + log_evidence_of_sparse(*this)});
}

double ScaleChoice::log_bayes_factor() const {
  return kinds.empty() ? 0.0 : log_evidence_of_two() - log_evidence_of_one;
}

double ScaleChoice::chance_of_dense() const {
  if (sparse.empty()) return 1.0;
  return 1.0 / (1.0 + std::exp(log_evidence_of_sparse(*this) - log_evidence_of_dense(*this)));
}

std::vector<double> ScaleChoice::row_probabilities() const {
  if (sparse.empty()) return {};
  const double total = log_sum({log_evidence_of_two(), log_evidence_of_one});
  std::vector<double> result(sparse[0].sigma.size(), std::exp(kHalf + log_evidence_of_dense(*this) - total));
  for (const RowHypothesis& hypothesis : sparse) {
    const double chance = std::exp(kHalf + log_weight(hypothesis) - total);
    for (std::size_t r = 0; r < result.size(); ++r) result[r] += hypothesis.sigma[r] > 0.0 ? chance : 0.0;
  }
  return result;
}

std::vector<double> ScaleChoice::row_log_ratios() const {
  if (sparse.empty()) return {};
  const RowHypothesis* best = likeliest_rows(*this);
  const std::vector<double> chances = chances_in_sparse(*this);
  const std::size_t rows = chances.size();
  const std::vector<double> taken = best == nullptr ? std::vector<double>(rows, 0.0) : best->sigma;
  const double without = best == nullptr ? log_evidence_of_one : best->log_evidence;
  const double prior = prior_of_row(static_cast<int>(rows));
  std::vector<double> result(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const double chance = std::clamp(chances[r], 1e-12, 1.0 - 1e-12);
    result[r] = std::log(chance / (1.0 - chance)) - std::log(prior / (1.0 - prior));
  }
  for (const RowHypothesis& hypothesis : sparse) {
    std::size_t more = 0, fewer = 0, added = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      if (hypothesis.sigma[r] > 0.0 && !(taken[r] > 0.0)) ++more, added = r;
      if (!(hypothesis.sigma[r] > 0.0) && taken[r] > 0.0) ++fewer;
    }
    if (more == 1 && fewer == 0) result[added] = hypothesis.log_evidence - without;
  }
  return result;
}

std::vector<double> posterior_of_scale(const ScaleProfile& profile) {
  std::vector<double> weights(profile.sigma.size());
  for (std::size_t j = 0; j < weights.size(); ++j) {
    weights[j] = profile.log_prior[j] + profile.log_evidence[j];
  }
  double total = log_sum(weights);
  if (!std::isfinite(total)) {  // no σ has a mode to speak of: the data say nothing
    weights = profile.log_prior;
    total = log_sum(weights);
  }
  for (double& weight : weights) weight = std::exp(weight - total);
  return weights;
}

std::vector<double> chances_of_rows(const ScaleChoice& choice) {
  std::vector<double> chances;
  const double total = log_evidence_of_sparse(choice);
  for (const RowHypothesis& hypothesis : choice.sparse) {
    chances.push_back(std::exp(log_weight(hypothesis) - total));
  }
  return chances;
}

std::vector<CouplingScales> draw_scales(const ScaleChoice& choice, const DecisionProblem& problem, int count,
                                        base::RandomStream& random) {
  auto result = draw_dense(choice, count, random);
  const auto all_rows = static_cast<int>(std::lround(choice.chance_of_dense() * count));
  const auto some_rows = draw_sparse(choice, count - all_rows, random);
  const model::DynamicsSpace agent(problem.structure, problem.known.dynamics, problem.ties);
  for (std::size_t i = 0; i < some_rows.size(); ++i) {
    result[i].rows = some_rows[i];
    for (std::size_t r = 0; r < some_rows[i].size(); ++r) {
      result[i].rows[r] = std::max(some_rows[i][r], result[i].of(agent.blocks()[r].field));
    }
  }
  return result;
}

}  // namespace interpole::learn
