#include "interpole/learn/draws/chain_start.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpole/base/random.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learn {
namespace {

constexpr double kSpread = 2.0;           // of the starts, in standard deviations of the posterior
constexpr double kBlindSpread = 0.1;      // in coordinates, where the posterior's are not known
constexpr double kLeastVariance = 1e-10;  // below: a coordinate that nothing depends on

using Points = std::vector<std::vector<double>>;

bool finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

std::vector<double> mean_of(const Points& points) {
  std::vector<double> mean(points.front().size(), 0.0);
  for (const auto& point : points) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += point[i] / static_cast<double>(points.size());
  }
  return mean;
}

double covariance(const Points& points, const std::vector<double>& mean, std::size_t i, std::size_t j) {
  double sum = 0.0;
  for (const auto& point : points) sum += (point[i] - mean[i]) * (point[j] - mean[j]);
  return sum / static_cast<double>(points.size() - 1);
}

std::vector<double> inverse_metric_of(const Points& points, const std::vector<double>& mean,
                                      sampling::MetricKind kind) {
  const std::size_t n = mean.size();
  std::vector<double> variances(n);
  for (std::size_t i = 0; i < n; ++i) variances[i] = covariance(points, mean, i, i);
  const auto moves = [&](std::size_t i) { return variances[i] > kLeastVariance; };
  std::vector<double> result(sampling::metric_entries(kind, n), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double variance = moves(i) ? variances[i] : 1.0;
    result[kind == sampling::MetricKind::kDense ? i * n + i : i] = variance;
    for (std::size_t j = 0; kind == sampling::MetricKind::kDense && j < i; ++j) {
      if (moves(i) && moves(j)) result[i * n + j] = result[j * n + i] = covariance(points, mean, i, j);
    }
  }
  if (kind == sampling::MetricKind::kDiagonal) return result;
  return sampling::definite_covariance(std::move(result), static_cast<int>(n));
}

// The fit's draws in the coordinates of this posterior.
Points drawn_points(const Posterior& posterior, const DecisionProblem& problem,
                    const Uncertainty& uncertainty, int count, std::uint64_t seed) {
  Points points;
  for (const AgentWorld& draw : draw_agent_worlds(problem, uncertainty, count, seed)) {
    std::vector<double> y(posterior.size());
    posterior.coordinates(draw, y);
    if (finite(y)) points.push_back(std::move(y));
  }
  return points;
}

// From the centre towards `point`, as far as the log-posterior stays believable.
std::vector<double> believable(Posterior& posterior, const std::vector<double>& centre,
                               const std::vector<double>& point, double spread) {
  std::vector<double> gradient(centre.size());
  std::vector<double> y = centre;
  // Of a normal distribution, a point at twice the distance of a draw is lower by 2n on average.
  const double lowest = posterior.evaluate(y, gradient) - 20.0 - 10.0 * static_cast<double>(centre.size());
  for (; spread > 1e-3; spread *= 0.5) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = centre[i] + spread * (point[i] - centre[i]);
    if (posterior.evaluate(y, gradient) >= lowest && finite(gradient)) return y;
  }
  return centre;
}

}  // namespace

ChainStarts chain_starts(Posterior& posterior, const DecisionProblem& problem, const FitSummary& fit,
                         const optimize::LbfgsOptions& lbfgs, sampling::MetricKind metric, int chains,
                         std::uint64_t seed) {
  const int n = posterior.size();
  const int shape_draws = 200 + 8 * n;
  ChainStarts starts;
  Points points;
  if (fit.uncertainty) {
    points = drawn_points(posterior, problem, *fit.uncertainty, shape_draws + chains, seed);
  }
  if (std::cmp_greater_equal(points.size(), 2 * n + chains)) {
    const auto centre = mean_of(points);
    starts.inverse_metric = inverse_metric_of(points, centre, metric);
    for (int c = 0; c < chains; ++c) {
      starts.points.push_back(believable(posterior, centre, points[points.size() - 1 - c], kSpread));
    }
    return starts;
  }
  std::vector<double> centre(n);
  posterior.coordinates({fit.parameters, fit.world}, centre);
  optimize::maximise(posterior, centre, lbfgs);
  for (int c = 0; c < chains; ++c) {
    base::RandomStream random(seed, c, base::RandomPurpose::kChainStart);
    std::vector<double> point = centre;
    for (double& x : point) x += kBlindSpread * random.normal();
    starts.points.push_back(believable(posterior, centre, point, 1.0));
  }
  return starts;
}

}  // namespace interpole::learn
