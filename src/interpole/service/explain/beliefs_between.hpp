// What is believed at any time, also between visits: after a decision the belief moves as the decision-maker
// thinks that patients change, by exp(Q_a Δ) of what was done last, until something is seen.
#pragma once

#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/parameters.hpp"
#include "interpole/sink.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

struct BeliefsBetween {
  std::int64_t patients = 0;
  std::int64_t rows = 0;
};

// CSV patient,time,belief:<state>…: for each record one row for each of `times`, which are counted from its
// first visit in the model's unit. There is none after an action that ends the record. Throws a usage error
// if visits have no times or a time is negative, and an input error if the model calls an outcome impossible.
BeliefsBetween write_beliefs_between(const Model& model, const Study& study, const DataFiles& data,
                                     std::vector<double> times, const std::string& output, Sink& sink);

}  // namespace interpole::service
