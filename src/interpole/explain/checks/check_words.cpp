#include "interpole/explain/checks/check_words.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <numbers>
#include <numeric>

namespace interpole::explain {
namespace {

using Unit = ModelCheck::Unit;

// The value that a standard normal number exceeds with probability (1 − level)/2, by Newton's method.
double normal_reach(double level) {
  double z = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double beyond = std::erfc(z / std::numbers::sqrt2) - (1.0 - level);
    z += beyond / (std::sqrt(2.0 / std::numbers::pi) * std::exp(-0.5 * z * z));
  }
  return z;
}

std::string words_of(const Structure& structure, const CheckFamily& family, int categories, int feature) {
  if (!family.scores.empty()) return family.levels[feature] + ", " + family.what_is_scored;
  return fmt::format("{}, \"{}\" is chosen", family.levels[feature / categories],
                     structure.actions[feature % categories]);
}

Unit unit_of(const CheckFamily& family) {
  if (!family.level.empty()) return Unit::kShare;
  return family.sums.empty() ? Unit::kCorrelation : Unit::kChange;
}

// By which sums are divided to be shares, changes or correlations.
double divisor(const CheckFamily& family, const CategorySites& sites, const Eigen::VectorXd& totals,
               const Eigen::MatrixXd& chance, int feature) {
  const int regressor = family.scores.empty() ? feature / sites.categories : feature;
  if (unit_of(family) != Unit::kCorrelation) return totals[regressor];
  const double events = std::accumulate(sites.totals.begin(), sites.totals.end(), 0.0);
  return std::sqrt(chance(feature, feature) * events);
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string percent(double share) {
  return fmt::format("{:.{}f}", 100.0 * share, std::abs(share) < 0.095 ? 1 : 0);
}

std::string comparison(const ModelCheck& check) {
  const CheckedNumber& x = check.most;
  switch (check.unit) {
    case Unit::kShare:
      return fmt::format("{} in {}% of cases; the model expects {}% [{}, {}]", x.words, percent(x.observed),
                         percent(x.expected), percent(x.low), percent(x.high));
    case Unit::kChange:
      return fmt::format("{} {} often by {} points; the model expects a change of {} [{}, {}]", x.words,
                         x.observed > 0.0 ? "more" : "less", percent(std::abs(x.observed)),
                         percent(x.expected), percent(x.low), percent(x.high));
    case Unit::kCorrelation:
      break;
  }
  return fmt::format("{}: the correlation is {:.3f}; the model expects {:.3f} [{:.3f}, {:.3f}]", x.words,
                     x.observed, x.expected, x.low, x.high);
}

}  // namespace

ModelCheck checked_numbers(const Structure& structure, const CheckFamily& family, const CategorySites& sites,
                           const Eigen::VectorXd& observed, const Eigen::VectorXd& expected,
                           const Eigen::MatrixXd& chance, const JointChiSquare& test, double level) {
  ModelCheck check;
  check.name = family.name;
  check.question = family.question;
  check.meaning = family.meaning;
  check.unit = unit_of(family);
  check.statistic = test.statistic;
  check.degrees = test.degrees;
  check.p_value = test.p_value;
  const double reach = normal_reach(level);
  const Eigen::VectorXd totals = regressor_totals(family, sites);
  double most = -1.0;
  for (int j = 0; j < observed.size(); ++j) {
    const double by = divisor(family, sites, totals, chance, j);
    if (!(by > 0.0)) continue;
    // A correlation is that of what is left after the expectation.
    const double middle = check.unit == Unit::kCorrelation ? 0.0 : expected[j] / by;
    const double value = middle + (observed[j] - expected[j]) / by;
    const double error = test.deviation[j] / by;
    check.numbers.push_back({words_of(structure, family, sites.categories, j), value, middle,
                             middle - reach * error, middle + reach * error});
    const double size = error > 0.0 ? std::abs(value - middle) / error : 0.0;
    if (size <= most) continue;
    most = size;
    check.most = check.numbers.back();
  }
  return check;
}

std::string sentence_of(const ModelCheck& check) {
  if (!check.failed) return capitalised(check.question) + ": as the model expects.";
  return fmt::format("{}: {}.", capitalised(comparison(check)), check.meaning);
}

}  // namespace interpole::explain
