#include "interpole/model/term_space.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/model/coordinates.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::model {
namespace {

enum Share { kBelief = 0, kInertia = 1, kLapse = 2 };

// A trend over time may be so many times as large as what single steps have of their own: a step at which
// little was decided is then expected on the line of the others, not at zero.
constexpr double kTrend = 20.0;

// The direction of a straight line over the levels, in the coordinates of a Helmert basis.
std::vector<double> straight_line(std::size_t levels) {
  std::vector<double> line(levels), direction(levels - 1);
  double length = 0.0;
  for (std::size_t l = 0; l < levels; ++l) {
    line[l] = static_cast<double>(l) - 0.5 * static_cast<double>(levels - 1);
    length += line[l] * line[l];
  }
  helmert_transpose<double>(line, direction);
  for (double& x : direction) x /= std::sqrt(length);
  return direction;
}

// S Y, where S stretches along the trend by `factor`, and by nothing across it.
std::vector<double> stretched(const TermSpace::Block& block, std::size_t actions, std::span<const double> y,
                              double factor) {
  std::vector<double> result(y.begin(), y.end());
  const std::size_t columns = actions - 1;
  for (std::size_t k = 0; k < columns && !block.trend.empty(); ++k) {
    double along = 0.0;
    for (std::size_t r = 0; r < block.trend.size(); ++r) along += block.trend[r] * y[r * columns + k];
    for (std::size_t r = 0; r < block.trend.size(); ++r) {
      result[r * columns + k] += (factor - 1.0) * along * block.trend[r];
    }
  }
  return result;
}

ZeroSum zero_sum_of(const TermSpace::Block& block, std::size_t actions) {
  return {block.levels.size(), actions, block.levels_sum_to_zero};
}

// W = V_L S Y V_Aᵀ (or Y V_Aᵀ where levels are free): y row by row.
std::vector<double> weights_of(const TermSpace::Block& block, std::size_t actions,
                               std::span<const double> coordinates) {
  return zero_sum_of(block, actions).weights(stretched(block, actions, coordinates, kTrend));
}

// V_Lᵀ W V_A, stretched by `factor` along the trend and added to y. The inverse of the map above takes
// 1/kTrend, its transpose kTrend.
void add_coordinates(const TermSpace::Block& block, std::size_t actions, const std::vector<double>& weights,
                     double factor, std::span<double> y) {
  std::vector<double> used;
  for (const int level : block.levels) {
    const auto row = weights.begin() + static_cast<std::ptrdiff_t>(level * actions);
    used.insert(used.end(), row, row + static_cast<std::ptrdiff_t>(actions));
  }
  const std::vector<double> result =
      stretched(block, actions, zero_sum_of(block, actions).coordinates(used), factor);
  for (std::size_t i = 0; i < result.size(); ++i) y[i] += result[i];
}

bool is_learned(const PolicyTerm& term) {
  return std::any_of(term.weights.begin(), term.weights.end(), [](double w) { return std::isnan(w); });
}

}  // namespace

std::vector<double> ZeroSum::weights(std::span<const double> y) const {
  std::vector<double> by_row(rows() * columns);
  for (std::size_t r = 0; r < rows(); ++r) {
    helmert_apply<double>(y.subspan(r * (columns - 1), columns - 1),
                          std::span(by_row).subspan(r * columns, columns));
  }
  if (!over_levels) return by_row;
  std::vector<double> result(levels * columns), before(rows()), after(levels);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = 0; r < rows(); ++r) before[r] = by_row[r * columns + c];
    helmert_apply<double>(before, after);
    for (std::size_t l = 0; l < levels; ++l) result[l * columns + c] = after[l];
  }
  return result;
}

std::vector<double> ZeroSum::coordinates(std::span<const double> weights) const {
  std::vector<double> by_row(weights.begin(), weights.end());
  if (over_levels) {
    by_row.assign(rows() * columns, 0.0);
    std::vector<double> before(levels), after(rows());
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t l = 0; l < levels; ++l) before[l] = weights[l * columns + c];
      helmert_transpose<double>(before, after);
      for (std::size_t r = 0; r < rows(); ++r) by_row[r * columns + c] = after[r];
    }
  }
  std::vector<double> y(size());
  for (std::size_t r = 0; r < rows(); ++r) {
    helmert_transpose<double>(std::span<const double>(by_row).subspan(r * columns, columns),
                              std::span(y).subspan(r * (columns - 1), columns - 1));
  }
  return y;
}

TermSpace::TermSpace(const Structure& structure, const PolicyTerms& known)
    : known_(known), actions_(structure.action_count()) {
  if (std::isnan(known.inertia)) mixture_.push_back(kInertia);
  if (std::isnan(known.lapse)) mixture_.push_back(kLapse);
  if (!mixture_.empty()) mixture_.insert(mixture_.begin(), kBelief);
  for (const double share : {known.inertia, known.lapse}) {
    if (!std::isnan(share)) mixture_mass_ -= share;
  }
  size_ = mixture_size();
  for (std::size_t i = 0; i < known.additive.size(); ++i) {
    const PolicyTerm& term = known.additive[i];
    if (!is_learned(term)) continue;
    Block block{
        static_cast<int>(i),   used_levels(structure, term), levels_exclude(known, term), {}, size_, 0,
        term_name(known, term)};
    const int rows = static_cast<int>(block.levels.size()) - (block.levels_sum_to_zero ? 1 : 0);
    const bool may_drift = term.kind == TermKind::kTime && term.period == 0 && rows > 1;
    if (may_drift) block.trend = straight_line(block.levels.size());
    block.size = std::max(0, rows) * (actions_ - 1);
    size_ += block.size;
    blocks_.push_back(std::move(block));
  }
  for (const Block& block : blocks_) {
    auto& weights = known_.additive[block.term].weights;
    std::fill(weights.begin(), weights.end(), 0.0);
  }
}

std::vector<double> TermSpace::mixture_shares(const PolicyTerms& terms) const {
  const double all[] = {1.0 - terms.inertia - terms.lapse, terms.inertia, terms.lapse};
  std::vector<double> shares;
  for (const int i : mixture_) shares.push_back(all[i]);
  return shares;
}

PolicyTerms TermSpace::point(std::span<const double> y) const {
  PolicyTerms terms = known_;
  point(y, terms);
  return terms;
}

void TermSpace::point(std::span<const double> y, PolicyTerms& terms) const {
  if (!mixture_.empty()) {
    std::vector<double> shares(mixture_.size());
    simplex_point<double>(y.first(mixture_size()), mixture_mass_, shares);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (mixture_[i] == kInertia) terms.inertia = shares[i];
      if (mixture_[i] == kLapse) terms.lapse = shares[i];
    }
  }
  for (const Block& block : blocks_) {
    if (block.size == 0) continue;
    const std::vector<double> weights = weights_of(block, actions_, y.subspan(block.offset, block.size));
    auto& target = terms.additive[block.term].weights;
    for (std::size_t l = 0; l < block.levels.size(); ++l) {
      std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(l) * actions_, actions_,
                  target.begin() + static_cast<std::ptrdiff_t>(block.levels[l]) * actions_);
    }
  }
}

void TermSpace::coordinates(const PolicyTerms& terms, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  if (!mixture_.empty()) simplex_coordinates(mixture_shares(terms), y.first(mixture_size()));
  for (const Block& block : blocks_) {
    if (block.size == 0) continue;
    add_coordinates(block, actions_, terms.additive[block.term].weights, 1.0 / kTrend,
                    y.subspan(block.offset, block.size));
  }
}

void TermSpace::pull_back(const PolicyTerms& at, const PolicyTerms& gradient, std::span<double> d_y) const {
  if (!mixture_.empty()) {
    // What is left to belief is 1 − ρ − λ: the gradient by ρ and λ holds it already.
    const double all[] = {0.0, gradient.inertia, gradient.lapse};
    std::vector<double> d_shares;
    for (const int i : mixture_) d_shares.push_back(all[i]);
    simplex_pull_back(mixture_shares(at), mixture_mass_, d_shares, d_y.first(mixture_size()));
  }
  for (const Block& block : blocks_) {
    if (block.size == 0) continue;
    add_coordinates(block, actions_, gradient.additive[block.term].weights, kTrend,
                    d_y.subspan(block.offset, block.size));
  }
}

double TermSpace::log_jacobian(const PolicyTerms& at, std::span<double> d_y) const {
  // Weights are an isometry away from their coordinates, or a constant stretch: only the mixture counts.
  if (mixture_.empty()) return 0.0;
  return simplex_log_jacobian(mixture_shares(at), mixture_mass_,
                              d_y.empty() ? d_y : d_y.first(mixture_size()));
}

std::vector<std::string> TermSpace::names() const {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < mixture_.size(); ++i) {
    names.emplace_back(mixture_[i] == kInertia ? "inertia" : "lapse");
  }
  for (const Block& block : blocks_) names.insert(names.end(), block.size, block.name);
  return names;
}

}  // namespace interpole::model
