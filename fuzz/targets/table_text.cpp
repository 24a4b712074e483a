#include "interpole/data/tables/csv_header.hpp"
#include "interpole/data/tables/text_scan.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

// The header of a table, and the look at all of its bytes, which must not depend on how they are cut.
void table_text(std::string_view input) {
  taken(
      [&] {
        const data::CsvHeader header = data::parse_csv_header(input, '\0', "in.csv");
        require(!header.columns.empty(), "a header has a column");
      },
      "in.csv");
  data::TextScan whole;
  data::TextScan bytewise;
  whole.take(input);
  for (std::size_t i = 0; i < input.size(); ++i) bytewise.take(input.substr(i, 1));
  require(whole.fault().has_value() == bytewise.fault().has_value(), "a fault does not depend on cuts");
  if (whole.fault()) require(whole.fault()->offset == bytewise.fault()->offset, "nor does its place");
}

}  // namespace interpole::fuzz
