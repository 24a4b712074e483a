#include "interpole/learn/groups/group_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

constexpr int kGridPoints = 12;
constexpr double kLeastCurvature = 1e-3;  // as in an expansion of the posterior
// Beyond this, integrals take too long to try every choice of kinds of rows.
constexpr int kManyCoordinates = 300;

double scale_of(const GroupScales& scales, const GroupSpace::Deviation& deviation) {
  switch (deviation.cause) {
    case GroupCause::kPatients:
      return scales.patients.of(deviation.field);
    case GroupCause::kPicture:
      return scales.picture.of(deviation.field);
    default:
      return scales.policy;
  }
}

}  // namespace

std::vector<ScaleOption> scale_options(const GroupSpace& space, GroupCause cause) {
  const ScaleGrid grid = scale_grid(kGridPoints);
  std::vector<ScaleOption> options;
  if (cause == GroupCause::kPolicy) {
    for (std::size_t j = 0; j < grid.sigma.size(); ++j)
      options.push_back({{}, grid.sigma[j], grid.log_weight[j]});
    return options;
  }
  std::vector<Field> fields;
  for (const Field field : kCoupledFields) {
    const auto& all = space.deviations();
    if (std::any_of(all.begin(), all.end(),
                    [&](const auto& d) { return d.cause == cause && d.field == field; })) {
      fields.push_back(field);
    }
  }
  std::vector<unsigned> choices;
  const unsigned every = (1U << fields.size()) - 1U;
  for (unsigned choice = 1; choice <= every; ++choice) {
    if (space.size() <= kManyCoordinates || choice == every) choices.push_back(choice);
  }
  for (const unsigned choice : choices) {
    for (std::size_t j = 0; j < grid.sigma.size(); ++j) {
      ScaleOption option{{}, 0.0, grid.log_weight[j] - std::log(static_cast<double>(choices.size()))};
      for (std::size_t f = 0; f < fields.size(); ++f) {
        if ((choice >> f & 1U) != 0) option.rows.of(fields[f]) = grid.sigma[j];
      }
      options.push_back(option);
    }
  }
  return options;
}

const ScaleOption& widest_option(const std::vector<ScaleOption>& options, double scale) {
  const auto grid = scale_grid(kGridPoints).sigma;
  const auto nearest = std::min_element(grid.begin(), grid.end(), [&](double x, double y) {
    return std::abs(std::log(x / scale)) < std::abs(std::log(y / scale));
  });
  return *(options.end() - kGridPoints +
           (nearest - grid.begin()));  // the last choice of kinds is all of them
}

void set_scales(GroupScales& scales, GroupCause cause, const ScaleOption& option) {
  if (cause == GroupCause::kPatients) scales.patients = option.rows;
  if (cause == GroupCause::kPicture) scales.picture = option.rows;
  if (cause == GroupCause::kPolicy) scales.policy = option.policy;
}

GroupExpansion::GroupExpansion(GroupedPosterior& posterior, std::span<const double> y)
    : common_(posterior.space().common().size()),
      groups_(posterior.space().group_count()),
      deviations_(posterior.space().deviations()) {
  const SecondOrder order = posterior.without_deviation_prior(y);
  const auto n = static_cast<Eigen::Index>(y.size());
  Eigen::VectorXd unit = Eigen::VectorXd::Ones(n);
  for (int g = 0; g < groups_; ++g) {
    for (std::size_t d = 0; d < deviations_.size(); ++d) {
      unit[posterior.space().offset_of(g) + static_cast<Eigen::Index>(d)] = deviations_[d].unit;
    }
  }
  at_ = Eigen::Map<const Eigen::VectorXd>(y.data(), n).cwiseProduct(unit);
  const Eigen::VectorXd inverse = unit.cwiseInverse();
  bend_ = -(inverse.asDiagonal() * Eigen::Map<const Eigen::MatrixXd>(order.second.data(), n, n) *
            inverse.asDiagonal());
  slope_ = Eigen::Map<const Eigen::VectorXd>(order.gradient.data(), n).cwiseProduct(inverse);
  value_ = order.value;
}

double GroupExpansion::log_evidence(const GroupScales& scales, bool* proper) const {
  if (!bend_.allFinite()) {
    if (proper != nullptr) *proper = false;
    return -INFINITY;
  }
  // Deviations without τ move to zero; the others stay where they are, and are then maximised.
  Eigen::VectorXd start = at_;
  std::vector<Eigen::Index> places;
  std::vector<double> precisions(common_, 0.0);
  places.reserve(common_);
  for (int i = 0; i < common_; ++i) places.push_back(i);
  double result = value_;
  for (int g = 0; g < groups_; ++g) {
    for (std::size_t d = 0; d < deviations_.size(); ++d) {
      const Eigen::Index i =
          common_ + g * static_cast<Eigen::Index>(deviations_.size()) + static_cast<Eigen::Index>(d);
      const double scale = scale_of(scales, deviations_[d]);
      if (scale == 0.0) {
        start[i] = 0.0;
        continue;
      }
      places.push_back(i);
      precisions.push_back(1.0 / (scale * scale));
      result -= std::log(scale) + 0.5 * std::log(2.0 * std::numbers::pi) +
                0.5 * start[i] * start[i] / (scale * scale);
    }
  }
  const Eigen::VectorXd step = start - at_;
  const Eigen::VectorXd bent = bend_ * step;
  result += slope_.dot(step) - 0.5 * step.dot(bent);
  const auto m = static_cast<Eigen::Index>(places.size());
  Eigen::MatrixXd bend(m, m);
  Eigen::MatrixXd slope(m, 1);
  for (Eigen::Index i = 0; i < m; ++i) {
    slope(i, 0) = slope_[places[i]] - bent[places[i]] - precisions[i] * start[places[i]];
    for (Eigen::Index j = 0; j < m; ++j) bend(i, j) = bend_(places[i], places[j]);
    bend(i, i) += precisions[i];
  }
  result += 0.5 * static_cast<double>(m) * std::log(2.0 * std::numbers::pi);
  const auto solved = optimize::definite_solve(bend, slope);
  const auto determinant = optimize::definite_log_determinant(bend);
  if (solved && determinant) return result + 0.5 * slope.col(0).dot(solved->col(0)) - 0.5 * *determinant;
  if (proper != nullptr) *proper = false;
  const Eigen::VectorXd values = optimize::symmetric_eigenvalues(bend).cwiseMax(kLeastCurvature);
  return result - 0.5 * values.array().log().sum();
}

}  // namespace interpole::learn
