#include "interpole/data/seen/seen_evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "interpole/data/mapping/mapped_table.hpp"
#include "interpole/data/records/visits.hpp"
#include "interpole/data/seen/logistic.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kFolds = 5;
constexpr std::size_t kFewestRecords = 5;
constexpr double kRidge = 1.0;
constexpr int kThirds = 3;  // levels of what was measured
// How much of what was seen earlier is left when something new is seen.
constexpr std::array<double, 4> kMemories = {0.0, 0.5, 0.8, 1.0};
constexpr double kClear = 3.0;        // standard errors
constexpr double kFlip = 2.5;         // for one factor to be read otherwise than the rest
constexpr double kWorthwhile = 1e-3;  // nats per decision: less makes no difference to anybody
// Of the uncertainty about whether a value is there, how much the action beside it must take away.
constexpr double kToldByGaps = 0.5;
constexpr double kSometimesThere = 0.03;

struct Fill {
  double there = 0.0;
  double total = 0.0;
};

double entropy(const Fill& fill) {
  if (fill.total == 0.0 || fill.there == 0.0 || fill.there == fill.total) return 0.0;
  const double p = fill.there / fill.total;
  return -p * std::log(p) - (1.0 - p) * std::log(1.0 - p);
}

// The share of the uncertainty about a value's being there that the actions take away.
double explained(const std::vector<Fill>& by_action) {
  Fill all;
  double left = 0.0;
  for (const Fill& fill : by_action) {
    all.there += fill.there;
    all.total += fill.total;
  }
  if (all.there < kSometimesThere * all.total || all.there > (1.0 - kSometimesThere) * all.total) return 0.0;
  for (const Fill& fill : by_action) left += fill.total / all.total * entropy(fill);
  return 1.0 - left / entropy(all);
}

// A test's result stands where the test was ordered, or in the row after it.
std::optional<Reading> reading_by_gaps(const CodedRows& rows, std::size_t factor) {
  std::vector<Fill> beside(static_cast<std::size_t>(rows.actions));
  std::vector<Fill> later = beside;
  std::size_t begin = 0;
  for (const std::size_t end : rows.ends) {
    for (std::size_t i = begin; i < end; ++i) {
      const double there = rows.digit(i, factor) > 0 ? 1.0 : 0.0;
      Fill& own = beside[rows.action[i]];
      own.there += there;
      own.total += 1.0;
      if (i == begin) continue;
      Fill& previous = later[rows.action[i - 1]];
      previous.there += there;
      previous.total += 1.0;
    }
    begin = end;
  }
  const double own = explained(beside);
  const double previous = explained(later);
  if (std::max(own, previous) < kToldByGaps) return std::nullopt;
  return own >= previous ? Reading::kAfter : Reading::kBefore;
}

// How well readings foresee the actions of the rows.
class Foresight {
 public:
  explicit Foresight(const CodedRows& rows) : rows_(rows) {
    std::size_t record = 0;
    for (std::size_t i = 0; i < rows.action.size(); ++i) {
      while (i >= rows.ends[record]) ++record;
      record_of_.push_back(record);
    }
    for (std::size_t k = 0; k < rows.factors(); ++k) {
      first_.push_back(evidence_count_);
      evidence_count_ += static_cast<std::size_t>(std::max(0, rows.levels[k] - 1));
    }
    find_means();
  }

  std::size_t records() const { return rows_.ends.size(); }
  std::size_t decisions() const { return rows_.action.size(); }

  // What each record's actions cost in nats, foreseen from the other folds. A factor that is not `known` is
  // not looked at.
  std::vector<double> losses(const std::vector<Reading>& reading, const std::vector<char>& known) const {
    double memory = kMemories.front();
    double best = 0.0;
    for (const double candidate : kMemories) {
      const double loss = loss_with_itself(features(reading, known, candidate));
      if (candidate == kMemories.front() || loss < best) {
        best = loss;
        memory = candidate;
      }
    }
    return held_out(features(reading, known, memory));
  }

  static ReadingComparison compare(const std::vector<double>& better, const std::vector<double>& worse,
                                   std::size_t decisions) {
    const auto records = static_cast<double>(better.size());
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < better.size(); ++i) sum += worse[i] - better[i];
    for (std::size_t i = 0; i < better.size(); ++i) {
      const double deviation = worse[i] - better[i] - sum / records;
      squares += deviation * deviation;
    }
    const auto n = static_cast<double>(decisions);
    return {sum / n, std::sqrt(squares * records / std::max(1.0, records - 1.0)) / n};
  }

 private:
  void find_means() {
    means_.assign(evidence_count_, 0.0);
    for (std::size_t k = 0; k < rows_.factors(); ++k) {
      double there = 0.0;
      for (std::size_t i = 0; i < decisions(); ++i) {
        const int digit = rows_.digit(i, k);
        if (digit == 0) continue;
        there += 1.0;
        if (digit > 1) means_[first_[k] + static_cast<std::size_t>(digit - 2)] += 1.0;
      }
      for (int level = 1; level < rows_.levels[k]; ++level) {
        means_[first_[k] + static_cast<std::size_t>(level - 1)] /= std::max(1.0, there);
      }
    }
  }

  // Levels as steps from the mean, so that what is missing is what is usual: whether something is missing
  // must not tell actions apart, that is for reading_by_gaps.
  void take_in(std::size_t row, std::size_t k, double memory, std::vector<double>& evidence) const {
    const int digit = rows_.digit(row, k);
    if (digit == 0) return;
    for (int level = 1; level < rows_.levels[k]; ++level) {
      const std::size_t at = first_[k] + static_cast<std::size_t>(level - 1);
      evidence[at] = memory * evidence[at] + (digit == level + 1 ? 1.0 : 0.0) - means_[at];
    }
  }

  Features features(const std::vector<Reading>& reading, const std::vector<char>& known,
                    double memory) const {
    const auto actions = static_cast<std::size_t>(rows_.actions);
    Features result;
    result.count = 2 + (actions - 1) + evidence_count_;
    result.values.assign(decisions() * result.count, 0.0);
    std::vector<double> evidence(evidence_count_);
    for (std::size_t i = 0; i < decisions(); ++i) {
      const bool first = i == 0 || record_of_[i] != record_of_[i - 1];
      if (first) std::fill(evidence.begin(), evidence.end(), 0.0);
      for (std::size_t k = 0; k < rows_.factors(); ++k) {
        if (known[k] == 0) continue;
        if (reading[k] == Reading::kBefore) take_in(i, k, memory, evidence);
        if (reading[k] == Reading::kAfter && !first) take_in(i - 1, k, memory, evidence);
      }
      double* row = result.values.data() + i * result.count;
      row[0] = 1.0;
      row[1] = first ? 1.0 : 0.0;
      if (!first && rows_.action[i - 1] > 0) row[1 + rows_.action[i - 1]] = 1.0;
      std::copy(evidence.begin(), evidence.end(), row + 1 + actions);
    }
    return result;
  }

  // One regression for each action but one of two; probabilities of several are made to sum to 1.
  using Weights = std::vector<std::vector<double>>;
  Weights fit(const Features& features, std::span<const char> used) const {
    Weights weights;
    std::vector<char> target(decisions());
    for (int a = rows_.actions == 2 ? 1 : 0; a < rows_.actions; ++a) {
      for (std::size_t i = 0; i < decisions(); ++i) target[i] = rows_.action[i] == a ? 1 : 0;
      weights.push_back(fit_logistic(features, target, used, kRidge));
    }
    return weights;
  }

  double loss_of(const Features& features, const Weights& weights, std::size_t row) const {
    constexpr double kLeast = 1e-6;
    const int action = rows_.action[row];
    if (rows_.actions == 2) {
      const double p = logistic_probability(features, row, weights[0]);
      return -std::log(std::max(kLeast, action == 1 ? p : 1.0 - p));
    }
    double sum = 0.0;
    double own = 0.0;
    for (int a = 0; a < rows_.actions; ++a) {
      const double p = std::max(kLeast, logistic_probability(features, row, weights[a]));
      sum += p;
      if (a == action) own = p;
    }
    return -std::log(own / sum);
  }

  double loss_with_itself(const Features& features) const {
    const Weights weights = fit(features, std::vector<char>(decisions(), 1));
    double loss = 0.0;
    for (std::size_t i = 0; i < decisions(); ++i) loss += loss_of(features, weights, i);
    return loss;
  }

  std::vector<double> held_out(const Features& features) const {
    std::vector<double> losses(records(), 0.0);
    std::vector<char> used(decisions());
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
      for (std::size_t i = 0; i < decisions(); ++i) used[i] = record_of_[i] % kFolds == fold ? 0 : 1;
      const Weights weights = fit(features, used);
      for (std::size_t i = 0; i < decisions(); ++i) {
        if (used[i] == 0) losses[record_of_[i]] += loss_of(features, weights, i);
      }
    }
    return losses;
  }

  const CodedRows& rows_;
  std::vector<std::size_t> record_of_;  // [row]
  std::vector<std::size_t> first_;      // [factor] where its evidence begins
  std::size_t evidence_count_ = 0;
  std::vector<double> means_;
};

bool can_be_weighed(const CodedRows& rows) {
  return rows.ends.size() >= kFewestRecords && rows.actions >= 2 && rows.factors() > 0;
}

Reading opposite(Reading reading) {
  return reading == Reading::kAfter ? Reading::kBefore : Reading::kAfter;
}

// Levels of a factor that was measured: below, within and above the middle third of its values.
void cut_into_thirds(const std::vector<double>& numbers, std::size_t factor, CodedRows& rows) {
  std::vector<double> sorted;
  for (std::size_t i = factor; i < numbers.size(); i += rows.factors()) {
    if (!std::isnan(numbers[i])) sorted.push_back(numbers[i]);
  }
  if (sorted.empty()) return;
  std::sort(sorted.begin(), sorted.end());
  const double first = sorted[sorted.size() / 3];
  const double second = sorted[2 * sorted.size() / 3];
  for (std::size_t i = factor; i < numbers.size(); i += rows.factors()) {
    if (!std::isnan(numbers[i]))
      rows.digits[i] = 1 + (numbers[i] > first ? 1 : 0) + (numbers[i] > second ? 1 : 0);
  }
}

}  // namespace

bool SeenEvidence::all_told_by_gaps() const {
  return !told_by_gaps.empty() &&
         std::all_of(told_by_gaps.begin(), told_by_gaps.end(), [](char told) { return told != 0; });
}

bool SeenEvidence::clear() const {
  return all_told_by_gaps() || (against_rest.certainty() >= kClear && against_rest.gain >= kWorthwhile);
}

CodedRows coded_rows(const Study& study, const DataFiles& files, std::size_t most) {
  CodedRows rows;
  rows.actions = study.structure.action_count();
  const auto take = [&](std::span<const Step> steps, auto digit) {
    for (std::size_t t = 0; t < steps.size(); ++t) {
      rows.action.push_back(steps[t].action);
      for (std::size_t k = 0; k < rows.factors(); ++k) rows.digits.push_back(digit(t, k));
    }
    rows.ends.push_back(rows.action.size());
  };
  if (study.mapping) {
    for (const Factor& factor : study.mapping->factors)
      rows.levels.push_back(factor.continuous ? kThirds : factor.measured_levels());
    std::vector<double> numbers;
    for_each_mapped_rows(study, files, [&](const RowsView& record) {
      numbers.insert(numbers.end(), record.numbers.begin(), record.numbers.end());
      take(record.steps, [&](std::size_t t, std::size_t k) { return record.digits[t * record.factors + k]; });
      return rows.action.size() < most;
    });
    for (std::size_t k = 0; k < rows.factors(); ++k) {
      if (study.mapping->factors[k].continuous) cut_into_thirds(numbers, k, rows);
    }
    return rows;
  }
  rows.levels.push_back(study.structure.observation_count());
  for_each_record(files.tables.at(0).second, study.structure, [&](const RecordView& record) {
    if (rows.action.size() >= most) return;
    take(record.steps, [&](std::size_t t, std::size_t) {
      return record.steps[t].observation == kMissing ? 0 : record.steps[t].observation + 1;
    });
  });
  return rows;
}

SeenEvidence weigh_readings(const CodedRows& rows) {
  SeenEvidence evidence;
  const std::size_t factors = rows.factors();
  evidence.best.assign(factors, Reading::kAfter);
  evidence.told_by_gaps.assign(factors, 0);
  evidence.decisions = static_cast<std::int64_t>(rows.action.size());
  if (!can_be_weighed(rows)) return evidence;
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < factors; ++k) {
    if (const auto told = reading_by_gaps(rows, k)) {
      evidence.best[k] = *told;
      evidence.told_by_gaps[k] = 1;
    } else {
      open.push_back(k);
    }
  }
  if (open.empty()) return evidence;
  const Foresight foresight(rows);
  const std::vector<char> all(factors, 1);
  std::vector<Reading> other = evidence.best;
  for (const std::size_t k : open) other[k] = Reading::kBefore;
  std::vector<double> best_losses = foresight.losses(evidence.best, all);
  std::vector<double> other_losses = foresight.losses(other, all);
  evidence.against_rest = Foresight::compare(best_losses, other_losses, foresight.decisions());
  if (evidence.against_rest.gain < 0.0) {
    std::swap(evidence.best, other);
    std::swap(best_losses, other_losses);
    evidence.against_rest.gain = -evidence.against_rest.gain;
  }
  for (const std::size_t k : open) {
    if (open.size() == 1) break;
    std::vector<Reading> flipped = evidence.best;
    flipped[k] = opposite(flipped[k]);
    const std::vector<double> losses = foresight.losses(flipped, all);
    const ReadingComparison gain = Foresight::compare(losses, best_losses, foresight.decisions());
    if (gain.certainty() < kFlip || gain.gain < kWorthwhile) continue;
    evidence.best = flipped;
    best_losses = losses;
    evidence.against_rest = Foresight::compare(best_losses, other_losses, foresight.decisions());
  }
  return evidence;
}

SeenDoubt doubt_reading(const CodedRows& rows, const std::vector<Reading>& declared) {
  SeenDoubt doubt;
  const SeenEvidence evidence = weigh_readings(rows);
  std::vector<std::size_t> differing;
  for (std::size_t k = 0; k < declared.size(); ++k) {
    if (evidence.best[k] == declared[k]) continue;
    if (evidence.told_by_gaps[k] != 0) {
      doubt.factors.push_back(k);
      doubt.by_gaps = true;
    } else {
      differing.push_back(k);
    }
  }
  if (differing.empty()) return doubt;
  std::vector<Reading> compared = evidence.best;
  for (const std::size_t k : differing) compared[k] = declared[k];
  const Foresight foresight(rows);
  const std::vector<char> all(rows.factors(), 1);
  doubt.comparison = Foresight::compare(foresight.losses(evidence.best, all), foresight.losses(compared, all),
                                        foresight.decisions());
  if (doubt.comparison.certainty() < kClear || doubt.comparison.gain < kWorthwhile) return doubt;
  doubt.factors.insert(doubt.factors.end(), differing.begin(), differing.end());
  std::sort(doubt.factors.begin(), doubt.factors.end());
  return doubt;
}

std::vector<int> yielding_actions(const CodedRows& rows, std::size_t factor) {
  std::vector<Fill> fills(static_cast<std::size_t>(rows.actions));
  std::size_t begin = 0;
  for (const std::size_t end : rows.ends) {
    for (std::size_t i = begin + 1; i < end; ++i) {
      Fill& fill = fills[rows.action[i - 1]];
      fill.there += rows.digit(i, factor) > 0 ? 1.0 : 0.0;
      fill.total += 1.0;
    }
    begin = end;
  }
  std::vector<int> actions;
  for (std::size_t a = 0; a < fills.size(); ++a) {
    const double share = fills[a].there / std::max(1.0, fills[a].total);
    if (share > 0.5) {
      actions.push_back(static_cast<int>(a));
    } else if (share > 0.01) {
      return {};
    }
  }
  if (actions.size() == fills.size()) actions.clear();
  return actions;
}

std::vector<double> factor_gains(const CodedRows& rows) {
  std::vector<double> gains(rows.factors(), 0.0);
  if (!can_be_weighed(rows)) return gains;
  const Foresight foresight(rows);
  const std::vector<double> nothing = foresight.losses(std::vector<Reading>(rows.factors(), Reading::kAfter),
                                                       std::vector<char>(rows.factors(), 0));
  for (std::size_t k = 0; k < rows.factors(); ++k) {
    std::vector<char> known(rows.factors(), 0);
    known[k] = 1;
    for (const Reading reading : {Reading::kAfter, Reading::kBefore}) {
      const std::vector<Reading> readings(rows.factors(), reading);
      gains[k] = std::max(
          gains[k],
          Foresight::compare(foresight.losses(readings, known), nothing, foresight.decisions()).gain);
    }
  }
  return gains;
}

}  // namespace interpole::data
