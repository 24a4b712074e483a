#include "interpole/learn/unrecorded_sign/sign_profile.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/base/parallel.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/learn/terms/term_choice.hpp"
#include "interpole/learn/uncertainty/laplace.hpp"
#include "interpole/learn/unrecorded_sign/signed_posterior.hpp"

namespace interpole::learn {
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
  best.log_evidence = -INFINITY;
  for (const auto& y : from) {
    Laplace found = laplace(posterior, y, rough_search());
    if (found.proper && found.log_evidence > best.log_evidence) best = std::move(found);
  }
  return best;
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
  std::vector<double> at;
  for (int i = 0; i < kPoints && !(search.stop && search.stop()); ++i) {
    SignedPosterior posterior(likelihood, problem, right_at(i, memory.states));
    const Laplace mode = best_mode(posterior, at.empty() ? coordinates_of(posterior, problem, starts)
                                                         : std::vector<std::vector<double>>{at});
    if (std::isfinite(mode.log_evidence)) at = mode.centre;
    result.push_back(mode.log_evidence + credit);
    if (result.back() < *std::ranges::max_element(result) - kHopelessSign) break;
  }
  return result;
}

double log_evidence_without(const HistoryTree& tree, const DecisionProblem& problem,
                            const std::vector<Parameters>& starts) {
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
  return logs.empty() ? -INFINITY : log_sum(logs) - std::log(kPoints - 1.0);
}

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

}  // namespace interpole::learn
