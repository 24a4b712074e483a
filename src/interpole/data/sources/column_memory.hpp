// What the columns of a table in memory point to, where it is not someone else's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/data_files.hpp"

namespace interpole::data {

// Texts that were met, each with a number of its own.
class TextCodes {
 public:
  std::int32_t code_of(std::string_view text);
  std::vector<std::string>& texts() { return texts_; }

 private:
  void grow();

  std::vector<std::string> texts_;
  std::vector<std::int32_t> slots_ = std::vector<std::int32_t>(1024, -1);  // open addressing
};

struct TableMemory {
  std::vector<std::unique_ptr<std::vector<std::int32_t>>> codes;
  std::vector<std::unique_ptr<std::vector<std::string>>> categories;
  std::vector<std::unique_ptr<std::vector<std::int64_t>>> whole_numbers;
  std::vector<std::unique_ptr<std::vector<double>>> numbers;
  std::vector<std::shared_ptr<const void>> others;
};

// Give a column these cells; the memory keeps them.
void set_codes(MemoryColumn& column, std::vector<std::int32_t> codes, std::vector<std::string> categories,
               TableMemory& memory);
void set_whole_numbers(MemoryColumn& column, std::vector<std::int64_t> numbers, TableMemory& memory);
void set_numbers(MemoryColumn& column, std::vector<double> numbers, TableMemory& memory);

}  // namespace interpole::data
