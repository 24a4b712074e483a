// The first line of a CSV file: which delimiter, which columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interpole::data {

struct CsvHeader {
  char delimiter = ',';
  std::vector<std::string> columns;
};

// `delimiter` = '\0': whichever of , ; tab | occurs most outside quotes (the comma if none does). Throws an
// input error that begins with `where` if the line is blank, a name is empty or repeated, or a quote is not
// closed.
CsvHeader parse_csv_header(std::string_view line, char delimiter, const std::string& where);

}  // namespace interpole::data
