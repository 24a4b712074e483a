#include "interpole/report/drawing/drawing.hpp"

#include <gmock/gmock.h>

#include <charconv>
#include <cmath>

#include "interpole/report/drawing/drawing_testing.hpp"
#include "interpole/report/figures/figure_style.hpp"

namespace interpole::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

Drawing sample(const std::string& text) {
  Drawing drawing(200, "Title of " + text, "Words about " + text);
  drawing.set_height(100);
  drawing.rect(10, 10, 20, 20, {Colour{0, 114, 178}, {}, 0.5});
  drawing.disc({50, 50}, 5, {{}, Pen{kInk, 1, {2, 1}}, 1.0});
  drawing.text({{20, 80}, text, 12}, kInk, true);
  return drawing;
}

TEST(Drawing, FindsTextThatCollides) {
  Drawing drawing = sample("first");
  EXPECT_THAT(text_collisions(drawing), IsEmpty());
  drawing.text({{30, 84}, "second", 12});
  EXPECT_THAT(text_collisions(drawing), ElementsAre("\"first\" lies on \"second\""));
}

TEST(Drawing, FindsTextThatLeavesThePage) {
  Drawing drawing = sample("first");
  drawing.text({{190, 40}, "second", 12});
  EXPECT_THAT(text_collisions(drawing), ElementsAre("\"second\" leaves the page"));
}

TEST(Svg, EscapesWhatNamesMayHold) {
  const std::string svg = to_svg(sample("<script>\"&'\x01"));
  EXPECT_THAT(svg, HasSubstr("&lt;script&gt;&quot;&amp;&#39;\xEF\xBF\xBD</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr("<title id=\"title\">Title of &lt;script"));
  EXPECT_THAT(svg, HasSubstr("<desc id=\"desc\">Words about &lt;script"));
}

TEST(Svg, NeverHoldsWhatIsNotANumber) {
  Drawing drawing = sample("x");
  drawing.line({NAN, 1}, {2, INFINITY}, {});
  EXPECT_THAT(to_svg(drawing), Not(HasSubstr("nan")));
  EXPECT_THAT(to_svg(drawing), Not(HasSubstr("inf")));
}

// The number after `key`, which must be there.
std::size_t number_after(const std::string& text, const std::string& key, std::size_t from = 0) {
  const std::size_t at = text.find(key, from) + key.size();
  std::size_t value = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), value);
  return value;
}

TEST(Pdf, TableOfObjectsPointsAtObjects) {
  const std::string pdf = to_pdf(sample("name")).bytes;
  EXPECT_THAT(pdf, StartsWith("%PDF-1.4"));
  const std::size_t table = number_after(pdf, "startxref\n");
  ASSERT_EQ(pdf.compare(table, 5, "xref\n"), 0);
  const std::size_t count = number_after(pdf, "xref\n0 ", table);
  ASSERT_EQ(count, 8u);
  for (std::size_t i = 1; i < count; ++i) {
    const std::size_t row = pdf.find('\n', table + 5) + 1 + 20 * i;
    const std::size_t place = number_after(pdf, "", row);
    EXPECT_EQ(pdf.compare(place, 7, std::to_string(i) + " 0 obj"), 0) << i;
  }
  const std::size_t stream = pdf.find("stream\n") + 7;
  EXPECT_EQ(pdf.compare(stream + number_after(pdf, "/Length "), 9, "endstream"), 0);
}

TEST(Pdf, NamesCannotEndTheirString) {
  const std::string pdf = to_pdf(sample("a) Tj (\\")).bytes;
  EXPECT_THAT(pdf, HasSubstr("(a\\) Tj \\(\\\\) Tj"));
}

TEST(Pdf, SaysWhichLettersItLacks) {
  const PdfFile pdf = to_pdf(sample("é→"));
  EXPECT_EQ(pdf.lacking, U"→");
  EXPECT_THAT(pdf.bytes, HasSubstr("(\\351?) Tj"));
  EXPECT_THAT(pdf.bytes, HasSubstr("/Title <FEFF0054"));  // the document's title has all letters
}

TEST(Hatching, StaysWithinItsRegion) {
  const std::vector<Point> triangle = {{10, 10}, {90, 30}, {40, 80}};
  for (int action = 0; action < 8; ++action) {
    Drawing drawing(100, "", "");
    fill_region(drawing, triangle, action);
    for (const Element& element : drawing.elements()) {
      for (const auto& part : std::get<Outlines>(element).parts) {
        for (const Point& p : part) {
          for (int i = 0; i < 3; ++i) {
            const Point& a = triangle[i];
            const Point& b = triangle[(i + 1) % 3];
            EXPECT_GE((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x), -1e-6) << action;
          }
        }
      }
    }
  }
}

TEST(Arrow, IsNotDrawnIfShorterThanItsHead) {
  Drawing drawing(100, "", "");
  drawing.arrow({{10, 10}, {12, 10}}, {}, 6);
  EXPECT_THAT(drawing.elements(), IsEmpty());
  drawing.arrow({{10, 10}, {40, 10}}, {}, 6);
  EXPECT_EQ(drawing.elements().size(), 2u);
}

}  // namespace
}  // namespace interpole::report
