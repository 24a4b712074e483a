// Arrow streams made by hand, for tests. Everything they hand out is on the heap and freed by their own
// release functions, so that a sanitizer sees whatever is released twice, never, or used afterwards.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "arrow_stream.hpp"

namespace interpole::python {

using Bytes = std::vector<char>;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T) + 1);  // never empty, as buffers have an address
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
  return bytes;
}

struct TestColumn {
  std::string name;
  std::string format;
  std::vector<Bytes> buffers;  // the first, where it is empty: all rows have a value
  std::int64_t nulls = 0;
  std::int64_t offset = 0;
  std::shared_ptr<TestColumn> categories{};
  std::int64_t category_count = 0;
  std::int64_t length = -1;  // as many as its batch has rows
};

inline Bytes valid_bits(const std::vector<bool>& valid) {
  Bytes bits(valid.size() / 8 + 1);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    if (valid[i]) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << (i % 8));
  }
  return bits;
}

template <class Ends = std::int32_t>
TestColumn text_column(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<Ends> ends{0};
  std::string all;
  for (const std::string& text : texts) {
    all += text;
    ends.push_back(static_cast<Ends>(all.size()));
  }
  return {name,
          sizeof(Ends) == 4 ? "u" : "U",
          {{}, bytes_of(ends), bytes_of(std::vector<char>(all.begin(), all.end()))}};
}

template <class T>
TestColumn value_column(const std::string& name, const std::string& format, const std::vector<T>& values) {
  return {name, format, {{}, bytes_of(values)}};
}

inline TestColumn category_column(const std::string& name, const std::vector<std::int8_t>& codes,
                                  const std::vector<std::string>& texts) {
  TestColumn column = value_column(name, "c", codes);
  column.categories = std::make_shared<TestColumn>(text_column("", texts));
  column.category_count = static_cast<std::int64_t>(texts.size());
  return column;
}

struct TestBatch {
  std::int64_t rows = 0;
  std::vector<TestColumn> columns;
  std::int64_t offset = 0;
};

// Counts what was handed out and what came back.
class TestStream {
 public:
  explicit TestStream(std::vector<TestBatch> batches) : batches_(std::move(batches)) {
    stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) { return of(self).give_schema(*out); };
    stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) { return of(self).give_batch(*out); };
    stream.get_last_error = [](ArrowArrayStream* self) -> const char* {
      return of(self).silent ? nullptr : "the disk is full";
    };
    stream.release = [](ArrowArrayStream* self) {
      ++of(self).streams_back;
      self->release = nullptr;
    };
    stream.private_data = this;
  }
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;

  ArrowArrayStream stream{};
  std::string format = "+s";
  int schema_problem = 0;
  int fails_at = -1;    // the batch that cannot be had
  bool silent = false;  // fails without words
  bool no_categories = false;
  int schemas_out = 0, schemas_back = 0, batches_out = 0, batches_back = 0, streams_back = 0;

 private:
  static TestStream& of(ArrowArrayStream* self) { return *static_cast<TestStream*>(self->private_data); }

  struct SchemaMemory {
    TestStream* stream;
    std::vector<std::string> words;
    std::vector<std::unique_ptr<ArrowSchema>> schemas;
    std::vector<ArrowSchema*> children;
  };
  struct BatchMemory {
    TestStream* stream;
    std::vector<std::unique_ptr<ArrowArray>> arrays;
    std::vector<std::unique_ptr<std::vector<const void*>>> pointers;
    std::vector<ArrowArray*> children;
    TestBatch batch;
  };

  int give_schema(ArrowSchema& out) {
    if (schema_problem != 0) return schema_problem;
    auto* memory = new SchemaMemory{this, {}, {}, {}};
    memory->words.push_back(format);
    memory->words.reserve(2 * batches_[0].columns.size() + 1);  // their addresses are given away
    for (const TestColumn& column : batches_[0].columns) {
      const char* name = memory->words.emplace_back(column.name).c_str();
      const char* kind = memory->words.emplace_back(column.format).c_str();
      auto& schema = *memory->schemas.emplace_back(std::make_unique<ArrowSchema>());
      schema.name = name;
      schema.format = kind;
      memory->children.push_back(&schema);
      if (!column.categories) continue;
      schema.dictionary = memory->schemas.emplace_back(std::make_unique<ArrowSchema>()).get();
      schema.dictionary->format = "u";
    }
    out = {};
    out.format = memory->words[0].c_str();
    out.n_children = static_cast<std::int64_t>(memory->children.size());
    out.children = memory->children.data();
    out.private_data = memory;
    out.release = [](ArrowSchema* self) {
      const std::unique_ptr<SchemaMemory> held(static_cast<SchemaMemory*>(self->private_data));
      ++held->stream->schemas_back;
      self->release = nullptr;
    };
    ++schemas_out;
    return 0;
  }

  int give_batch(ArrowArray& out) {
    if (next_ == fails_at) return 5;
    out = {};
    if (next_ == static_cast<int>(batches_.size())) return 0;
    auto* memory = new BatchMemory{this, {}, {}, {}, batches_[static_cast<std::size_t>(next_++)]};
    for (const TestColumn& column : memory->batch.columns) {
      const std::int64_t values =
          column.length < 0 ? memory->batch.offset + memory->batch.rows : column.length;
      ArrowArray& array = put(*memory, column, values);
      if (column.categories && !no_categories) {
        array.dictionary = &put(*memory, *column.categories, column.category_count);
      }
      memory->children.push_back(&array);
    }
    out.length = memory->batch.rows;
    out.offset = memory->batch.offset;
    out.n_children = static_cast<std::int64_t>(memory->children.size());
    out.children = memory->children.data();
    out.private_data = memory;
    out.release = [](ArrowArray* self) {
      const std::unique_ptr<BatchMemory> held(static_cast<BatchMemory*>(self->private_data));
      ++held->stream->batches_back;
      self->release = nullptr;
    };
    ++batches_out;
    return 0;
  }

  static ArrowArray& put(BatchMemory& memory, const TestColumn& column, std::int64_t rows) {
    auto& pointers = *memory.pointers.emplace_back(std::make_unique<std::vector<const void*>>());
    for (const Bytes& buffer : column.buffers) pointers.push_back(buffer.empty() ? nullptr : buffer.data());
    auto& array = *memory.arrays.emplace_back(std::make_unique<ArrowArray>());
    array.length = rows;
    array.null_count = column.nulls;
    array.offset = column.offset;
    array.n_buffers = static_cast<std::int64_t>(pointers.size());
    array.buffers = pointers.data();
    return array;
  }

  std::vector<TestBatch> batches_;
  int next_ = 0;
};

}  // namespace interpole::python
