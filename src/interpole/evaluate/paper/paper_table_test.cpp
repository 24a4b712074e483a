#include "interpole/evaluate/paper/paper_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/data/study/built_in_study.hpp"
#include "interpole/environment.hpp"
#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/paper/paper_numbers.hpp"
#include "interpole/evaluate/paper/table_run.hpp"
#include "interpole/learners/registry/registry.hpp"

namespace interpole::evaluate {
namespace {

using ::testing::HasSubstr;

TEST(PaperNumbers, AreThoseOfTheTablesInOurUnits) {
  EXPECT_NEAR(paper_figure(3, "PO-MB-IL", "belief_mismatch")->mean, 0.0427, 1e-12);
  EXPECT_NEAR(paper_figure(4, "R-BC", "policy_mismatch")->deviation, 0.0788, 1e-12);
  EXPECT_EQ(paper_figure(4, "INTERPOLE", "stopping_time_error")->mean, 2.14);
  EXPECT_EQ(paper_figure(2, "R-BC", "auroc")->mean, 0.61);
  EXPECT_EQ(paper_figure(2, "INTERPOLE", "auprc")->deviation, 0.09);
}

TEST(PaperNumbers, AreMissingWhereThePaperHasNone) {
  EXPECT_FALSE(paper_figure(3, "R-BC", "belief_mismatch"));
  EXPECT_FALSE(paper_figure(3, "R-BC", "stopping_time_error_common"));
  EXPECT_FALSE(paper_figure(4, "BC", "policy_mismatch"));
  EXPECT_FALSE(paper_figure(3, "R-BC", "auroc"));
}

TEST(PaperTable, NamesTheKnownOnes) {
  EXPECT_EQ(paper_table_named("diag").number, 3);
  EXPECT_EQ(paper_table_named("adni").scores.size(), 3U);
  EXPECT_THROW(paper_table_named("tree"), Error);
}

// Every algorithm of the paper has a row, and every row speaks of an algorithm that is there.
TEST(TableRows, StandBesideThePapersRows) {
  std::vector<std::string> with_figures;
  for (const TableRow& row : all_table_rows()) {
    if (row.paper.empty()) continue;
    for (const int table : {2, 3, 4}) {
      const char* score = table == 2 ? "brier" : "policy_mismatch";
      EXPECT_TRUE(paper_figure(table, row.paper, score)) << row.name << " in table " << table;
    }
    with_figures.push_back(row.paper);
  }
  for (const char* algorithm : {"R-BC", "PO-MB-IL", "PO-IRL", "Off. PO-IRL", "INTERPOLE"}) {
    EXPECT_THAT(with_figures, ::testing::Contains(algorithm));
  }
}

TEST(TableRows, HoldEveryLearnerOfTheRegistry) {
  const auto rows = table_rows_named({});
  for (const std::string& name : learners::learner_names()) {
    EXPECT_TRUE(std::ranges::find(rows, name, &TableRow::name) != rows.end()) << name;
  }
  EXPECT_TRUE(std::ranges::find(rows, "po-irl-paper", &TableRow::name) != rows.end());
  EXPECT_TRUE(std::ranges::find(rows, "r-bc-paper", &TableRow::name) == rows.end());
}

TEST(TableRows, AreFoundByNameAndRefusedOtherwise) {
  const auto rows = table_rows_named({"bc", "interpole", "r-bc-paper"});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, "interpole");  // in the order of the table
  const auto message = [](const std::vector<std::string>& names) {
    return base::complaint_of([&] { table_rows_named(names); }, ErrorKind::kUsage);
  };
  EXPECT_THAT(message({"po-irl-papr"}), HasSubstr("did you mean \"po-irl-paper\"?"));
  EXPECT_THAT(message({"bc", "bc"}), HasSubstr("named twice"));
}

TEST(TableDataset, IsTheOneThatSimulateWrites) {
  const Study study = data::built_in_study("bias");
  const TableDataset data = simulated_diagnoses(paper_table_named("bias"), study, 40, 7);
  ASSERT_EQ(data.train.size(), 1U);
  const HistoryTree expected = environments::simulated_tree(bias(), 40, 7);
  EXPECT_EQ(data.train[0].action_counts, expected.action_counts);
  EXPECT_EQ(data.train[0].parent, expected.parent);
  EXPECT_EQ(data.test[0].records, kTestPatients);
  EXPECT_NE(data.test[0].action_counts, environments::simulated_tree(bias(), kTestPatients, 7).action_counts);
}

TEST(TableDataset, DealsAdniIntoFoldsOfAllPatients) {
  const Study study = data::built_in_study("adni");
  const auto records = simulated_adni_records(study, 60, 3);
  ASSERT_GT(records.size(), 40U);
  const TableDataset data = dealt(study, records, 5, 3);
  ASSERT_EQ(data.train.size(), 5U);
  std::int64_t tested = 0;
  for (std::size_t fold = 0; fold < 5; ++fold) {
    tested += data.test[fold].records;
    EXPECT_EQ(data.train[fold].records + data.test[fold].records, data.patients);
  }
  EXPECT_EQ(tested, data.patients);
}

TEST(TableDataset, RefusesAStudyOfOtherNames) {
  Study study = data::built_in_study("bias");
  study.structure.states[0] = "well";
  EXPECT_THROW(simulated_diagnoses(paper_table_named("bias"), study, 10, 1), Error);
}

TEST(TableRun, ScoresTheFitOnFreshPatients) {
  const PaperTable table = paper_table_named("diag");
  const Study study = data::built_in_study("diag");
  const Model truth = diag().truth;
  const TableDataset data = simulated_diagnoses(table, study, 60, 1);
  const TableRow row = table_rows_named({"interpole-shared"})[0];
  const TableRun run = run_table_row(table, row, data, 0, study, &truth, 0, quiet_sink());
  EXPECT_EQ(run.failure, "");
  ASSERT_EQ(run.scores.size(), table.scores.size());
  for (const auto& score : run.scores) EXPECT_GT(score.value_or(-1.0), 0.0);
  EXPECT_LT(*run.scores[0], 0.1);  // nearer to the truth than a belief that never moves
  const TableRow bc = table_rows_named({"bc"})[0];
  EXPECT_FALSE(run_table_row(table, bc, data, 0, study, &truth, 0, quiet_sink()).scores[0]);  // no beliefs
}

TEST(TableRun, KeepsWhatALearnerCannotDoAsAResult) {
  class Refusing : public learners::Learner {
    std::string name() const override { return "refusing"; }
    std::string description() const override { return ""; }
    std::unique_ptr<learners::FittedLearner> fit(const HistoryTree&, const DecisionProblem&,
                                                 const learners::LearnerOptions&, Sink&) const override {
      throw input_error("too little to learn from");
    }
    std::unique_ptr<learners::FittedLearner> load(const std::string&, const Structure&,
                                                  const std::string&) const override {
      return nullptr;
    }
  };
  const Refusing refusing;
  const PaperTable table = paper_table_named("diag");
  const Study study = data::built_in_study("diag");
  const Model truth = diag().truth;
  const TableDataset data = simulated_diagnoses(table, study, 5, 1);
  const TableRow row{"refusing", "refusing", &refusing, {}, "", 1};
  const TableRun run = run_table_row(table, row, data, 0, study, &truth, 0, quiet_sink());
  EXPECT_EQ(run.failure, "too little to learn from");
  EXPECT_FALSE(run.converged);
  ASSERT_EQ(run.scores.size(), 4U);
  EXPECT_FALSE(run.scores[1]);
}

}  // namespace
}  // namespace interpole::evaluate
