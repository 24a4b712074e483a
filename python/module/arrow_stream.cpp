#include "arrow_stream.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <vector>

#include "arrow_column.hpp"
#include "interpole/base/text/printable.hpp"
#include "interpole/error.hpp"

namespace interpole::python {
namespace {

// What must be released once, on whatever way out.
template <class Structure>
class Released {
 public:
  Released() = default;
  ~Released() {
    if (value.release != nullptr) value.release(&value);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

  Structure value{};
};
using Batch = Released<ArrowArray>;

class Stream {
 public:
  Stream(const std::string& name, ArrowArrayStream& stream) : name_(name), stream_(stream) {
    if (stream.release == nullptr) {
      throw usage_error(fmt::format("{}: the stream was read before; make a new one", name));
    }
  }
  ~Stream() { stream_.release(&stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void schema(ArrowSchema& schema) { check(stream_.get_schema(&stream_, &schema)); }
  // False at the end.
  bool next(ArrowArray& batch) {
    check(stream_.get_next(&stream_, &batch));
    return batch.release != nullptr;
  }

 private:
  void check(int problem) {
    if (problem == 0) return;
    const char* words = stream_.get_last_error(&stream_);
    throw input_error(fmt::format("{}: the stream cannot be read: {}", name_,
                                  words == nullptr ? std::strerror(problem) : words));
  }

  const std::string& name_;
  ArrowArrayStream& stream_;
};

void require_table(const std::string& name, const ArrowSchema& schema) {
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  if (format == "+s") return;
  throw input_error(fmt::format("{}: the stream holds \"{}\", not a table (\"+s\"); make a table of it", name,
                                base::printable(format)));
}

std::string_view name_of(const ArrowSchema& schema) {
  return schema.name == nullptr ? "" : schema.name;
}

void require_columns(const std::string& name, const ArrowSchema& schema, const ArrowArray& batch) {
  if (batch.n_children != schema.n_children) {
    throw input_error(
        fmt::format("{}: a batch of the stream has {} columns, its schema {}; the stream is broken", name,
                    batch.n_children, schema.n_children));
  }
  for (std::int64_t i = 0; i < batch.n_children; ++i) {
    if (batch.children[i]->length >= batch.offset + batch.length) continue;
    throw input_error(fmt::format("{}: column {}: a batch of {} rows has {} values; the stream is broken",
                                  name, base::printable(name_of(*schema.children[i])),
                                  batch.offset + batch.length, batch.children[i]->length));
  }
}

// A column of a batch, to look at: the batch may be a part of its columns.
ArrowArray column_of(const ArrowArray& batch, std::int64_t i) {
  ArrowArray column = *batch.children[i];
  column.offset += batch.offset;
  column.length = batch.length;
  return column;
}

}  // namespace

MemoryTable read_arrow_stream(const std::string& name, ArrowArrayStream& source) {
  Stream stream(name, source);
  Released<ArrowSchema> schema;
  stream.schema(schema.value);
  require_table(name, schema.value);
  std::vector<std::shared_ptr<Batch>> batches;
  for (;;) {
    auto batch = std::make_shared<Batch>();
    if (!stream.next(batch->value)) break;
    require_columns(name, schema.value, batch->value);
    if (batch->value.length > 0) batches.push_back(std::move(batch));
  }
  MemoryTable table;
  auto memory = std::make_shared<data::TableMemory>();
  for (const auto& batch : batches) table.rows += batch->value.length;
  for (std::int64_t i = 0; i < schema.value.n_children; ++i) {
    ArrowColumn column(name, *schema.value.children[i], *memory);
    if (batches.size() != 1 || !column.use_in_place(column_of(batches[0]->value, i))) {
      for (const auto& batch : batches) column.add(column_of(batch->value, i));
    }
    table.columns.push_back(column.finish());
  }
  if (batches.size() == 1) memory->others.push_back(batches[0]);
  table.owner = std::move(memory);
  return table;
}

}  // namespace interpole::python
