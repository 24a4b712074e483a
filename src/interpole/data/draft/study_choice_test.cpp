#include "interpole/data/draft/study_choice.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/data/mapping/mapped_testing.hpp"
#include "interpole/study.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A result on the desk and what was done about it: a scan is ordered where the score is high, and its size
// stands in the next row.
class StudyChoiceTest : public MappedTest {
 protected:
  std::string clinic(int patients = 40) {
    std::string text = "who,day,score,done,size,colour,note\n";
    for (int p = 0; p < patients; ++p) {
      int scanned = 0;
      for (int v = 0; v < 5; ++v) {
        const int score = (p * 7 + v * 5) % 10;
        text += joined("p", p, ",", v + 1, ",", score, ",", score > 5 ? 1 : 0, ",",
                       scanned ? std::to_string(10 + (p + v) % 9) : "", ",", p % 2 == 0 ? "red" : "blue",
                       ",note ", p, "-", v, "\n");
        scanned = score > 5 ? 1 : 0;
      }
    }
    return file("clinic.csv", text);
  }

  static StudyChoice choice() {
    StudyChoice choice;
    choice.name = "clinic";
    choice.states = {"well", "ill"};
    choice.id = "who";
    choice.order = "day";
    choice.action = "done";
    choice.action_names = {{"0", "wait"}, {"1", "scan"}};
    choice.factors = {{"score", Reading::kBefore, {3.0, 6.0}, {"low", "middle", "high"}}};
    return choice;
  }

  Study study(ChoiceTable& table, const StudyChoice& choice) {
    return parse_study(table.study_text(choice), "s.toml");
  }
};

TEST_F(StudyChoiceTest, BecomesAStudyThatReadsTheTable) {
  ChoiceTable table(clinic());
  const Study made = study(table, choice());
  EXPECT_EQ(made.name, "clinic");
  EXPECT_THAT(made.structure.states, ElementsAre("well", "ill"));
  EXPECT_THAT(made.structure.actions, ElementsAre("wait", "scan"));
  EXPECT_THAT(made.structure.observations, ElementsAre("low", "middle", "high"));
  EXPECT_TRUE(made.mapping->factors[0].seen_before);
  EXPECT_THAT(made.mapping->factors[0].bins.cuts, ElementsAre(3.0, 6.0));
  MappingReport report;
  const auto lines = records(made, data_file(table.path()), &report);
  EXPECT_EQ(lines.size(), 40u);
  EXPECT_EQ(report.attrition.rows_kept, 200);
  EXPECT_EQ(lines[0], "p0: wait/1@1 wait/0@2 wait/1@3 wait/0@4 wait/-@5");
}

TEST_F(StudyChoiceTest, FindsWhichActionYieldsWhatIsSeenBeforeTheNext) {
  ChoiceTable table(clinic());
  StudyChoice wanted = choice();
  wanted.factors.push_back({"size", Reading::kBefore, {14.0}, {}});
  const Study made = study(table, wanted);
  EXPECT_THAT(made.mapping->factors[1].yielded_by, ElementsAre(0, 1));
  EXPECT_THAT(made.mapping->factors[1].levels, ElementsAre("low", "high", "not ordered"));
}

TEST_F(StudyChoiceTest, MergesCellsUnderOneName) {
  ChoiceTable table(clinic());
  StudyChoice wanted = choice();
  wanted.factors = {{"colour", Reading::kAfter, {}, {"warm", "cold"}},
                    {"score", Reading::kAfter, {}, {"a", "a", "a", "a", "a", "b", "b", "b", "b", "b"}}};
  const Study made = study(table, wanted);
  EXPECT_THAT(made.mapping->factors[0].levels, ElementsAre("warm", "cold"));
  EXPECT_THAT(made.mapping->factors[1].levels, ElementsAre("a", "b"));
  EXPECT_FALSE(made.mapping->factors[1].numeric);
}

TEST_F(StudyChoiceTest, TakesPresenceTerminalActionsGroupsCovariatesAndLabels) {
  ChoiceTable table(clinic());
  StudyChoice wanted = choice();
  wanted.action = "size";
  wanted.by_presence = true;
  wanted.action_names = {{"present", "measured"}, {"absent", "not measured"}};
  wanted.terminal = {"not measured"};
  wanted.factors[0].seen = Reading::kAfter;  // patients go on after it, which reading them would tell
  wanted.group = "colour";
  wanted.covariates = {"colour"};
  wanted.label_factor = "score";
  wanted.label_level = "high";
  const Study made = study(table, wanted);
  EXPECT_THAT(made.structure.actions, ElementsAre("measured", "not measured"));
  EXPECT_TRUE(made.structure.terminal[1]);
  EXPECT_EQ(made.mapping->group, "colour");
  EXPECT_EQ(made.mapping->covariates[0].sql, "\"colour\"");
}

TEST_F(StudyChoiceTest, NumbersRowsWithoutAnOrderAndKeepsTheFirstOfRepeats) {
  ChoiceTable table(file("t.csv", [] {
    std::string text = "who,day,score,done\n";
    for (int p = 0; p < 20; ++p) {
      for (int v = 0; v < 4; ++v) text += joined(p, ",", v / 2, ",", (p + v) % 7, ",", (p + v / 2) % 2, "\n");
    }
    return text;
  }()));
  StudyChoice wanted = choice();
  MappingReport report;
  records(study(table, wanted), data_file(table.path()), &report);
  EXPECT_EQ(report.attrition.rows_in, 40);
  wanted.order.clear();
  EXPECT_EQ(records(study(table, wanted), data_file(table.path())).size(), 20u);
  EXPECT_THAT(table.study_text(wanted), HasSubstr("order = \"row in the table\""));
}

TEST_F(StudyChoiceTest, BeginsWithWhatADraftWouldGuess) {
  std::string open;
  ChoiceTable table(clinic());
  const StudyChoice first = table.first_choice(open);
  EXPECT_EQ(first.id, "who");
  EXPECT_EQ(first.order, "day");
  EXPECT_EQ(first.action, "done");
  EXPECT_THAT(first.factors, Not(IsEmpty()));
  EXPECT_NO_THROW(study(table, first));
  ChoiceTable strange(file("s.csv", "a,b\n1,2\n1,3\n"));
  EXPECT_EQ(strange.first_choice(open).id, "");
  EXPECT_THAT(open, HasSubstr("no column looks like a record id"));
}

TEST_F(StudyChoiceTest, ShowsHowNumbersAreSpreadWithoutTheirEnds) {
  std::string text = "who,x\n";
  for (int i = 0; i < 1000; ++i) text += joined(i / 4, ",", i == 0 ? -5000 : i == 1 ? 9000 : i % 100, "\n");
  const ChoiceTable table(file("h.csv", text));
  const Histogram histogram = table.histogram("x", 10);
  EXPECT_GE(histogram.low, 0.0);
  EXPECT_LE(histogram.high, 99.0);
  std::int64_t sum = 0;
  for (const std::int64_t count : histogram.counts) sum += count;
  EXPECT_EQ(sum, 1000);
  EXPECT_THAT(histogram.counts, testing::Each(testing::AllOf(testing::Gt(80), testing::Lt(130))));
  const ChoiceTable same(file("c.csv", "who,x\n1,3\n1,3\n2,3\n2,3\n"));
  EXPECT_THAT(same.histogram("x", 2).counts, ElementsAre(4, 0));
}

TEST_F(StudyChoiceTest, SaysWhatCannotBe) {
  ChoiceTable table(clinic());
  const auto complaint = [&](const std::function<void(StudyChoice&)>& change) {
    StudyChoice wanted = choice();
    change(wanted);
    return base::complaint_of([&] { table.study_text(wanted); });
  };
  EXPECT_THAT(complaint([](auto& c) { c.id = ""; }), HasSubstr("say which column tells whose row it is"));
  EXPECT_THAT(complaint([](auto& c) { c.action = ""; }), HasSubstr("say which column tells what was done"));
  EXPECT_THAT(complaint([](auto& c) { c.factors.clear(); }), HasSubstr("say what was seen"));
  EXPECT_THAT(complaint([](auto& c) { c.id = "none"; }), HasSubstr("the table has no column \"none\""));
  EXPECT_THAT(complaint([](auto& c) { c.order = "who"; }), HasSubstr("column \"who\" has two roles"));
  EXPECT_THAT(complaint([](auto& c) { c.order = "note"; }), HasSubstr("column \"note\" cannot order visits"));
  EXPECT_THAT(complaint([](auto& c) { c.action = "note"; }), HasSubstr("fewer than two actions"));
  EXPECT_THAT(complaint([](auto& c) {
                c.action_names = {{"0", "x"}, {"1", "x"}};
              }),
              HasSubstr("fewer than two actions"));
  EXPECT_THAT(complaint([](auto& c) { c.factors[0].column = "note"; }),
              HasSubstr("column \"note\" cannot be what was seen"));
  EXPECT_THAT(complaint([](auto& c) { c.factors[0].levels = {"low"}; }), HasSubstr("1 names for 3 levels"));
  EXPECT_THAT(complaint([](auto& c) { c.factors[0].cuts = {6.0, 3.0}; }), HasSubstr("cuts"));
  EXPECT_THAT(complaint([](auto& c) { c.states = {"one", "one"}; }), HasSubstr("states"));
}

}  // namespace
}  // namespace interpole::data
