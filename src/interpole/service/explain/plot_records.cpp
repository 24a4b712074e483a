#include "interpole/service/explain/plot_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpole/base/messages.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/audit/archetypes.hpp"
#include "interpole/report/drawing/label_placer.hpp"
#include "interpole/report/geometry/sentences.hpp"
#include "interpole/service/known_patient.hpp"

namespace interpole::service {
namespace {

std::string letter_name(std::size_t number) {
  return fmt::format("Patient {}", static_cast<char>('A' + number));
}

constexpr std::array<const char*, explain::kArchetypes> kTitles = {
    "(a) Typical", "(b) Deteriorating", "(c) Belated diagnosis", "(d) High-value test"};
constexpr std::array<const char*, explain::kArchetypes> kWhyNone = {
    "no record ends with most belief in the first state",
    "no record moves towards later states at every visit", "no record meets the rule of a belated diagnosis",
    "no test hardly moved the belief and would have, had it come out otherwise"};

std::vector<int> counted_from_one(std::vector<int> visits) {
  for (int& visit : visits) ++visit;
  return visits;
}

std::string note_of(explain::Archetype kind, const Structure& structure,
                    const explain::ArchetypeRecord& record, const explain::Audit& audit) {
  switch (kind) {
    case explain::Archetype::kTypical:
      return fmt::format("Decisions are as surprising as the policy itself expects; ends nearest to {}.",
                         report::named(structure.states.front()));
    case explain::Archetype::kDeteriorating:
      return fmt::format("Belief moves towards {} at every visit; every decision is the likeliest one.",
                         report::named(structure.states.back()));
    case explain::Archetype::kBelated: {
      const RecordAudit flags = audit.of(record.steps, record.covariates);
      return fmt::format(
          "A test was the likeliest action at {} {} and was not done; at visit {} it was, "
          "and made {} near-certain.",
          flags.left_out.size() == 1 ? "visit" : "visits",
          report::visit_ranges(counted_from_one(flags.left_out)), flags.confirmed + 1,
          report::named(structure.states[record.state]));
    }
    case explain::Archetype::kValued:
      break;
  }
  return fmt::format("The test at visit {} hardly moved the belief; with another result it would have.",
                     *record.visit + 1);
}

}  // namespace

std::vector<report::ShownRecord> named_records(const PlotRequest& request, const Study& study,
                                               const std::vector<PolicyCovariate>& covariates) {
  std::vector<report::ShownRecord> records(request.patients.size());
  data::for_each_record_in_context(
      study, request.data, covariates,
      [&](const data::RecordView& record, std::span<const double> values) {
        for (std::size_t i = 0; i < records.size(); ++i) {
          if (record.patient != request.patients[i]) continue;
          records[i].steps = {record.steps.begin(), record.steps.end()};
          records[i].covariates = {values.begin(), values.end()};
        }
      },
      data::RecordDetails::kVisits);
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].steps.empty()) throw unknown_patient(study, request.data, request.patients[i]);
    records[i].name = request.show_ids ? "Patient " + request.patients[i] : letter_name(i);
  }
  return records;
}

std::vector<report::ShownRecord> archetype_records(const PlotRequest& request, const Study& study,
                                                   const Model& model, const HistoryTree& tree,
                                                   const std::vector<PolicyCovariate>& covariates,
                                                   const report::FigureDraws& draws, Sink& sink) {
  AuditOptions options;
  options.tests = request.tests;
  options.seed = request.seed;
  const explain::AuditRules rules = explain::audit_rules(model.structure, outcome_factors(study), options);
  const explain::Audit audit(tree, model, draws.draws, rules, options);
  explain::ArchetypeFinder finder(model, audit, rules);
  data::for_each_record_in_context(
      study, request.data, covariates,
      [&](const data::RecordView& record, std::span<const double> values) {
        finder.add(record.patient, record.steps, values);
      },
      data::RecordDetails::kVisits);
  std::vector<report::ShownRecord> records;
  for (int k = 0; k < explain::kArchetypes; ++k) {
    const auto kind = static_cast<explain::Archetype>(k);
    const auto& best = finder.best(kind);
    if (!best) {
      const bool no_rule = kind == explain::Archetype::kBelated && !rules.no_belated.empty();
      sink.note(fmt::format("{} is left out: {}", kTitles[k], no_rule ? rules.no_belated : kWhyNone[k]));
      continue;
    }
    report::ShownRecord record{kTitles[k],  note_of(kind, model.structure, *best, audit),
                               best->steps, best->visit,
                               {},          best->covariates};
    if (request.show_ids) record.name += ": patient " + best->patient;
    if (best->visit && !model.structure.measured()) {  // numbers that could have come are no list
      const Step& step = best->steps[*best->visit];
      record.other_outcomes =
          rules.instead[step.action * model.structure.observations.size() + step.observation];
    }
    records.push_back(std::move(record));
  }
  if (records.empty()) {
    throw input_error(
        fmt::format("{}: no record meets any of the figure's rules; name patients by option patient",
                    request.data.shown()));
  }
  return records;
}

}  // namespace interpole::service
