// Two policies that follow covariates asked about the same records: one list of covariates for both.
#pragma once

#include <vector>

#include "interpole/parameters.hpp"

namespace interpole::data {

// `first` in its places, with the categories that only `second` has after its own; then the covariates that
// only `second` has. Covariates without a name are nobody's.
std::vector<PolicyCovariate> joined_covariates(std::vector<PolicyCovariate> first,
                                               const std::vector<PolicyCovariate>& second);

// The same terms on a list that holds their covariates. Categories they do not know have weight zero.
PolicyTerms terms_on(const std::vector<PolicyCovariate>& covariates, const PolicyTerms& terms, int actions);

// The same of starting beliefs.
std::vector<StartTerm> start_on(const std::vector<PolicyCovariate>& covariates,
                                const std::vector<StartTerm>& start, int states);

}  // namespace interpole::data
