// Did what a row holds lead to the row's action, or come of it? Tables do not say, and a study that reads
// them the wrong way round learns from answers what should be learned from questions. Decisions can tell:
// those of a row depend on what was known by then, so the right reading foresees them better. Measured on
// records that were not used to learn from, by a regression that adds up what was seen as a belief does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// Records row by row, as a table has them.
struct CodedRows {
  int actions = 0;
  std::vector<int> levels;        // [factor] that can be measured
  std::vector<std::size_t> ends;  // [record] one past its last row
  std::vector<int> action;        // [row]
  std::vector<int> digits;        // [row × factors]: 0 no value, 1 + level

  std::size_t factors() const { return levels.size(); }
  int digit(std::size_t row, std::size_t factor) const { return digits[row * levels.size() + factor]; }
};

// Of a mapped study, or of a visits table, whose observations are one factor. At most `most` rows, and no
// more: the question is easy.
CodedRows coded_rows(const Study& study, const DataFiles& files, std::size_t most = 6000);

enum class Reading : char { kAfter, kBefore };

// How much better one reading of all factors foresees actions than another.
struct ReadingComparison {
  double gain = 0.0;   // nats per decision; negative: the other one is better
  double error = 0.0;  // its standard error, over records

  double certainty() const { return error > 0.0 ? gain / error : 0.0; }
};

struct SeenEvidence {
  std::vector<Reading> best;       // [factor]
  std::vector<char> told_by_gaps;  // [factor] it is filled in beside (or after) some actions only
  ReadingComparison against_rest;  // the best reading against its opposite, gaps aside
  std::int64_t decisions = 0;

  bool all_told_by_gaps() const;
  // The data speak clearly.
  bool clear() const;
};

SeenEvidence weigh_readings(const CodedRows& rows);

// Whether another reading than the declared one foresees the actions clearly better; gaps may say so too.
struct SeenDoubt {
  std::vector<std::size_t> factors;  // that seem to be declared wrongly; empty: no doubt
  ReadingComparison comparison;      // of the better reading with the declared one
  bool by_gaps = false;              // where a value is missing says it; no comparison was needed
};
SeenDoubt doubt_reading(const CodedRows& rows, const std::vector<Reading>& declared);

// The actions after which, in the next row, a value is there, if it hardly ever is after the others; empty:
// it does not depend on the action.
std::vector<int> yielding_actions(const CodedRows& rows, std::size_t factor);

// Gain in foreseeing actions, nats per decision, of each factor on its own in its better reading, against
// knowing none of them. For choosing between factors.
std::vector<double> factor_gains(const CodedRows& rows);

}  // namespace interpole::data
