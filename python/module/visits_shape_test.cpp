#include "visits_shape.hpp"

#include <gmock/gmock.h>

#include "interpole/error.hpp"

namespace interpole::python {
namespace {

using testing::ElementsAre;
using testing::Pair;

class VisitsShape : public testing::Test {
 protected:
  void add(const std::string& name, const std::vector<std::string>& cells) {
    data::TextCodes known;
    std::vector<std::int32_t> codes;
    codes.reserve(cells.size());
    for (const std::string& cell : cells) codes.push_back(cell.empty() ? -1 : known.code_of(cell));
    MemoryColumn column;
    column.name = name;
    data::set_codes(column, std::move(codes), std::move(known.texts()), memory_);
    table_.columns.push_back(column);
    table_.rows = static_cast<std::int64_t>(cells.size());
  }

  MemoryTable table_;
  data::TableMemory memory_;
};

TEST_F(VisitsShape, NumbersTheRowsOfEachPatient) {
  add("patient", {"a", "a", "a", "b", "c", "c"});
  add("action", {"x", "x", "x", "x", "x", "x"});
  number_rows(table_, memory_);
  ASSERT_EQ(table_.columns.size(), 3U);
  EXPECT_EQ(table_.columns[2].name, "step");
  EXPECT_THAT(table_.columns[2].whole_numbers, ElementsAre(1, 2, 3, 1, 1, 2));
}

TEST_F(VisitsShape, LeavesStepsAndOtherTablesAsTheyAre) {
  add("patient", {"a"});
  number_rows(table_, memory_);
  EXPECT_EQ(table_.columns.size(), 1U);
  add("action", {"x"});
  add("step", {"7"});
  number_rows(table_, memory_);
  EXPECT_EQ(table_.columns.size(), 3U);
}

TEST_F(VisitsShape, FindsActionsThatEndRecords) {
  add("patient", {"a", "a", "b", "b"});
  add("action", {"test", "stop", "test", "wait"});
  add("observation", {"good", "", "bad", "good"});
  const VisitsOutline outline = outline_of(table_);
  EXPECT_THAT(outline.actions, ElementsAre(Pair("stop", true), Pair("test", false), Pair("wait", false)));
  EXPECT_THAT(outline.observations, ElementsAre("bad", "good"));
}

// Nothing can be said to end records where none goes on.
TEST_F(VisitsShape, FindsNoEndInRecordsOfOneRow) {
  add("patient", {"a", "b"});
  add("action", {"x", "y"});
  add("observation", {"", ""});
  EXPECT_THAT(outline_of(table_).actions, ElementsAre(Pair("x", false), Pair("y", false)));
}

TEST_F(VisitsShape, NamesWhatIsMissing) {
  add("patient", {"a", "a"});
  EXPECT_THROW(outline_of(table_), Error);
  add("action", {"x", ""});
  add("observation", {"", ""});
  try {
    outline_of(table_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "row 1: column action: the cell is empty; every row must name its action");
  }
}

}  // namespace
}  // namespace interpole::python
