// What a study can map: several tables, other formats, odd ones.

#include <gmock/gmock.h>

#include <filesystem>

#include "interpole/base/source_folder_testing.hpp"
#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using MappedTableTest = MappedTest;

TEST_F(MappedTableTest, JoinsTablesAndReadsParquetBesideCsv) {
  ClinicStudy study;
  study.source =
      "[source]\ntables = [\"visits\", \"people\"]\nsql = '''\n"
      "WITH grown AS (SELECT * FROM people WHERE age::INTEGER >= 18)\n"
      "SELECT visits.*, grown.age FROM visits JOIN grown ON visits.id = grown.who -- only grown-ups\n;'''\n";
  const std::string visits = file("v.csv", kClinicHeader + "1,bl,wait,1,\n2,bl,wait,9,\n3,bl,wait,9,\n");
  const std::string people = file("p.tsv", "who\tage\n1\t17\n2\t18\n3\t90\n");
  const DataFiles files{{{"people", people}, {"visits", visits}}};
  EXPECT_THAT(records(study.parse(), files), ElementsAre("2: wait/5@bl", "3: wait/5@bl"));

  ClinicStudy other;  // patient: text, step: integers, action and observation: text
  other.actions =
      "[[actions]]\nname = \"monitor\"\n[[actions]]\nname = \"declare-diseased\"\nterminal = true\n";
  other.record = "[record]\nid = \"patient\"\norder = \"step\"\nkind = \"number\"\n";
  other.action = "[action]\ncolumn = \"action\"\n";
  other.factors =
      "[[factors]]\nname = \"result\"\ncolumn = \"observation\"\nkind = \"categorical\"\n"
      "levels = [\"negative\", \"positive\"]\n";
  const auto folder = base::source_folder() / "src/interpole/data/testdata";
  EXPECT_THAT(records(other.parse(), data_file((folder / "visits.csv.gz").string())), testing::SizeIs(2));
  EXPECT_EQ(records(other.parse(), data_file((folder / "visits.csv.gz").string())),
            records(other.parse(), data_file((folder / "visits.parquet").string())));
}

TEST_F(MappedTableTest, MissingCodesCountInNumberColumnsOfParquetToo) {
  ClinicStudy study;
  study.actions =
      "[[actions]]\nname = \"monitor\"\n[[actions]]\nname = \"declare-diseased\"\nterminal = true\n";
  study.source = "[source]\ntables = [\"t\"]\nmissing = [\"1.0\"]\n";
  study.record = "[record]\nid = \"patient\"\norder = \"step\"\nkind = \"number\"\n";
  study.action = "[action]\ncolumn = \"action\"\n";
  study.factors =
      "[[factors]]\nname = \"result\"\ncolumn = \"observation\"\nkind = \"categorical\"\n"
      "levels = [\"negative\", \"positive\"]\n";
  const auto path = base::source_folder() / "src/interpole/data/testdata/visits.parquet";
  MappingReport report;
  records(study.parse(), data_file(path.string()), &report);
  EXPECT_EQ(dropped(report, "no step (visit)"), "2/0");
  EXPECT_EQ(report.attrition.rows_kept, 2);
}

TEST_F(MappedTableTest, ReadsOddTablesAsTheyAre) {
  const std::string bom = "\xEF\xBB\xBF";
  EXPECT_THAT(records({}, bom + "id;visit;act;score;size\r\n1;bl;wait;1;\r\n"), ElementsAre("1: wait/2@bl"));
  ClinicStudy study;
  study.source += "delimiter = \"^\"\n";
  EXPECT_THAT(records(study, "id^visit^act^score^size\n\"a^b\"^bl^wait^1^\n"), ElementsAre("a^b: wait/2@bl"));
  const Study clinic = ClinicStudy().parse();
  const std::string odd = file("odd [1] 'n*me?.csv", kClinicHeader + "1,bl,wait,1,\n");
  EXPECT_THAT(records(clinic, data_file(odd)), ElementsAre("1: wait/2@bl"));
  std::filesystem::create_directories(folder_.file("sub"));
  EXPECT_THAT(records(clinic, data_file(folder_.file("sub/../odd [1] 'n*me?.csv"))),
              ElementsAre("1: wait/2@bl"));
}

TEST_F(MappedTableTest, KeepsColumnsApartThatDifferInCaseOnly) {
  ClinicStudy study;
  EXPECT_THAT(records(study, "id,visit,act,score,size,SCORE\n1,bl,wait,1,,9\n"), ElementsAre("1: wait/2@bl"));
  EXPECT_THAT(
      refusal(study, "ID,visit,act,score,size\n1,bl,wait,1,\n"),
      HasSubstr(
          "visits.csv: there is no column \"id\", which record.id in s.toml names; did you mean \"ID\"?"));
}

}  // namespace
}  // namespace interpole::data
