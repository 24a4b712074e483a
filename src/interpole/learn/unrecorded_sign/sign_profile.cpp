#include "interpole/learn/unrecorded_sign/sign_profile.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/base/parallel.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/learn/terms/term_choice.hpp"
#include "interpole/learn/uncertainty/laplace.hpp"
#include "interpole/learn/unrecorded_sign/signed_posterior.hpp"
#include "interpole/optimize/hessian.hpp"

namespace interpole {
namespace learn {
namespace {

constexpr int kPoints = 7;
constexpr double kMostRight = 0.95;
constexpr double kHopelessSign = 15.0;  // nats below the best: stronger signs are not asked about

// A mode within a hundredth of a nat is enough.
optimize::LbfgsOptions rough_search() {
  optimize::LbfgsOptions options;
  options.gradient_tolerance = 1e-3;
  options.slow_tolerance = 1e-7;
  return options;
}

// Signs count up to four of two states, two of three or four.
int most_counted(int states) {
  if (states == 2) return 4;
  return states <= 4 ? 2 : 1;
}

double right_at(int point, int states) {
  const double least = 1.0 / states;
  return least + (kMostRight - least) * point / (kPoints - 1);
}

// One way of deciding that a sign may be added to.
struct Variant {
  DecisionProblem problem;
  bool first = false;  // the sign is seen before the first decision too
};

double log_credit_of(const Policy& policy) {
  const auto terms = static_cast<double>(policy.terms.additive.size()) +
                     (policy.terms.inertia != 0.0 ? 1.0 : 0.0) + (policy.terms.lapse != 0.0 ? 1.0 : 0.0);
  const double kinds = policy.kind_count();
  return std::lgamma(kinds + 1.0) - kPriceOfTerm * (terms + kinds - 1.0);
}

// The policy of a start with those terms alone that the problem has.
Parameters start_for(const DecisionProblem& problem, Parameters start) {
  if (problem.known.policy.other_kinds.empty()) start.policy = start.policy.of_kind(0);
  if (problem.known.policy.terms.none()) start.policy.terms = {};
  std::erase_if(start.policy.terms.additive, [&](const PolicyTerm& term) {
    return std::ranges::none_of(problem.known.policy.terms.additive, [&](const PolicyTerm& known) {
      return known.kind == term.kind && known.covariate == term.covariate;
    });
  });
  return start;
}

// The best of the modes found from several points.
Laplace best_mode(Posterior& posterior, const std::vector<std::vector<double>>& from) {
  Laplace best;
  best.proper = false;
  best.log_evidence = -INFINITY;
  for (const auto& y : from) {
    Laplace found = laplace(posterior, y, rough_search());
    if (found.proper && found.log_evidence > best.log_evidence) best = std::move(found);
  }
  return best;
}

// A posterior in coordinates in which a mode nearby has unit curvature: searches from there are short.
class Whitened : public optimize::Objective {
 public:
  Whitened(Posterior& posterior, const Laplace& nearby)
      : posterior_(posterior), nearby_(nearby), y_(nearby.centre), d_y_(nearby.centre.size()) {}
  int size() const override { return posterior_.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    const std::size_t n = x.size();
    point(x, y_);
    const double value = posterior_.evaluate(y_, d_y_);
    std::ranges::fill(gradient, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) gradient[j] += nearby_.factor[i * n + j] * d_y_[i];
    }
    return value;
  }
  void point(std::span<const double> x, std::span<double> y) const {
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = nearby_.centre[i];
      for (std::size_t j = 0; j <= i; ++j) y[i] += nearby_.factor[i * n + j] * x[j];
    }
  }

 private:
  Posterior& posterior_;
  const Laplace& nearby_;
  std::vector<double> y_, d_y_;
};

Laplace followed_mode(Posterior& posterior, const Laplace& from) {
  Whitened whitened(posterior, from);
  std::vector<double> x(from.centre.size(), 0.0);
  optimize::maximise_lbfgs(whitened, x, rough_search());
  std::vector<double> y(x.size());
  whitened.point(x, y);
  const auto hessian = optimize::hessian(posterior, y);
  return laplace_at(posterior, std::move(y), hessian);
}

std::vector<std::vector<double>> coordinates_of(const Posterior& posterior, const DecisionProblem& problem,
                                                const std::vector<Parameters>& starts) {
  std::vector<std::vector<double>> result;
  for (const Parameters& start : starts) {
    result.emplace_back(posterior.size());
    posterior.coordinates({start_for(problem, start), {}}, result.back());
  }
  return result;
}

// log evidence by strength of the sign, price paid.
std::vector<double> log_evidence_of(const HistoryTree& tree, const Variant& variant,
                                    const inference::SignMemory& memory,
                                    const std::vector<Parameters>& starts, const SignSearch& search) {
  const DecisionProblem& problem = variant.problem;
  inference::SignedLikelihood likelihood(tree, problem.structure, memory, variant.first);
  const double credit = log_credit_of(problem.known.policy);
  std::vector<double> result;
  Laplace last;
  for (int i = 0; i < kPoints && !(search.stop && search.stop()); ++i) {
    SignedPosterior posterior(likelihood, problem, right_at(i, memory.states));
    Laplace mode = i == 0 ? best_mode(posterior, coordinates_of(posterior, problem, starts))
                          : followed_mode(posterior, last);
    if (!mode.proper || !std::isfinite(mode.log_evidence)) {
      result.push_back(-INFINITY);
      if (i == 0) break;
      continue;
    }
    result.push_back(mode.log_evidence + credit);
    last = std::move(mode);
    if (result.back() < *std::ranges::max_element(result) - kHopelessSign) break;
  }
  return result;
}

// Of one root: classes of records that are apart are met by a sign that says nothing.
double log_evidence_without(const HistoryTree& tree, const DecisionProblem& problem,
                            const std::vector<Parameters>& starts) {
  if (tree.root_count > 1) return -INFINITY;
  const inference::Likelihood likelihood(tree, problem.structure);
  const auto posterior =
      make_posterior(likelihood, problem, {DynamicsMode::kShared, Measure::kCoordinates, {}});
  return best_mode(*posterior, coordinates_of(*posterior, problem, starts)).log_evidence +
         log_credit_of(problem.known.policy);
}

std::vector<Variant> variants_of(const DecisionProblem& problem, bool together) {
  Variant bare{problem, false};
  bare.problem.known.policy.terms = {};
  bare.problem.known.policy.other_kinds.clear();
  bare.problem.priors.term_scales.clear();
  std::vector<Variant> variants = {bare, bare};
  variants[1].first = true;
  if (problem.known.policy.terms.none()) return variants;
  Variant with_terms{problem, false};
  Policy& policy = with_terms.problem.known.policy;
  policy.other_kinds.clear();
  auto& scales = with_terms.problem.priors.term_scales;
  for (std::size_t i = policy.terms.additive.size(); together && i-- > 0;) {
    if (policy.terms.additive[i].covariate < 0) continue;
    policy.terms.additive.erase(policy.terms.additive.begin() + static_cast<std::ptrdiff_t>(i));
    if (i < scales.size()) scales.erase(scales.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (!policy.terms.none()) variants.push_back(with_terms);
  return variants;
}

}  // namespace

SignProfile weigh_sign(const HistoryTree& tree, const DecisionProblem& problem,
                       const std::vector<Parameters>& starts, const SignSearch& search) {
  SignProfile profile;
  const int states = problem.structure.state_count();
  if (states < 2) {
    profile.not_weighed = "there is one state, of which no sign can tell anything";
    return profile;
  }
  const inference::SignMemory memory = inference::sign_memory(states, most_counted(states));
  if (inference::SignedLikelihood::numbers_held(tree, problem.structure, memory.size()) >
      search.most_numbers) {
    profile.not_weighed = "there are too many different histories";
    return profile;
  }
  if (!problem.known.dynamics.start.empty()) {
    profile.not_weighed = "records start with different beliefs, which a sign would have to be told from";
    return profile;
  }
  if (tree.root_count > 1 && !problem.known.policy.other_kinds.empty()) {
    profile.not_weighed =
        "there are several kinds of decision-makers, and records are told apart by covariates";
    return profile;
  }
  const auto variants = variants_of(problem, !tree.classes.none());
  std::vector<std::vector<double>> with(variants.size());
  double without = -INFINITY;
  base::parallel_tasks(static_cast<int>(variants.size()) + 1, search.threads, [&](int i) {
    if (i == 0) without = log_evidence_without(tree, problem, starts);
    if (i > 0) with[i - 1] = log_evidence_of(tree, variants[i - 1], memory, starts, search);
  });
  for (const auto& logs : with) without = std::max(without, logs.empty() ? -INFINITY : logs.front());
  if (!std::isfinite(without)) {
    profile.not_weighed = "no explanation with one set of dynamics has a proper peak";
    return profile;
  }
  std::size_t length = 0;
  for (const auto& logs : with) length = std::max(length, logs.size());
  for (std::size_t i = 0; i < length; ++i) {
    double best = i == 0 ? without : -INFINITY;
    for (const auto& logs : with) best = std::max(best, i < logs.size() ? logs[i] : -INFINITY);
    profile.points.push_back({right_at(static_cast<int>(i), states), best - without});
  }
  return profile;
}

}  // namespace learn

SignProfile::Point SignProfile::best() const {
  if (points.empty()) return {};
  return *std::ranges::max_element(points, {}, [](const Point& point) { return point.log_ratio; });
}

std::optional<double> SignProfile::least_right(double enough) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(points[i].log_ratio >= enough)) continue;
    if (i == 0 || !std::isfinite(points[i - 1].log_ratio)) return points[i].right;
    const double way = (enough - points[i - 1].log_ratio) / (points[i].log_ratio - points[i - 1].log_ratio);
    return points[i - 1].right + way * (points[i].right - points[i - 1].right);
  }
  return {};
}

double SignProfile::log_mean_ratio() const {
  std::vector<double> logs;
  for (std::size_t i = 1; i < points.size(); ++i) logs.push_back(points[i].log_ratio);
  return logs.empty() ? -INFINITY : learn::log_sum(logs) - std::log(learn::kPoints - 1.0);
}

}  // namespace interpole
