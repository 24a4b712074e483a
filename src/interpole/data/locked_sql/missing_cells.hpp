// Cells that mean "no value", as SQL that makes them NULL. Internal.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/tables/duckdb_connection.hpp"

namespace interpole::data {

class MissingCells {
 public:
  // Besides empty and blank cells; blanks around a code are not part of it.
  explicit MissingCells(const std::vector<std::string>& codes);

  // SQL for a column's cell as the file has it: text without the blanks around it, a number as it is.
  std::string cleaned(const std::string& column, duckdb_type type) const;

  // SQL for text that may have blanks around it, or is known to have none.
  std::string cleaned_text(const std::string& text) const;
  std::string without_codes(const std::string& text) const;

  // The codes as cells are compared with them.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::string numbers_;
};

}  // namespace interpole::data
