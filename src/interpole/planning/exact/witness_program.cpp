#include "interpole/planning/exact/witness_program.hpp"

#include <ClpFactorization.hpp>
#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>

#include "interpole/planning/alpha_vectors.hpp"

namespace interpole::planning {
namespace {

constexpr std::size_t kFewRows = 12;     // up to here all rows are given at once
constexpr double kClpTolerance = 1e-11;  // rows are scaled to 1 before
constexpr double kRounding = 1e-13;

struct Lowest {
  std::size_t row = 0;
  double value = INFINITY;
};

Lowest lowest_at(std::span<const double> rows, std::span<const double> belief) {
  const std::size_t S = belief.size();
  Lowest lowest;
  for (std::size_t i = 0; i * S < rows.size(); ++i) {
    const double value = expectation(rows.subspan(i * S, S), belief);
    if (value < lowest.value) lowest = {i, value};
  }
  return lowest;
}

}  // namespace

// Columns 0 … S−1 are the belief, column S is δ, to be maximised. Row 0 says that a belief sums to one, the
// others that row · b − δ ≥ 0.
class WitnessProgram::Solver {
 public:
  explicit Solver(std::size_t states) : states_(states), indices_(states + 1), row_(states + 1) {
    model_.setLogLevel(0);
    model_.scaling(0);  // rows come scaled
    // 2: the factorisation for small problems. The usual one takes and returns 300 kB for every program.
    model_.factorization()->forceOtherFactorization(2);
    model_.setPerturbation(100);  // off: the programs are tiny, and answers should be vertices, exactly
    model_.setPrimalTolerance(kClpTolerance);
    model_.setDualTolerance(kClpTolerance);
    for (std::size_t i = 0; i <= states; ++i) indices_[i] = static_cast<int>(i);
  }

  void begin() {
    std::vector<CoinBigIndex> starts(states_ + 2);
    for (std::size_t i = 0; i <= states_ + 1; ++i)
      starts[i] = static_cast<CoinBigIndex>(std::min(i, states_));
    const std::vector<int> rows(states_, 0);
    const std::vector<double> ones(states_, 1.0);
    std::vector<double> lower(states_ + 1, 0.0);
    std::vector<double> objective(states_ + 1, 0.0);
    const std::vector<double> upper(states_ + 1, 2.0);  // of rows within ±1 nothing exceeds this
    lower[states_] = -2.0;
    objective[states_] = -1.0;  // Clp minimises
    const double one = 1.0;
    model_.loadProblem(static_cast<int>(states_ + 1), 1, starts.data(), rows.data(), ones.data(),
                       lower.data(), upper.data(), objective.data(), &one, &one);
  }

  void add(std::span<const double> row, double scale) {
    for (std::size_t s = 0; s < states_; ++s) row_[s] = row[s] / scale;
    row_[states_] = -1.0;
    model_.addRow(static_cast<int>(states_ + 1), indices_.data(), row_.data(), 0.0, COIN_DBL_MAX);
  }

  // Returns the maximum, or infinity if Clp found none; writes where it is.
  double solve(std::span<double> belief) {
    model_.dual(0, 1);  // 1: keep the work areas, most of the cost of a program this small
    if (model_.status() != 0) model_.primal();
    if (model_.status() != 0) return INFINITY;
    const double* columns = model_.primalColumnSolution();
    double sum = 0.0;
    for (std::size_t s = 0; s < states_; ++s) sum += belief[s] = std::max(0.0, columns[s]);
    for (double& b : belief) b /= sum;
    return columns[states_];
  }

 private:
  std::size_t states_;
  std::vector<int> indices_;
  std::vector<double> row_;
  ClpSimplex model_;
};

WitnessProgram::WitnessProgram(int states)
    : states_(static_cast<std::size_t>(states)),
      solver_(std::make_unique<Solver>(states_)),
      belief_(states_, 1.0 / states) {}

WitnessProgram::~WitnessProgram() = default;

std::vector<std::size_t> WitnessProgram::first_rows(std::span<const double> rows) const {
  const std::size_t count = rows.size() / states_;
  std::vector<std::size_t> first;
  if (count <= kFewRows) {
    for (std::size_t i = 0; i < count; ++i) first.push_back(i);
    return first;
  }
  for (std::size_t s = 0; s < states_; ++s) {
    std::size_t lowest = 0;
    for (std::size_t i = 1; i < count; ++i) {
      if (rows[i * states_ + s] < rows[lowest * states_ + s]) lowest = i;
    }
    if (std::find(first.begin(), first.end(), lowest) == first.end()) first.push_back(lowest);
  }
  return first;
}

WitnessProgram::Answer WitnessProgram::solve(std::span<const double> rows, double threshold,
                                             bool to_the_end) {
  std::fill(belief_.begin(), belief_.end(), 1.0 / static_cast<double>(states_));
  if (rows.empty()) return {INFINITY, INFINITY};
  double scale = 0.0;
  for (const double x : rows) scale = std::max(scale, std::abs(x));
  if (scale == 0.0) return {0.0, 0.0};
  Lowest lowest = lowest_at(rows, belief_);
  if (!to_the_end && lowest.value > threshold) return {lowest.value, INFINITY};

  std::vector<char> given(rows.size() / states_, 0);
  const auto give = [&](std::size_t i) {
    given[i] = 1;
    solver_->add(rows.subspan(i * states_, states_), scale);
  };
  solver_->begin();
  for (const std::size_t i : first_rows(rows)) give(i);
  if (given[lowest.row] == 0) give(lowest.row);

  Answer answer{lowest.value, INFINITY};
  std::vector<double> best = belief_;
  for (;;) {
    ++solved_;
    answer.bound = std::min(answer.bound, scale * solver_->solve(belief_));
    lowest = lowest_at(rows, belief_);
    if (lowest.value > answer.reached) {
      answer.reached = lowest.value;
      best = belief_;
    }
    const bool settled = answer.bound <= answer.reached + kRounding * scale || given[lowest.row] != 0;
    const bool decided = !to_the_end && (answer.bound <= threshold || answer.reached > threshold);
    if (settled || decided) break;
    give(lowest.row);
  }
  belief_ = best;
  return answer;
}

}  // namespace interpole::planning
