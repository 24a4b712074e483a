#include "interpole/report/figures/trajectory_parts.hpp"

#include <set>

#include "interpole/report/figures/simplex_panel.hpp"

namespace interpole::report {
namespace {

constexpr int kNoteLines = 3;

LegendEntry arrow_entry(const Pen& pen, bool head, const std::string& name) {
  return {[pen, head](Drawing& drawing, Point at) {
            const std::vector<Point> line = {{at.x - 13, at.y}, {at.x + 13, at.y}};
            if (head) {
              drawing.arrow(line, pen, 6);
            } else {
              drawing.polyline(line, pen);
            }
          },
          name};
}

}  // namespace

Pen time_pen(double width) {
  return {kInk, width, {2.5, 2}};
}

Pen evidence_pen(double width) {
  return {kInk, width, {}};
}

void draw_final_marker(Drawing& drawing, Point at) {
  drawing.polygon({{at.x, at.y - 5.5}, {at.x + 5.5, at.y}, {at.x, at.y + 5.5}, {at.x - 5.5, at.y}},
                  {kInk, Pen{kWhite, 0.8, {}}, 1.0});
}

void draw_other_marker(Drawing& drawing, Point at) {
  drawing.disc(at, 3.2, {kWhite, Pen{kSoft, 1.0, {}}, 1.0});
}

std::vector<LegendEntry> trajectory_legend(const RecordsFigureInput& input,
                                           const std::vector<RecordPath>& paths) {
  const Structure& structure = input.model.structure;
  std::vector<LegendEntry> entries;
  std::set<int> taken;
  bool ends = false;
  bool others = false;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    taken.insert(paths[i].actions.begin(), paths[i].actions.end());
    ends = ends || paths[i].has_final();
    others = others || input.records[i].counterfactual.has_value();
  }
  for (int a = 0; a < structure.action_count(); ++a) {
    const bool done = taken.contains(a);
    entries.push_back({[a, done](Drawing& drawing, Point at) {
                         region_entry(a, "").sample(drawing, at);
                         if (done) draw_marker(drawing, a, at, 4.2);
                       },
                       structure.actions[a]});
  }
  if (ends) entries.push_back({draw_final_marker, "last belief"});
  entries.push_back(arrow_entry(time_pen(), false, "time passing"));
  entries.push_back(arrow_entry(evidence_pen(), true, "evidence"));
  if (others) entries.push_back({draw_other_marker, "had the result been another"});
  return entries;
}

std::string trajectory_caption(const RecordsFigureInput& input, const std::string& left_out) {
  std::string text = "Ground: the likeliest action at a belief; markers: what was done at each visit. ";
  if (input.model.structure.state_count() > 3) {
    text +=
        "Each triangle shows the two states believed in most, and all others together; regions are those of "
        "beliefs whose rest is typical of the data. ";
  }
  return text + left_out + draws_sentence(input.draws, "Grey bands around the boundaries");
}

double header_height(const ShownRecord& record, double width) {
  const auto note = broken_lines(record.note, width, kSmallText, kNoteLines);
  return 20 + line_height(kSmallText) * static_cast<double>(note.size());
}

void draw_record_header(Drawing& drawing, Point top_left, double width, const ShownRecord& record) {
  drawing.text(
      {{top_left.x, top_left.y + 12}, on_one_line(record.name, width, 13, true), 13, Anchor::kStart, true});
  draw_lines(drawing, {{top_left.x, top_left.y + 28}, "", kSmallText},
             broken_lines(record.note, width, kSmallText, kNoteLines), kSoft);
}

}  // namespace interpole::report
