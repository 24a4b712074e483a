// What the drawings show, in words. Plain text, not yet escaped.
#pragma once

#include <string>
#include <vector>

#include "interpole/model/parameters.hpp"
#include "interpole/report/belief_trace.hpp"
#include "interpole/report/geometry.hpp"

namespace interpole {

// The name, in quotation marks if it has spaces and would otherwise run into the sentence.
std::string named(const std::string& name);

// "a, b and c".
std::string listed(const std::vector<std::string>& names);

// One sentence per region from low to high belief in the second state, then one on actions without a region.
std::vector<std::string> interval_sentences(const Structure& structure,
                                            const std::vector<BeliefInterval>& intervals);

// Three states: which action has which share of the triangle, and which has none.
std::vector<std::string> polygon_sentences(const Structure& structure,
                                           const std::vector<BeliefPolygon>& polygons);

// What was seen, how the belief moved, how the record ended and how likely the fitted policy finds that
// ending.
std::string trace_sentence(const Model& model, const BeliefTrace& trace);

// The largest difference between what the decision-maker acts as if and the world, about one outcome; empty
// if the model has no world or they agree to the per cent.
std::string largest_gap_sentence(const Model& model);

}  // namespace interpole
