#include "interpole/explain/checks/unrecorded_sign.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/learn/result/fitted_again.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"
#include "interpole/learn/unrecorded_sign/sign_profile.hpp"

namespace interpole::explain {
namespace {

// How far from the best strength the evidence falls by two nats.
double reach_of(const SignProfile& profile) {
  constexpr double kFall = 2.0;
  const SignProfile::Point best = profile.best();
  const SignProfile::Point* last = nullptr;
  for (const SignProfile::Point& point : profile.points) {
    if (point.right > best.right && point.log_ratio < best.log_ratio - kFall) {
      const double way = (last->log_ratio - (best.log_ratio - kFall)) / (last->log_ratio - point.log_ratio);
      return last->right + way * (point.right - last->right) - best.right;
    }
    last = &point;
  }
  return profile.points.back().right - best.right;
}

}  // namespace

SignProfile weigh_sign_of(const FitResult& fit, const HistoryTree& tree, int threads) {
  SignProfile none;
  if (!fit.has_uncertainty()) none.not_weighed = "the model does not say how sure it is";
  if (fit.provenance.dynamics == name_of(DynamicsMode::kSubjective)) {
    none.not_weighed = "results are not explained by the model";
  }
  if (!none.not_weighed.empty()) return none;
  const DecisionProblem problem = learn::problem_of(fit, fit.uncertainty->problem.priors);
  std::vector<Parameters> starts = {fit.model.agent};
  if (fit.model.world) starts.insert(starts.begin(), {*fit.model.world, fit.model.agent.policy});
  learn::SignSearch search;
  search.threads = threads;
  return learn::weigh_sign(tree, problem, starts, search);
}

ModelCheck hidden_information(const SignProfile& profile, std::optional<double> log_bayes_factor) {
  ModelCheck check;
  check.name = kHiddenInformation;
  check.question = "whether a sign that the table does not hold explains decisions better than none";
  check.meaning = "those who decide may see something that the table does not hold";
  const double nothing = profile.points.front().right;
  check.most = {"a sign that the table does not hold would be right", profile.best().right, nothing, nothing,
                std::min(1.0, nothing + reach_of(profile))};
  check.numbers = {check.most};
  check.statistic = profile.log_mean_ratio() - std::max(0.0, log_bayes_factor.value_or(0.0));
  check.degrees = 1;
  check.p_value = std::min(1.0, std::exp(-check.statistic));
  return check;
}

std::optional<ModelCheck> check_hidden_information(const FitResult& fit, const HistoryTree& tree,
                                                   int threads) {
  const SignProfile profile = weigh_sign_of(fit, tree, threads);
  if (profile.points.empty()) return {};
  ModelCheck check = hidden_information(profile, fit.quality.log_bayes_factor);
  check.failed = check.p_value <= ModelCheckOptions{}.false_alarms;
  return check;
}

}  // namespace interpole::explain
