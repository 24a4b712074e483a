#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/error.hpp"
#include "interpole/fit.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learn/result/fit_quality.hpp"
#include "interpole/model_file.hpp"

namespace interpole {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FitOptions quick() {
  FitOptions options;
  options.restarts = 2;
  return options;
}

TEST(FitResult, IsTheSameInMemoryAndFromItsFile) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("model.json");
  const FitResult here = fit(testing::bias_study(), testing::bias_tree(300, 5), quick());
  write_fit(path, here);
  const FitResult there = read_fit(path);
  EXPECT_EQ(here.model, there.model);
  EXPECT_EQ(here.draws(50, 3), there.draws(50, 3));
  EXPECT_EQ(here.quality.json, there.quality.json);
  EXPECT_EQ(here.quality.warnings, there.quality.warnings);
  EXPECT_EQ(here.provenance.json, there.provenance.json);
  EXPECT_EQ(there.provenance.file, path);
}

TEST(FitResult, SaysWhatTheFitFound) {
  const FitResult result = fit(testing::bias_study(), testing::bias_tree(300, 5), quick());
  ASSERT_TRUE(result.quality.converged);
  EXPECT_TRUE(*result.quality.converged);
  EXPECT_EQ(result.quality.restarts, 2);
  EXPECT_EQ(static_cast<int>(result.quality.modes.size()), result.quality.modes_found);
  EXPECT_TRUE(result.quality.log_bayes_factor);
  EXPECT_TRUE(result.model.world);
  EXPECT_EQ(result.provenance.program, "interpole");
  EXPECT_EQ(result.provenance.dynamics, "coupled");
  EXPECT_EQ(result.provenance.seed, 1u);
}

TEST(FitResult, OfAModelThatSaysNothingIsTheModelAlone) {
  const Model model{testing::bias_study().structure, testing::bias_parameters(), {}};
  const FitResult result = parse_fit(format_model(model), "m.json");
  EXPECT_EQ(result.model, model);
  EXPECT_FALSE(result.has_uncertainty());
  EXPECT_FALSE(result.quality.converged);
  EXPECT_TRUE(result.quality.warnings.empty());
  EXPECT_THAT(base::complaint_of([&] { result.draws(1, 1); }), HasSubstr("does not say how sure it is"));
}

TEST(FitResult, TakesBlocksOfAnybody) {
  const FitQuality quality = learn::parse_quality(
      R"({"converged": false, "restarts": "many", "mode_details": 3, "labels": {"ambiguous": true},
          "policy_note": "means are free", "decided_by_prior": [{"involved": ["a", 1]}]})");
  EXPECT_THAT(
      quality.warnings,
      ElementsAre("The search for the best explanation did not converge: read nothing into the numbers.",
                  "State names: they may be exchanged.", "Means are free."));
  EXPECT_EQ(quality.restarts, 0);
  EXPECT_TRUE(quality.modes.empty());
  EXPECT_THAT(quality.decided_by_prior.at(0).involved, ElementsAre("a"));
}

TEST(TreeOfRecords, RefusesWhatTheStructureDoesNotHave) {
  const Structure structure = testing::bias_study().structure;
  const auto complaint = [&](std::vector<Step> steps) {
    const Record record{"p", std::move(steps)};
    return base::complaint_of([&] { tree_of_records(structure, {&record, 1}); });
  };
  EXPECT_EQ(complaint({{0, 1}, {3, kMissing}}),
            "record 0 (patient \"p\"), step 2: there is no action 3; there are 3, from 0");
  EXPECT_THAT(complaint({{0, 2}}), HasSubstr("there is no outcome 2"));
  EXPECT_THAT(complaint({{1, kMissing}, {0, 1}}), HasSubstr("ends a record, but more steps follow"));
  EXPECT_THAT(complaint({{1, 0}}), HasSubstr("cannot yield \"negative\""));
}

TEST(FitInMemory, RefusesNothingToLearnFrom) {
  EXPECT_THAT(base::complaint_of([] { fit(testing::bias_study(), std::span<const Record>()); }),
              HasSubstr("there are no decisions"));
}

}  // namespace
}  // namespace interpole
