#include "interpole/explain/checks/decision_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/explain/checks/level_bins.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::explain {
namespace {

constexpr int kStepsByThemselves = 12;
constexpr int kMostRuns = 5;
constexpr int kBeliefBins = 10;
constexpr int kNumberBins = 5;

std::string in_quotes(const std::string& name) {
  return "\"" + name + "\"";
}

// A check of every action's rate at the levels of something.
CheckFamily rates(std::string name, std::string question, std::string meaning, Levels levels) {
  CheckFamily family;
  family.name = std::move(name);
  family.question = std::move(question);
  family.meaning = std::move(meaning);
  family.levels = std::move(levels.words);
  family.level = std::move(levels.of_site);
  return family;
}

template <class Level>
Levels levels_by(const CheckedData& data, const Level& level_of) {
  Levels levels;
  for (std::size_t i = 0; i < data.decisions.size(); ++i) levels.of_site.push_back(level_of(i));
  return levels;
}

CheckFamily steps(const CheckedData& data) {
  Levels levels = levels_by(
      data, [&](std::size_t i) { return std::min(data.decisions.contexts[i].step, kStepsByThemselves - 1); });
  for (int step = 0; step < kStepsByThemselves; ++step)
    levels.words.push_back(fmt::format("at step {}", step + 1));
  levels.words.back() += " and later";
  pool_tail(levels, data.decisions.totals, " and later");
  return rates("steps", "how often each action is chosen at each step",
               "decisions may follow a schedule, or change as time passes", std::move(levels));
}

// 1 for the action that was taken last.
std::vector<double> scores_of_repeating(const CheckedData& data) {
  const auto A = static_cast<std::size_t>(data.decisions.categories);
  std::vector<double> scores(data.decisions.counts.size(), 0.0);
  for (std::size_t i = 0; i < data.decisions.size(); ++i) {
    const int last = data.decisions.contexts[i].last_action;
    if (last >= 0) scores[i * A + last] = 1.0;
  }
  return scores;
}

CheckFamily repeats(const CheckedData& data) {
  Levels levels = levels_by(data, [&](std::size_t i) { return data.decisions.contexts[i].last_action; });
  for (const std::string& action : data.structure.actions)
    levels.words.push_back("after " + in_quotes(action));
  pool_small(levels, data.decisions.totals, "after another action");
  CheckFamily family =
      rates("repeats", "how often an action is repeated", "decisions may follow habit", std::move(levels));
  family.scores = scores_of_repeating(data);
  family.what_is_scored = "the same is chosen again";
  return family;
}

CheckFamily runs(const CheckedData& data) {
  std::vector<int> length(data.decisions.size(), 0);  // of the run of equal actions that ends before
  for (std::size_t i = 0; i < length.size(); ++i) {
    const std::int32_t before = data.decisions.before[i];
    if (before < 0) continue;
    const bool goes_on =
        data.decisions.contexts[i].last_action == data.decisions.contexts[before].last_action;
    length[i] = goes_on ? length[before] + 1 : 1;
  }
  Levels levels = levels_by(data, [&](std::size_t i) { return std::min(length[i], kMostRuns) - 1; });
  levels.words.emplace_back("after an action that was not the one before");
  for (int run = 2; run <= kMostRuns; ++run) {
    levels.words.push_back(fmt::format("after {} times the same action", run));
  }
  levels.words.back() = fmt::format("after {} times the same action or more", kMostRuns);
  pool_tail(levels, data.decisions.totals, " or more");
  CheckFamily family =
      rates("runs", "how long an action is repeated",
            "decisions may follow habit, or have to be changed after a while", std::move(levels));
  family.scores = scores_of_repeating(data);
  family.what_is_scored = "it is chosen again";
  return family;
}

// The result after which decisions at a node are taken; −1: it is missing, −2: there was no action yet.
std::vector<int> last_results(const HistoryTree& tree) {
  std::vector<int> results(tree.parent.size(), -2);
  for (const HistoryTree::Group& group : tree.groups) {
    for (int node = group.begin; node < group.end; ++node) results[node] = group.observation;
  }
  return results;
}

CheckFamily last_result(const CheckedData& data) {
  const auto results = last_results(data.tree);
  const bool measured = data.structure.measured();  // then results hardly repeat
  Levels levels = levels_by(data, [&](std::size_t i) {
    const int result = std::max(-1, results[data.decisions.node[i]]);
    return measured ? std::min(0, result) : result;
  });
  for (const std::string& result : data.structure.observations) {
    levels.words.push_back("after the result " + in_quotes(result));
  }
  if (measured) levels.words.emplace_back("after any result");
  pool_small(levels, data.decisions.totals, "after a rarer result");
  return rates("last-result", "how often each action is chosen after each result",
               "the last result may count for more, or for less, than belief makes of it", std::move(levels));
}

CheckFamily missing_results(const CheckedData& data) {
  const auto results = last_results(data.tree);
  const auto is_missing = [&](int result) {
    return result == kMissing || (result >= 0 && result == data.structure.not_recorded);
  };
  Levels levels =
      levels_by(data, [&](std::size_t i) { return is_missing(results[data.decisions.node[i]]) ? 0 : -1; });
  levels.words = {"after a result that is missing"};
  pool_small(levels, data.decisions.totals, "");
  return rates("missing-results", "how often each action is chosen after a missing result",
               "results may be known to those who decide and missing from the table", std::move(levels));
}

CheckFamily regions_of_belief(const CheckedData& data) {
  const Eigen::VectorXd direction = leading_direction(data.decisions, data.beliefs);
  std::vector<double> place;
  for (std::size_t i = 0; i < data.decisions.size(); ++i) {
    place.push_back(along(direction, data.beliefs.at(data.decisions.node[i])));
  }
  Levels levels = quantile_bins(place, data.decisions.totals, kBeliefBins);
  int towards = 0;
  direction.maxCoeff(&towards);
  levels.words.clear();
  for (int bin = 0; bin < kBeliefBins; ++bin) {
    levels.words.push_back(fmt::format("where belief in {} is in its tenth no. {} of {}",
                                       in_quotes(data.structure.states[towards]), bin + 1, kBeliefBins));
  }
  pool_small(levels, data.decisions.totals, "elsewhere");
  return rates("beliefs", "how often each action is chosen in each region of belief",
               "the policy may not have the form that the model gives it", std::move(levels));
}

CheckFamily of_covariate(const CheckedData& data, std::size_t c) {
  const PolicyCovariate& covariate = data.covariates[c];
  std::vector<double> values;
  for (std::size_t i = 0; i < data.decisions.size(); ++i) {
    const auto known = data.decisions.contexts[i].covariates;
    values.push_back(c < known.size() ? known[c] : NAN);
  }
  Levels levels;
  if (covariate.categories.empty()) {
    levels = quantile_bins(values, data.decisions.totals, kNumberBins);
    for (std::string& words : levels.words)
      words = fmt::format("where {} is {}", in_quotes(covariate.name), words);
  } else {
    for (const double value : values)
      levels.of_site.push_back(std::isnan(value) ? -1 : static_cast<int>(value));
    for (const std::string& category : covariate.categories) {
      levels.words.push_back(fmt::format("where {} is {}", in_quotes(covariate.name), in_quotes(category)));
    }
  }
  pool_small(levels, data.decisions.totals,
             fmt::format("where {} is a rarer value", in_quotes(covariate.name)));
  return rates("covariate " + covariate.name,
               fmt::format("how often each action is chosen by {}", in_quotes(covariate.name)),
               fmt::format("decisions may follow {}", in_quotes(covariate.name)), std::move(levels));
}

CheckFamily order_of_records(const CheckedData& data) {
  CheckFamily family;
  family.name = kOrderOfRecords;
  family.question = "whether decisions drift from the first record to the last";
  family.meaning = "decisions may have changed over the years, or records of a kind may stand together";
  family.levels = {"from the first record to the last"};
  family.sums = data.decisions.place_sums;
  family.squares = data.decisions.place_squares;
  return family;
}

}  // namespace

Eigen::VectorXd leading_direction(const DecisionSites& sites, const inference::NodeBeliefs& beliefs) {
  const auto S = static_cast<Eigen::Index>(beliefs.states);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(S);
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(S, S);
  double total = 0.0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Eigen::Map<const Eigen::VectorXd> belief(beliefs.at(sites.node[i]).data(), S);
    mean += sites.totals[i] * belief;
    squares += sites.totals[i] * belief * belief.transpose();
    total += sites.totals[i];
  }
  mean /= total;
  Eigen::VectorXd direction =
      optimize::symmetric_eigen(squares / total - mean * mean.transpose()).vectors.col(S - 1);
  for (Eigen::Index s = S - 1; s >= 0; --s) {
    if (std::abs(direction[s]) < 0.5 * direction.cwiseAbs().maxCoeff()) continue;
    if (direction[s] < 0.0) direction = -direction;
    break;
  }
  return direction;
}

double along(const Eigen::VectorXd& direction, std::span<const double> belief) {
  double sum = 0.0;
  for (std::size_t s = 0; s < belief.size(); ++s) sum += direction[static_cast<Eigen::Index>(s)] * belief[s];
  return sum;
}

std::vector<CheckFamily> decision_families(const CheckedData& data) {
  std::vector<CheckFamily> families = {repeats(data),         runs(data),
                                       steps(data),           last_result(data),
                                       missing_results(data), regions_of_belief(data)};
  for (std::size_t c = 0; c < data.covariates.size(); ++c) {
    if (!data.covariates[c].name.empty()) families.push_back(of_covariate(data, c));
  }
  if (!data.decisions.place_sums.empty()) families.push_back(order_of_records(data));
  std::erase_if(families, [](const CheckFamily& family) { return family.levels.empty(); });
  return families;
}

}  // namespace interpole::explain
