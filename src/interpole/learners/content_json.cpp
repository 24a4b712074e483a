#include "interpole/learners/content_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"

namespace interpole::learners {

std::vector<double> json_counts(simdjson::dom::element value, const base::JsonPlace& place, std::size_t size,
                                const char* what) {
  const simdjson::dom::array list = base::json_array(value, place);
  if (list.size() != size) {
    throw input_error(fmt::format("{}: {} entries; {} expected, one for each of the {}", place.text(),
                                  list.size(), size, what));
  }
  std::vector<double> counts;
  for (const simdjson::dom::element entry : list) {
    const base::JsonPlace here = place.at(counts.size());
    counts.push_back(base::json_number(entry, here));
    if (counts.back() < 0.0) {
      throw input_error(fmt::format("{}: {} is negative; a count is not", here.text(), counts.back()));
    }
  }
  return counts;
}

double json_positive(simdjson::dom::element value, const base::JsonPlace& place) {
  const double number = base::json_number(value, place);
  if (!(number > 0.0)) {
    throw input_error(fmt::format("{}: {} is not above zero; correct it", place.text(), number));
  }
  return number;
}

void require_keys(simdjson::dom::object object, const base::JsonPlace& place,
                  const std::vector<std::string>& known) {
  for (const auto field : object) {
    if (std::find(known.begin(), known.end(), field.key) != known.end()) continue;
    throw input_error(fmt::format("{}: unknown key{}", place.at(field.key).text(),
                                  base::suggestion(field.key, known, "known are")));
  }
}

}  // namespace interpole::learners
