#include "interpole/data/mapping/population.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/base/quantile.hpp"

namespace interpole::data {
namespace {

UsedBins around(double mean, double spread, double width) {
  return {{mean - width * spread, mean + width * spread}, mean, spread};
}

}  // namespace

UsedBins stated_bins(const NumericBins& rule) {
  if (rule.rule == BinRule::kSpread && rule.mean) return around(*rule.mean, *rule.spread, rule.width);
  return {rule.cuts, {}, {}};
}

void Population::add(double value) {
  if (!std::isfinite(value)) return;
  ++count_;
  const double off = value - mean_;
  mean_ += off / static_cast<double>(count_);
  squares_ += off * (value - mean_);
  if (rule_->rule == BinRule::kQuantiles) values_.push_back(value);
}

UsedBins Population::bins() {
  if (count_ == 0) return {};
  if (rule_->rule == BinRule::kSpread) {
    const double spread = count_ > 1 ? std::sqrt(squares_ / static_cast<double>(count_ - 1)) : 0.0;
    return around(mean_, spread, rule_->width);
  }
  std::sort(values_.begin(), values_.end());
  UsedBins bins;
  for (const double share : rule_->quantiles) bins.cuts.push_back(base::quantile_of_sorted(values_, share));
  return bins;
}

}  // namespace interpole::data
