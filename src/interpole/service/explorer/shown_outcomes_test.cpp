#include "interpole/service/explorer/shown_outcomes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "interpole/environment.hpp"
#include "interpole/fit.hpp"
#include "interpole/service/explorer/explorer_data.hpp"
#include "interpole/simulate.hpp"

namespace interpole::service {
namespace {

TEST(OutcomeRanks, FollowValuesAndNotTheTable) {
  OutcomeTable table(2);
  const double rows[][2] = {{3.0, NAN}, {NAN, 1.0}, {3.0, -1.0}, {2.0, 9.0}};
  for (const auto& row : rows) table.place_of(row);
  EXPECT_EQ(outcome_ranks(table), (std::vector{2, 0, 3, 1}));
}

TEST(ShownValue, HasNoMoreDigitsThanBeliefsShow) {
  MeasuredFactor normal{"x", Family::kNormal};
  normal.scale = 9.0;
  EXPECT_EQ(shown_value(normal, 76.13420262983007), 76.134);
  MeasuredFactor lactate{"x", Family::kLogNormal};
  EXPECT_EQ(shown_value(lactate, 1.1393809563491604), 1.1394);
  EXPECT_EQ(shown_value(lactate, 3e-7), 3e-7);
  EXPECT_EQ(shown_value({"x", Family::kPoisson}, 123456789.0), 123456789.0);
}

TEST(ShownValue, IsALimitOnlyWhereItWasOne) {
  MeasuredFactor limited{"x", Family::kNormal};
  limited.scale = 1.0;
  limited.lower = 0.8;
  EXPECT_EQ(shown_value(limited, 0.8), 0.8);
  EXPECT_EQ(shown_value(limited, 0.80004), 0.80004);
  EXPECT_EQ(shown_value(limited, 0.90004), 0.9);
}

TEST(ShownGap, HasNoMoreDigitsThanBeliefsShow) {
  const VisitTime days{"days", TimeRule::kGenerators, 10.0};
  EXPECT_EQ(shown_gap(days, 7.0), 7.0);
  EXPECT_EQ(shown_gap(days, 7.3127), 7.5);
  EXPECT_EQ(shown_gap(days, 0.01), 0.5);  // some time passes
  EXPECT_EQ(shown_gap(days, 1234.0), 1200.0);
  const VisitTime hours{"hours", TimeRule::kGenerators, 0.3};
  EXPECT_EQ(shown_gap(hours, 0.123), 0.12);
  EXPECT_EQ(shown_gap(hours, 2.349), 2.3);
  const VisitTime tiny{"years", TimeRule::kGenerators, 1e-300};
  EXPECT_GT(shown_gap(tiny, 1e-305), 0.0);
  EXPECT_TRUE(std::isfinite(shown_gap(tiny, 1e300)));
}

TEST(ShownGap, OfStepsIsOfWholeSteps) {
  const VisitTime weeks{"days", TimeRule::kSteps, 7.0, 0};
  EXPECT_EQ(shown_gap(weeks, 7.0), 7.0);
  EXPECT_EQ(shown_gap(weeks, 21.000001), 21.0);
  EXPECT_EQ(shown_gap(weeks, 7.0 * 1234), 7.0 * 1200);
}

nlohmann::json document_of(const Environment& unit, std::vector<Record> records, bool individual) {
  const FitResult fit{unit.truth, {}, {}, nullptr};
  ExplorerRequest request;
  request.records = records;
  request.allow_individual = individual;
  return nlohmann::json::parse(explorer_document(request, fit, quiet_sink()).json);
}

TEST(Explorer, OfMeasuredFactorsHasTheValuesOfEveryVisit) {
  const Environment unit = vitals();
  std::vector<Record> records;
  for (int i = 1; i <= 30; ++i) records.push_back(simulate_record(unit, 3, i));
  const auto json = document_of(unit, records, true);
  const auto& measured = json["model"]["measured"];
  EXPECT_EQ(measured["factors"][1]["unit"], "mmol/L");
  EXPECT_EQ(measured["factors"][1]["yielded"], (std::vector<bool>{false, true, false}));
  EXPECT_EQ(json["model"]["observation"][1][1].size(), 5u);
  std::size_t visit = 0;
  for (std::size_t r = 0; r < json["records"]["steps"].size(); ++r) {
    const std::string id = json["records"]["ids"][r];
    const auto same =
        std::find_if(records.begin(), records.end(), [&](const auto& x) { return x.patient == id; });
    ASSERT_NE(same, records.end());
    for (std::size_t t = 0; t < same->steps.size(); ++t) {
      const Step step = same->steps[t];
      const bool seen = step.observation != kMissing;
      EXPECT_EQ(json["records"]["steps"][r][t], 2 * step.action + (seen ? 1 : 0));
      if (!seen) continue;
      const auto values = unit.truth.structure.outcomes.table->at(step.observation);
      for (std::size_t f = 0; f < values.size(); ++f) {
        const auto& shown = measured["values"][f][visit];
        if (std::isnan(values[f])) {
          EXPECT_TRUE(shown.is_null());
        } else {
          EXPECT_EQ(shown.get<double>(), values[f]);
        }
      }
      ++visit;
    }
  }
  EXPECT_EQ(measured["values"][0].size(), visit);
}

// Outcomes are numbered as they are met: what the document lists must not tell in which order that was. (Sums
// may differ in their last digits, and resampled intervals by what chance drew.)
TEST(Explorer, OfMeasuredFactorsDoesNotTellTheOrderOfTheTable) {
  for (const auto& environment : {vitals, outpatient_clinic}) {
    const Environment unit = environment();
    Environment other = environment();
    std::vector<Record> there, back;
    for (int i = 1; i <= 20; ++i) there.push_back(simulate_record(unit, 3, i));
    for (int i = 20; i >= 1; --i) back.push_back(simulate_record(other, 3, i));
    const auto one = document_of(unit, there, false);
    const auto turned = document_of(other, back, false);
    for (const char* listed : {"model", "records", "examples"})
      EXPECT_EQ(one[listed], turned[listed]) << unit.name << ": " << listed;
  }
}

// With identifiers, gaps as they are; without, none that the table has if it says more.
TEST(Explorer, OfVisitsWithTimesHasTheGapBeforeEveryVisitButTheFirst) {
  Environment clinic = outpatient_clinic();
  clinic.gaps = {3.217, 7.0, 31.649, 45.004};
  std::vector<Record> records;
  for (int i = 1; i <= 30; ++i) records.push_back(simulate_record(clinic, 3, i));
  const auto exact = document_of(clinic, records, true);
  const auto shown = document_of(clinic, records, false);
  EXPECT_EQ(exact["model"]["time"]["unit"], "days");
  for (const auto& [json, gaps] : {std::pair(exact, std::vector{3.217, 7.0, 31.649, 45.004}),
                                   std::pair(shown, std::vector{3.2, 7.0, 32.0, 45.0})}) {
    for (std::size_t r = 0; r < json["records"]["steps"].size(); ++r) {
      const auto& of_record = json["records"]["gaps"][r];
      ASSERT_EQ(of_record.size() + 1, json["records"]["steps"][r].size());
      for (const double gap : of_record)
        EXPECT_NE(std::find(gaps.begin(), gaps.end(), gap), gaps.end()) << gap;
    }
  }
}

}  // namespace
}  // namespace interpole::service
