#include "interpole/evaluate/paper/table_dataset.hpp"

#include "interpole/environment.hpp"
#include "interpole/environments/adni/adni_patient.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/folds.hpp"
#include "interpole/simulate.hpp"

namespace interpole::evaluate {
namespace {

// Steps are numbers: they mean the same in environment and study only if both list the same names.
void require_same_names(const Structure& problem, const Structure& environment) {
  if (problem.states == environment.states && problem.actions == environment.actions &&
      problem.observations == environment.observations) {
    return;
  }
  throw input_error(
      "the study names other states, actions or observations than the simulated world; use the "
      "built-in study");
}

HistoryTree simulated(const Environment& environment, std::int64_t patients, std::uint64_t seed) {
  HistoryTreeBuilder builder(environment.truth.structure.action_count());
  simulate(environment, {.patients = patients, .seed = seed, .threads = 1},
           [&](const Record& record) { builder.add(record.steps); });
  return builder.build();
}

}  // namespace

TableDataset simulated_diagnoses(const PaperTable& table, const DecisionProblem& problem,
                                 std::int64_t patients, std::uint64_t seed) {
  const Environment environment = environment_named(table.name);
  require_same_names(problem.structure, environment.truth.structure);
  TableDataset dataset{seed, patients, {}, {}};
  dataset.train.push_back(simulated(environment, patients, seed));
  dataset.test.push_back(simulated(environment, kTestPatients, seed + kTestSeedDistance));
  return dataset;
}

std::vector<Record> simulated_adni_records(const DecisionProblem& problem, std::int64_t patients,
                                           std::uint64_t seed) {
  require_same_names(problem.structure, adni().truth.structure);
  return environments::expected_records({.patients = patients, .seed = seed, .threads = 1});
}

TableDataset dealt(const DecisionProblem& problem, const std::vector<Record>& records, int folds,
                   std::uint64_t seed) {
  FoldBuilder builder(problem.structure.action_count(), folds, seed);
  for (const Record& record : records) builder.add(record.steps);
  FoldTrees trees = builder.build();
  return {seed, trees.all.records, std::move(trees.train), std::move(trees.test)};
}

}  // namespace interpole::evaluate
