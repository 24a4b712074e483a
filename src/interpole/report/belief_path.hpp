// Figure 2: how the inferred belief moved through single records, with the decision taken and the outcome
// seen at each step. Records are "Patient A", "Patient B", …: identifiers are never shown.
#pragma once

#include <vector>

#include "interpole/data/records.hpp"
#include "interpole/model/parameters.hpp"
#include "interpole/report/belief_trace.hpp"
#include "interpole/report/markup.hpp"

namespace interpole {

inline constexpr int kMostExamples = 3;

// The first kMostExamples records that have steps; nothing if there are none.
Markup belief_paths(const Model& model, const std::vector<Record>& examples);

// The drawing of one record. `id` is unique in the page.
Markup belief_chart(const Model& model, const BeliefTrace& trace, const std::string& id,
                    const std::string& title);

// Three states only: the same path on the triangle.
Markup triangle_path(const Model& model, const BeliefTrace& trace, const std::string& id,
                     const std::string& title);

}  // namespace interpole
