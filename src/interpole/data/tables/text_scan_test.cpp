#include "interpole/data/tables/text_scan.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"

namespace interpole::data {
namespace {

constexpr auto kLongestLine = static_cast<std::size_t>(TextScan::kLongest);

// Hands the text over in pieces of this size: "offset: fault", or nothing.
std::string fault_of(const std::string& text, std::size_t piece) {
  TextScan scan;
  for (std::size_t i = 0; i < text.size(); i += piece) scan.take(std::string_view(text).substr(i, piece));
  return scan.fault() ? std::to_string(scan.fault()->offset) + ": " + scan.fault()->what : "";
}

TEST(TextScan, LinesAreTakenUpToTheLimitHoweverTheTextIsCut) {
  const std::string line(kLongestLine, 'x');
  for (const std::size_t piece : {std::size_t{1} << 18, std::size_t{999'983}, std::size_t{100'000'000}}) {
    EXPECT_EQ(fault_of(std::string("a,b\n").append(line).append("\n").append(line).append("\n"), piece), "")
        << piece;
    EXPECT_EQ(fault_of("a,b\n" + line, piece), "") << piece;
    EXPECT_EQ(fault_of("a,b\n" + line + "x", piece), "4: the line is longer than 2 MB") << piece;
    EXPECT_EQ(fault_of("a,b\n" + line + "x\nc,d\n", piece), "4: the line is longer than 2 MB") << piece;
    EXPECT_EQ(fault_of(line + "x", piece), "0: the line is longer than 2 MB") << piece;
  }
}

TEST(TextScan, AZeroByteIsFoundHoweverTheTextIsCut) {
  std::string text(3'000'000, '\n');
  text[2'345'678] = '\0';
  for (const std::size_t piece : {std::size_t{1} << 18, std::size_t{999'983}, text.size()}) {
    EXPECT_EQ(fault_of(text, piece), "2345678: a zero byte, which text has not") << piece;
  }
}

TEST(TextScan, AMarkOfAnotherEncodingIsFoundHoweverTheTextIsCut) {
  const std::string text("\xFE\xFF\0a\0,", 6);
  for (const std::size_t piece : {1, 2, 6}) EXPECT_EQ(fault_of(text, piece), "0: not UTF-8 text") << piece;
}

TEST(TextScan, OfNothingIsFine) {
  EXPECT_EQ(fault_of("", 1), "");
}

TEST(TextScan, AFileIsRefusedByLineAndOffset) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("t.csv");
  const auto complaint = [&](const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    return base::complaint_of([&] { require_text(path); });
  };
  EXPECT_EQ(complaint("a,b\n1,2\n"), "accepted");
  EXPECT_EQ(
      complaint(std::string("a,b\n1,\0\n", 8)),
      path +
          ": line 2: a zero byte, which text has not (offset 6); save the table as CSV in UTF-8 encoding (is "
          "this a spreadsheet or another kind of file under the name of a table?)");
  EXPECT_EQ(
      complaint("a,b\n1,2\n" + std::string(kLongestLine + 1, 'x')),
      path +
          ": line 3: the line is longer than 2 MB (offset 8); look for a quote that is never closed, or for "
          "bytes that are not text");
  EXPECT_EQ(complaint(std::string("\xFF\xFEp\0", 4)),
            path + ": line 1: not UTF-8 text (offset 0); save the file in UTF-8 encoding");
}

TEST(TextScan, WhatCannotBeReadIsRefused) {
  EXPECT_EQ(base::complaint_of([] { require_text("/tmp"); }),
            "/tmp: cannot be read to its end: Is a directory");
}

}  // namespace
}  // namespace interpole::data
