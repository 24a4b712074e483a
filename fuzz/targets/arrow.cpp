#include "arrow_testing.hpp"
#include "interpole/data/sources/memory_table.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {
namespace {

using python::Bytes;
using python::TestColumn;

// Formats of Arrow, and some that are none. A producer vouches for its pointers, which nobody can check:
// buffers are as long as their format says, and texts end within them.
constexpr const char* kFormats[] = {
    "c", "C", "s", "S",    "i",    "I",     "l",     "L",  "f",        "g",  "b", "tdD",  "tdm",
    "n", "u", "U", "tss:", "tsm:", "tsu:Z", "tsn:X", "vu", "d:38,400", "+s", "",  "d:5,2"};
constexpr std::int64_t kMostRows = 6;

Bytes raw(fuzz::Bytes& input, std::size_t size) {
  Bytes bytes(size);
  for (char& byte : bytes) byte = static_cast<char>(input.below(256));
  return bytes;
}

std::vector<std::string> texts(fuzz::Bytes& input, std::int64_t count) {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < count; ++i) texts.push_back(input.text(16));
  return texts;
}

TestColumn column(fuzz::Bytes& input, std::int64_t rows) {
  const std::string name = input.text(5);
  const std::string format = kFormats[input.below(std::size(kFormats))];
  TestColumn column;
  if (format == "u") {
    column = python::text_column(name, texts(input, rows));
  } else if (format == "U") {
    column = python::text_column<std::int64_t>(name, texts(input, rows));
  } else if (format == "vu") {  // short ones alone: longer ones are places, for which the producer vouches
    column = {name, format, {{}, raw(input, static_cast<std::size_t>(16 * rows + 16)), Bytes(1)}};
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int32_t length = static_cast<std::int32_t>(input.below(13));
      std::memcpy(&column.buffers[1][static_cast<std::size_t>(16 * i)], &length, sizeof length);
    }
  } else {
    column = {name, format, {{}, raw(input, static_cast<std::size_t>(16 * rows + 16))}};
  }
  if (format == "c" && input.below(2) == 1) {
    const std::int64_t count = input.below(4);
    column.categories = std::make_shared<TestColumn>(python::text_column("", texts(input, count)));
    column.category_count = count;
  }
  if (input.below(3) == 0) {
    column.buffers[0] = raw(input, static_cast<std::size_t>(rows / 8 + 1));
    column.nulls = -1;
  }
  if (input.below(16) == 1) column.length = rows - 1;
  if (input.below(16) == 1) column.buffers.resize(input.below(3));
  return column;
}

// The same columns in every batch, as a schema says, with cells of their own.
std::vector<python::TestBatch> batches(fuzz::Bytes& input) {
  const std::int64_t rows = input.below(kMostRows + 1);
  const unsigned columns = input.below(4);
  std::vector<python::TestBatch> batches(1);
  batches[0].rows = rows;
  for (unsigned i = 0; i < columns; ++i) batches[0].columns.push_back(column(input, rows));
  const unsigned more = input.below(3);
  for (unsigned i = 0; i < more; ++i) batches.push_back(batches[0]);
  if (rows > 1 && input.below(4) == 1) {
    batches[0].offset = 1;
    batches[0].rows = rows - 1;
  }
  return batches;
}

}  // namespace

void arrow(std::string_view input) {
  fuzz::Bytes bytes(input);
  python::TestStream stream(batches(bytes));
  if (bytes.below(16) == 1) stream.fails_at = static_cast<int>(bytes.below(3));
  if (bytes.below(16) == 1) stream.no_categories = true;
  taken(
      [&] {
        const MemoryTable table = python::read_arrow_stream("frame", stream.stream);
        table.validate("frame");
        data::CellBuffer buffer;
        for (const MemoryColumn& column : table.columns) {
          for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows); ++row)
            require(data::cell_text(column, row, buffer).size() < 100, "a cell is a text");
        }
      },
      "frame");
  require(stream.streams_back == 1 && stream.schemas_back == stream.schemas_out &&
              stream.batches_back == stream.batches_out,
          "what was handed out comes back");
}

}  // namespace interpole::fuzz
