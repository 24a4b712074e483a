// Long names in figures: what can be written out is, what cannot be is cut where it can still be told apart,
// and nothing is written over what a figure is about.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "interpole/inference/oracle_testing.hpp"
#include "interpole/report/drawing/drawing_testing.hpp"
#include "interpole/report/figures/figure.hpp"
#include "interpole/report/figures/figure_testing.hpp"
#include "interpole/report/figures/region_name.hpp"

namespace interpole::report {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<std::string> kStates = {
    "Normal functioning for the age group", "Mild cognitive impairment, amnestic type",
    "Dementia of the Alzheimer type, probable", "Dementia with Lewy bodies, suspected",
    "Frontotemporal dementia, behavioural variant"};
const std::vector<std::string> kActions = {"No further investigation at this visit",
                                           "Order magnetic resonance imaging with volumetry",
                                           "Start treatment and refer to the memory clinic"};
const std::vector<std::string> kResults = {"hippocampal volume below average for age",
                                           "hippocampal volume within half a standard deviation"};

Model clinic(int states, std::uint64_t seed) {
  const Structure structure =
      Structure::unrestricted({kStates.begin(), kStates.begin() + states}, kActions, kResults);
  base::RandomStream random(seed);
  return {structure, testing::random_parameters(structure, random), std::nullopt};
}

ShownRecord record_of(int visits) {
  ShownRecord record{"Patient A", "", {}, {}, {}};
  for (int t = 0; t < visits; ++t) record.steps.push_back({t % 3, (t * t + t / 5) % 2});
  return record;
}

// A model, one record and what a figure of it needs.
struct Case {
  Model model;
  std::vector<ShownRecord> records;
  FigureDraws no_draws;
  std::vector<double> typical;

  Case(int states, std::uint64_t seed, int visits)
      : model(clinic(states, seed)), records({record_of(visits)}), typical(states, 1.0 / states) {}
  RecordsFigureInput input() const { return {model, records, no_draws, typical}; }
};

TEST(FigureNames, StatesAreSpeltOutBesideBeliefsOverTime) {
  for (const int states : {3, 4, 5}) {
    const Case six(states, 1, 6);
    const Drawing drawing = beliefs_figure(six.input());
    EXPECT_THAT(text_collisions(drawing), IsEmpty());
    for (const std::string& state : six.model.structure.states) {
      EXPECT_THAT(testing::all_text(drawing), HasSubstr(state)) << states;
    }
  }
}

TEST(FigureNames, BothStatesAreSpeltOutUnderAPolicy) {
  const Model model = clinic(2, 1);
  const HistoryTree tree = build_history_tree(3, std::vector<Record>{{"1", record_of(4).steps}});
  const inference::NodeBeliefs beliefs = inference::node_beliefs(tree, model.structure, model.agent.dynamics);
  const FigureDraws none;
  const std::string text = testing::all_text(policy_figure({model, tree, beliefs, none, 11}));
  EXPECT_THAT(text, HasSubstr("certain: " + kStates[0]));
  EXPECT_THAT(text, HasSubstr("belief in " + kStates[1]));
  EXPECT_THAT(text, Not(HasSubstr("grey")));  // there is no uncertainty to be grey
}

TEST(FigureNames, ResultsAreWrittenInWholeWordsWhileTheyFit) {
  for (const int visits : {1, 3, 5, 7}) {
    const Case few(3, 1, visits);
    const Drawing drawing = beliefs_figure(few.input());
    EXPECT_THAT(text_collisions(drawing), IsEmpty());
    EXPECT_THAT(testing::all_text(drawing), HasSubstr(kResults[0])) << visits;
  }
  const Case many(3, 1, 40);
  EXPECT_THAT(testing::all_text(beliefs_figure(many.input())), HasSubstr("too many visits to write"));
}

// Segments and markers of the path against the boxes of the regions' names.
TEST(FigureNames, RegionsAreNotNamedAcrossAPath) {
  int named = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    for (const int states : {3, 4, 5}) {
      const Case twelve(states, seed, 12);
      const Drawing drawing = trajectory_figure(twelve.input(), "Path");
      std::vector<TextBox> names;
      for (const Element& element : drawing.elements()) {
        const auto* words = std::get_if<Words>(&element);
        if (words == nullptr || !words->halo || std::isdigit(words->label.content[0]) != 0) continue;
        names.push_back(box_of(words->label));
        ++named;
      }
      for (const Element& element : drawing.elements()) {
        const auto* marker = std::get_if<Disc>(&element);  // of the first action, and where time has led
        if (marker == nullptr) continue;
        for (const TextBox& box : names) {
          EXPECT_FALSE(overlap(box, box_around(marker->centre, 1, 1))) << seed << " " << states;
        }
      }
    }
  }
  EXPECT_GT(named, 20);
}

TEST(RegionName, HidesNothingWhereItMustNot) {
  const std::vector<Point> square = {{0, 0}, {100, 0}, {100, 60}, {0, 60}};
  std::vector<Disc> discs;
  discs.reserve(10);
  for (int i = 0; i < 10; ++i) discs.push_back({{10.0 * i, 30}, 14, {}});
  Drawing drawing(100, "", "");
  EXPECT_FALSE(write_region_name(drawing, square, "treatment", 12, discs, Hiding::kNothing));
  EXPECT_TRUE(drawing.elements().empty());
  EXPECT_TRUE(write_region_name(drawing, square, "treatment", 12, discs, Hiding::kAsLittleAsPossible));
}

BiasFinding finding_of(Field field, int action, int state, int outcome) {
  BiasFinding finding;
  finding.field = field;
  finding.action = action;
  finding.state = state;
  finding.outcome = outcome;
  finding.agent = {0.2, 0.1, 0.3};
  finding.world = {0.21, 0.2, 0.3};
  finding.difference = {-0.01, -0.1, 0.1};
  return finding;
}

TEST(BiasFigure, NamesTheStateAtFirstAndBothEndsOfATransition) {
  const Model model = clinic(3, 1);
  AgentWorldComparison found;
  found.audit.findings = {finding_of(Field::kInitial, 0, 0, 2), finding_of(Field::kTransition, 1, 0, 2),
                          finding_of(Field::kObservation, 2, 1, 1)};
  const Drawing drawing = bias_figure(model.structure, found, {{{model.agent, {}}}, "test", 0.9}, 0.05);
  EXPECT_THAT(text_collisions(drawing), IsEmpty());
  const std::string text = testing::all_text(drawing);
  EXPECT_THAT(text, HasSubstr(kStates[2] + " at first"));
  EXPECT_THAT(text, HasSubstr(fmt::format("{}: from {} to {}", kActions[1], kStates[0], kStates[2])));
  EXPECT_THAT(text, HasSubstr(fmt::format("{}: {} if {}", kActions[2], kResults[1], kStates[1])));
}

TEST(TreeFigure, KeepsTheNumbersOfLongResults) {
  const Model model = clinic(2, 3);
  const Drawing drawing =
      tree_figure(model.structure, explain::guideline_of(model.structure, model.agent, {}, {}), {});
  EXPECT_THAT(text_collisions(drawing), IsEmpty());
  EXPECT_THAT(testing::all_text(drawing), Not(HasSubstr("…")));
}

}  // namespace
}  // namespace interpole::report
