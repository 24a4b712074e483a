#include "interpole/service/write_up/write_up_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/base/number_text.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"
#include "interpole/service/checks_json.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

// What was kept is public, so the whole table and all but one of its losses tell that one.
bool tells_of_few(const data::Attrition& attrition, std::int64_t min_cell) {
  return std::any_of(attrition.dropped.begin(), attrition.dropped.end(), [&](const auto& stage) {
    return explain::is_small(stage.rows, min_cell) || explain::is_small(stage.patients, min_cell);
  });
}

std::string with_interval(const std::optional<double>& x, const std::optional<evaluate::Interval>& interval) {
  if (!x) return "not defined";
  return interval ? fmt::format("{:.3f} (95% interval {:.3f} to {:.3f})", *x, interval->low, interval->high)
                  : fmt::format("{:.3f}", *x);
}

std::string data_paragraph(const WriteUpFacts& facts) {
  std::string text = "AUTHOR: the source of the data, its setting and dates, and who gave access.";
  if (facts.check && facts.check->mapping) {
    const data::Attrition& attrition = facts.check->mapping->attrition;
    text += fmt::format(
        " {}{} of {} were kept (see attrition). A record is the rows of one "
        "value of "
        "the column \"{}\", in the order of \"{}\".",
        tells_of_few(attrition, facts.min_cell)
            ? std::string()
            : fmt::format("The table had {} of {}; ", safe_words(attrition.rows_in, "row", facts.min_cell),
                          safe_words(attrition.patients_in, "patient", facts.min_cell)),
        safe_words(attrition.rows_kept, "row", facts.min_cell),
        safe_words(attrition.patients_kept, "patient", facts.min_cell), facts.check->study.mapping->record.id,
        facts.check->study.mapping->record.order);
  }
  return text + "\n\n";
}

std::string seen_sentence(const Study& study) {
  std::vector<std::string> before, after;
  for (const Factor& factor : study.mapping->factors) {
    (factor.seen_before ? before : after).push_back(base::shown(factor.name));
  }
  std::string text;
  if (!before.empty()) {
    text += fmt::format(
        " What a row held of {} was taken as known when the action of the row was chosen, and as what "
        "followed the "
        "action of the row before.",
        fmt::join(before, ", "));
  }
  if (!after.empty()) {
    text += fmt::format(" What a row held of {} was taken as what followed the action of the row.",
                        fmt::join(after, ", "));
  }
  return text;
}

std::string problem_paragraph(const WriteUpFacts& facts) {
  const Structure& structure = facts.fit.model.structure;
  std::string text = fmt::format(
      "Decisions were described as taken under uncertainty about {} hidden states ({}). At each visit one of "
      "{} actions "
      "was taken ({}), {}.",
      structure.state_count(), fmt::join(structure.states, ", "), structure.action_count(),
      fmt::join(structure.actions, ", "),
      structure.measured()
          ? fmt::format("after which up to {} factors were measured", structure.factors.size())
          : fmt::format("of which one of {} outcomes could come", structure.observation_count()));
  if (facts.check && facts.check->study.mapping) text += seen_sentence(facts.check->study);
  return text + " AUTHOR: why these states, and why this many.\n\n";
}

std::string model_paragraph(const WriteUpFacts& facts) {
  const Provenance& provenance = facts.fit.provenance;
  const FitQuality& quality = facts.fit.quality;
  std::string text =
      "What was believed before each decision, and at which beliefs decisions change, was learned from the "
      "recorded "
      "actions and outcomes by INTERPOLE (Hüyük et al., 2021): beliefs are updated by Bayes' rule from "
      "subjective "
      "transition and observation probabilities, and an action is the likelier the nearer the belief is to "
      "the mean "
      "belief of that action.";
  if (!provenance.json.empty()) {
    text += fmt::format(
        " The fit was made by {} {} with {} dynamics, {} searches from different starts and seed {}; {} "
        "numbers were learned.",
        provenance.program, provenance.version, provenance.dynamics, provenance.restarts, provenance.seed,
        quality.parameters_learned);
  }
  const auto& terms = facts.fit.model.agent.policy.terms;
  if (!terms.none())
    text += " Beside beliefs, the policy follows terms that the evidence asked for (see results).";
  text += facts.fit.has_uncertainty()
              ? " Intervals are central 95% intervals of draws from a normal approximation of the posterior."
              : " The model file does not say how sure it is; no intervals are given.";
  return text + "\n\n";
}

std::string attrition_table(const WriteUpFacts& facts) {
  if (!facts.check || !facts.check->mapping) return "";
  const data::Attrition& attrition = facts.check->mapping->attrition;
  const auto line = [&](const std::string& what, std::int64_t rows, std::int64_t patients) {
    return fmt::format("| {} | {} | {} |\n", what, explain::safe_count(rows, facts.min_cell),
                       explain::safe_count(patients, facts.min_cell));
  };
  std::string text = "### Attrition\n\n| | rows | patients |\n|---|---|---|\n";
  const bool withheld = tells_of_few(attrition, facts.min_cell);
  text += withheld ? std::string("| in the table | withheld | withheld |\n")
                   : line("in the table", attrition.rows_in, attrition.patients_in);
  for (const auto& stage : attrition.dropped)
    text += line("left out: " + stage.reason, stage.rows, stage.patients);
  text += line("kept", attrition.rows_kept, attrition.patients_kept);
  if (withheld)
    text += "\nHow many were in the table is withheld: the small losses could be worked out from it.\n";
  return text + "\n";
}

std::string search_sentence(const FitQuality& quality) {
  std::string text;
  if (quality.converged)
    text += *quality.converged ? "The search converged." : "The search did not converge.";
  if (quality.modes_found > 0) {
    text += fmt::format(" Restarts ended in {} distinct {}.", quality.modes_found,
                        quality.modes_found == 1 ? "explanation" : "explanations");
  }
  const std::string disagreement = disagreement_of(quality);
  if (!disagreement.empty()) text += fmt::format(" {}.", disagreement);
  return text;
}

std::string scores_paragraph(const WriteUpFacts& facts) {
  const evaluate::Evaluation& evaluation = facts.evaluation;
  const evaluate::EvaluationIntervals none;
  const auto& intervals = evaluation.intervals ? *evaluation.intervals : none;
  return fmt::format(
      "The records held {} of {}. On them, actions were foreseen with AUROC {}, Brier score {} and "
      "calibration error "
      "{}. These are the records that were learned from, unless others were given here: performance on other "
      "records "
      "has to be measured on them, or by cross-validation. {}\n\n",
      safe_words(evaluation.decisions, "decision", facts.min_cell),
      safe_words(evaluation.patients, "patient", facts.min_cell),
      with_interval(evaluation.matching.auroc, intervals.all.auroc),
      with_interval(evaluation.matching.brier, intervals.all.brier),
      with_interval(evaluation.matching.calibration_error, intervals.all.calibration_error),
      search_sentence(facts.fit.quality));
}

std::string boundaries_list(const WriteUpFacts& facts) {
  if (!facts.intervals || facts.intervals->boundaries.empty()) return "";
  std::string text = "### Boundaries between actions\n\n";
  for (const auto& boundary : facts.intervals->boundaries) {
    text += fmt::format("- {}\n", explain::sentence_of(facts.fit.model.structure, boundary));
  }
  return text + "\n";
}

std::string checks_paragraph(const WriteUpFacts& facts) {
  const ModelChecks found = without_covariate_names(facts.checks.found);
  const auto failed = found.failed();
  std::string text =
      fmt::format("### Model checks\n\nOf {} checks of what the model was not fitted to, {} failed.",
                  found.checks.size(), failed.size());
  for (const ModelCheck* check : failed) text += fmt::format("\n- {}", check->sentence);
  if (!failed.empty()) {
    text +=
        "\n\nFindings made with a model that fails a check may come of what the check names. AUTHOR: discuss "
        "it.";
  }
  return text + "\n\n";
}

std::string bias_paragraph(const WriteUpFacts& facts) {
  if (!facts.bias) return "";
  std::string text = "### Agent and world\n\n";
  for (const std::string& sentence : facts.bias->found.sentences) text += fmt::format("- {}\n", sentence);
  return text + "\n";
}

}  // namespace

std::string safe_words(std::int64_t count, const std::string& noun, std::int64_t min_cell) {
  return explain::is_small(count, min_cell) ? fmt::format("fewer than {} {}s", min_cell, noun)
                                            : base::counted(count, noun);
}

std::string methods_section(const WriteUpFacts& facts) {
  return "## Methods\n\n" + data_paragraph(facts) + problem_paragraph(facts) + model_paragraph(facts);
}

std::string results_section(const WriteUpFacts& facts) {
  return "## Results\n\n" + attrition_table(facts) + scores_paragraph(facts) + boundaries_list(facts) +
         bias_paragraph(facts) + checks_paragraph(facts);
}

std::string references_section() {
  return fmt::format(
      "## References\n\n```bibtex\n"
      "@inproceedings{{huyuk2021explaining,\n"
      "  title = {{Explaining by Imitating: Understanding Decisions by Interpretable Policy Learning}},\n"
      "  author = {{H{{\\\"u}}y{{\\\"u}}k, Alihan and Jarrett, Daniel and Tekin, Cem and van der Schaar, "
      "Mihaela}},\n"
      "  booktitle = {{International Conference on Learning Representations}},\n"
      "  year = {{2021}}\n}}\n"
      "@software{{interpole,\n"
      "  title = {{Interpole}},\n"
      "  author = {{{{The Interpole developers}}}},\n"
      "  version = {{{}}}\n}}\n```\n\n",
      version());
}

}  // namespace interpole::service
