#include "interpole/report/report.hpp"

#include <fmt/format.h>

#include "interpole/base/error.hpp"
#include "interpole/base/version.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/report/belief_path.hpp"
#include "interpole/report/decision_map.hpp"
#include "interpole/report/html.hpp"
#include "interpole/report/numbers.hpp"
#include "interpole/report/palette.hpp"
#include "interpole/report/parameter_tables.hpp"

namespace interpole {
namespace {

Markup tile(const std::string& name, std::int64_t count, int min_cell) {
  return literal("<div><dt>" + escaped(name).html + "</dt><dd>" + escaped(safe_count(count, min_cell)).html +
                 "</dd></div>");
}

Markup header(const ReportInput& input) {
  Markup html = paragraph("eyebrow", "Decision report");
  html += element("h1", "", escaped(input.title));
  html += paragraph(
      "lede",
      "What the decision-makers behind these records seem to have believed about their patients, and which "
      "decisions those beliefs lead to.");
  if (!input.warnings.empty()) {
    html += literal("<div class=\"warnings\" role=\"note\"><strong>Read with care</strong>");
    html += bullet_list("", input.warnings);
    html += literal("</div>\n");
  }
  Markup tiles = tile("patients", input.tree->records, input.min_cell);
  tiles += tile("decisions", input.tree->decisions, input.min_cell);
  tiles += tile("distinct histories", input.tree->node_count(), input.min_cell);
  html += element("dl", "tiles", tiles);
  return element("header", "", html);
}

Markup how_to_read() {
  Markup html = element("h2", "", escaped("How to read this"));
  html += paragraph(
      "",
      "A belief is how likely a decision-maker seems to hold each state of the patient, given what was "
      "done and seen so far. Nobody was asked: beliefs are inferred, not stated, and are those that best "
      "explain the recorded decisions. They describe how decisions were made, not how they should be "
      "made.");
  return element("section", "", html);
}

Markup origins(const ReportInput& input) {
  Markup html = element("h2", "", escaped("How this was made"));
  std::vector<std::string> facts = input.facts;
  if (input.min_cell > 1) {
    facts.push_back(
        fmt::format("Counts from 1 to {} are withheld, and others where they would give these away.",
                    input.min_cell - 1));
  }
  facts.emplace_back(
      "Example records are real ones without identifiers: share this file as carefully as the data.");
  html += bullet_list("", facts);
  return element("section", "", html);
}

}  // namespace

std::string render_report(const ReportInput& input) {
  if (input.model == nullptr || input.tree == nullptr) {
    throw runtime_error("a report needs a model and the data it was fitted to; one of them was not given");
  }
  Model model = *input.model;
  model.structure.validate("report");
  validate_and_normalise(model, "report");
  const NodeBeliefs beliefs = node_beliefs(*input.tree, model.structure, model.agent.dynamics);
  Markup main = header(input);
  main += decision_map({model, *input.tree, beliefs, input.min_cell});
  main += belief_paths(model, input.examples);
  main += parameter_tables(model);
  main += how_to_read();
  main += origins(input);
  main += element("footer", "", escaped(fmt::format("Interpole {}", version())));
  Markup body = action_patterns(model.structure.action_count());
  body += element("main", "", main);
  return html_document(input.title + " · decision report", body);
}

}  // namespace interpole
