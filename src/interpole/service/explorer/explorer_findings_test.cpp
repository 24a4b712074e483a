#include "interpole/service/explorer/explorer_findings.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace interpole::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A study of two states, its record of one patient, and nothing found yet.
class Findings : public ::testing::Test {
 protected:
  Findings() {
    cohorts_.rows.resize(1);
    const std::vector<Record> records = {{"p", {{0, 0}, {1, 0}}}};
    tree_ = build_history_tree(2, records);
    groups_.structure = structure_;
    groups_.groups = {"north", "south"};
    groups_.fit.policies.assign(2, agent_.policy);
  }

  std::vector<std::string> found() {
    return findings_of({&structure_, &agent_, &boundaries_, &tree_, bias_ ? &*bias_ : nullptr,
                        groups_.boundaries.empty() ? nullptr : &groups_, &cohorts_, &rules_});
  }

  // The evidence for groups that decide differently, and where their boundary lies.
  void set_groups(GroupVerdict verdict, learn::GroupCause cause, const Estimate& difference) {
    groups_.judgement.verdict = verdict;
    groups_.judgement.cause = name_of(cause);
    groups_.judgement.differ = {cause};
    groups_.sentences = {"The verdict."};
    groups_.boundaries = {
        {{0, 1, 0, 1, 0.5}, {{0.3, 0.2, 0.4}, {0.6, 0.5, 0.7}}, {0.3, 0.1, 0.5}, 0, 1, difference}};
  }

  Structure structure_ = Structure::unrestricted({"well", "ill"}, {"wait", "treat"}, {"z"});
  Parameters agent_{{{0.5, 0.5}, {1, 0, 0, 1, 1, 0, 0, 1}, {1, 1, 1, 1}}, {1.0, {1, 0, 0, 1}}};
  std::vector<explain::SideBoundaryEstimate> boundaries_ = {{{0, 1, 0, 1, 0.5}, {0.5, 0.0, 1.0}, 0.3}};
  HistoryTree tree_;
  GroupsOutcome groups_;
  std::optional<ExplorerBias> bias_;
  explain::CohortTables cohorts_;
  explain::AuditRules rules_;
};

TEST_F(Findings, ABoundaryIsOneOnlyIfItIsSurelyThere) {
  EXPECT_THAT(found(), IsEmpty());
  boundaries_[0].position = {0.5, 0.45, 0.55};
  boundaries_[0].present = 0.97;
  EXPECT_THAT(found(),
              ElementsAre(HasSubstr("\"wait\" gives way to \"treat\" once \"ill\" is believed with 50%")));
}

TEST_F(Findings, GroupsAreNamedOnlyIfTheirDifferenceLeavesZeroOut) {
  set_groups(GroupVerdict::kDifference, learn::GroupCause::kPolicy, {0.3, -0.1, 0.5});
  EXPECT_THAT(found(), ElementsAre("The verdict."));
  set_groups(GroupVerdict::kDifference, learn::GroupCause::kPolicy, {0.3, 0.1, 0.5});
  EXPECT_THAT(found(),
              ElementsAre("Groups decide differently: \"wait\" gives way to \"treat\" at 30% [20, 40] "
                          "\"ill\" in \"north\", at 60% [50, 70] in \"south\"."));
  EXPECT_THAT(sentence_of(groups_, groups_.boundaries[0]), HasSubstr("in \"north\""));
}

TEST_F(Findings, OtherPatientsAreNoOtherPolicy) {
  set_groups(GroupVerdict::kDifference, learn::GroupCause::kPatients, {0.3, 0.1, 0.5});
  EXPECT_THAT(found(), ElementsAre("The verdict."));
  set_groups(GroupVerdict::kWithheld, learn::GroupCause::kPolicy, {0.3, 0.1, 0.5});
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Findings, TheExtremesOfGroupsThatAreAlikeAreNoFinding) {
  set_groups(GroupVerdict::kNone, learn::GroupCause::kPolicy, {0.3, 0.1, 0.5});
  EXPECT_THAT(found(), IsEmpty());
  set_groups(GroupVerdict::kDifference, learn::GroupCause::kPolicy, {0.3, -0.1, 0.5});
  EXPECT_EQ(
      sentence_of(groups_, groups_.boundaries[0]),
      "No two groups surely differ in where \"wait\" gives way to \"treat\" between \"well\" and \"ill\".");
}

TEST_F(Findings, OfNumbersThatStandOutTheClearestIsToldIfTheRecordsSpeak) {
  BiasFinding small{Field::kInitial,  0,   0,  0,    "", {0.5, 0.4, 0.6}, {0.3, 0.2, 0.4},
                    {0.2, 0.05, 0.3}, 1.0, {}, true, {}};
  BiasFinding wide{Field::kInitial,  0,    0,  1,     "", {0.9, 0.1, 1.0}, {0.3, 0.2, 0.4},
                   {0.6, -0.1, 0.8}, 0.99, {}, false, {}};
  bias_ = ExplorerBias{{{wide, small}, 100, {}}, {}, 5.0, {}, "", BiasVerdict::kDifference};
  EXPECT_THAT(found(), ElementsAre(HasSubstr("starts as if 50% [40, 60] of patients were \"well\"")));
  bias_->verdict = BiasVerdict::kUndecided;
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Findings, AWithheldVerdictComesWithItsReasons) {
  ExplorerBias bias;
  bias.verdict = BiasVerdict::kWithheld;
  bias.reasons = {"the search for the best explanation did not end"};
  const auto json = explorer_bias_json(structure_, bias);
  EXPECT_EQ(json["verdict"], "withheld");
  EXPECT_EQ(json["reasons"][0], bias.reasons[0]);
}

}  // namespace
}  // namespace interpole::service
