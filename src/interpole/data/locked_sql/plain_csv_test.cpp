#include "interpole/data/locked_sql/plain_csv.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <string>

namespace interpole::data {
namespace {

using testing::ElementsAre;

std::vector<std::string> cells_of(const std::string& lines, std::size_t columns, char delimiter = ',') {
  CellEnds cells;
  if (!cut_plain_csv(lines, delimiter, columns, cells)) return {"not plain"};
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < cells.count; ++i) texts.emplace_back(cell_at(lines, cells, i));
  return texts;
}

TEST(PlainCsv, CutsLinesIntoCells) {
  EXPECT_THAT(cells_of("a,b\n1,\n,2\n", 2), ElementsAre("a", "b", "1", "", "", "2"));
  EXPECT_THAT(cells_of("a;b,c\n", 2, ';'), ElementsAre("a", "b,c"));
  EXPECT_THAT(cells_of("a b\n", 2, ' '), ElementsAre("a", "b"));
}

TEST(PlainCsv, TakesQuotesOffWholeCells) {
  EXPECT_THAT(cells_of("\"a,b\",c\n\"\",\" x \"\n", 2), ElementsAre("a,b", "c", "", " x "));
}

TEST(PlainCsv, LeavesEverythingElseToOthers) {
  const std::string not_plain[] = {
      "a,b\r\n",                   // other line ends
      "a,\"b\r\"\n",               //
      "a,b\rc\n",                  //
      std::string("a,b\0c\n", 6),  // NUL
      "a,M\xC3\xBCller\n",         // beyond ASCII
      "a,\xFF\n",                  //
      "a,\"b\nc\"\n",              // a line's end within a cell
      "a,\"b \"\"c\"\" d\"\n",     // a quote within a cell
      "a,b\"c\n",                  //
      "a, \"b\"\n",                // something beside the quotes
      "a,\"b\" \n",                //
      "a,\"b\"c\n",                //
      "a,\"b\n",                   // a quote that is never closed
      "a,b\nc\n",                  // a line with fewer cells, or more
      "a,b\nc,d,e\n",              //
      "a\nb,c,d\n",                // the right number in all
      "a,b\n\nc,d\n",              // an empty line
      "a,b",                       // half a line
      "",                          //
  };
  for (const std::string& lines : not_plain)
    EXPECT_THAT(cells_of(lines, 2), ElementsAre("not plain")) << lines;
  EXPECT_THAT(cells_of("a\nb\n", 1), ElementsAre("not plain"));
}

// What is wrong is found wherever it stands among the characters that are looked at together.
TEST(PlainCsv, FindsAStrangeCharacterAnywhere) {
  for (std::size_t at = 0; at < 300; ++at) {
    std::string lines = std::string(300, 'x') + ",y\n";
    EXPECT_NE(cells_of(lines, 2)[0], "not plain");
    for (const char strange : {'\r', '\0', '\xE4', '\n', ',', '"'}) {
      lines[at] = strange;
      EXPECT_THAT(cells_of(lines, 2), ElementsAre("not plain")) << at << " " << static_cast<int>(strange);
    }
  }
}

TEST(PlainCsv, GivesBackWhatWasWritten) {
  const bool good = rc::check("cells of a random table", [] {
    const auto columns = *rc::gen::inRange<std::size_t>(2, 9);
    const auto rows = *rc::gen::inRange<std::size_t>(1, 40);
    const auto letter = rc::gen::elementOf(std::string("ab, ;'1-"));
    std::string lines;
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < rows * columns; ++i) {
      const auto length = *rc::gen::inRange<std::size_t>(0, 30);
      const auto text = *rc::gen::container<std::string>(length, letter);
      const bool quoted = text.find(',') != std::string::npos || *rc::gen::arbitrary<bool>();
      lines += quoted ? '"' + text + '"' : text;
      lines += (i + 1) % columns == 0 ? '\n' : ',';
      cells.push_back(text);
    }
    RC_ASSERT(cells_of(lines, columns) == cells);
  });
  EXPECT_TRUE(good);
}

}  // namespace
}  // namespace interpole::data
