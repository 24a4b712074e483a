#include "interpole/service/write_up/reporting_items.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "interpole/service/write_up/write_up_text.hpp"

namespace interpole::service {
namespace {

struct Item {
  const char* number;
  const char* asks;
  std::string known;  // empty: the author's
};

std::string item_table(const char* heading, const std::vector<Item>& items) {
  std::string text = fmt::format("## {}\n\n| item | asks for | here |\n|---|---|---|\n", heading);
  for (const Item& item : items) {
    text +=
        fmt::format("| {} | {} | {} |\n", item.number, item.asks, item.known.empty() ? "AUTHOR" : item.known);
  }
  return text + "\n";
}

std::string flow(const WriteUpFacts& facts) {
  return facts.check && facts.check->mapping ? "the attrition table above" : "";
}

std::string digests(const WriteUpFacts& facts) {
  return facts.fit.provenance.json.empty() ? ""
                                           : "the model file names study and data with their SHA-256 digests";
}

std::string factors_of(const WriteUpFacts& facts) {
  if (!facts.check || !facts.check->study.mapping) return "";
  std::vector<std::string> names;
  for (const Factor& factor : facts.check->study.mapping->factors) {
    names.push_back(fmt::format("{} ({})", factor.name, fmt::join(factor.levels, ", ")));
  }
  return fmt::format("{}", fmt::join(names, "; "));
}

std::string missing_of(const WriteUpFacts& facts) {
  if (!facts.check || !facts.check->summary) return "";
  return fmt::format(
      "a visit without a value of every factor has no outcome ({}); the belief then moves by "
      "the passing of time alone",
      safe_words(facts.check->summary->without_outcome, "visit", facts.min_cell));
}

std::vector<Item> record_items(const WriteUpFacts& facts) {
  return {
      {"1.1", "kind of data and name of the databases, in title or abstract", ""},
      {"1.2", "region and dates, in title or abstract", ""},
      {"1.3", "linkage between databases, in title or abstract", ""},
      {"6.1", "how the population was selected: codes or algorithms", flow(facts)},
      {"6.2", "validation of these codes or algorithms", ""},
      {"6.3", "flow diagram of linkage", ""},
      {"7.1", "codes and algorithms of exposures, outcomes, confounders", factors_of(facts)},
      {"12.1", "access of the investigators to the database", ""},
      {"12.2", "cleaning of the data",
       flow(facts).empty() ? "" : "the study file: missing codes, filters, levels"},
      {"12.3", "linkage: level, methods, quality", ""},
      {"13.1", "selection of persons: filtering by quality, availability, linkage", flow(facts)},
      {"19.1", "what follows of data that were not collected for this question", ""},
      {"22.1", "access to protocol, raw data and code", digests(facts)},
  };
}

std::string outcome_of(const WriteUpFacts& facts) {
  return fmt::format("the action of each visit: {}", fmt::join(facts.fit.model.structure.actions, ", "));
}

std::vector<Item> tripod_items(const WriteUpFacts& facts) {
  const std::string sample =
      fmt::format("{} of {}", safe_words(facts.evaluation.decisions, "decision", facts.min_cell),
                  safe_words(facts.evaluation.patients, "patient", facts.min_cell));
  const std::string fairness =
      facts.check && facts.check->study.mapping && !facts.check->study.mapping->covariates.empty()
          ? "cohorts by the study's covariates: interpole audit"
          : "";
  return {
      {"1", "title names model, population and what is predicted", ""},
      {"2", "abstract by the guideline's own list", ""},
      {"3a–c", "background: context, who it is for, known inequalities", ""},
      {"4", "objectives: development, evaluation, or both", ""},
      {"5a–b", "sources and dates of data", ""},
      {"6a–c", "setting, eligibility, treatments received", ""},
      {"7", "preparation of data, alike across groups",
       flow(facts).empty() ? "" : "the study file and the attrition table"},
      {"8a–c", "outcome: definition, assessors, blinding",
       outcome_of(facts) + "; AUTHOR: who decided, and how"},
      {"9a–c", "predictors: choice, definition, assessors", factors_of(facts)},
      {"10", "sample size and how it was arrived at", sample + "; AUTHOR: why it suffices"},
      {"11", "missing data", missing_of(facts)},
      {"12a–g", "analysis: use of data, handling of predictors, model, performance, updating",
       "methods above; performance by AUROC, Brier score and calibration error"},
      {"13", "class imbalance", "none was corrected"},
      {"14", "fairness: approaches and why", fairness},
      {"15", "output of the model",
       "a probability for every action and a belief over the hidden states, before each decision"},
      {"16", "differences between data for training and for evaluation", ""},
      {"17", "ethics approval", ""},
      {"18a–f", "funding, interests, protocol, registration, data and code", digests(facts)},
      {"19", "involvement of patients and public", ""},
      {"20a–c", "participants: flow, characteristics, comparison of data sets", flow(facts)},
      {"21", "numbers of participants and events in each analysis", sample},
      {"22", "the full model, as to be used by others", "the model file"},
      {"23a–b", "performance with intervals, also in subgroups", "results above"},
      {"24", "updating of the model", "none"},
      {"25", "interpretation, fairness included", ""},
      {"26", "limitations",
       facts.checks.found.failed().empty() ? "" : "the checks that failed, above; AUTHOR: others"},
      {"27a–c", "use: inputs, skill needed, next steps", ""},
  };
}

}  // namespace

std::string reporting_section(const WriteUpFacts& facts) {
  return item_table("RECORD: studies of routinely collected health data", record_items(facts)) +
         item_table("TRIPOD+AI: prediction models", tripod_items(facts));
}

}  // namespace interpole::service
