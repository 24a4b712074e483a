#include "interpole/explain/checks/surprise_families.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/belief.hpp"

namespace interpole::explain {
namespace {

// How much of earlier surprises still counts one decision later, for what was seen and not recorded.
constexpr double kKept = 0.8;

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

// Of an action, the average place of the beliefs at which it was chosen.
std::vector<double> places_of_actions(const CheckedData& data, const Eigen::VectorXd& direction) {
  const auto A = static_cast<std::size_t>(data.decisions.categories);
  std::vector<double> sums(A, 0.0);
  std::vector<double> counts(A, 0.0);
  for (std::size_t i = 0; i < data.decisions.size(); ++i) {
    const double place = along(direction, data.beliefs.at(data.decisions.node[i]));
    for (std::size_t a = 0; a < A; ++a) {
      counts[a] += data.decisions.counts[i * A + a];
      sums[a] += data.decisions.counts[i * A + a] * place;
    }
  }
  for (std::size_t a = 0; a < A; ++a) sums[a] = counts[a] > 0.0 ? sums[a] / counts[a] : 0.0;
  return sums;
}

// What the policy expects at a history, averaged over the classes of records there.
std::vector<double> node_policies(const CheckedData& data) {
  const auto A = static_cast<std::size_t>(data.decisions.categories);
  std::vector<double> policies(data.tree.parent.size() * A, 0.0);
  std::vector<double> totals(data.tree.parent.size(), 0.0);
  for (std::size_t i = 0; i < data.decisions.size(); ++i) {
    const std::int32_t node = data.decisions.node[i];
    totals[node] += data.decisions.totals[i];
    for (std::size_t a = 0; a < A; ++a) {
      policies[node * A + a] += data.decisions.totals[i] * data.policies[i * A + a];
    }
  }
  for (std::size_t k = 0; k < policies.size(); ++k) {
    if (totals[k / A] > 0.0) policies[k] /= totals[k / A];
  }
  return policies;
}

// How far the action at a node leans beyond what was expected there.
class Leaning {
 public:
  Leaning(const CheckedData& data, const Eigen::VectorXd& direction)
      : tree_(data.tree), places_(places_of_actions(data, direction)), policies_(node_policies(data)) {
    earlier_.assign(tree_.parent.size(), 0.0);
    for (const HistoryTree::Group& group : tree_.groups) {
      for (int node = group.begin; node < group.end; ++node) {
        const std::int32_t parent = tree_.parent[node];
        earlier_[node] = kKept * earlier_[parent] + of(parent, group.action);
      }
    }
  }
  double of(int node, int action) const {
    double expected = 0.0;
    for (std::size_t a = 0; a < places_.size(); ++a)
      expected += policies_[node * places_.size() + a] * places_[a];
    return places_[action] - expected;
  }
  double earlier(int node) const { return earlier_[node]; }

 private:
  const HistoryTree& tree_;
  std::vector<double> places_, policies_, earlier_;
};

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

CheckFamily hidden_information(const CheckedData& data, const ResultSites& results,
                               const std::vector<double>& predictions, const Dynamics& world,
                               const inference::NodeBeliefs& world_beliefs) {
  const Eigen::VectorXd direction = leading_direction(data.decisions, data.beliefs);
  const Leaning leaning(data, direction);
  CheckFamily family;
  family.name = "hidden-information";
  family.question = "whether unexpected decisions foretell results";
  family.meaning = "those who decide may see something that the table does not hold";
  family.side = CheckedSide::kResults;
  family.levels = {"after an unexpected decision", "after unexpected earlier decisions"};
  family.what_is_scored = "the result";
  const auto Z = static_cast<std::size_t>(results.categories);
  std::vector<double> ahead(world_beliefs.states);
  std::vector<double> next(world_beliefs.states);
  for (std::size_t i = 0; i < results.size(); ++i) {
    family.values.push_back(leaning.of(results.node[i], results.action[i]));
    family.values.push_back(leaning.earlier(results.node[i]));
    const auto belief = world_beliefs.at(results.node[i]);
    update_belief(data.structure, world, results.action[i], kMissing, belief, ahead);
    const double expected = along(direction, ahead);
    for (std::size_t z = 0; z < Z; ++z) {
      double moved = 0.0;
      if (predictions[i * Z + z] > 0.0) {
        update_belief(data.structure, world, results.action[i], static_cast<int>(z), belief, next);
        moved = along(direction, next) - expected;
      }
      family.scores.push_back(moved);
    }
  }
  return family;
}

}  // namespace interpole::explain
