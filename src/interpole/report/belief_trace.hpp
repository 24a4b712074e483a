// One record followed through the fitted beliefs.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interpole/data/records.hpp"
#include "interpole/model/parameters.hpp"

namespace interpole {

struct BeliefTrace {
  const Record* record = nullptr;
  int states = 0;
  int decisions = 0;            // followed; fewer than the record has if an outcome was impossible
  std::vector<double> beliefs;  // [i·S + s]: before decision i; one more if something was seen after the last
  std::optional<int> impossible_step;  // whose outcome the model calls impossible: nothing is known after it

  int points() const { return static_cast<int>(beliefs.size()) / states; }
  std::span<const double> at(int point) const {
    return {&beliefs[static_cast<std::size_t>(point) * states], static_cast<std::size_t>(states)};
  }
  const Step& step(int decision) const { return record->steps[decision]; }
};

// Throws an input error if the record, number `number` of the examples, holds actions or outcomes the model
// does not. The record must outlive the trace.
BeliefTrace trace_beliefs(const Model& model, const Record& record, int number);

}  // namespace interpole
