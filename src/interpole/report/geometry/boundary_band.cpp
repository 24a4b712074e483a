#include "interpole/report/geometry/boundary_band.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace interpole::report {
namespace {

// The margin by which `action` leads (negative: trails) the best of the others.
double lead_of(const CornerScores& scores, int action, const Belief3& belief) {
  const auto score = [&](std::size_t a) {
    return scores[a][0] * belief[0] + scores[a][1] * belief[1] + scores[a][2] * belief[2];
  };
  double best = -INFINITY;
  for (std::size_t a = 0; a < scores.size(); ++a) {
    if (static_cast<int>(a) != action && scores[a] != scores[action]) best = std::max(best, score(a));
  }
  return std::isinf(best) ? 1.0 : score(action) - best;
}

// Values of one action at the points (i, k) of the lattice: i parts of the second corner, k of the third.
class Lattice {
 public:
  explicit Lattice(int parts) : parts_(parts), values_(static_cast<std::size_t>(parts + 1) * (parts + 1)) {}

  Belief3 belief(int i, int k) const {
    const double n = parts_;
    return {(parts_ - i - k) / n, i / n, k / n};
  }
  double& at(int i, int k) { return values_[k * (parts_ + 1) + i]; }
  int parts() const { return parts_; }

 private:
  int parts_;
  std::vector<double> values_;
};

// The lead that a share (1 − level)/2 of the draws falls short of.
Lattice low_leads(const std::vector<CornerScores>& draws, int action, double level, int parts) {
  Lattice lattice(parts);
  std::vector<double> leads(draws.size());
  const auto rank = static_cast<std::ptrdiff_t>((1.0 - level) / 2.0 * static_cast<double>(draws.size()));
  for (int k = 0; k <= parts; ++k) {
    for (int i = 0; i + k <= parts; ++i) {
      const Belief3 belief = lattice.belief(i, k);
      for (std::size_t d = 0; d < draws.size(); ++d) leads[d] = lead_of(draws[d], action, belief);
      const auto low = leads.begin() + std::min<std::ptrdiff_t>(rank, std::ssize(leads) - 1);
      std::nth_element(leads.begin(), low, leads.end());
      lattice.at(i, k) = *low;
    }
  }
  return lattice;
}

// Pieces that share an edge run along it in opposite directions: what is left after such edges are struck out
// is the outline of all pieces together.
class OutlineMaker {
 public:
  void add(const std::vector<Belief3>& piece) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const Key from = key_of(piece[i]);
      const Key to = key_of(piece[(i + 1) % piece.size()]);
      if (from == to) continue;
      auto& back = edges_[to];
      const auto opposite = std::find(back.begin(), back.end(), from);
      if (opposite != back.end()) {
        back.erase(opposite);
      } else {
        edges_[from].push_back(to);
      }
    }
  }

  std::vector<std::vector<Belief3>> loops() {
    std::vector<std::vector<Belief3>> loops;
    for (auto& [start, ends] : edges_) {
      while (!ends.empty()) {
        std::vector<Belief3> loop;
        Key here = start;
        while (!edges_[here].empty()) {
          loop.push_back(belief_of(here));
          const Key next = edges_[here].back();
          edges_[here].pop_back();
          here = next;
        }
        loops.push_back(without_points_on_lines(loop));
      }
    }
    return loops;
  }

 private:
  using Key = std::pair<std::int64_t, std::int64_t>;  // second and third belief, rounded
  static constexpr double kUnit = 1e-8;

  static Key key_of(const Belief3& belief) {
    return {std::llround(belief[1] / kUnit), std::llround(belief[2] / kUnit)};
  }
  static Belief3 belief_of(const Key& key) {
    const double second = static_cast<double>(key.first) * kUnit;
    const double third = static_cast<double>(key.second) * kUnit;
    return {1.0 - second - third, second, third};
  }
  static std::vector<Belief3> without_points_on_lines(const std::vector<Belief3>& loop) {
    std::vector<Belief3> kept;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Belief3& before = kept.empty() ? loop.back() : kept.back();
      const Belief3& after = loop[(i + 1) % loop.size()];
      const double turn = (loop[i][1] - before[1]) * (after[2] - loop[i][2]) -
                          (loop[i][2] - before[2]) * (after[1] - loop[i][1]);
      if (std::abs(turn) > 1e-7) kept.push_back(loop[i]);
    }
    return kept;
  }

  std::map<Key, std::vector<Key>> edges_;
};

// The plane through three values at the corners of a lattice cell, as its values at the triangle's corners.
Belief3 plane_through(const std::array<Belief3, 3>& points, const std::array<double, 3>& values) {
  // value = p·second + q·third + r
  const double x1 = points[1][1] - points[0][1];
  const double y1 = points[1][2] - points[0][2];
  const double x2 = points[2][1] - points[0][1];
  const double y2 = points[2][2] - points[0][2];
  const double det = x1 * y2 - x2 * y1;
  const double v1 = values[1] - values[0];
  const double v2 = values[2] - values[0];
  const double p = (v1 * y2 - v2 * y1) / det;
  const double q = (x1 * v2 - x2 * v1) / det;
  const double r = values[0] - p * points[0][1] - q * points[0][2];
  return {r, p + r, q + r};
}

Belief3 negated(const Belief3& value) {
  return {-value[0], -value[1], -value[2]};
}

class BandMaker {
 public:
  BandMaker(const CornerScores& fitted, Lattice& leads, int action, OutlineMaker& outline)
      : fitted_(fitted), leads_(leads), action_(action), outline_(outline) {}

  void add_all() {
    for (int k = 0; k < leads_.parts(); ++k) {
      for (int i = 0; i + k < leads_.parts(); ++i) {
        add_cell({{{i, k}, {i + 1, k}, {i, k + 1}}});
        if (i + k + 1 < leads_.parts()) add_cell({{{i + 1, k}, {i + 1, k + 1}, {i, k + 1}}});
      }
    }
  }

 private:
  // The part of a cell that belongs to the action's region and to the band.
  void add_cell(const std::array<std::pair<int, int>, 3>& corners) {
    std::array<Belief3, 3> points;
    std::array<double, 3> values{};
    for (int j = 0; j < 3; ++j) {
      points[j] = leads_.belief(corners[j].first, corners[j].second);
      values[j] = leads_.at(corners[j].first, corners[j].second);
    }
    if (values[0] > 0.0 && values[1] > 0.0 && values[2] > 0.0) return;
    std::vector<Belief3> piece(points.begin(), points.end());
    piece = clipped(piece, negated(plane_through(points, values)));
    for (std::size_t c = 0; c < fitted_.size() && piece.size() > 2; ++c) {
      if (fitted_[c] == fitted_[action_]) continue;
      Belief3 advantage{};
      for (int j = 0; j < 3; ++j) advantage[j] = fitted_[action_][j] - fitted_[c][j];
      piece = clipped(piece, advantage);
    }
    if (piece.size() > 2) outline_.add(piece);
  }

  const CornerScores& fitted_;
  Lattice& leads_;
  int action_;
  OutlineMaker& outline_;
};

}  // namespace

std::vector<std::vector<Belief3>> boundary_band(const CornerScores& fitted,
                                                const std::vector<CornerScores>& draws, double level,
                                                int parts) {
  if (draws.empty()) return {};
  OutlineMaker outline;
  for (const BeliefPolygon& region : decision_polygons(fitted)) {
    Lattice leads = low_leads(draws, region.action, level, parts);
    BandMaker(fitted, leads, region.action, outline).add_all();
  }
  auto loops = outline.loops();
  std::erase_if(loops, [](const auto& loop) { return loop.size() < 3; });
  return loops;
}

double tie_between(const Policy& policy, int first, int second) {
  constexpr std::array<double, 2> kAtZero = {1, 0};
  constexpr std::array<double, 2> kAtOne = {0, 1};
  const double start = nearer_by(policy, first, second, kAtZero);
  const double end = nearer_by(policy, first, second, kAtOne);
  return start == end ? std::numeric_limits<double>::quiet_NaN() : start / (start - end);
}

}  // namespace interpole::report
