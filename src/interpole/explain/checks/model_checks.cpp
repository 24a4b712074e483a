#include "interpole/model_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/base/parallel.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/checks/check_words.hpp"
#include "interpole/explain/checks/fitted_directions.hpp"
#include "interpole/explain/checks/joint_chi_square.hpp"
#include "interpole/explain/checks/misfit.hpp"
#include "interpole/explain/checks/surprise_families.hpp"
#include "interpole/explain/checks/unrecorded_sign.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"

namespace interpole {
namespace explain {
namespace {

// What a model says along the histories.
struct Sayings {
  inference::NodeBeliefs beliefs;
  std::vector<double> policies;
};

class ModelOnData {
 public:
  ModelOnData(const FitResult& fit, const HistoryTree& tree)
      : tree_(tree), structure_(fit.model.structure), decisions_(decision_sites(tree)) {}

  const DecisionSites& decisions() const { return decisions_; }

  Sayings sayings(const Parameters& agent) const {
    Sayings result;
    result.beliefs = inference::node_beliefs(tree_, structure_, agent.dynamics);
    if (result.beliefs.impossible) {
      throw input_error(fmt::format(
          "record {}, step {}: the model calls what followed impossible (probability 0); correct the data, "
          "or "
          "check a model that allows it",
          tree_.first_record[*result.beliefs.impossible], tree_.depth[*result.beliefs.impossible]));
    }
    result.policies = policies_at(decisions_, structure_, agent, result.beliefs);
    return result;
  }

 private:
  const HistoryTree& tree_;
  const Structure& structure_;
  DecisionSites decisions_;
};

// How the expected sums of every family change with each direction of the posterior: [family] features ×
// directions.
std::vector<Eigen::MatrixXd> fitted_changes(const ModelOnData& data, const std::vector<CheckFamily>& families,
                                            const FittedDirections& directions, int threads) {
  const auto expected = [&](const AgentWorld& at) {
    const Sayings sayings = data.sayings(at.agent);
    std::vector<Eigen::VectorXd> sums;
    sums.reserve(families.size());
    for (const CheckFamily& family : families) {
      sums.push_back(expected_sums(family, data.decisions(), sayings.policies));
    }
    return sums;
  };
  const int count = static_cast<int>(directions.ends.size());
  std::vector<Eigen::MatrixXd> changes;
  changes.reserve(families.size());
  for (const CheckFamily& family : families) {
    changes.emplace_back(family.features(data.decisions().categories), count);
  }
  base::parallel_tasks(count, threads, [&](int i) {
    const auto up = expected(directions.ends[i].first);
    const auto down = expected(directions.ends[i].second);
    for (std::size_t f = 0; f < families.size(); ++f) {
      changes[f].col(i) = (up[f] - down[f]) / (2.0 * FittedDirections::kStep);
    }
  });
  return changes;
}

bool knows_covariates(const HistoryTree& tree) {
  return !tree.classes.none() || !tree.root_covariates.empty();
}

// Whether the policy follows covariates that the records were read without.
bool lacks_covariates(const PolicyTerms& terms, const HistoryTree& tree) {
  return !knows_covariates(tree) && std::any_of(terms.additive.begin(), terms.additive.end(),
                                                [](const PolicyTerm& term) { return term.covariate >= 0; });
}

// Explanations within this many nats of the best count, and differ if beliefs or policies do by this share.
constexpr double kNearlyAsGood = 3.0;
constexpr double kDiffers = 0.05;

// Holm's rule: the smallest p-value is compared with the share of all checks, the next with that of one
// fewer, until one passes.
void judge_together(std::vector<ModelCheck>& checks, double false_alarms) {
  std::vector<std::size_t> order(checks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return checks[x].p_value < checks[y].p_value; });
  for (ModelCheck& check : checks) check.failed = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (checks[order[i]].p_value > false_alarms / static_cast<double>(order.size() - i)) break;
    checks[order[i]].failed = true;
  }
}

void add_hidden_information(const FitResult& fit, const HistoryTree& tree, int threads, ModelChecks& result) {
  if (!fit.has_uncertainty()) return;  // which is said of all checks
  SignProfile profile = weigh_sign_of(fit, tree, threads);
  if (profile.points.empty()) {
    result.not_checked.push_back("hidden information is not checked: " + profile.not_weighed);
    return;
  }
  result.checks.push_back(hidden_information(profile, fit.quality.log_bayes_factor));
  result.sign = std::move(profile);
}

}  // namespace
}  // namespace explain

void ModelCheckOptions::validate() const {
  if (!(false_alarms > 0.0 && false_alarms < 1.0)) {
    throw usage_error(fmt::format("option false-alarms: {} is not between 0 and 1", false_alarms));
  }
  if (!(level > 0.0 && level < 1.0))
    throw usage_error(fmt::format("option level: {} is not between 0 and 1", level));
}

ModelCheckOptions checks_for_verdict(const FitResult& fit) {
  ModelCheckOptions options;
  options.hidden_information = fit.quality.log_bayes_factor.value_or(0.0) > 0.0;
  options.unless_another_fails = true;
  return options;
}

std::vector<const ModelCheck*> ModelChecks::failed() const {
  std::vector<const ModelCheck*> result;
  for (const ModelCheck& check : checks) {
    if (check.failed) result.push_back(&check);
  }
  return result;
}

std::string disagreement_of(const FitQuality& quality) {
  const auto& modes = quality.modes;
  for (std::size_t i = 1; i < modes.size(); ++i) {
    const double apart = std::max(modes[i].belief_distance, modes[i].policy_distance);
    const double worse = modes.front().log_posterior - modes[i].log_posterior;
    if (worse > explain::kNearlyAsGood || apart < explain::kDiffers) continue;
    return fmt::format(
        "another explanation is nearly as good, and its beliefs differ by {:.0f}%, its decisions by {:.0f}%",
        100.0 * modes[i].belief_distance, 100.0 * modes[i].policy_distance);
  }
  return {};
}

ModelChecks check_model(const FitResult& fit, const HistoryTree& tree, const ModelCheckOptions& options) {
  using namespace explain;
  options.validate();
  ModelChecks result;
  if (tree.decisions == 0) {
    result.not_checked.emplace_back("there are no decisions, so nothing could be checked");
    return result;
  }
  if (lacks_covariates(fit.model.agent.policy.terms, tree)) {
    result.not_checked.emplace_back(
        "decisions follow covariates that the records were read without, so nothing could be checked");
    return result;
  }
  if (!fit.model.agent.dynamics.start.empty() && tree.root_covariates.empty()) {
    result.not_checked.emplace_back(
        "starting beliefs differ with covariates that the records were read without, so nothing could be "
        "checked");
    return result;
  }
  const Structure& structure = fit.model.structure;
  const ModelOnData data(fit, tree);
  const Sayings sayings = data.sayings(fit.model.agent);
  const auto& covariates =
      options.covariates.empty() ? fit.model.agent.policy.terms.covariates : options.covariates;
  const std::vector<PolicyCovariate> none;
  const CheckedData checked{tree,
                            structure,
                            knows_covariates(tree) ? covariates : none,
                            data.decisions(),
                            sayings.policies,
                            sayings.beliefs};
  std::vector<CheckFamily> families = decision_families(checked);
  for (CheckFamily& family : surprise_families(checked)) families.push_back(std::move(family));
  const auto changes = fitted_changes(data, families, fitted_directions(fit), options.threads);
  for (std::size_t f = 0; f < families.size(); ++f) {
    const CheckFamily& family = families[f];
    const CategorySites& sites = data.decisions();
    const auto& p = sayings.policies;
    const Eigen::VectorXd observed = observed_sums(family, sites);
    const Eigen::VectorXd expected = expected_sums(family, sites, p);
    const Eigen::MatrixXd chance = chance_covariance(family, sites, p);
    const JointChiSquare test =
        joint_chi_square(observed - expected, chance, changes[f], tested_sums(family, sites, p, chance));
    if (test.degrees == 0) continue;
    result.checks.push_back(
        checked_numbers(structure, family, sites, observed, expected, chance, test, options.level));
  }
  judge_together(result.checks, options.false_alarms);
  if (options.hidden_information && !(options.unless_another_fails && !result.failed().empty())) {
    add_hidden_information(fit, tree, options.threads, result);
    judge_together(result.checks, options.false_alarms);
  }
  for (ModelCheck& check : result.checks) check.sentence = sentence_of(check);
  result.misfit = proven_misfit(result.checks);
  if (!fit.has_uncertainty()) {
    result.not_checked.emplace_back(
        "the model does not say how sure it is, so checks take its numbers as known; they may miss what a "
        "fit "
        "took up");
  }
  return result;
}

FitResult widened_by_misfit(FitResult fit, const ModelChecks& checks) {
  if (!fit.uncertainty) return fit;
  auto stored = std::make_shared<learn::StoredUncertainty>(*fit.uncertainty);
  stored->uncertainty.misfit = checks.misfit;
  fit.uncertainty = std::move(stored);
  return fit;
}

ModelChecks check_model(const FitResult& fit, std::span<const Record> records,
                        const ModelCheckOptions& options) {
  const auto start_by = data::start_places(fit.model.agent.dynamics.start);
  return check_model(fit, tree_of_records(fit.model.structure, records, RecordClasses::kTogether, start_by),
                     options);
}

}  // namespace interpole
