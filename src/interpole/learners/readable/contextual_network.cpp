#include "interpole/learners/readable/contextual_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole::learners {
namespace {

// Logits become probabilities; returns log Σ exp.
double into_chances(std::span<double> logits) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (double& l : logits) sum += l = std::exp(l - highest);
  for (double& l : logits) l /= sum;
  return highest + std::log(sum);
}

}  // namespace

ContextualWeights::ContextualWeights(const NetworkShape& shape) : EncoderWeights(shape), size(encoder_size) {
  const int inputs = contextual_inputs(shape);
  by_context = {"by_context", size, inputs * shape.actions, shape.units, shape.units};
  size += by_context.size();
  always = {"always", size, inputs, shape.actions, shape.actions};
  size += always.size();
}

std::vector<double> initial_contextual(const NetworkShape& shape, double scale, base::RandomStream& random) {
  const ContextualWeights weights(shape);
  std::vector<double> parameters(weights.size, 0.0);
  const double range = scale / std::sqrt(shape.units);
  for (std::size_t i = 0; i < weights.always.offset; ++i)
    parameters[i] = range * (2.0 * random.uniform() - 1.0);
  for (int unit = 0; unit < shape.units; ++unit) {
    parameters[weights.gate_bias.offset + shape.units + unit] += 1.0;  // forget gates, as R-BC's
  }
  return parameters;
}

ContextualNetwork::ContextualNetwork(const NetworkShape& shape, const HistoryTree& tree, bool deciding_only,
                                     int threads)
    : shape_(shape), weights_(shape), encoder_(shape, tree, deciding_only, threads) {}

std::array<int, 3> ContextualNetwork::inputs_of(int row) const {
  const NetworkPlan& plan = encoder_.plan();
  if (row < plan.roots) return {0, -1, -1};
  const int outcome = plan.outcome[row] == kMissing ? shape_.outcomes : plan.outcome[row];
  return {0, 1 + plan.action[row], 1 + shape_.actions + outcome};
}

int ContextualNetwork::context_row(int row) const {
  const NetworkPlan& plan = encoder_.plan();
  return row < plan.roots ? -1 : plan.row_of_inner[plan.parent[row]];
}

double ContextualNetwork::coefficient(int input, int action, int context) {
  const auto at = static_cast<std::size_t>(input) * shape_.actions + action;
  double value = parameters_[weights_.always.offset + at];
  if (context < 0) return value;
  const double* weights = parameters_ + weights_.by_context.offset + at * shape_.units;
  return std::inner_product(weights, weights + shape_.units, encoder_.hidden(context), value);
}

void ContextualNetwork::logits_of(int row, std::span<double> logits) {
  const int context = context_row(row);
  std::fill(logits.begin(), logits.end(), 0.0);
  for (const int input : inputs_of(row)) {
    if (input < 0) continue;
    for (int a = 0; a < shape_.actions; ++a) logits[a] += coefficient(input, a, context);
  }
}

NetworkLoss ContextualNetwork::evaluate(std::span<const double> parameters, const DecisionCounts& training,
                                        const DecisionCounts& validation, std::span<double> gradient) {
  parameters_ = parameters.data();
  encoder_.forward(parameters_);
  auto& d_hidden = encoder_.d_hidden();
  std::fill(d_hidden.begin(), d_hidden.end(), 0.0);
  std::fill(gradient.begin(), gradient.end(), 0.0);
  const NetworkPlan& plan = encoder_.plan();
  const auto A = static_cast<std::size_t>(shape_.actions);
  const auto U = static_cast<std::size_t>(shape_.units);
  const double scale = training.total > 0.0 ? 1.0 / training.total : 0.0;
  NetworkLoss loss;
  std::vector<double> chances(A), logits(A);
  for (int row = 0; row < plan.rows(); ++row) {
    logits_of(row, logits);
    chances = logits;
    const double normaliser = into_chances(chances);
    const std::size_t at = static_cast<std::size_t>(plan.node[row]) * A;
    double taken = 0.0;
    for (std::size_t a = 0; a < A; ++a) {
      loss.training += training.counts[at + a] * (normaliser - logits[a]);
      loss.validation += validation.counts[at + a] * (normaliser - logits[a]);
      taken += training.counts[at + a];
    }
    if (taken == 0.0) continue;
    const int context = context_row(row);
    for (const int input : inputs_of(row)) {
      if (input < 0) continue;
      for (std::size_t a = 0; a < A; ++a) {
        const double d = scale * (taken * chances[a] - training.counts[at + a]);
        const std::size_t weight = static_cast<std::size_t>(input) * A + a;
        gradient[weights_.always.offset + weight] += d;
        if (context < 0) continue;
        const double* hidden = encoder_.hidden(context);
        const double* by_context = parameters_ + weights_.by_context.offset + weight * U;
        double* to = &gradient[weights_.by_context.offset + weight * U];
        double* back = &d_hidden[static_cast<std::size_t>(context) * U];
        for (std::size_t u = 0; u < U; ++u) {
          to[u] += d * hidden[u];
          back[u] += d * by_context[u];
        }
      }
    }
  }
  encoder_.backward();
  encoder_.collect(gradient);
  if (training.total > 0.0) loss.training /= training.total;
  if (validation.total > 0.0) loss.validation /= validation.total;
  return loss;
}

std::vector<double> ContextualNetwork::policies(std::span<const double> parameters) {
  parameters_ = parameters.data();
  encoder_.forward(parameters_);
  const NetworkPlan& plan = encoder_.plan();
  const auto A = static_cast<std::size_t>(shape_.actions);
  std::vector<double> result(static_cast<std::size_t>(plan.rows()) * A);
  for (int row = 0; row < plan.rows(); ++row) {
    const std::span<double> here(&result[static_cast<std::size_t>(plan.node[row]) * A], A);
    logits_of(row, here);
    into_chances(here);
  }
  return result;
}

std::vector<double> ContextualNetwork::coefficients(std::span<const double> parameters) {
  parameters_ = parameters.data();
  encoder_.forward(parameters_);
  const NetworkPlan& plan = encoder_.plan();
  const int inputs = contextual_inputs(shape_);
  std::vector<double> result(static_cast<std::size_t>(plan.rows()) * inputs * shape_.actions);
  for (int row = 0; row < plan.rows(); ++row) {
    double* to = &result[static_cast<std::size_t>(plan.node[row]) * inputs * shape_.actions];
    for (int input = 0; input < inputs; ++input) {
      for (int a = 0; a < shape_.actions; ++a) *to++ = coefficient(input, a, context_row(row));
    }
  }
  return result;
}

}  // namespace interpole::learners
