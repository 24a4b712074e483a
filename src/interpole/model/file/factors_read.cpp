#include "interpole/model/file/factors_read.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/model/file/model_file_lists.hpp"
#include "interpole/model/measured/families.hpp"

namespace interpole::model {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

MeasuredFactor read_factor(object block, const base::JsonPlace& place,
                           const std::vector<std::string>& actions) {
  MeasuredFactor factor;
  factor.name = base::json_text(base::json_member(block, "name", place), place.at("name"));
  const base::JsonPlace family_place = place.at("family");
  const std::string family = base::json_text(base::json_member(block, "family", place), family_place);
  const auto found = family_named(family);
  if (!found) {
    refuse(family_place, fmt::format("{} is not a family; the families are {}", base::in_quotes(family),
                                     fmt::join(family_names(), ", ")));
  }
  factor.family = *found;
  element value;
  const auto number = [&](const char* key, auto& to) {
    if (!block.at_key(key).get(value)) to = base::json_number(value, place.at(key));
  };
  number("below", factor.lower);
  number("above", factor.upper);
  number("centre", factor.centre);
  number("scale", factor.scale);
  if (!block.at_key("unit").get(value)) factor.unit = base::json_text(value, place.at("unit"));
  if (!block.at_key("levels").get(value)) factor.levels = read_names(value, place.at("levels"));
  if (block.at_key("yielded_by").get(value)) return factor;
  factor.yielded_by.assign(actions.size(), 0);
  const base::JsonPlace list = place.at("yielded_by");
  const auto names = read_names(value, list);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = std::find(actions.begin(), actions.end(), names[i]);
    if (at == actions.end()) {
      refuse(list.at(i),
             fmt::format("{} is not one of the actions; correct the name", base::in_quotes(names[i])));
    }
    factor.yielded_by[static_cast<std::size_t>(at - actions.begin())] = 1;
  }
  return factor;
}

}  // namespace

std::vector<MeasuredFactor> read_factors(element value, const base::JsonPlace& place,
                                         const std::vector<std::string>& actions) {
  simdjson::dom::array list;
  if (value.get(list))
    refuse(place, fmt::format("expected a list of factors, found {}", base::describe(value)));
  std::vector<MeasuredFactor> factors;
  for (const element item : list) {
    const base::JsonPlace here = place.at(factors.size());
    factors.push_back(read_factor(base::json_object(item, here), here, actions));
  }
  if (factors.empty()) refuse(place, "the list is empty; name the factors, or give observations instead");
  return factors;
}

}  // namespace interpole::model
