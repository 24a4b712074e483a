// The same table from a file and from memory: the same records, or the same complaint.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/data/records/visits_testing.hpp"
#include "interpole/data_files.hpp"

namespace interpole::data {
namespace {

Structure small_clinic() {
  Structure structure = Structure::unrestricted({"healthy", "diseased"}, {"monitor", "biopsy", "declare"},
                                                {"negative", "positive"});
  structure.allowed[1 * 2 + 0] = 0;  // a biopsy is never negative
  structure.make_terminal(2);
  return structure;
}

using TextColumns = std::vector<std::vector<std::string>>;

TextColumns columns_of(const std::string& csv) {
  TextColumns columns(4);
  std::istringstream lines(csv);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (auto& column : columns) {
      cell.clear();
      std::getline(cells, cell, ',');
      column.push_back(cell);
    }
  }
  return columns;
}

// Holds what the columns of a table point to. Rows are numbered as in the file, whose header is row 1.
class InMemory {
 public:
  enum class As { kTexts, kCodes, kNumbers };

  InMemory(const std::string& csv, As as) {
    const TextColumns columns = columns_of(csv);
    MemoryTable table;
    table.first_row = 2;
    table.rows = static_cast<std::int64_t>(columns[0].size()) - 1;
    bytes_.resize(4);
    ends_.resize(4);
    categories_.resize(4);
    codes_.resize(4);
    for (std::size_t i = 0; i < 4; ++i) {
      MemoryColumn column;
      column.name = columns[i][0];
      const std::vector<std::string> cells(columns[i].begin() + 1, columns[i].end());
      if (as == As::kNumbers && i == 1) {
        for (const std::string& cell : cells) steps_.push_back(std::stoll(cell));
        column.whole_numbers = steps_;
      } else if (as == As::kTexts) {
        ends_[i].push_back(0);
        for (const std::string& cell : cells) {
          bytes_[i] += cell;
          ends_[i].push_back(static_cast<std::int32_t>(bytes_[i].size()));
        }
        column.texts = {bytes_[i].data(), ends_[i], {}};
      } else {
        for (const std::string& cell : cells) codes_[i].push_back(code(i, cell));
        column.codes = codes_[i];
        column.categories = categories_[i];
      }
      table.columns.push_back(column);
    }
    held_ = std::make_unique<HeldTable>("table", table);
  }

  const std::string& path() const { return held_->path(); }

 private:
  std::int32_t code(std::size_t column, const std::string& cell) {
    auto& known = categories_[column];
    const auto found = std::find(known.begin(), known.end(), cell);
    if (found == known.end()) known.push_back(cell);
    return static_cast<std::int32_t>(std::find(known.begin(), known.end(), cell) - known.begin());
  }

  std::vector<std::string> bytes_;
  std::vector<std::vector<std::int32_t>> ends_, codes_;
  std::vector<std::vector<std::string>> categories_;
  std::vector<std::int64_t> steps_;
  std::unique_ptr<HeldTable> held_;
};

const std::string kHeaderLine = "patient,step,action,observation\n";
const std::vector<std::string> kGood = {
    "p1,1,monitor,negative\np1,2,biopsy,positive\np1,7,declare,\np2,1,declare,\n",
    "1,1,monitor,\n2,-3,monitor,positive\n",
    "a patient with a long name,1,declare,\nanother patient with a long name,1,declare,\n",
};
const std::vector<std::string> kBad = {
    "",
    ",1,monitor,negative\n",
    "p1,1,monitor,negative\n,2,monitor,negative\n",
    "p1,1,monitor,negative\np2,1,monitor,negative\np1,2,monitor,negative\n",
    "p1,1,monitor,negative\np1,1,monitor,negative\n",
    "p1,2,monitor,negative\np1,1,monitor,negative\n",
    "p1,1,declare,\np1,2,monitor,negative\n",
    "p1,1,moniter,negative\n",
    "p1,1,,negative\n",
    "p1,1,monitor,negativ\n",
    "p1,1,biopsy,negative\n",
    "p1,1,declare,negative\n",
};

std::string form_of(InMemory::As as) {
  return as == InMemory::As::kTexts ? "texts" : as == InMemory::As::kCodes ? "codes" : "numbers";
}

class SameAsFile : public testing::TestWithParam<InMemory::As> {};

// Tests run side by side: each has a file of its own.
std::string from_file(const std::string& csv) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = test->name();  // Records/texts
  std::replace(name.begin(), name.end(), '/', '_');
  std::string path = testing::TempDir() + name + "_memory.csv";
  std::ofstream(path, std::ios::binary) << kHeaderLine << csv;
  return path;
}

TEST_P(SameAsFile, Records) {
  for (const std::string& csv : kGood) {
    const auto expected = read_records(from_file(csv), small_clinic());
    const InMemory table(kHeaderLine + csv, GetParam());
    const auto found = read_records(table.path(), small_clinic());
    ASSERT_EQ(found.size(), expected.size()) << csv;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].patient, expected[i].patient);
      EXPECT_EQ(found[i].steps, expected[i].steps);
    }
    const HistoryTree tree = read_history_tree(table.path(), small_clinic());
    EXPECT_EQ(tree.parent, read_history_tree(from_file(csv), small_clinic()).parent);
  }
}

TEST_P(SameAsFile, Complaints) {
  for (const std::string& csv : kBad) {
    const std::string file = from_file(csv);
    const std::string expected = base::complaint_of([&] { read_records(file, small_clinic()); });
    const InMemory table(kHeaderLine + csv, GetParam());
    const std::string found = base::complaint_of([&] { read_records(table.path(), small_clinic()); });
    ASSERT_NE(expected, "accepted") << csv;
    EXPECT_EQ(found.substr(table.path().size()), expected.substr(file.size()));
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, SameAsFile,
                         testing::Values(InMemory::As::kTexts, InMemory::As::kCodes, InMemory::As::kNumbers),
                         [](const auto& columns) { return form_of(columns.param); });

}  // namespace
}  // namespace interpole::data
