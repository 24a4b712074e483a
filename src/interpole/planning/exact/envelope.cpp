#include "interpole/planning/exact/envelope.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace interpole::planning {
namespace {

// Where a steeper line catches up with a flatter one.
double crossing(const Line& flat, const Line& steep) {
  return (flat.at0 - steep.at0) / (steep.slope() - flat.slope());
}

// Would `middle` be missed between its neighbours? It stands out most where those two cross.
bool is_hidden(const Line& flat, const Line& middle, const Line& steep) {
  const double p = crossing(flat, steep);
  return middle.at(p) <= flat.at(p);
}

constexpr auto kRisingSlope = [](const Line& a, const Line& b) {
  return a.slope() < b.slope() || (a.slope() == b.slope() && a.at0 > b.at0);
};

Envelope exact_envelope(std::vector<Line> lines) {
  // Looking ahead from an envelope mostly leaves its lines in order.
  if (!std::is_sorted(lines.begin(), lines.end(), kRisingSlope)) {
    std::stable_sort(lines.begin(), lines.end(), kRisingSlope);
  }
  Envelope kept;
  kept.reserve(lines.size());
  for (const Line& line : lines) {
    // Lines come with rising slope: one that is not higher at 1 is not higher anywhere,
    if (!kept.empty() && line.at1 <= kept.back().at1) continue;
    // and one that is as high at 0 hides all that are flatter.
    while (!kept.empty() && line.at0 >= kept.back().at0) kept.pop_back();
    while (kept.size() >= 2 && is_hidden(kept[kept.size() - 2], kept.back(), line)) kept.pop_back();
    kept.push_back(line);
  }
  return kept;
}

// What the value loses at most if all lines between two others go: it is where those two cross.
double loss_between(const Envelope& envelope, std::size_t from, std::size_t to) {
  const double p = crossing(envelope[from], envelope[to]);
  double highest = -INFINITY;
  for (std::size_t i = from + 1; i < to; ++i) highest = std::max(highest, envelope[i].at(p));
  return highest - envelope[from].at(p);
}

// Where the line at `i` hands over to the next; beyond 1 if it is the last.
double end_of(const Envelope& envelope, std::size_t i) {
  return i + 1 < envelope.size() ? crossing(envelope[i], envelope[i + 1]) : INFINITY;
}

}  // namespace

Envelope upper_envelope(std::vector<Line> lines, double tolerance) {
  const Envelope all = exact_envelope(std::move(lines));
  Envelope kept;
  kept.reserve(all.size());
  kept.push_back(all.front());
  for (std::size_t from = 0; from + 1 < all.size();) {
    std::size_t to = from + 1;
    while (to + 1 < all.size() && loss_between(all, from, to + 1) <= tolerance) ++to;
    kept.push_back(all[to]);
    from = to;
  }
  return kept;
}

Envelope sum_of(const Envelope& a, const Envelope& b) {
  Envelope sum;
  sum.reserve(a.size() + b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  double end_a = end_of(a, 0);
  double end_b = end_of(b, 0);
  for (;;) {
    sum.push_back({a[i].at0 + b[j].at0, a[i].at1 + b[j].at1, a[i].action});
    const double end = std::min(end_a, end_b);
    if (end == INFINITY) return sum;
    if (end_a == end) end_a = end_of(a, ++i);
    if (end_b == end) end_b = end_of(b, ++j);
  }
}

double value_at(const Envelope& envelope, double p) {
  double highest = -INFINITY;
  for (const Line& line : envelope) highest = std::max(highest, line.at(p));
  return highest;
}

double largest_excess(const Envelope& over, const Envelope& under) {
  // Between two kinks of `under` the difference is convex: its maximum is at one of them.
  double largest = std::max(over.front().at0 - under.front().at0, over.back().at1 - under.back().at1);
  for (std::size_t i = 0; i + 1 < under.size(); ++i) {
    const double p = crossing(under[i], under[i + 1]);
    largest = std::max(largest, value_at(over, p) - under[i].at(p));
  }
  return largest;
}

}  // namespace interpole::planning
