// `interpole check`: whether a model reproduces what it was not fitted to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpole/data_files.hpp"
#include "interpole/evaluate/held_out_rivals.hpp"
#include "interpole/model_checks.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct CheckRequest {
  std::string model;
  DataFiles data;
  std::string study;  // for data that are not a visits table, and for covariates the policy does not follow
  ModelCheckOptions options;
  // Of the comparison with learners that know nothing of beliefs, which takes minutes; 0: it is not made.
  int folds = 0;
  std::uint64_t seed = 1;  // of the folds, and of what the rivals draw
};

struct CheckOutcome {
  ModelChecks found;
  // Of a coupled model: the same checks of the nearest explanation with agent and world as one. Nothing where
  // there is none.
  std::optional<ModelChecks> as_one;
  std::optional<evaluate::HeldOutRivals> held_out;
};

CheckOutcome run_check(const CheckRequest& request, Sink& sink);

std::string to_json(const CheckOutcome& outcome);

}  // namespace interpole::service
