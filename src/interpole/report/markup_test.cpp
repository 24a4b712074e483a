#include "interpole/report/markup.hpp"

#include <gtest/gtest.h>

#include "interpole/report/html.hpp"
#include "interpole/report/svg.hpp"

namespace interpole {
namespace {

TEST(Escaped, MakesMarkupInert) {
  EXPECT_EQ(escaped("<script>").html, "&lt;script&gt;");
  EXPECT_EQ(escaped("\"><img src='x'>").html, "&quot;&gt;&lt;img src=&#39;x&#39;&gt;");
  EXPECT_EQ(escaped("a & b &amp;").html, "a &amp; b &amp;amp;");
}

TEST(Escaped, KeepsLettersOfAllAlphabets) {
  EXPECT_EQ(escaped("Ménière η 糖尿病 🙂").html, "Ménière η 糖尿病 🙂");
}

TEST(Escaped, ReplacesWhatWouldDisturbTheText) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped(std::string_view("a\0b\x1b", 4)).html, "a" + bad + "b" + bad);
  EXPECT_EQ(escaped("\xE2\x80\xAEgnp").html, bad + "gnp");   // right-to-left override
  EXPECT_EQ(escaped("\xff\xC0\xAF").html, bad + bad + bad);  // not UTF-8
  EXPECT_EQ(escaped("\xE2\x80").html, bad + bad);            // cut short
  EXPECT_EQ(escaped("\xED\xA0\x80").html, bad + bad + bad);  // half a surrogate pair
  EXPECT_EQ(escaped("one\ntwo\tthree").html, "one two three");
}

TEST(Shortened, CutsBetweenLettersNotBytes) {
  EXPECT_EQ(shortened("monitor", 200, 10), "monitor");
  const std::string cut = shortened("ééééééééééé", 50, 10);
  EXPECT_EQ(cut, "ééééééé…");  // 50 / 10 / 0.58 = 8.6 letters, one of them the ellipsis
  EXPECT_EQ(shortened("monitor", 10, 10), "");
}

TEST(Wrapped, BreaksAfterAHyphenOrASpace) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("declare-diseased", 60, 10), (Lines{"declare-", "diseased"}));
  EXPECT_EQ(wrapped("order MRI", 40, 10), (Lines{"order", "MRI"}));
  EXPECT_EQ(wrapped("monitor", 60, 10), (Lines{"monitor"}));
  EXPECT_EQ(wrapped("electroencephalography", 60, 10), (Lines{"electroen…"}));
  EXPECT_EQ(wrapped("monitor", 5, 10), Lines{});
}

TEST(Base64, MatchesTheStandardsExamples) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(Svg, EscapesEverythingItIsGiven) {
  Svg svg("id", 10, 10, "<t>", "\"d\"");
  svg.text({1, 2}, Anchor::kEnd, "soft", "</text><script>");
  svg.upright_text({1, 2}, "soft", "<b>");
  svg.open_with_hint("</title>");
  svg.close();
  const std::string html = svg.finish().html;
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_NE(html.find("<title id=\"id-title\">&lt;t&gt;</title>"), std::string::npos);
  EXPECT_NE(html.find("<title>&lt;/title&gt;</title>"), std::string::npos);
  EXPECT_NE(html.find("text-anchor=\"end\" class=\"soft\">&lt;/text&gt;&lt;script&gt;</text>"),
            std::string::npos);
}

}  // namespace
}  // namespace interpole
