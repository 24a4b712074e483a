// The model in a model file that is parsed already: for readers that also want what else is in it. Internal:
// needs simdjson's header.
#pragma once

#include <string>

#include "interpole/base/json/strict_json.hpp"
#include "interpole/parameters.hpp"

namespace interpole::model {

// All checks of read_model (interpole/model_file.hpp) that come after parsing; `where` stands for the file.
Model model_of(simdjson::dom::object file, const std::string& where);

// The block "policy" of the file: none if it is not there. Names and lengths are checked, numbers are not:
// validate_and_normalise does that.
PolicyTerms policy_terms_of(simdjson::dom::object file, const Structure& structure,
                            const base::JsonPlace& top);
// What starting beliefs differ by, in the same block.
std::vector<StartTerm> start_terms_of(simdjson::dom::object file, const Structure& structure,
                                      const base::JsonPlace& top,
                                      const std::vector<PolicyCovariate>& covariates);
// The kinds of decision-makers in it, and who is of one kind; `policy` has its terms already.
void read_policy_kinds(simdjson::dom::object file, const Structure& structure, const base::JsonPlace& top,
                       Policy& policy);

}  // namespace interpole::model
