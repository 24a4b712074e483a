// `interpole fit`: from a study and its data to a model file.
#pragma once

#include <optional>

#include "interpole/explain/policy/intervals.hpp"
#include "interpole/explain/policy/start_words.hpp"
#include "interpole/fit.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/model_checks.hpp"
#include "interpole/service/fit/learning_data.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

// Its output is a model file; empty: the outcome has it all.
struct FitRequest : LearningRequest {
  learn::FitOptions options;
};

struct FitOutcome {
  learn::FitSummary summary;
  FitResult result;
  std::optional<explain::FitIntervals> intervals;         // where the posterior was expanded
  std::vector<std::string> term_sentences;                // what decisions follow beside beliefs
  std::vector<explain::StartingBelief> starting_beliefs;  // where they differ with covariates
  ModelChecks checks;                                     // of a search that was not interrupted
  DataCounts data;
};

FitOutcome run_fit(const FitRequest& request, Sink& sink);

}  // namespace interpole::service
