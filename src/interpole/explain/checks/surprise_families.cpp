#include "interpole/explain/checks/surprise_families.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace interpole::explain {
namespace {

// Of the sites before each site: surprises and their variances, and the last surprise. [site·A + a]
struct Surprises {
  std::vector<double> sum, variance, last;
};

Surprises surprises_of(const CheckedData& data) {
  const auto A = static_cast<std::size_t>(data.decisions.categories);
  Surprises result;
  for (auto* list : {&result.sum, &result.variance, &result.last}) list->assign(data.policies.size(), 0.0);
  for (std::size_t i = 0; i < data.decisions.size(); ++i) {
    const std::int32_t before = data.decisions.before[i];
    if (before < 0) continue;
    const int taken = data.decisions.contexts[i].last_action;
    for (std::size_t a = 0; a < A; ++a) {
      const std::size_t from = before * A + a;
      const double p = data.policies[from];
      result.last[i * A + a] = (static_cast<int>(a) == taken ? 1.0 : 0.0) - p;
      result.sum[i * A + a] = result.sum[from] + result.last[i * A + a];
      result.variance[i * A + a] = result.variance[from] + p * (1.0 - p);
    }
  }
  return result;
}

// One regressor for every action but the most frequent: surprises at a site add up to zero.
CheckFamily by_action(const CheckedData& data, const std::vector<double>& surprises, const char* words) {
  const auto A = static_cast<std::size_t>(data.decisions.categories);
  std::vector<double> taken(A, 0.0);
  for (std::size_t k = 0; k < surprises.size(); ++k) taken[k % A] += data.decisions.counts[k];
  const auto usual = static_cast<std::size_t>(std::max_element(taken.begin(), taken.end()) - taken.begin());
  CheckFamily family;
  for (std::size_t a = 0; a < A; ++a) {
    if (a != usual) family.levels.push_back(fmt::format("{} \"{}\"", words, data.structure.actions[a]));
  }
  for (std::size_t k = 0; k < surprises.size(); ++k) {
    if (k % A != usual) family.values.push_back(surprises[k]);
  }
  return family;
}

}  // namespace

std::vector<CheckFamily> surprise_families(const CheckedData& data) {
  const Surprises surprises = surprises_of(data);
  // The leaning of a record as far as so few decisions tell: shrunk as if it varied by one in log-odds.
  std::vector<double> leaning;
  for (std::size_t k = 0; k < surprises.sum.size(); ++k) {
    leaning.push_back(surprises.sum[k] / (1.0 + surprises.variance[k]));
  }
  CheckFamily records = by_action(data, leaning, "after more than the expected of");
  records.name = "records";
  records.question = "whether records differ from each other more than one policy lets them";
  records.meaning =
      "there may be several kinds of decision-makers, or something they see and the table does not hold";
  CheckFamily last = by_action(data, surprises.last, "after an unexpected");
  last.name = "surprises";
  last.question = "whether one unexpected decision is followed by another";
  last.meaning = "decisions may follow one another, or something that is seen and not recorded";
  std::vector<CheckFamily> families;
  families.push_back(std::move(records));
  families.push_back(std::move(last));
  return families;
}

}  // namespace interpole::explain
