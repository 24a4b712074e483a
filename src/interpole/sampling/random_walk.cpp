#include "interpole/sampling/random_walk.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "interpole/error.hpp"

namespace interpole::sampling {
namespace {

constexpr std::int64_t kFirstWindow = 200;   // points, and twenty per coordinate at least
constexpr double kOldShape = 0.2;            // share of the shape before that a new one keeps
constexpr double kTargetAcceptance = 0.234;  // best for many coordinates, and nearly so for few
constexpr double kDecay = 0.6;               // of what one step teaches about the scale

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> isotropic(int size, double variance) {
  const auto n = static_cast<std::size_t>(size);
  std::vector<double> covariance(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) covariance[i * n + i] = variance;
  return covariance;
}

int side_of(const std::vector<double>& square) {
  return static_cast<int>(std::lround(std::sqrt(static_cast<double>(square.size()))));
}

}  // namespace

RandomWalk::RandomWalk(int size, double step) : RandomWalk(isotropic(size, step * step)) {
  log_scale_ = 0.0;  // the step as it was asked for
}

RandomWalk::RandomWalk(const std::vector<double>& covariance)
    : size_(side_of(covariance)),
      factor_(covariance.size(), 0.0),
      moments_(RunningMoments::empty(MetricKind::kDense, static_cast<int>(size_))),
      window_(std::max<std::int64_t>(kFirstWindow, 20 * static_cast<std::int64_t>(size_))) {
  if (!take_shape(covariance)) {
    throw usage_error("the covariance of a random walk must be finite and positive definite");
  }
}

void RandomWalk::propose(std::span<const double> x, base::RandomStream& random,
                         std::span<double> proposal) const {
  std::copy(x.begin(), x.end(), proposal.begin());
  const double scale = std::exp(log_scale_);
  for (std::size_t j = 0; j < size_; ++j) {
    const double noise = scale * random.normal();
    for (std::size_t i = j; i < size_; ++i) proposal[i] += noise * factor_[i * size_ + j];
  }
}

void RandomWalk::learn(std::span<const double> x, double acceptance) {
  log_scale_ += (acceptance - kTargetAcceptance) / std::pow(1.0 + static_cast<double>(learned_++), kDecay);
  moments_.add(x);
  if (moments_.count < window_) return;
  take_shape(learned_shape());
  moments_.clear();
  window_ *= 2;
}

// Of the points of this window, drawn a little towards the shape before: few points make a poor one.
std::vector<double> RandomWalk::learned_shape() const {
  std::vector<double> shape = covariance_;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const double seen = moments_.products[i] / static_cast<double>(moments_.count - 1);
    shape[i] = kOldShape * shape[i] + (1.0 - kOldShape) * seen;
  }
  return shape;
}

bool RandomWalk::take_shape(const std::vector<double>& covariance) {
  const auto n = static_cast<Eigen::Index>(size_);
  const Eigen::LLT<Matrix> root(Eigen::Map<const Matrix>(covariance.data(), n, n));
  const Matrix lower = root.matrixL();
  if (root.info() != Eigen::Success || !lower.allFinite()) return false;
  covariance_ = covariance;
  std::copy_n(lower.data(), factor_.size(), factor_.begin());
  log_scale_ = std::log(2.38 / std::sqrt(static_cast<double>(size_)));  // Gelman, Roberts, Gilks 1996
  learned_ = 0;
  return true;
}

MetropolisChain run_metropolis(const std::function<double(std::span<const double>)>& log_density,
                               std::vector<double> start, const MetropolisOptions& options,
                               base::RandomStream& random, const std::function<bool()>& stop) {
  RandomWalk walk(static_cast<int>(start.size()), options.step);
  return run_metropolis(log_density, std::move(start), std::move(walk), options, random, stop);
}

MetropolisChain run_metropolis(const std::function<double(std::span<const double>)>& log_density,
                               std::vector<double> start, RandomWalk walk, const MetropolisOptions& options,
                               base::RandomStream& random, const std::function<bool()>& stop) {
  MetropolisChain chain;
  std::vector<double> proposal(start.size());
  std::vector<double>& x = start;
  double here = log_density(x);
  int accepted = 0;
  for (int i = 0; i < options.warm_up + options.draws; ++i) {
    if (stop && stop()) {
      chain.interrupted = true;
      break;
    }
    walk.propose(x, random, proposal);
    const double there = log_density(proposal);
    const double ratio = there - here;
    const double acceptance = std::isnan(ratio) ? 0.0 : std::min(1.0, std::exp(ratio));
    const bool accept = random.uniform() < acceptance;
    if (accept) {
      x.swap(proposal);
      here = there;
    }
    if (i < options.warm_up) {
      if (options.learning) walk.learn(x, acceptance);
      continue;
    }
    accepted += accept ? 1 : 0;
    chain.draws.push_back(x);
    chain.log_densities.push_back(here);
  }
  if (!chain.draws.empty()) chain.acceptance = accepted / static_cast<double>(chain.draws.size());
  return chain;
}

}  // namespace interpole::sampling
