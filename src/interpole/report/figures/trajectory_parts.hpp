// What the figures of trajectories have in common, whatever the number of states.
#pragma once

#include <string>
#include <vector>

#include "interpole/report/figures/figure_style.hpp"
#include "interpole/report/figures/record_path.hpp"

namespace interpole::report {

Drawing ladder_figure(const RecordsFigureInput& input, const std::string& title);  // two states

Pen time_pen(double width = 1.1);
Pen evidence_pen(double width = 1.1);
void draw_final_marker(Drawing& drawing, Point at);
void draw_other_marker(Drawing& drawing, Point at);

std::vector<LegendEntry> trajectory_legend(const RecordsFigureInput& input,
                                           const std::vector<RecordPath>& paths);
std::string trajectory_caption(const RecordsFigureInput& input, const std::string& left_out);

// Name and note over a record's panel.
double header_height(const ShownRecord& record, double width);
void draw_record_header(Drawing& drawing, Point top_left, double width, const ShownRecord& record);

}  // namespace interpole::report
