// The bias audit in sentences, the most telling first.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "interpole/bias_audit.hpp"

namespace interpole::explain {

// log odds from which on records are said to speak for something: three to one.
inline const double kSpeaks = std::log(3.0);

// "acts as if \"monitor\" gave \"negative\" for 20% [17, 23] of diseased; it does for 40% [38, 42]"
std::string sentence_of(const Structure& structure, const BiasFinding& finding);
// "3.1 [2.6, 3.7] mmol/L": a value of the parameter of a measured factor that stands in this column.
std::string shown_parameter(const Structure& structure, int column, const Estimate& value);

// Whether agent and world differ, and why that is not said. Every verb, figure and page takes the verdict and
// its words from here.
struct DifferenceVerdict {
  BiasVerdict verdict = BiasVerdict::kUndecided;
  std::vector<std::string> reasons;  // why it is withheld or undecided
  std::optional<double> log_odds;    // of a difference, tempered by misfit; nothing: they are not known
  bool tempered = false;             // … by misfit that the checks prove
};
DifferenceVerdict judge_difference(const FitResult& fit, const ModelChecks& checks);

// In words, the verdict first, each without its full stop.
std::vector<std::string> verdict_words(const DifferenceVerdict& verdict);

// By the evidence alone.
BiasVerdict verdict_by(std::optional<double> log_odds);

// How strong an unrecorded sign would have to be to explain a difference as well.
std::string sign_sentence(std::optional<double> removable_by);

// Verdict, the largest flagged findings (at most `most`), and what it would change.
std::vector<std::string> bias_sentences(const Structure& structure, const AgentWorldComparison& comparison,
                                        int most = 5);

}  // namespace interpole::explain
