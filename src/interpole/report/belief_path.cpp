#include "interpole/report/belief_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpole/model/belief.hpp"
#include "interpole/report/html.hpp"
#include "interpole/report/numbers.hpp"
#include "interpole/report/palette.hpp"
#include "interpole/report/sentences.hpp"

namespace interpole {
namespace {

// Of the table of one record; of longer ones, the first and the last half of these.
constexpr int kMostRows = 400;

// More columns than this nobody reads; the caption then says that there are more states.
constexpr int kMostStateColumns = 12;

std::vector<Markup> table_row(const Model& model, const BeliefTrace& trace, int point) {
  std::vector<Markup> row = {escaped(std::to_string(point + 1))};
  const auto belief = trace.at(point);
  const int states = std::min(trace.states, kMostStateColumns);
  for (int s = 0; s < states; ++s) row.push_back(escaped(fine_percent(belief[s])));
  if (point >= trace.decisions) {
    row.push_back(escaped("(after the last result)"));
    row.resize(row.size() + 2);
    return row;
  }
  const Step& step = trace.step(point);
  const auto policy = action_probabilities(model.structure, model.agent.policy, belief);
  row.push_back(escaped(model.structure.actions[step.action]));
  row.push_back(escaped(fine_percent(policy[step.action])));
  row.push_back(escaped(step.observation == kMissing ? "" : model.structure.observations[step.observation]));
  return row;
}

HtmlTable trace_table(const Model& model, const BeliefTrace& trace) {
  HtmlTable table{{}, {"step"}, {}};
  for (int s = 0; s < std::min(trace.states, kMostStateColumns); ++s) {
    table.header.push_back("belief in " + model.structure.states[s]);
  }
  for (const char* name : {"decision", "how likely it was", "result"}) table.header.emplace_back(name);
  if (trace.states > kMostStateColumns) {
    table.caption =
        escaped(fmt::format("Beliefs in the first {} of {} states.", kMostStateColumns, trace.states));
  }
  for (int point = 0; point < trace.points(); ++point) {
    const int from_end = trace.points() - 1 - point;
    if (trace.points() > kMostRows && point == kMostRows / 2) {
      const int left_out = trace.points() - kMostRows;
      table.rows.push_back({escaped("…"), escaped(counted(left_out, "step") + " left out")});
    }
    if (trace.points() > kMostRows && point >= kMostRows / 2 && from_end >= kMostRows / 2) continue;
    table.rows.push_back(table_row(model, trace, point));
  }
  return table;
}

Markup figure(const Model& model, const BeliefTrace& trace, int number) {
  const std::string title = fmt::format("Patient {}", static_cast<char>('A' + number));
  const std::string id = fmt::format("path{}", number);
  Markup charts = belief_chart(model, trace, id, title);
  if (trace.states == 3) charts += triangle_path(model, trace, id + "t", title);
  Markup html = literal("<figure>");
  html += element("h3", "", escaped(title));
  html += paragraph("finding", trace_sentence(model, trace));
  html += scrollable(element("div", "charts", charts));
  html += folded_table(title + " as a table", trace_table(model, trace));
  return {html.html + "</figure>\n"};
}

Markup legend_of(const Structure& structure, const std::vector<BeliefTrace>& traces) {
  std::set<int> actions;
  std::set<int> outcomes;
  for (const BeliefTrace& trace : traces) {
    for (int i = 0; i < trace.decisions; ++i) {
      actions.insert(trace.step(i).action);
      if (!structure.is_terminal(trace.step(i).action)) outcomes.insert(trace.step(i).observation);
    }
  }
  return marker_legend(structure, {actions.begin(), actions.end()}, {outcomes.begin(), outcomes.end()});
}

}  // namespace

Markup belief_paths(const Model& model, const std::vector<Record>& examples) {
  std::vector<BeliefTrace> traces;
  for (std::size_t i = 0; i < examples.size() && traces.size() < kMostExamples; ++i) {
    if (!examples[i].steps.empty()) traces.push_back(trace_beliefs(model, examples[i], static_cast<int>(i)));
  }
  if (traces.empty()) return {};
  Markup html = element("h2", "", escaped("What was believed along the way?"));
  html +=
      paragraph("",
                "Figure 2. The belief before each decision in single records, without identifiers. Inferred, "
                "not stated, beliefs.");
  html += legend_of(model.structure, traces);
  for (std::size_t i = 0; i < traces.size(); ++i) html += figure(model, traces[i], static_cast<int>(i));
  return element("section", "", html);
}

}  // namespace interpole
