#include "interpole/learners/features/feature_content.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"
#include "interpole/learners/content_json.hpp"

namespace interpole::learners {
namespace {

constexpr std::size_t kMostCategories = 100'000;

PolicyCovariate json_covariate(simdjson::dom::element value, const base::JsonPlace& place) {
  const auto block = base::json_object(value, place);
  PolicyCovariate covariate;
  covariate.name = base::json_text(base::json_member(block, "name", place), place.at("name"));
  simdjson::dom::element categories;
  if (block.at_key("categories").get(categories)) {
    require_keys(block, place, {"name", "centre", "scale"});
    covariate.centre = base::json_number(base::json_member(block, "centre", place), place.at("centre"));
    covariate.scale = json_positive(base::json_member(block, "scale", place), place.at("scale"));
    return covariate;
  }
  require_keys(block, place, {"name", "categories"});
  const base::JsonPlace here = place.at("categories");
  for (const auto name : base::json_array(categories, here)) {
    covariate.categories.push_back(base::json_text(name, here.at(covariate.categories.size())));
  }
  if (covariate.categories.empty() || covariate.categories.size() > kMostCategories) {
    throw input_error(fmt::format("{}: {} categories; name at least one and at most {}", here.text(),
                                  covariate.categories.size(), kMostCategories));
  }
  return covariate;
}

}  // namespace

nlohmann::ordered_json covariates_json(const std::vector<PolicyCovariate>& covariates) {
  auto list = nlohmann::ordered_json::array();
  for (const PolicyCovariate& covariate : covariates) {
    nlohmann::ordered_json entry = {{"name", covariate.name}};
    if (covariate.categories.empty()) {
      entry["centre"] = covariate.centre;
      entry["scale"] = covariate.scale;
    } else {
      entry["categories"] = covariate.categories;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<PolicyCovariate> json_covariates(simdjson::dom::element value, const base::JsonPlace& place) {
  std::vector<PolicyCovariate> covariates;
  for (const auto entry : base::json_array(value, place)) {
    covariates.push_back(json_covariate(entry, place.at(covariates.size())));
  }
  return covariates;
}

std::vector<double> json_table(simdjson::dom::element value, const base::JsonPlace& place, std::size_t rows,
                               std::size_t columns, const char* what) {
  const auto list = base::json_array(value, place);
  if (list.size() != rows) {
    throw input_error(fmt::format("{}: {} entries; {} expected, one for each of the {}", place.text(),
                                  list.size(), rows, what));
  }
  std::vector<double> values;
  std::size_t at = 0;
  for (const auto row : list) {
    const base::JsonPlace here = place.at(at++);
    const auto entries = base::json_array(row, here);
    if (entries.size() != columns) {
      throw input_error(fmt::format("{}: {} entries; {} expected", here.text(), entries.size(), columns));
    }
    std::size_t column = 0;
    for (const auto entry : entries) values.push_back(base::json_number(entry, here.at(column++)));
  }
  return values;
}

nlohmann::ordered_json table_json(const std::vector<double>& values, std::size_t columns) {
  auto rows = nlohmann::ordered_json::array();
  for (std::size_t at = 0; at + columns <= values.size(); at += columns) {
    rows.push_back(std::vector<double>(&values[at], &values[at] + columns));
  }
  return rows;
}

}  // namespace interpole::learners
