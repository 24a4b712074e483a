#include "interpole/report/geometry/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace interpole::report {
namespace {

// Regions thinner than this are rounding.
constexpr double kThinnest = 1e-9;

constexpr std::array<Belief3, 3> kTriangle = {Belief3{1, 0, 0}, Belief3{0, 1, 0}, Belief3{0, 0, 1}};

template <std::size_t S>
int action_count_of(const Policy& policy) {
  return static_cast<int>(policy.means.size() / S);
}

bool same_mean(const Policy& policy, int a, int c, std::size_t states) {
  const auto mean = policy.means.begin();
  return std::equal(mean + a * states, mean + (a + 1) * states, mean + c * states);
}

template <std::size_t S>
std::array<double, S> between(const std::array<double, S>& from, const std::array<double, S>& to,
                              double share) {
  std::array<double, S> point{};
  for (std::size_t s = 0; s < S; ++s) point[s] = (1.0 - share) * from[s] + share * to[s];
  return point;
}

// The part of the straight line from → to, as shares of it, where a value that is linear along it is ≥ 0.
struct Shares {
  double low = 0.0;
  double high = 1.0;
  bool empty() const { return !(high - low > kThinnest); }

  void keep_where_positive(double at_start, double at_end) {
    if (at_start >= 0.0 && at_end >= 0.0) return;
    if (at_start < 0.0 && at_end < 0.0) {
      high = low;
      return;
    }
    const double zero = at_start / (at_start - at_end);
    if (at_start < 0.0) {
      low = std::max(low, zero);
    } else {
      high = std::min(high, zero);
    }
  }
};

Belief3 advantage(const CornerScores& scores, int a, int c) {
  return {scores[a][0] - scores[c][0], scores[a][1] - scores[c][1], scores[a][2] - scores[c][2]};
}

double value_at(const Belief3& at_corners, const Belief3& belief) {
  return at_corners[0] * belief[0] + at_corners[1] * belief[1] + at_corners[2] * belief[2];
}

// Without those that repeat the scores of an action before them, and so have no region.
std::vector<int> actions_with_own_scores(const CornerScores& scores) {
  std::vector<int> distinct;
  for (int a = 0; a < static_cast<int>(scores.size()); ++a) {
    const auto same = [&](int c) { return scores[a] == scores[c]; };
    if (std::none_of(distinct.begin(), distinct.end(), same)) distinct.push_back(a);
  }
  return distinct;
}

// Signed, as a share of the area of the whole triangle.
double cross(const Belief3& a, const Belief3& b, const Belief3& c) {
  return (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
}

// A line that is not a side meets the triangle in exactly two of its sides, or in none.
std::optional<BeliefSegment> bisector(const CornerScores& scores, int a, int c) {
  const Belief3 value = advantage(scores, a, c);
  BeliefSegment segment{a, c, {}, {}};
  int met = 0;
  for (int side = 0; side < 3; ++side) {
    const double start = value[side];
    const double end = value[(side + 1) % 3];
    if ((start >= 0.0) == (end >= 0.0)) continue;
    (met++ == 0 ? segment.from : segment.to) =
        between(kTriangle[side], kTriangle[(side + 1) % 3], start / (start - end));
  }
  if (met != 2) return std::nullopt;
  return segment;
}

}  // namespace

double nearer_by(const Policy& policy, int a, int c, std::span<const double> belief) {
  double sum = 0.0;
  for (std::size_t s = 0; s < belief.size(); ++s) {
    const double first = policy.means[a * belief.size() + s];
    const double second = policy.means[c * belief.size() + s];
    sum += (first - second) * (2.0 * belief[s] - first - second);
  }
  return sum;
}

std::vector<BeliefInterval> decision_intervals(const Policy& policy) {
  constexpr std::array<double, 2> kFirst = {1, 0};
  constexpr std::array<double, 2> kSecond = {0, 1};
  std::vector<BeliefInterval> intervals;
  for (int a = 0; a < action_count_of<2>(policy); ++a) {
    Shares shares;
    for (int c = 0; c < action_count_of<2>(policy) && !shares.empty(); ++c) {
      if (c == a) continue;
      if (c < a && same_mean(policy, a, c, 2)) shares.high = shares.low;
      shares.keep_where_positive(nearer_by(policy, a, c, kFirst), nearer_by(policy, a, c, kSecond));
    }
    if (!shares.empty()) intervals.push_back({a, shares.low, shares.high});
  }
  std::sort(intervals.begin(), intervals.end(), [](const auto& x, const auto& y) { return x.low < y.low; });
  return intervals;
}

CornerScores corner_scores(const Policy& policy) {
  CornerScores scores(action_count_of<3>(policy));
  for (std::size_t a = 0; a < scores.size(); ++a) {
    const double* const mean = &policy.means[3 * a];
    const double square = mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2];
    for (int s = 0; s < 3; ++s) scores[a][s] = 2.0 * mean[s] - square;
  }
  return scores;
}

// Sutherland–Hodgman for one half-plane.
std::vector<Belief3> clipped(const std::vector<Belief3>& polygon, const Belief3& value_at_corners) {
  std::vector<Belief3> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Belief3& here = polygon[i];
    const Belief3& next = polygon[(i + 1) % polygon.size()];
    const double value = value_at(value_at_corners, here);
    const double next_value = value_at(value_at_corners, next);
    if (value >= 0.0) kept.push_back(here);
    if ((value >= 0.0) != (next_value >= 0.0))
      kept.push_back(between(here, next, value / (value - next_value)));
  }
  return kept;
}

std::vector<BeliefPolygon> decision_polygons(const Policy& policy) {
  return decision_polygons(corner_scores(policy));
}

std::vector<BeliefPolygon> decision_polygons(const CornerScores& scores) {
  const std::vector<int> distinct = actions_with_own_scores(scores);
  std::vector<BeliefPolygon> polygons;
  for (const int a : distinct) {
    BeliefPolygon polygon{a, {kTriangle.begin(), kTriangle.end()}};
    for (const int c : distinct) {
      if (c != a) polygon.corners = clipped(polygon.corners, advantage(scores, a, c));
    }
    if (area_share(polygon) > kThinnest) polygons.push_back(std::move(polygon));
  }
  return polygons;
}

std::vector<BeliefSegment> decision_boundaries(const CornerScores& scores) {
  const std::vector<int> distinct = actions_with_own_scores(scores);
  std::vector<BeliefSegment> segments;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    for (std::size_t k = i + 1; k < distinct.size(); ++k) {
      const auto line = bisector(scores, distinct[i], distinct[k]);
      if (!line) continue;
      Shares shares;
      for (const int c : distinct) {
        if (c == line->first || c == line->second) continue;
        const Belief3 value = advantage(scores, line->first, c);
        shares.keep_where_positive(value_at(value, line->from), value_at(value, line->to));
      }
      if (shares.empty()) continue;
      segments.push_back({line->first, line->second, between(line->from, line->to, shares.low),
                          between(line->from, line->to, shares.high)});
    }
  }
  return segments;
}

double area_share(const BeliefPolygon& polygon) {
  const auto& p = polygon.corners;
  double area = 0.0;
  for (std::size_t i = 1; i + 1 < p.size(); ++i) area += cross(p[0], p[i], p[i + 1]);
  return std::abs(area);
}

}  // namespace interpole::report
