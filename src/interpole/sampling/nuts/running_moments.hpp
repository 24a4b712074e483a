// Mean and covariance of a stream of points in one pass (Welford). A sampler learns its metric from it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpole/sampling/nuts/metric.hpp"

namespace interpole::sampling {

struct RunningMoments {
  std::int64_t count = 0;
  std::vector<double> mean;
  std::vector<double> products;  // sums of products of deviations: n (diagonal) or n·n (dense)

  static RunningMoments empty(MetricKind kind, int size);
  void clear();
  void add(std::span<const double> x);

  // The covariance, drawn a little towards 10⁻³·I as if by five more points, so that few points still make a
  // metric. Needs two points.
  std::vector<double> regularised_covariance() const;

 private:
  bool is_dense() const { return products.size() != mean.size(); }  // of one coordinate both are the same
};

}  // namespace interpole::sampling
