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

// Whether agent and world differ at all, by the log of the evidence ratio (nothing: not known).
std::string verdict_of(std::optional<double> log_bayes_factor);

// By the same evidence, as a word.
BiasVerdict verdict_by(std::optional<double> log_bayes_factor);

// How strong an unrecorded sign would have to be to explain a difference as well.
std::string sign_sentence(std::optional<double> removable_by);

// Verdict, the largest flagged findings (at most `most`), and what it would change.
std::vector<std::string> bias_sentences(const Structure& structure, const AgentWorldComparison& comparison,
                                        std::optional<double> log_bayes_factor, int most = 5);

}  // namespace interpole::explain
