// What the drawings show, in words. Plain text, not yet escaped.
#pragma once

#include <string>
#include <vector>

#include "interpole/report/geometry/geometry.hpp"
#include "interpole/structure.hpp"

namespace interpole::report {

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

}  // namespace interpole::report
