#include "interpole/explain/checks/check_family.hpp"

#include <cmath>

namespace interpole::explain {
namespace {

// The most of Σ|x|³/(Σ x²)^1.5, the bound of Berry and Esseen on how far a sum is from normal. A count must
// be expected to vary by more than three to keep to it.
constexpr double kMostRoughness = 0.3;

// Regressors of one site: which, Σ x, and (of levels and numbers) x itself.
template <class Visit>
void for_regressors(const CheckFamily& family, const CategorySites& sites, std::size_t i,
                    const Visit& visit) {
  const auto C = static_cast<std::size_t>(sites.categories);
  if (!family.level.empty()) {
    if (family.level[i] >= 0) visit(family.level[i], sites.totals[i]);
    return;
  }
  if (!family.sums.empty()) {
    double sum = 0.0;
    for (std::size_t c = 0; c < C; ++c) sum += family.sums[i * C + c];
    visit(0, sum);
    return;
  }
  const auto K = static_cast<std::size_t>(family.regressors());
  for (std::size_t k = 0; k < K; ++k) {
    const double x = family.values[i * K + k];
    if (x != 0.0) visit(static_cast<int>(k), x * sites.totals[i]);
  }
}

// Σ x_k x_l over what happened at a site.
template <class Visit>
void for_products(const CheckFamily& family, const CategorySites& sites, std::size_t i, const Visit& visit) {
  const auto C = static_cast<std::size_t>(sites.categories);
  if (!family.level.empty()) {
    if (family.level[i] >= 0) visit(family.level[i], family.level[i], sites.totals[i]);
    return;
  }
  if (!family.sums.empty()) {
    double sum = 0.0;
    for (std::size_t c = 0; c < C; ++c) sum += family.squares[i * C + c];
    visit(0, 0, sum);
    return;
  }
  const auto K = static_cast<std::size_t>(family.regressors());
  for (std::size_t k = 0; k < K; ++k) {
    for (std::size_t l = 0; l < K; ++l) {
      const double product = family.values[i * K + k] * family.values[i * K + l];
      if (product != 0.0) visit(static_cast<int>(k), static_cast<int>(l), product * sites.totals[i]);
    }
  }
}

double score_mean(const CheckFamily& family, const double* probabilities, std::size_t i, std::size_t C) {
  double mean = 0.0;
  for (std::size_t c = 0; c < C; ++c) mean += probabilities[c] * family.scores[i * C + c];
  return mean;
}

double score_variance(const CheckFamily& family, const double* probabilities, std::size_t i, std::size_t C) {
  const double mean = score_mean(family, probabilities, i, C);
  double variance = 0.0;
  for (std::size_t c = 0; c < C; ++c) {
    const double apart = family.scores[i * C + c] - mean;
    variance += probabilities[c] * apart * apart;
  }
  return variance;
}

}  // namespace

Eigen::VectorXd observed_sums(const CheckFamily& family, const CategorySites& sites) {
  const auto C = static_cast<std::size_t>(sites.categories);
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(family.features(sites.categories));
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (sites.totals[i] <= 0.0) continue;
    if (!family.sums.empty()) {
      for (std::size_t c = 0; c < C; ++c) sums[c] += family.sums[i * C + c];
      continue;
    }
    for_regressors(family, sites, i, [&](int k, double total) {
      const double x = total / sites.totals[i];
      for (std::size_t c = 0; c < C; ++c) {
        const double n = x * sites.counts[i * C + c];
        if (family.scores.empty()) {
          sums[k * static_cast<int>(C) + static_cast<int>(c)] += n;
        } else {
          sums[k] += n * family.scores[i * C + c];
        }
      }
    });
  }
  return sums;
}

Eigen::VectorXd expected_sums(const CheckFamily& family, const CategorySites& sites,
                              const std::vector<double>& probabilities) {
  const auto C = static_cast<std::size_t>(sites.categories);
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(family.features(sites.categories));
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double* p = &probabilities[i * C];
    for_regressors(family, sites, i, [&](int k, double total) {
      if (!family.scores.empty()) {
        sums[k] += total * score_mean(family, p, i, C);
        return;
      }
      for (std::size_t c = 0; c < C; ++c) sums[k * static_cast<int>(C) + static_cast<int>(c)] += total * p[c];
    });
  }
  return sums;
}

Eigen::MatrixXd chance_covariance(const CheckFamily& family, const CategorySites& sites,
                                  const std::vector<double>& probabilities) {
  const auto C = static_cast<std::size_t>(sites.categories);
  const int features = family.features(sites.categories);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(features, features);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double* p = &probabilities[i * C];
    for_products(family, sites, i, [&](int k, int l, double total) {
      if (!family.scores.empty()) {
        covariance(k, l) += total * score_variance(family, p, i, C);
        return;
      }
      for (std::size_t c = 0; c < C; ++c) {
        for (std::size_t d = 0; d < C; ++d) {
          const double shared = (c == d ? p[c] : 0.0) - p[c] * p[d];
          covariance(k * static_cast<int>(C) + static_cast<int>(c),
                     l * static_cast<int>(C) + static_cast<int>(d)) += total * shared;
        }
      }
    });
  }
  return covariance;
}

namespace {

// Σ |x|³ E|1[c] − p|³ (or of scores) of every sum; of records by their places, whose |x| is at most a half, a
// bound of it.
Eigen::VectorXd third_moments(const CheckFamily& family, const CategorySites& sites,
                              const std::vector<double>& probabilities) {
  const auto C = static_cast<std::size_t>(sites.categories);
  Eigen::VectorXd moments = Eigen::VectorXd::Zero(family.features(sites.categories));
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double* p = &probabilities[i * C];
    for_products(family, sites, i, [&](int k, int l, double squares) {
      if (k != l || sites.totals[i] <= 0.0) return;
      const double size = family.sums.empty() ? std::sqrt(squares / sites.totals[i]) : 0.5;
      if (!family.scores.empty()) {
        const double mean = score_mean(family, p, i, C);
        for (std::size_t c = 0; c < C; ++c) {
          moments[k] += squares * size * p[c] * std::pow(std::abs(family.scores[i * C + c] - mean), 3);
        }
        return;
      }
      for (std::size_t c = 0; c < C; ++c) {
        moments[k * static_cast<int>(C) + static_cast<int>(c)] += squares * size * p[c] * (1.0 - p[c]);
      }
    });
  }
  return moments;
}

}  // namespace

std::vector<int> tested_sums(const CheckFamily& family, const CategorySites& sites,
                             const std::vector<double>& probabilities, const Eigen::MatrixXd& chance) {
  const Eigen::VectorXd third = third_moments(family, sites, probabilities);
  const int of_one = family.scores.empty() ? sites.categories : 1;
  std::vector<int> tested;
  for (int k = 0; k < family.regressors(); ++k) {
    Eigen::Index most = -1;
    if (of_one > 1) chance.diagonal().segment(Eigen::Index{k} * of_one, of_one).maxCoeff(&most);
    for (int c = 0; c < of_one; ++c) {
      const int j = k * of_one + c;
      const double variance = chance(j, j);
      if (c == most || third[j] > kMostRoughness * std::pow(variance, 1.5) || variance <= 0.0) continue;
      tested.push_back(j);
    }
  }
  return tested;
}

Eigen::VectorXd regressor_totals(const CheckFamily& family, const CategorySites& sites) {
  Eigen::VectorXd totals = Eigen::VectorXd::Zero(family.regressors());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for_products(family, sites, i, [&](int k, int l, double total) {
      if (k == l) totals[k] += total;
    });
  }
  return totals;
}

}  // namespace interpole::explain
