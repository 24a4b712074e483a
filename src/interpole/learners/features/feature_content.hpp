// Covariates as learner files hold them. Internal: needs simdjson's header.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "interpole/base/json/strict_json.hpp"
#include "interpole/parameters.hpp"

namespace interpole::learners {

// [{"name", "categories"} or {"name", "centre", "scale"}]
nlohmann::ordered_json covariates_json(const std::vector<PolicyCovariate>& covariates);

// Takes back what covariates_json() gave. Throws an input error that names the place.
std::vector<PolicyCovariate> json_covariates(simdjson::dom::element value, const base::JsonPlace& place);

// A list of so many lists of so many numbers, one after the other. `what`: what there is a list for each of.
std::vector<double> json_table(simdjson::dom::element value, const base::JsonPlace& place, std::size_t rows,
                               std::size_t columns, const char* what);
nlohmann::ordered_json table_json(const std::vector<double>& values, std::size_t columns);

}  // namespace interpole::learners
