// The free numbers of a policy's terms as unconstrained coordinates. A term's weights are V_L Y V_Aᵀ with
// Helmert bases over levels and actions (coordinates.hpp), so that what must sum to zero does, and equal
// steps of coordinates are equal steps of weights; but for those of time, which go further along a straight
// line over the steps. Inertia, lapse and what is left to belief are a simplex.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole::model {

// Weights [level·columns + c] that sum to zero over columns, and over levels if these exclude each other,
// from and to coordinates that are an isometry away.
struct ZeroSum {
  std::size_t levels = 0;
  std::size_t columns = 0;
  bool over_levels = true;

  std::size_t rows() const { return over_levels ? levels - 1 : levels; }
  std::size_t size() const { return rows() * (columns - 1); }
  std::vector<double> weights(std::span<const double> y) const;
  // The inverse, and the transpose: of weights that do not sum to zero, the part that does.
  std::vector<double> coordinates(std::span<const double> weights) const;
};

class TermSpace {
 public:
  // `known`: NaN marks what is to be learned; a term is learned whole or known whole.
  TermSpace(const Structure& structure, const PolicyTerms& known);

  // A learned additive term: coordinates [offset, offset + size).
  struct Block {
    int term = 0;  // of PolicyTerms::additive
    std::vector<int> levels;
    bool levels_sum_to_zero = true;
    std::vector<double> trend;  // of time: the direction of a straight line over the levels; else empty
    int offset = 0;
    int size = 0;
    std::string name;  // habit, time, …
  };

  int size() const { return size_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  // Coordinates of the mixture come first. Of [belief, inertia, lapse], those that are learned.
  const std::vector<int>& mixture() const { return mixture_; }
  int mixture_size() const { return mixture_.empty() ? 0 : static_cast<int>(mixture_.size()) - 1; }

  PolicyTerms point(std::span<const double> y) const;
  void point(std::span<const double> y, PolicyTerms& terms) const;  // terms: from point() before
  void coordinates(const PolicyTerms& terms, std::span<double> y) const;
  // d_y += (∂ terms/∂ y)ᵀ gradient
  void pull_back(const PolicyTerms& at, const PolicyTerms& gradient, std::span<double> d_y) const;
  double log_jacobian(const PolicyTerms& at, std::span<double> d_y) const;
  // Of every coordinate.
  std::vector<std::string> names() const;

 private:
  std::vector<double> mixture_shares(const PolicyTerms& terms) const;

  PolicyTerms known_;
  int actions_ = 0;
  std::vector<int> mixture_;
  double mixture_mass_ = 1.0;
  std::vector<Block> blocks_;
  int size_ = 0;
};

}  // namespace interpole::model
