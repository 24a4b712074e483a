#include "interpole/learners/observed/fitted_observed.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "interpole/error.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/learners/features/feature_content.hpp"

namespace interpole::learners {
namespace {

constexpr double kRowTolerance = 1e-6;

// Lists of probabilities that sum to one; of an action that leads nowhere, to zero.
std::vector<double> json_chances(simdjson::dom::element value, const base::JsonPlace& place, std::size_t rows,
                                 std::size_t columns, const char* what, bool may_be_zero) {
  std::vector<double> table = json_table(value, place, rows, columns, what);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<const double> entries(&table[row * columns], columns);
    const double sum = std::accumulate(entries.begin(), entries.end(), 0.0);
    for (std::size_t i = 0; i < columns; ++i) {
      if (entries[i] >= 0.0 && entries[i] <= 1.0 + kRowTolerance) continue;
      throw input_error(fmt::format("{}: {} is not a probability", place.at(row).at(i).text(), entries[i]));
    }
    if (std::abs(sum - 1.0) <= kRowTolerance || (may_be_zero && sum == 0.0)) continue;
    throw input_error(fmt::format("{}: probabilities sum to {}, not to 1", place.at(row).text(), sum));
  }
  return table;
}

std::unique_ptr<FittedLearner> load_observed(const std::string& json, const Structure& structure,
                                             const std::string& where, bool with_rewards) {
  simdjson::dom::parser parser;
  const base::JsonPlace top(where);
  const base::JsonPlace place = top.at("content");
  const auto content = base::json_object(base::parse_json(parser, json, where), place);
  std::vector<std::string> keys = {"policy", "outcome_chances"};
  if (with_rewards) keys.insert(keys.end(), {"rewards", "discount"});
  require_keys(content, place, keys);
  const auto member = [&](const char* key) { return base::json_member(content, key, place); };
  const std::size_t A = structure.actions.size();
  const std::size_t outcomes = structure.observations.size() + 1;
  const std::size_t X = ActionContexts(structure, ContextOf::kLastActionAndOutcome).size();
  ObservedContent learned;
  learned.policy = json_chances(member("policy"), place.at("policy"), X, A,
                                "contexts (the start, then every action with every outcome or none)", false);
  learned.chances = json_chances(member("outcome_chances"), place.at("outcome_chances"), X * A, outcomes,
                                 "actions in each context", true);
  if (with_rewards) {
    const base::JsonPlace here = place.at("rewards");
    const auto rows = base::json_array(member("rewards"), here).size();
    const std::size_t expected = rows == X ? X : 1 + outcomes;
    learned.rewards = json_table(member("rewards"), here, expected, A,
                                 "outcomes (the start, every outcome, none recorded), or contexts");
    learned.discount = base::json_number(member("discount"), place.at("discount"));
  }
  return std::make_unique<FittedObserved>(structure, std::move(learned), "read from " + where, true);
}

}  // namespace

FittedObserved::FittedObserved(const Structure& structure, ObservedContent content, std::string fit_note,
                               bool converged)
    : contexts_(structure, ContextOf::kLastActionAndOutcome),
      actions_(structure.actions.size()),
      outcomes_(structure.observations.size() + 1),
      content_(std::move(content)),
      fit_note_(std::move(fit_note)),
      converged_(converged) {}

std::vector<double> FittedObserved::policies(const HistoryTree& tree) const {
  std::vector<double> result;
  result.reserve(tree.parent.size() * actions_);
  for (const std::size_t context : contexts_.of_nodes(tree)) {
    const double* row = &content_.policy[context * actions_];
    result.insert(result.end(), row, row + actions_);
  }
  return result;
}

std::string FittedObserved::to_json() const {
  nlohmann::ordered_json json = {{"policy", table_json(content_.policy, actions_)},
                                 {"outcome_chances", table_json(content_.chances, outcomes_)}};
  if (!content_.rewards.empty()) {
    json["rewards"] = table_json(content_.rewards, actions_);
    json["discount"] = content_.discount;
  }
  return json.dump();
}

std::string search_note(const optimize::OptimizeSummary& summary) {
  return fmt::format("{} after {} iterations", describe(summary.stop), summary.iterations);
}

std::unique_ptr<FittedLearner> load_observed_policy(const std::string& json, const Structure& structure,
                                                    const std::string& where) {
  return load_observed(json, structure, where, false);
}

std::unique_ptr<FittedLearner> load_observed_rewards(const std::string& json, const Structure& structure,
                                                     const std::string& where) {
  return load_observed(json, structure, where, true);
}

}  // namespace interpole::learners
