#include "interpole/report/figures/figure.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdio>

#include "interpole/environment.hpp"
#include "interpole/error.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/report/drawing/drawing_testing.hpp"
#include "interpole/report/drawing/label_placer.hpp"
#include "interpole/report/figures/figure_testing.hpp"
#include "interpole/report/figures/record_path.hpp"
#include "interpole/report/figures/typical_belief.hpp"
#include "interpole/simulate.hpp"

namespace interpole::report {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum class Names { kShort, kLong, kHostile };

std::string test_name(Names kind, const char* what, int i) {
  switch (kind) {
    case Names::kShort:
      return fmt::format("{}{}", what, i);
    case Names::kLong:
      return fmt::format(
          "{}{} moderately progressive neurodegenerative impairment_of_unknown-significance/cause", what, i);
    case Names::kHostile:
      break;
  }
  return fmt::format("<script>alert('{}{}')</script>\"&日本語語語語語語語語\xE2\x80\xAE", what, i);
}

// A cohort with draws around its model, in which the last two records have 1 and 40 visits.
struct Sample {
  Model model;
  std::vector<Record> records;
  HistoryTree tree;
  inference::NodeBeliefs beliefs;
  FigureDraws draws;
  std::vector<ShownRecord> shown;

  Sample(int states, Names names, std::uint64_t seed) {
    Structure structure = Structure::unrestricted({}, {}, {});
    for (int s = 0; s < states; ++s) structure.states.push_back(test_name(names, "state", s));
    for (int a = 0; a < 4; ++a) structure.actions.push_back(test_name(names, "action", a));
    for (int z = 0; z < 3; ++z) structure.observations.push_back(test_name(names, "result", z));
    structure = Structure::unrestricted(structure.states, structure.actions, structure.observations);
    base::RandomStream random(seed);
    model = {structure, testing::random_parameters(structure, random), std::nullopt};
    records = testing::random_records(structure, model.agent, 200, 10, seed);
    shown.push_back({"Patient A", "", {{0, 1}}, {}, {}});
    shown.push_back({"Patient B", "a note " + test_name(names, "on", 1), {}, 3, {0, 1, 2}});
    for (int t = 0; t < 40; ++t) shown[1].steps.push_back({t % 3, (t * t + t / 5) % 3});
    for (const ShownRecord& record : shown) records.push_back({"identifier-4711", record.steps});
    tree = build_history_tree(structure.action_count(), records);
    beliefs = inference::node_beliefs(tree, structure, model.agent.dynamics);
    draws.source = "test";
    for (int i = 0; i < 20; ++i) {
      AgentWorld draw{model.agent, {}};
      for (double& mean : draw.agent.policy.means) mean += 0.03 * random.normal();
      draws.draws.push_back(std::move(draw));
    }
  }

  RecordsFigureInput records_input() const { return {model, shown, draws, typical_belief(tree, beliefs)}; }
  std::vector<Drawing> all_figures() const {
    return {policy_figure({model, tree, beliefs, draws, 11}), trajectory_figure(records_input(), "Paths"),
            beliefs_figure(records_input()),
            tree_figure(model.structure, explain::guideline_of(model.structure, model.agent, draws.draws, {}),
                        draws)};
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_readable(const Drawing& drawing) {
  EXPECT_THAT(text_collisions(drawing), IsEmpty());
  const std::string svg = to_svg(drawing);
  EXPECT_TRUE(has(svg, ">Inferred, not stated, beliefs."));
  EXPECT_TRUE(has(svg, "<desc id=\"desc\">Inferred, not stated, beliefs."));
  EXPECT_FALSE(has(svg, "<script"));
  EXPECT_FALSE(has(svg, "identifier-4711"));
  EXPECT_FALSE(has(svg, "nan"));
}

class EveryFigure : public ::testing::TestWithParam<std::tuple<int, Names>> {};

TEST_P(EveryFigure, HasNoTextThatCollides) {
  const auto [states, names] = GetParam();
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Sample sample(states, names, seed);
    for (const Drawing& drawing : sample.all_figures()) {
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, drawing.title()));
      expect_readable(drawing);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(StatesAndNames, EveryFigure,
                         ::testing::Combine(::testing::Values(2, 3, 4, 5, 7),
                                            ::testing::Values(Names::kShort, Names::kLong, Names::kHostile)));

TEST(Figure, RefusesASingleState) {
  const Sample sample(1, Names::kShort, 1);
  EXPECT_THROW(policy_figure({sample.model, sample.tree, sample.beliefs, sample.draws, 11}), Error);
  EXPECT_THROW(trajectory_figure(sample.records_input(), ""), Error);
  EXPECT_THROW(beliefs_figure(sample.records_input()), Error);
}

TEST(Figure, SaysThatThereAreNoDraws) {
  Sample sample(3, Names::kShort, 1);
  sample.draws.draws.clear();
  for (const Drawing& drawing : sample.all_figures()) {
    expect_readable(drawing);
    EXPECT_TRUE(has(testing::all_text(drawing), "no uncertainty"));
  }
}

TEST(PolicyFigure, ShowsTheBoundariesOfBiasInPerCent) {
  Sample sample(2, Names::kShort, 1);
  sample.model = testing::bias_truth();
  sample.records = {{"1", {{0, 1}, {0, 1}, {2, kMissing}}}};
  sample.tree = build_history_tree(3, sample.records);
  sample.beliefs = inference::node_beliefs(sample.tree, sample.model.structure, sample.model.agent.dynamics);
  sample.draws.draws.assign(50, {sample.model.agent, {}});
  const std::string svg =
      to_svg(policy_figure({sample.model, sample.tree, sample.beliefs, sample.draws, 11}));
  EXPECT_TRUE(has(svg, ">10%\u00A0[10%–10%]</text>"));
  EXPECT_TRUE(has(svg, ">90%\u00A0[90%–90%]</text>"));
  EXPECT_TRUE(has(svg, "&lt;11 decisions"));  // three decisions could point to a patient
}

TEST(TrajectoryFigure, NumbersEveryVisitOfAShortRecord) {
  Sample sample(3, Names::kShort, 2);
  sample.shown.resize(1);
  sample.shown[0].steps = {{0, 1}, {1, 0}, {2, 2}, {0, 0}, {1, 1}};
  const Drawing drawing = trajectory_figure(sample.records_input(), "Path");
  std::vector<int> numbered;
  for (const Element& element : drawing.elements()) {
    const auto* words = std::get_if<Words>(&element);
    if (words == nullptr || !words->halo) continue;
    int first = 0;
    int last = 0;
    const int read = std::sscanf(words->label.content.c_str(), "%d–%d", &first, &last);
    for (int v = first; read > 0 && v <= (read == 2 ? last : first); ++v) numbered.push_back(v);
  }
  EXPECT_THAT(numbered, ::testing::UnorderedElementsAre(1, 2, 3, 4, 5));
}

TEST(TrajectoryFigure, SaysHowManyVisitsItLeavesOut) {
  Sample sample(3, Names::kShort, 2);
  sample.shown[1].steps.resize(75, {0, 1});
  EXPECT_TRUE(has(testing::all_text(trajectory_figure(sample.records_input(), "Path")),
                  "Patient B: the last 15 visits are not drawn."));
}

// Beliefs drift from visit to visit, and every visit stands where it happened.
TEST(BeliefsFigure, HasVisitsWhereTheyHappened) {
  Environment clinic = outpatient_clinic();
  ShownRecord shown{"Patient A", "", simulate_record(clinic, 2, 1).steps, {}, {}};
  for (int patient = 2; shown.steps.size() < 5; ++patient)
    shown.steps = simulate_record(clinic, 2, patient).steps;
  const RecordPath path = path_of(clinic.truth, shown);
  const auto moments = moments_of(clinic.truth.structure, shown, path);
  double time = 0.0;
  for (std::size_t t = 0; t < moments.size(); ++t) {
    EXPECT_EQ(moments[t], time);
    if (shown.steps[t].gap != kNoGap) time += clinic.truth.structure.gaps.table->at(shown.steps[t].gap);
  }
  const auto course = course_of(clinic.truth, shown, path, 4);
  std::size_t visits = 0;
  for (std::size_t i = 0; i < course.size(); ++i) {
    EXPECT_NEAR(course[i].belief[0] + course[i].belief[1], 1.0, 1e-12);
    if (course[i].visit < 0) continue;
    EXPECT_EQ(course[i].belief, path.beliefs[course[i].visit]);
    if (visits++ == 0) continue;
    // Just before: what time alone made of it.
    EXPECT_NEAR(course[i - 1].belief[0], path.predicted[course[i].visit - 1][0], 1e-12);
    EXPECT_NEAR(course[i - 1].at, course[i].at, 1e-9);
  }
  EXPECT_EQ(visits, path.beliefs.size());
  const std::vector<ShownRecord> records = {shown};
  const FigureDraws draws{{{clinic.truth.agent, {}}, {clinic.truth.agent, {}}}, "test", 0.9};
  const Drawing drawing = beliefs_figure({clinic.truth, records, draws, {0.5, 0.5}});
  expect_readable(drawing);
  EXPECT_TRUE(has(testing::all_text(drawing), "days"));
  EXPECT_TRUE(has(testing::all_text(drawing), "drifting between visits"));
}

TEST(TreeFigure, AsksForTheThresholdOfTheGuideline) {
  const Model truth = decision_tree().truth;
  const FigureDraws draws{{}, "", 0.9};
  const Drawing drawing =
      tree_figure(truth.structure, explain::guideline_of(truth.structure, truth.agent, {}, {}), draws);
  expect_readable(drawing);
  EXPECT_THAT(drawing.description(),
              HasSubstr("if the belief in dis is above 30%, then \"tst-typ\", else \"stp-hlt\""));
}

TEST(BiasFigure, ShowsFlaggedFindingsFirstAndSaysHowManyAreLeftOut) {
  const Model truth = testing::bias_truth();
  BiasAudit audit;
  for (int i = 0; i < 40; ++i) {
    BiasFinding finding;
    finding.outcome = i % 2;
    finding.state = i / 2 % 2;
    finding.agent = {0.2, 0.1, 0.3};
    finding.world = {0.21, 0.2, 0.3};
    finding.difference = {-0.01, -0.1, 0.1};
    audit.findings.push_back(finding);
  }
  audit.findings[39].flagged = true;
  audit.findings[39].difference = {-0.2, -0.3, -0.1};
  const FigureDraws draws{{{truth.agent, truth.world}}, "test", 0.9};
  AgentWorldComparison found;
  found.audit = audit;
  found.sentences = {"The records speak for a difference."};
  const Drawing drawing = bias_figure(truth.structure, found, draws, 0.05);
  expect_readable(drawing);
  const std::string svg = to_svg(drawing);
  EXPECT_TRUE(has(testing::all_text(drawing), found.sentences[0]));
  EXPECT_TRUE(has(testing::all_text(drawing), "10 numbers with smaller differences are not shown"));
  EXPECT_LT(svg.find("–20 [–30, –10]"), svg.find("–1 [–10, +10]"));
}

AgentsFigureInput minds_of_bias(const Model& truth) {
  AgentsFigureInput input{truth.structure, {{"Truth", truth.agent}}, 0, {0, 0}, "BIAS"};
  input.agents.push_back({"World", {*truth.world, truth.agent.policy}});
  return input;
}

// Two negative results take the doctor of BIAS from 50% to 75% and 90%; one who knows the world to 60% and
// 69%.
TEST(AgentsFigure, ShowsWhereTheSameResultsLead) {
  const Model truth = bias().truth;
  const Drawing drawing = agents_figure(minds_of_bias(truth));
  expect_readable(drawing);
  EXPECT_THAT(
      drawing.description(),
      HasSubstr("Truth: belief in healthy goes 50%, 75%, 90%; the likeliest action changes at 10%, 90%."));
  EXPECT_THAT(drawing.description(), HasSubstr("World: belief in healthy goes 50%, 60%, 69.2%"));
  EXPECT_THAT(testing::all_text(drawing), HasSubstr("negative, negative"));
}

TEST(AgentsFigure, HasNoTextThatCollidesWhateverTheBoundariesAndNames) {
  for (const Names names : {Names::kShort, Names::kLong, Names::kHostile}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE(seed);
      const Sample sample(2, names, seed);
      AgentsFigureInput input{sample.model.structure, {}, static_cast<int>(seed % 4), {0, 1, 2}, ""};
      for (int i = 0; i < 7; ++i) {
        input.agents.push_back({test_name(names, "mind", i), sample.draws.draws[i].agent});
      }
      expect_readable(agents_figure(input));
    }
  }
}

TEST(AgentsFigure, RefusesOtherThanTwoStates) {
  const Sample sample(3, Names::kShort, 1);
  EXPECT_THROW(agents_figure({sample.model.structure, {}, 0, {}, ""}), Error);
}

TEST(VisitRanges, AreShort) {
  EXPECT_EQ(visit_ranges({1}), "1");
  EXPECT_EQ(visit_ranges({1, 2, 3, 5}), "1–3, 5");
  EXPECT_EQ(visit_ranges({1, 3, 5, 7, 9}), "1, 3, 5 …");
}

TEST(SharesFigure, SaysWhatIsForeseenAndWhatItIsMadeOf) {
  const learn::Shares shares{
      {{"belief", 0.13}, {"distorted picture", -0.01}, {"habit", 0.06}, {"kinds", 0.02}}, 0.2, 0.8, 24};
  const Drawing drawing = shares_figure(shares);
  expect_readable(drawing);
  const std::string text = testing::all_text(drawing);
  EXPECT_THAT(text, HasSubstr("foreseen: 25%"));
  EXPECT_THAT(text, HasSubstr("remains unforeseeable: 75%"));
  EXPECT_THAT(text, HasSubstr("kinds of decision-makers"));
  EXPECT_THAT(text, HasSubstr("–5%"));
  EXPECT_THAT(drawing.description(), HasSubstr("belief 65%, habit 30%, kinds of decision-makers 10%"));
}

TEST(SharesFigure, HasNoTextThatCollidesWhateverTheShares) {
  const std::vector<std::string> names = {
      "belief", "distorted picture", "habit", "time", "context", "group", "kinds", "other"};
  base::RandomStream random(1);
  for (int i = 0; i < 50; ++i) {
    learn::Shares shares;
    for (const std::string& name : names) {
      shares.parts.push_back({name, 0.05 * random.normal() + 0.02});
      shares.gained += shares.parts.back().nats;
    }
    shares.frequencies = std::max(0.0, shares.gained) * (1.0 + 50.0 * random.uniform());
    expect_readable(shares_figure(shares));
  }
}

TEST(SharesFigure, SaysThatThereIsNothingToShare) {
  const Drawing drawing = shares_figure({{{"belief", 0.0}, {"distorted picture", -0.01}}, -0.01, 0.8, 6});
  expect_readable(drawing);
  EXPECT_THAT(testing::all_text(drawing), HasSubstr("nothing to share out"));
}

}  // namespace
}  // namespace interpole::report
