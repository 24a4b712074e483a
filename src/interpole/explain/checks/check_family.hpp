// What one check compares: sums over sites of regressors times (counts − expected counts). Regressors are
// functions of what came before (the step, the last action, the class of the record, earlier surprises), so
// that under the model every sum is zero on average (docs/mathematics/model-checks.md).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "interpole/explain/checks/category_sites.hpp"

namespace interpole::explain {

// The features of a family: regressor k times category c, or, with scores, regressor k alone.
struct CheckFamily {
  std::string name;                 // as --json has it
  std::string question;             // "how often each action is chosen at each step"
  std::string meaning;              // what it may come from if the model is wrong here: "a schedule"
  std::vector<std::string> levels;  // of every regressor, in words: "at step 3"

  // Either the one regressor that is 1 at a site (−1: none is) …
  std::vector<std::int32_t> level;
  // … or numbers [site·levels + k], the same for all that happens at a site …
  std::vector<double> values;
  // … or one regressor that differs from record to record: its sum over those with category c, and that of
  // its squares [site·categories + c].
  std::vector<double> sums, squares;

  // What a category counts for [site·categories + c]; empty: every category by itself.
  std::vector<double> scores;
  std::string what_is_scored;  // "the same action is chosen again"

  int regressors() const { return static_cast<int>(levels.size()); }
  int features(int categories) const { return regressors() * (scores.empty() ? categories : 1); }
};

Eigen::VectorXd observed_sums(const CheckFamily& family, const CategorySites& sites);
// By the model's probabilities [site·categories + c].
Eigen::VectorXd expected_sums(const CheckFamily& family, const CategorySites& sites,
                              const std::vector<double>& probabilities);
// The covariance of observed sums, were the model right and its numbers known.
Eigen::MatrixXd chance_covariance(const CheckFamily& family, const CategorySites& sites,
                                  const std::vector<double>& probabilities);
// The sums that are tested: those that chance makes nearly normal, and of the categories at one regressor,
// which cannot all vary on their own, all but the one that varies most.
std::vector<int> tested_sums(const CheckFamily& family, const CategorySites& sites,
                             const std::vector<double>& probabilities, const Eigen::MatrixXd& chance);
// Σ x² of every regressor over all that happened: of levels, how often they occurred.
Eigen::VectorXd regressor_totals(const CheckFamily& family, const CategorySites& sites);

}  // namespace interpole::explain
