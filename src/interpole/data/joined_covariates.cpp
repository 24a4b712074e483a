#include "interpole/data/joined_covariates.hpp"

#include <algorithm>

namespace interpole::data {
namespace {

// A number and a category of one name are two covariates.
auto place_of_covariate(std::vector<PolicyCovariate>& list, const PolicyCovariate& covariate) {
  return std::find_if(list.begin(), list.end(), [&](const PolicyCovariate& other) {
    return other.name == covariate.name && other.categories.empty() == covariate.categories.empty();
  });
}

int place_of_category(const PolicyCovariate& covariate, const std::string& category) {
  const auto found = std::find(covariate.categories.begin(), covariate.categories.end(), category);
  return static_cast<int>(found - covariate.categories.begin());
}

// Rows of `width` numbers, one for each category of `own`, in the places that `all` has for them.
std::vector<double> weights_on(const PolicyCovariate& all, const PolicyCovariate& own,
                               const std::vector<double>& weights, int width) {
  std::vector<double> result(all.categories.size() * static_cast<std::size_t>(width), 0.0);
  for (std::size_t level = 0; level < own.categories.size(); ++level) {
    std::copy_n(
        weights.begin() + static_cast<std::ptrdiff_t>(level) * width, width,
        result.begin() + static_cast<std::ptrdiff_t>(place_of_category(all, own.categories[level])) * width);
  }
  return result;
}

}  // namespace

std::vector<PolicyCovariate> joined_covariates(std::vector<PolicyCovariate> first,
                                               const std::vector<PolicyCovariate>& second) {
  for (const PolicyCovariate& covariate : second) {
    if (covariate.name.empty()) continue;
    const auto found = place_of_covariate(first, covariate);
    if (found == first.end()) {
      first.push_back(covariate);
      continue;
    }
    for (const std::string& category : covariate.categories) {
      if (place_of_category(*found, category) == static_cast<int>(found->categories.size()))
        found->categories.push_back(category);
    }
  }
  return first;
}

PolicyTerms terms_on(const std::vector<PolicyCovariate>& covariates, const PolicyTerms& terms, int actions) {
  PolicyTerms result = terms;
  result.covariates = covariates;
  for (PolicyTerm& term : result.additive) {
    if (term.covariate < 0) continue;
    const PolicyCovariate& own = terms.covariates[term.covariate];
    const auto found = place_of_covariate(result.covariates, own);
    term.covariate = static_cast<int>(found - result.covariates.begin());
    found->centre = own.centre;
    found->scale = own.scale;
    if (own.categories.empty()) continue;
    term.weights = weights_on(*found, own, term.weights, actions);
  }
  return result;
}

std::vector<StartTerm> start_on(const std::vector<PolicyCovariate>& covariates,
                                const std::vector<StartTerm>& start, int states) {
  std::vector<StartTerm> result = start;
  std::vector<PolicyCovariate> list = covariates;
  for (StartTerm& term : result) {
    const PolicyCovariate own = term.of;
    const auto found = place_of_covariate(list, own);
    term.covariate = static_cast<int>(found - list.begin());
    term.of = *found;
    term.of.centre = own.centre;
    term.of.scale = own.scale;
    if (!own.categories.empty()) term.weights = weights_on(*found, own, term.weights, states);
  }
  return result;
}

}  // namespace interpole::data
