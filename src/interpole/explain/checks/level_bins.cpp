#include "interpole/explain/checks/level_bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole::explain {
namespace {

std::vector<double> sizes_of(const Levels& levels, const std::vector<double>& totals) {
  std::vector<double> sizes(levels.words.size(), 0.0);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (levels.of_site[i] >= 0) sizes[levels.of_site[i]] += totals[i];
  }
  return sizes;
}

void renumber(Levels& levels, const std::vector<std::int32_t>& number) {
  for (std::int32_t& level : levels.of_site) level = level < 0 ? -1 : number[level];
}

}  // namespace

void pool_tail(Levels& levels, const std::vector<double>& totals, const std::string& ending) {
  const auto sizes = sizes_of(levels, totals);
  std::size_t end = 0;
  while (end < sizes.size() && sizes[end] >= kFewestAtLevel) ++end;
  const double rest = std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(end), sizes.end(), 0.0);
  if (end == sizes.size()) return;
  const bool own = rest >= kFewestAtLevel;
  const std::size_t kept = own ? end + 1 : end;
  if (kept == 0) {
    levels.words.clear();
    std::fill(levels.of_site.begin(), levels.of_site.end(), -1);
    return;
  }
  std::vector<std::int32_t> number(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) number[k] = static_cast<std::int32_t>(std::min(k, kept - 1));
  levels.words.resize(kept);
  if (rest > 0.0 && !levels.words.back().ends_with(ending)) levels.words.back() += ending;
  renumber(levels, number);
}

void pool_small(Levels& levels, const std::vector<double>& totals, const std::string& rest) {
  const auto sizes = sizes_of(levels, totals);
  std::vector<std::int32_t> number(sizes.size(), -1);
  std::vector<std::string> words;
  double small = 0.0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] < kFewestAtLevel) {
      small += sizes[k];
      continue;
    }
    number[k] = static_cast<std::int32_t>(words.size());
    words.push_back(levels.words[k]);
  }
  if (small >= kFewestAtLevel) {
    std::replace(number.begin(), number.end(), -1, static_cast<int>(words.size()));
    words.push_back(rest);
  }
  levels.words = std::move(words);
  renumber(levels, number);
}

Levels quantile_bins(const std::vector<double>& values, const std::vector<double>& totals, int bins) {
  std::vector<std::size_t> order;
  double total = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    order.push_back(i);
    total += totals[i];
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return values[x] < values[y]; });
  Levels levels;
  levels.of_site.assign(values.size(), -1);
  levels.words.resize(bins);
  double before = 0.0;
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    double here = 0.0;
    while (end < order.size() && values[order[end]] == values[order[i]]) here += totals[order[end++]];
    // By the middle of those with this value.
    const int bin = std::min(bins - 1, static_cast<int>((before + 0.5 * here) / total * bins));
    const std::string text = fmt::format("{:.3g}", values[order[i]]);
    if (levels.words[bin].empty()) levels.words[bin] = "from " + text;
    levels.words[bin] = levels.words[bin].substr(0, levels.words[bin].find(" to ")) + " to " + text;
    for (; i < end; ++i) levels.of_site[order[i]] = bin;
    before += here;
  }
  return levels;
}

}  // namespace interpole::explain
