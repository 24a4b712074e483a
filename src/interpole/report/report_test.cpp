#include "interpole/report/report.hpp"

#include <gmock/gmock.h>

#include <cctype>
#include <cmath>

#include "interpole/base/error.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/report/bias_testing.hpp"
#include "interpole/report/style.hpp"

namespace interpole {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Sample {
  Model model;
  HistoryTree tree;
  std::vector<Record> records;

  Sample(Model the_model, int count, int longest, std::uint64_t seed = 1) : model(std::move(the_model)) {
    records = testing::random_records(model.structure, model.agent, count, longest, seed);
    tree = build_history_tree(model.structure.action_count(), records);
  }
  ReportInput input(std::vector<Record> examples) const {
    ReportInput input;
    input.title = "BIAS";
    input.model = &model;
    input.tree = &tree;
    input.examples = std::move(examples);
    return input;
  }
};

Record monitored(int steps) {
  Record record{"identifier-4711", {}};
  for (int i = 0; i < steps; ++i) record.steps.push_back({0, i % 3 == 0 ? 1 : 0});
  return record;
}

Sample random_sample(int states, std::uint64_t seed = 3) {
  const Structure structure = testing::some_structure(states, 4, 3);
  RandomStream random(seed);
  return {{structure, testing::random_parameters(structure, random), std::nullopt}, 300, 12, seed};
}

// Every tag of the body that is opened is closed, in order: what a browser would otherwise repair in its own
// way. (Escaped text has no angle brackets. No std::regex: it needs a deep stack for long attributes.)
void expect_well_formed(const std::string& html) {
  std::vector<std::string> open;
  const std::size_t end_of_body = html.rfind("</html>");
  for (std::size_t at = html.find("<body>"); at < end_of_body; at = html.find('<', at + 1)) {
    const std::string tag = html.substr(at + 1, html.find('>', at) - at - 1);
    ASSERT_EQ(tag.find('<'), std::string::npos) << tag;
    if (tag.back() == '/') continue;
    if (tag.front() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
      continue;
    }
    ASSERT_FALSE(open.empty()) << tag;
    ASSERT_EQ(open.back(), tag.substr(1));
    open.pop_back();
  }
  EXPECT_TRUE(open.empty()) << open.back();
}

// Words such as "inferred" are fine; "nan" and "inf" standing alone are not.
void expect_finite(const std::string& html) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  std::string word;
  for (const char c : html) {
    if (is_letter(c)) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    ASSERT_TRUE(word != "nan" && word != "inf" && word != "infinity") << word;
    word.clear();
  }
}

TEST(Report, ShowsBiasWithItsBoundariesAndTheWorld) {
  const Sample bias(testing::bias_truth(), 500, 25);
  const std::string html = render_report(bias.input({monitored(4)}));
  EXPECT_THAT(html, HasSubstr("declare-diseased becomes the likeliest action above 90%."));
  EXPECT_THAT(html, HasSubstr("below 10%."));
  EXPECT_THAT(html, HasSubstr("20% <small>world 40%</small>"));
  EXPECT_THAT(html, HasSubstr("<dd>500</dd>"));
  EXPECT_THAT(html, HasSubstr("nferred, not stated, beliefs"));
  EXPECT_THAT(html, HasSubstr("States are taken not to change"));
}

TEST(Report, HoldsNoScriptsAndLoadsNothing) {
  const Sample bias(testing::bias_truth(), 200, 25);
  const std::string html = render_report(bias.input({monitored(4)}));
  EXPECT_THAT(html, HasSubstr("default-src 'none'; style-src 'sha256-"));
  for (const char* bad :
       {"<script", "javascript:", "http:", "https:", " style=", " onload", "@import", "src=", "href="}) {
    EXPECT_THAT(html, Not(HasSubstr(bad)));
  }
}

TEST(Report, StyleSheetIsTheOneThePolicyAllows) {
  const Sample bias(testing::bias_truth(), 50, 25);
  const std::string html = render_report(bias.input({}));
  const auto begin = html.find("<style>") + 7;
  EXPECT_EQ(html.substr(begin, html.find("</style>") - begin), report_style());
  EXPECT_THAT(std::string(report_style()), Not(HasSubstr("<")));
}

TEST(Report, NeverShowsIdentifiers) {
  const Sample bias(testing::bias_truth(), 50, 25);
  const std::string html = render_report(bias.input({monitored(3), monitored(5)}));
  EXPECT_THAT(html, Not(HasSubstr("4711")));
  EXPECT_THAT(html, HasSubstr("Patient A"));
  EXPECT_THAT(html, HasSubstr("Patient B"));
  EXPECT_THAT(html, Not(HasSubstr("Patient C")));
}

TEST(Report, HostileNamesAreInert) {
  Sample bias(testing::bias_truth(), 100, 25);
  bias.model.structure.states = {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>"};
  bias.model.structure.actions = {"a & b", "</title></svg><script>", "</style>"};
  bias.model.structure.observations = {"' onmouseover='x", "<!--"};
  ReportInput input = bias.input({monitored(4)});
  input.title = "</title><script>";
  input.facts = {"<b>fact</b>"};
  input.warnings = {"<i>warning</i>"};
  const std::string html = render_report(input);
  const std::string body = html.substr(html.find("</style>"));
  for (const char* bad : {"<script", "<img", "<b>", "<i>", "<!--", "' onmouseover", "a & b"}) {
    EXPECT_THAT(body, Not(HasSubstr(bad)));
  }
  EXPECT_THAT(html, HasSubstr("&lt;i&gt;warning&lt;/i&gt;"));
  expect_well_formed(html);
}

TEST(Report, SmallCountsAreWithheld) {
  const Sample few(testing::bias_truth(), 6, 1);
  const std::string html = render_report(few.input({}));
  EXPECT_THAT(html, HasSubstr("<dt>patients</dt><dd>&lt;11</dd>"));
  EXPECT_THAT(html, HasSubstr("<dt>decisions</dt><dd>&lt;11</dd>"));
  EXPECT_THAT(html, Not(HasSubstr("<dd>6</dd>")));
  ReportInput open = few.input({});
  open.min_cell = 0;
  EXPECT_THAT(render_report(open), HasSubstr("<dt>patients</dt><dd>6</dd>"));
}

TEST(Report, WarningsStandInABannerOnlyIfThereAreAny) {
  const Sample bias(testing::bias_truth(), 50, 25);
  ReportInput input = bias.input({});
  EXPECT_THAT(render_report(input), Not(HasSubstr("class=\"warnings\"")));
  input.warnings = {"The search did not converge."};
  EXPECT_THAT(render_report(input), HasSubstr("<li>The search did not converge.</li>"));
}

TEST(Report, AnyNumberOfStatesIsWellFormedAndFinite) {
  for (const int states : {1, 2, 3, 4, 12, 20}) {
    const Sample sample = random_sample(states);
    const std::string html =
        render_report(sample.input({sample.records[0], sample.records[1], sample.records[2]}));
    expect_well_formed(html);
    expect_finite(html);
    EXPECT_EQ(html.find("There is no map") != std::string::npos, states > 3) << states;
    EXPECT_EQ(html.find("there is nothing to map") != std::string::npos, states == 1) << states;
    EXPECT_EQ(html.find("id=\"path0t-title\"") != std::string::npos, states == 3) << states;
  }
}

TEST(Report, RecordsOfAnyLengthAreDrawn) {
  const Sample bias(testing::bias_truth(), 50, 25);
  for (const int steps : {1, 2, 60, 150, 3000}) {
    const std::string html = render_report(bias.input({monitored(steps)}));
    expect_well_formed(html);
    expect_finite(html);
    EXPECT_EQ(html.find("too many steps to draw") != std::string::npos, steps > 130) << steps;
  }
  EXPECT_THAT(render_report(bias.input({monitored(3000)})), HasSubstr("2,601 steps left out"));
}

// Texts of the step axis, in a drawing of 880 units: a digit needs about 7.
TEST(Report, StepNumbersDoNotCollide) {
  const Sample bias(testing::bias_truth(), 50, 25);
  const std::string marks = "\" y=\"218\" text-anchor=\"middle\" class=\"small\">";
  for (const int steps : {5, 60, 999}) {
    const std::string html = render_report(bias.input({monitored(steps)}));
    double taken_until = 0.0;
    int seen = 0;
    for (std::size_t at = html.find(marks); at != std::string::npos; at = html.find(marks, at + 1), ++seen) {
      const double x = std::stod(html.substr(html.rfind('"', at - 1) + 1));
      const std::size_t text = at + marks.size();
      const double half = 3.5 * static_cast<double>(html.find('<', text) - text);
      EXPECT_GT(x - half, taken_until) << steps << " steps, number " << seen;
      taken_until = x + half;
    }
    EXPECT_GE(seen, 5) << steps;
  }
}

TEST(Report, ManyActionsNearlyWithoutDoubtAndLongNames) {
  Structure structure = testing::some_structure(2, 12, 3);
  for (std::string& name : structure.actions) name += std::string(180, 'w');
  structure.states[1] = std::string(180, 'W');
  RandomStream random(9);
  Parameters parameters = testing::random_parameters(structure, random, 0.01);
  parameters.policy.inverse_temperature = 1e6;
  const Sample sample({structure, parameters, std::nullopt}, 100, 30);
  const std::string html = render_report(sample.input({sample.records[0]}));
  expect_well_formed(html);
  expect_finite(html);
}

TEST(Report, ImpossibleOutcomesAreSaidNotDrawn) {
  Sample bias(testing::bias_truth(), 300, 25);
  bias.model.agent.dynamics.observation = {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::string html = render_report(bias.input({monitored(4)}));
  EXPECT_THAT(html, HasSubstr("outcomes that the fitted model calls impossible"));
  EXPECT_THAT(html, HasSubstr("what was seen at step 1 impossible"));
  expect_finite(html);
}

TEST(Report, RefusesWhatIsNotAModelOfTheData) {
  const Sample bias(testing::bias_truth(), 20, 25);
  ReportInput input = bias.input({});
  Model broken = bias.model;
  broken.agent.dynamics.initial = {0.5, NAN};
  input.model = &broken;
  EXPECT_THROW(render_report(input), Error);
  input.model = nullptr;
  EXPECT_THROW(render_report(input), Error);
  const Sample other = random_sample(2);
  input = bias.input({});
  input.tree = &other.tree;
  EXPECT_THROW(render_report(input), Error);
}

}  // namespace
}  // namespace interpole
