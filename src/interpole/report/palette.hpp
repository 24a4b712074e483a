// How actions, outcomes and states are told apart in every drawing of a report. Never by colour alone: an
// action also has a fill pattern, a line dash and a marker of its own, an outcome has a glyph.
#pragma once

#include <string>
#include <vector>

#include "interpole/model/structure.hpp"
#include "interpole/report/svg.hpp"

namespace interpole {

// CSS class that sets the colour (Okabe and Ito's palette, seven colours, then again from the first).
std::string action_colour(int action);

// Fill attribute: a tint with the action's pattern, defined once a page by action_patterns().
std::string action_fill(int action);
Markup action_patterns(int actions);

// stroke-dasharray of line number `index`; empty: solid. The same as lengths of line and gap.
std::string dashes(int index);
std::vector<double> dash_lengths(int index);

// The corners of an action's marker; none: it is a disc.
std::vector<Point> marker_corners(int action, Point at, double radius);

// The marker of an action taken, centred at a point.
void draw_action(Svg& svg, int action, Point at, double radius);

// The glyph of an outcome; kMissing is a short dash.
void draw_outcome(Svg& svg, int outcome, Point at, double radius);

// The name of a region, centred at a point, on one or two lines; shortened, or left to the legend, if it does
// not fit.
void draw_name(Svg& svg, Point centre, const std::string& name, double room);

// Samples with their names, to stand above a drawing: all actions with pattern and line; markers of some
// actions and glyphs of some outcomes.
Markup region_legend(const Structure& structure);
Markup marker_legend(const Structure& structure, const std::vector<int>& actions,
                     const std::vector<int>& outcomes);

}  // namespace interpole
