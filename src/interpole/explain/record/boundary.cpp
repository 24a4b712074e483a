#include "interpole/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole {
namespace {

using Vector = std::vector<double>;

double dot(std::span<const double> x, std::span<const double> y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

// The points of the simplex nearest to b + λ·direction. Asked a hundred times for one boundary, so it keeps
// its memory.
class Path {
 public:
  Path(std::span<const double> belief, const Vector& direction)
      : belief_(belief), direction_(direction), point_(belief.size()), sorted_(belief.size()) {}

  // Off the simplex, if need be.
  const Vector& straight(double far) {
    for (std::size_t s = 0; s < point_.size(); ++s) point_[s] = belief_[s] + far * direction_[s];
    return point_;
  }

  const Vector& at(double far) {
    straight(far);
    sorted_ = point_;
    std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
    double sum = 0.0;
    double shift = 0.0;
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      sum += sorted_[i];
      const double candidate = (sum - 1.0) / static_cast<double>(i + 1);
      if (sorted_[i] > candidate) shift = candidate;
    }
    for (double& v : point_) v = std::max(0.0, v - shift);
    return point_;
  }

 private:
  std::span<const double> belief_;
  const Vector& direction_;
  Vector point_, sorted_;
};

// The nearest point of the simplex with direction · b ≥ level. `direction` sums to zero.
std::optional<Vector> nearest_beyond(std::span<const double> belief, const Vector& direction, double level) {
  const double best = *std::max_element(direction.begin(), direction.end());
  const double length = dot(direction, direction);
  if (best < level || !(length > 0.0)) return std::nullopt;
  const double missing = level - dot(direction, belief);
  if (missing <= 0.0) return Vector(belief.begin(), belief.end());
  Path path(belief, direction);
  const Vector& straight = path.straight(missing / length);
  if (*std::min_element(straight.begin(), straight.end()) >= 0.0) return straight;
  // Along the path the left side never falls: find λ by halving.
  double low = 0.0;
  double high = missing / length;
  while (dot(direction, path.at(high)) < level && high < 1e12) high *= 2.0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (dot(direction, path.at(middle)) < level ? low : high) = middle;
  }
  return path.at(high);
}

}  // namespace

int most_likely_action(const Structure& structure, const Policy& policy, std::span<const double> belief) {
  const std::size_t S = structure.states.size();
  int best = 0;
  double nearest = INFINITY;
  for (int a = 0; a < structure.action_count(); ++a) {
    const std::span<const double> mean(&policy.means[a * S], S);
    const double score = dot(mean, mean) - 2.0 * dot(mean, belief);
    if (score < nearest) {
      nearest = score;
      best = a;
    }
  }
  return best;
}

int most_likely_action(const Structure& structure, const Policy& policy, std::span<const double> belief,
                       const DecisionContext& context) {
  if (policy.terms.none() && policy.other_kinds.empty()) return most_likely_action(structure, policy, belief);
  const Vector chances = action_probabilities(structure, policy, belief, context);
  return static_cast<int>(std::max_element(chances.begin(), chances.end()) - chances.begin());
}

std::optional<NearestBoundary> nearest_boundary(const Structure& structure, const Policy& policy,
                                                std::span<const double> belief) {
  const std::size_t S = structure.states.size();
  if (!(policy.inverse_temperature > 0.0)) return std::nullopt;
  const int own = most_likely_action(structure, policy, belief);
  const std::span<const double> here(&policy.means[own * S], S);
  std::optional<NearestBoundary> nearest;
  for (int a = 0; a < structure.action_count(); ++a) {
    if (a == own) continue;
    // ‖b − μ_a‖² ≤ ‖b − μ_own‖² ⇔ 2 (μ_a − μ_own) · b ≥ ‖μ_a‖² − ‖μ_own‖²; means sum to one, so the direction
    // sums to zero.
    const std::span<const double> there(&policy.means[a * S], S);
    Vector direction(S);
    for (std::size_t s = 0; s < S; ++s) direction[s] = 2.0 * (there[s] - here[s]);
    const auto point = nearest_beyond(belief, direction, dot(there, there) - dot(here, here));
    if (!point) continue;
    NearestBoundary candidate{a, 0.0, Vector(S)};
    for (std::size_t s = 0; s < S; ++s) candidate.shift[s] = (*point)[s] - belief[s];
    candidate.distance = std::sqrt(dot(candidate.shift, candidate.shift));
    if (!nearest || candidate.distance < nearest->distance) nearest = candidate;
  }
  return nearest;
}

}  // namespace interpole
