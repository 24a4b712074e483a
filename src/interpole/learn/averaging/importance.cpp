#include "interpole/learn/averaging/importance.hpp"

#include <cmath>
#include <numbers>

#include "interpole/learn/posterior/log_sum.hpp"

namespace interpole::learn {
namespace {

// Tails heavier than the posterior's keep weights bounded; few degrees of freedom waste draws.
constexpr double kFreedom = 5.0;

struct Proposal {
  std::vector<double> y;
  double log_density = 0.0;
};

class StudentT {
 public:
  explicit StudentT(const Laplace& around) : around_(around), size_(around.centre.size()) {
    const double n = static_cast<double>(size_);
    log_peak_ = std::lgamma(0.5 * (kFreedom + n)) - std::lgamma(0.5 * kFreedom) -
                0.5 * n * std::log(kFreedom * std::numbers::pi);
    for (std::size_t i = 0; i < size_; ++i) log_peak_ -= std::log(std::abs(around.factor[i * size_ + i]));
  }

  Proposal draw(base::RandomStream& random) const {
    const double stretch = std::sqrt(kFreedom / (2.0 * random.gamma(0.5 * kFreedom)));
    std::vector<double> z(size_);
    double square = 0.0;
    for (double& x : z) {
      x = stretch * random.normal();
      square += x * x;
    }
    Proposal result{around_.centre, 0.0};
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) result.y[i] += around_.factor[i * size_ + j] * z[j];
    }
    result.log_density =
        log_peak_ - 0.5 * (kFreedom + static_cast<double>(size_)) * std::log1p(square / kFreedom);
    return result;
  }

 private:
  const Laplace& around_;
  std::size_t size_;
  double log_peak_ = 0.0;
};

}  // namespace

WeightedDraws importance_draws(Posterior& posterior, const Laplace& around, int count,
                               base::RandomStream& random) {
  WeightedDraws result;
  if (!around.proper) return result;
  const StudentT proposals(around);
  std::vector<double> gradient(around.centre.size());
  std::vector<double> logs;
  for (int i = 0; i < count; ++i) {
    const Proposal proposal = proposals.draw(random);
    const double log_posterior = posterior.evaluate(proposal.y, gradient);
    if (!std::isfinite(log_posterior)) continue;  // of no weight
    logs.push_back(log_posterior - proposal.log_density);
    result.agent_worlds.push_back(posterior.agent_world(proposal.y));
  }
  if (logs.empty()) return result;
  const double total = log_sum(logs);
  result.log_evidence = total - std::log(static_cast<double>(count));
  double squares = 0.0;
  for (const double x : logs) {
    result.weights.push_back(std::exp(x - total));
    squares += result.weights.back() * result.weights.back();
  }
  result.effective = 1.0 / squares;
  return result;
}

}  // namespace interpole::learn
