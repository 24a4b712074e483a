#include "interpole/data/draft/guess_seen.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "interpole/data/draft/mapped_draft.hpp"
#include "interpole/error.hpp"
#include "interpole/study.hpp"

namespace interpole::data {
namespace {

CodedRows rows_of(const std::string& path, const ShapedTable& shaped, const StudyGuess& guess) {
  return coded_rows(parse_study(mapped_draft(path, shaped, guess, DraftForm::kLevels), "the draft"),
                    data_file(path));
}

constexpr std::size_t kMostWeighed = 12;
constexpr double kTells = 0.01;   // nats per decision: the factor says something about decisions
constexpr double kWorthIt = 0.1;  // of what the most telling one says

// How much better decisions are foretold if one knows each factor alone.
std::vector<double> gains_of(const std::string& path, const ShapedTable& shaped, const StudyGuess& guess,
                             const std::vector<FactorGuess>& pool) {
  std::vector<double> gains;
  for (std::size_t begin = 0; begin < pool.size(); begin += kMostFactors) {
    StudyGuess part = guess;
    part.factors.assign(
        pool.begin() + static_cast<std::ptrdiff_t>(begin),
        pool.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kMostFactors, pool.size())));
    for (const double gain : factor_gains(rows_of(path, shaped, part))) gains.push_back(gain);
  }
  return gains;
}

// Where some factors tell of decisions, those that tell most; the others become candidates. What only some
// actions yield stays in any case.
void choose_factors(const std::string& path, const ShapedTable& shaped, StudyGuess& guess) {
  std::vector<FactorGuess> pool = guess.factors;
  const std::size_t room = kMostWeighed - std::min(kMostWeighed, pool.size());
  const std::size_t further = std::min(room, guess.candidates.size());
  pool.insert(pool.end(), guess.candidates.begin(),
              guess.candidates.begin() + static_cast<std::ptrdiff_t>(further));
  if (pool.size() < 2) return;
  const std::vector<double> gains = gains_of(path, shaped, guess, pool);
  const double best = *std::max_element(gains.begin(), gains.end());
  if (best < kTells) return;
  std::vector<std::size_t> order(pool.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t k) { return std::pair(pool[k].yielded_by.empty(), -gains[k]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return rank(x) < rank(y); });
  std::vector<FactorGuess> chosen, left;
  double outcomes = 1.0;
  const double most = most_outcomes(shaped.table->profile().rows);
  for (const std::size_t k : order) {
    const bool tells = !pool[k].yielded_by.empty() || gains[k] > kWorthIt * best;
    const bool fits =
        chosen.empty() || (chosen.size() < kMostFactors && outcomes * outcome_levels(pool[k]) <= most);
    if (tells && fits) outcomes *= outcome_levels(pool[k]);
    (tells && fits ? chosen : left).push_back(pool[k]);
  }
  left.insert(left.end(), guess.candidates.begin() + static_cast<std::ptrdiff_t>(further),
              guess.candidates.end());
  guess.factors = std::move(chosen);
  guess.candidates = std::move(left);
}

}  // namespace

void guess_seen(const std::string& path, const ShapedTable& shaped, StudyGuess& guess) {
  choose_factors(path, shaped, guess);
  const CodedRows rows = rows_of(path, shaped, guess);
  guess.seen = weigh_readings(rows);
  for (std::size_t k = 0; k < guess.factors.size(); ++k) {
    FactorGuess& factor = guess.factors[k];
    factor.seen = guess.seen.best[k];
    if (factor.seen == Reading::kAfter) continue;
    // What was ordered at one visit stands in the row of the next.
    factor.yielded_by.clear();
    for (const int action : yielding_actions(rows, k)) {
      factor.yielded_by.push_back(guess.action.names[static_cast<std::size_t>(action)]);
    }
  }
}

}  // namespace interpole::data
