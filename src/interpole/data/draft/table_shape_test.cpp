#include "interpole/data/draft/table_shape.hpp"

#include <gmock/gmock.h>

#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TableShapeTest : public MappedTest {
 protected:
  static std::vector<std::string> columns(const ShapedTable& shaped) {
    std::vector<std::string> names;
    for (const ColumnProfile& column : shaped.table->profile().columns) names.push_back(column.name);
    return names;
  }
};

TEST_F(TableShapeTest, NamesOfVisitColumnsAreTakenApart) {
  const auto split = [](const std::string& name) {
    std::string stem = "-", number = "-";
    return split_visit_column(name, stem, number) ? stem + "|" + number : std::string("no");
  };
  EXPECT_EQ(split("hba1c_2"), "hba1c|2");
  EXPECT_EQ(split("hba1c_v2"), "hba1c|2");
  EXPECT_EQ(split("HbA1c Visit 12"), "HbA1c|12");
  EXPECT_EQ(split("V2_HbA1c"), "HbA1c|2");
  EXPECT_EQ(split("month 6"), "|6");
  EXPECT_EQ(split("2021"), "no");
  EXPECT_EQ(split("hba1c"), "no");
  EXPECT_EQ(split("age"), "no");
}

TEST_F(TableShapeTest, APlainTableIsTakenAsItIs) {
  const ShapedTable shaped = shape_table(file("t.csv", "patient,visit,x\n1,1,2.5\n1,2,3\n2,1,1\n"));
  EXPECT_THAT(shaped.shape.source.sql, IsEmpty());
  EXPECT_THAT(shaped.shape.notes, IsEmpty());
  EXPECT_THAT(shaped.shape.source.tables, ElementsAre("t"));
}

TEST_F(TableShapeTest, AWideTableBecomesRowsOfVisits) {
  std::string text = "id,sex,x_1,drug_1,x_2,drug_2\n";
  for (int i = 0; i < 20; ++i)
    text += joined(i, ",f,", i, ",a,", i % 3 == 0 ? "" : "7", ",", i % 3 == 0 ? "" : "b", "\n");
  const ShapedTable shaped = shape_table(file("t.csv", text));
  EXPECT_THAT(columns(shaped), ElementsAre("id", "sex", "visit", "x", "drug"));
  EXPECT_EQ(shaped.table->profile().rows, 20 + 13);  // where nothing was seen there was no visit
}

TEST_F(TableShapeTest, ALongTableBecomesRowsOfVisits) {
  std::string text = "patient,date,test,value,site\n";
  for (int i = 0; i < 20; ++i) {
    for (int day = 1; day < 4; ++day) {
      text += joined(i, ",2024-01-0", day, ",glucose,", i + day, ",north\n");
      text += joined(i, ",2024-01-0", day, ",therapy,", i % 2 == 0 ? "pump" : "pen", ",north\n");
    }
  }
  const ShapedTable shaped = shape_table(file("t.csv", text));
  EXPECT_THAT(columns(shaped), ElementsAre("patient", "date", "site", "glucose", "therapy"));
  EXPECT_EQ(shaped.table->profile().rows, 60);
  EXPECT_TRUE(shaped.table->profile().find("glucose")->is_numeric());
}

TEST_F(TableShapeTest, DaysAndNumbersAreReadAsTheyAreWritten) {
  const ShapedTable german =
      shape_table(file("g.csv", "Patient;Datum;Wert\n1;30.12.2024;7,5\n1;02.01.2025;8\n2;01.03.2024;9,25\n"));
  EXPECT_TRUE(german.table->profile().find("Datum")->is_date());
  EXPECT_TRUE(german.table->profile().find("Wert")->is_numeric());
  EXPECT_THAT(german.shape.source.sql, HasSubstr("strptime(\"Datum\", '%d.%m.%Y')"));
  const ShapedTable american = shape_table(file("a.csv", "id,date,x\n1,12/31/2024,<5\n1,01/02/2025,6\n"));
  EXPECT_THAT(american.shape.source.sql, HasSubstr("'%m/%d/%Y'"));
  EXPECT_TRUE(american.table->profile().find("x")->is_numeric());
  for (const char* noon : {"12:00 PM", "12:00PM", "12:00:30 pm"}) {
    const ShapedTable clock = shape_table(
        file("c.csv", joined("id,date,x\n1,12/31/2024 ", noon, ",5\n1,01/02/2025 ", noon, ",6\n")));
    EXPECT_TRUE(clock.table->profile().find("date")->is_date()) << noon;
  }
}

// 01/02 to 12/02 could be either; only day first goes on in the order of the rows.
TEST_F(TableShapeTest, TheOrderOfRowsTellsDayFromMonth) {
  const ShapedTable day_first = shape_table(
      file("d.csv",
           "id,date,x\n1,05/01/2024,1\n1,04/02/2024,1\n1,03/03/2024,2\n2,06/05/2024,1\n2,02/06/2024,2\n"));
  EXPECT_THAT(day_first.shape.source.sql, HasSubstr("'%d/%m/%Y'"));
  const ShapedTable month_first = shape_table(
      file("m.csv",
           "id,date,x\n1,01/05/2024,1\n1,02/04/2024,1\n1,03/03/2024,2\n2,05/06/2024,1\n2,06/02/2024,2\n"));
  EXPECT_THAT(month_first.shape.source.sql, HasSubstr("'%m/%d/%Y'"));
}

TEST_F(TableShapeTest, OtherLettersAreRead) {
  const ShapedTable shaped = shape_table(file("l.csv",
                                              "Patient;Gr\xF6\xDF"
                                              "e\n1;2\n1;3\n"));
  EXPECT_EQ(shaped.shape.source.encoding, "latin-1");
  EXPECT_THAT(columns(shaped), ElementsAre("Patient", "Größe"));
}

}  // namespace
}  // namespace interpole::data
