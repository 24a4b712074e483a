// Tables of other libraries through Arrow's C data interface (arrow.apache.org/docs/format/CDataInterface):
// the three structures as the specification lays them out, and a stream of them as a table in memory.
#pragma once

#include <cstdint>
#include <string>

#include "interpole/data_files.hpp"

extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}

namespace interpole::python {

// Reads the stream to its end and releases it, whatever happens. A text column of one batch is used where it
// lies; the batch is then kept until the table is gone. Throws an input error that names the column for kinds
// of columns that are neither text, numbers, truths, dates nor categories of these.
MemoryTable read_arrow_stream(const std::string& name, ArrowArrayStream& stream);

}  // namespace interpole::python
