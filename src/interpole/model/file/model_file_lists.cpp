#include "interpole/model/file/model_file_lists.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"

namespace interpole::model {

using simdjson::dom::array;
using simdjson::dom::element;

void refuse(const base::JsonPlace& place, const std::string& reason) {
  throw input_error(fmt::format("{}: {}", place.text(), reason));
}

array list_of(element value, const base::JsonPlace& place, std::size_t size, const char* what) {
  const array list = base::json_array(value, place);
  if (list.size() != size) {
    refuse(place, fmt::format("{} entries; {} expected, one for each of the {}", list.size(), size, what));
  }
  return list;
}

std::vector<std::string> read_names(element value, const base::JsonPlace& place) {
  constexpr std::size_t kMostNames = 1'000'000;
  std::vector<std::string> names;
  const array list = base::json_array(value, place);
  if (list.size() > kMostNames) refuse(place, fmt::format("more than {} names; list fewer", kMostNames));
  for (const element name : list) names.push_back(base::json_text(name, place.at(names.size())));
  return names;
}

void append_row(element value, const base::JsonPlace& place, std::size_t size, const char* what,
                std::vector<double>& to) {
  std::size_t i = 0;
  for (const element number : list_of(value, place, size, what)) {
    to.push_back(base::json_number(number, place.at(i++)));
  }
}

}  // namespace interpole::model
