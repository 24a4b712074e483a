#include "interpole/sampling/effective_sample_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace interpole::sampling {
namespace {

struct Moments {
  double mean = 0.0;
  double variance = 0.0;  // of a sample
};

// Sums start from the first value, so that equal values have a variance of exactly zero.
Moments moments_of(const double* x, int n) {
  Moments m;
  for (int i = 0; i < n; ++i) m.mean += x[i] - x[0];
  m.mean = x[0] + m.mean / n;
  for (int i = 0; i < n; ++i) m.variance += (x[i] - m.mean) * (x[i] - m.mean);
  m.variance /= n - 1;
  return m;
}

// Within and between: all that R̂ is made of.
struct Spread {
  double within = 0.0;    // mean variance of a chain
  double of_means = 0.0;  // variance of the chains' means
};

Spread spread_of(const ChainTable& table) {
  std::vector<double> means;
  Spread spread;
  for (int c = 0; c < table.chains; ++c) {
    const Moments m = moments_of(table.chain(c), table.draws);
    means.push_back(m.mean);
    spread.within += m.variance / table.chains;
  }
  if (table.chains > 1) spread.of_means = moments_of(means.data(), table.chains).variance;
  return spread;
}

// Autocorrelations over all chains, one lag at a time.
class Autocorrelation {
 public:
  explicit Autocorrelation(const ChainTable& table) : centred_(table), spread_(spread_of(table)) {
    total_ = spread_.within * (table.draws - 1) / table.draws + spread_.of_means;
    for (int c = 0; c < table.chains; ++c) {
      double* x = &centred_.values[static_cast<std::size_t>(c) * table.draws];
      const double mean = moments_of(x, table.draws).mean;
      for (int i = 0; i < table.draws; ++i) x[i] -= mean;
    }
  }

  bool moves() const { return spread_.within > 0.0; }

  double at(int lag) const {
    const int n = centred_.draws;
    double covariance = 0.0;
    for (int c = 0; c < centred_.chains; ++c) covariance += product(centred_.chain(c), lag);
    covariance /= static_cast<double>(n) * centred_.chains;
    return 1.0 - (spread_.within - covariance) / total_;
  }

 private:
  // Four running sums, so that an addition need not wait for the one before.
  double product(const double* x, int lag) const {
    const int n = centred_.draws - lag;
    double sums[4] = {};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
      for (int k = 0; k < 4; ++k) sums[k] += x[i + k] * x[i + k + lag];
    }
    for (; i < n; ++i) sums[0] += x[i] * x[i + lag];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  ChainTable centred_;
  Spread spread_;
  double total_ = 0.0;
};

}  // namespace

double plain_r_hat(const ChainTable& table) {
  const Spread spread = spread_of(table);
  if (spread.within == 0.0) {
    return spread.of_means > 0.0 ? std::numeric_limits<double>::infinity() : 1.0;
  }
  const double n = table.draws;
  return std::sqrt((n - 1.0) / n + spread.of_means / spread.within);
}

double plain_effective_sample_size(const ChainTable& table) {
  const double all = static_cast<double>(table.chains) * table.draws;
  const Autocorrelation rho(table);
  if (!rho.moves()) return table.chains;  // each says one thing

  // Sums of neighbouring pairs (even lag, odd lag) are positive and fall with the lag for every reversible
  // chain. Pairs are added while positive, none counting more than the one before it. Of the pair at which
  // the sum is cut, half the even lag is kept if positive: for chains that alternate this errs less.
  double sum = 0.0;
  double smallest = std::numeric_limits<double>::infinity();
  int lag = 0;
  double even = 1.0;
  for (;; lag += 2) {
    if (lag > 0) even = rho.at(lag);
    const double pair = even + rho.at(lag + 1);
    if (!(pair > 0.0) || lag + 5 >= table.draws) break;
    smallest = std::min(smallest, pair);
    sum += smallest;
  }
  const double time = -1.0 + 2.0 * sum + std::max(0.0, even);
  return all / std::max(time, 1.0 / std::log10(all));
}

}  // namespace interpole::sampling
