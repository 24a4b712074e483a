#include "interpole/learn/unrecorded_sign/sign_profile.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "interpole/base/parallel.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/learn/terms/term_choice.hpp"
#include "interpole/learn/uncertainty/laplace.hpp"
#include "interpole/learn/unrecorded_sign/signed_posterior.hpp"
#include "interpole/optimize/hessian.hpp"
#include "interpole/optimize/normal_fit.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole {
namespace learn {
namespace {

constexpr int kPoints = 7;
constexpr double kMostRight = 0.95;
constexpr double kHopelessSign = 15.0;  // nats below the best: stronger signs are not asked about
// Nats that a variant is behind another without a sign, from which on two strengths are looked at before all.
constexpr double kFarBehind = 30.0;
constexpr int kLook = 30;  // iterations that show whether a top comes near

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
  bool first = false;             // the sign is seen before the first decision too
  bool lacks_covariates = false;  // terms of covariates are left out
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

std::vector<std::vector<double>> coordinates_of(const Posterior& posterior, const DecisionProblem& problem,
                                                const std::vector<Parameters>& starts) {
  std::vector<std::vector<double>> result;
  for (const Parameters& start : starts) {
    result.emplace_back(posterior.size());
    posterior.coordinates({start_for(problem, start), {}}, result.back());
  }
  return result;
}

// Where the sign says nothing. Its posterior is then that of shared dynamics, whose likelihood is many times
// as fast; where classes of records are apart that has decisions of its own, and is not asked.
Laplace mode_without_sign(const HistoryTree& tree, const DecisionProblem& problem, SignedPosterior& posterior,
                          const std::vector<Parameters>& starts) {
  const auto from = coordinates_of(posterior, problem, starts);
  if (tree.root_count > 1) return best_mode(posterior, from);
  const inference::Likelihood likelihood(tree, problem.structure);
  const auto shared = make_posterior(likelihood, problem, {DynamicsMode::kShared, Measure::kCoordinates, {}});
  return best_mode(*shared, from);
}

optimize::NormalFit normal_of(const Laplace& mode) {
  const int n = static_cast<int>(mode.centre.size());
  optimize::NormalFit fit{mode.centre, {}, mode.log_density};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) fit.covariance.push_back(mode.variance(i, j));
  }
  return fit;
}

// log of how much room a top has: its evidence over its height.
double log_room(const Laplace& mode) {
  return mode.log_evidence - mode.log_density;
}

// The evidence of a sign by its strength. Tops are climbed to one after the other, each from where the two
// before point, in coordinates in which the first is round. How much room they have changes slowly, and
// second derivatives are what costs most: it is measured at the first, the highest and (unless that is
// hopeless) the last, and read between them.
class SignClimb {
 public:
  SignClimb(const HistoryTree& tree, const Variant& variant, const inference::SignMemory& memory,
            const SignSearch& search)
      : problem_(variant.problem),
        credit_(log_credit_of(variant.problem.known.policy)),
        states_(memory.states),
        likelihood_(tree, variant.problem.structure, memory, variant.first),
        search_(search) {}

  // To where the sign says nothing. The log evidence there, price paid; minus infinity without a proper top.
  double begin(const HistoryTree& tree, const std::vector<Parameters>& starts) {
    SignedPosterior without(likelihood_, problem_, right_at(0, states_));
    first_ = mode_without_sign(tree, problem_, without, starts);
    if (!first_.proper || !std::isfinite(first_.log_evidence)) return -INFINITY;
    round_ = normal_of(first_);
    return first_.log_evidence + credit_;
  }

  // Log evidence of every strength that was climbed to, price paid. `best`: that of the best variant where
  // the sign says nothing; far behind it, more than that is asked for only if a sign helps.
  std::vector<double> log_evidence(double best) {
    const double begun = first_.log_evidence + credit_;
    if (begun < best - kFarBehind && hopeless(best)) return {begun};
    climb();
    rooms_[0] = log_room(first_);
    const int last = static_cast<int>(heights_.size()) - 1;
    const int highest = static_cast<int>(std::ranges::max_element(heights_) - heights_.begin());
    for (const int point : {highest, last}) {
      const bool far_below = heights_[point] < heights_[highest] - kHopelessSign;
      if (!far_below && !rooms_.contains(point)) rooms_[point] = room_measured_at(point);
    }
    std::vector<double> result;
    for (int i = 0; i <= last; ++i) result.push_back(heights_[i] + room_at(i) + credit_);
    return result;
  }

 private:
  // Whether neither a sign of middle strength nor the strongest makes up for what this variant is behind.
  bool hopeless(double best) {
    std::vector<double> top(first_.centre.size(), 0.0);
    for (const int point : {kPoints / 2, kPoints - 1}) {
      optimize::LbfgsOptions look = rough_search();
      look.most_iterations = kLook;
      const double height = climb_at(point, top, look);
      if (!(height + log_room(first_) + credit_ < best - kHopelessSign)) return false;
    }
    return true;
  }

  // The height of the top that is nearest to `top`, which moves there.
  double climb_at(int point, std::vector<double>& top, const optimize::LbfgsOptions& options) {
    SignedPosterior posterior(likelihood_, problem_, right_at(point, states_));
    optimize::WhitenedObjective whitened(posterior, round_);
    return optimize::maximise_lbfgs(whitened, top, options).value;
  }

  void climb() {
    heights_ = {first_.log_density};
    tops_ = {std::vector<double>(first_.centre.size(), 0.0)};
    for (int i = 1; i < kPoints && !(search_.stop && search_.stop()); ++i) {
      std::vector<double> top = start_of(i);
      const double height = climb_at(i, top, rough_search());
      if (!std::isfinite(height)) return;
      heights_.push_back(height);
      tops_.push_back(std::move(top));
      if (height < *std::ranges::max_element(heights_) - kHopelessSign) return;
    }
  }

  // Where the two tops before point, if that is higher than the one before.
  std::vector<double> start_of(int point) {
    const std::vector<double>& last = tops_.back();
    if (tops_.size() < 2) return last;
    std::vector<double> ahead(last.size());
    for (std::size_t i = 0; i < last.size(); ++i) ahead[i] = 2.0 * last[i] - tops_[tops_.size() - 2][i];
    SignedPosterior posterior(likelihood_, problem_, right_at(point, states_));
    optimize::WhitenedObjective whitened(posterior, round_);
    std::vector<double> gradient(last.size());
    const double here = whitened.evaluate(last, gradient);
    return whitened.evaluate(ahead, gradient) > here ? ahead : last;
  }

  double room_measured_at(int point) {
    SignedPosterior posterior(likelihood_, problem_, right_at(point, states_));
    optimize::WhitenedObjective whitened(posterior, round_);
    const auto hessian = optimize::one_sided_hessian(whitened, tops_[point]);
    const auto n = static_cast<Eigen::Index>(tops_[point].size());
    const Eigen::MatrixXd bend = -Eigen::Map<const Eigen::MatrixXd>(hessian.data(), n, n);
    const auto log_determinant = bend.allFinite() ? optimize::definite_log_determinant(bend) : std::nullopt;
    return log_determinant ? rooms_[0] - 0.5 * *log_determinant : -INFINITY;
  }

  // Nothing between points of which one has no proper top.
  double room_at(int point) const {
    const auto after = rooms_.lower_bound(point);
    if (after == rooms_.end()) return rooms_.rbegin()->second;
    if (after->first == point) return after->second;
    const auto before = std::prev(after);
    const double way = static_cast<double>(point - before->first) / (after->first - before->first);
    return before->second + way * (after->second - before->second);
  }

  const DecisionProblem& problem_;
  double credit_;  // of terms and kinds
  int states_;
  inference::SignedLikelihood likelihood_;
  const SignSearch& search_;
  Laplace first_;                          // where the sign says nothing …
  optimize::NormalFit round_;              // … and what is round there
  std::vector<double> heights_;            // log-density at every top
  std::vector<std::vector<double>> tops_;  // in the round coordinates
  std::map<int, double> rooms_;            // where measured
};

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
    with_terms.lacks_covariates = true;
    if (i < scales.size()) scales.erase(scales.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (!policy.terms.none()) {
    variants.push_back(with_terms);
  } else {
    for (Variant& variant : variants) variant.lacks_covariates = true;
  }
  return variants;
}

// The best of all variants, by strength of the sign.
SignProfile profile_of(const HistoryTree& tree, const DecisionProblem& problem,
                       const std::vector<Variant>& variants, const inference::SignMemory& memory,
                       const std::vector<Parameters>& starts, const SignSearch& search) {
  SignProfile profile;
  const int count = static_cast<int>(variants.size());
  std::vector<std::unique_ptr<SignClimb>> climbs;
  climbs.reserve(variants.size());
  for (const Variant& variant : variants) {
    climbs.push_back(std::make_unique<SignClimb>(tree, variant, memory, search));
  }
  double whole = -INFINITY;  // the problem as it is, without a sign
  std::vector<double> begun(variants.size());
  base::parallel_tasks(count + 1, search.threads, [&](int i) {
    if (i == 0) whole = log_evidence_without(tree, problem, starts);
    if (i > 0) begun[i - 1] = climbs[i - 1]->begin(tree, starts);
  });
  const double without = std::max(whole, *std::ranges::max_element(begun));
  if (!std::isfinite(without)) {
    profile.not_weighed = "no explanation with one set of dynamics has a proper peak";
    return profile;
  }
  // What covariates explain and what a sign does are taken to add up where they cannot be weighed together.
  std::vector<double> left_out(variants.size(), 0.0);
  double best_begun = -INFINITY;
  for (int i = 0; i < count; ++i) {
    if (variants[i].lacks_covariates && std::isfinite(begun[i])) {
      left_out[i] = std::max(0.0, whole - begun[i]);
    }
    best_begun = std::max(best_begun, begun[i] + left_out[i]);
  }
  std::vector<std::vector<double>> with(variants.size());
  base::parallel_tasks(count, search.threads, [&](int i) {
    if (!std::isfinite(begun[i])) return;
    with[i] = climbs[i]->log_evidence(best_begun - left_out[i]);
    for (double& log_evidence : with[i]) log_evidence += left_out[i];
  });
  std::size_t length = 0;
  for (const auto& logs : with) length = std::max(length, logs.size());
  for (std::size_t i = 0; i < length; ++i) {
    double best = i == 0 ? without : -INFINITY;
    for (const auto& logs : with) best = std::max(best, i < logs.size() ? logs[i] : -INFINITY);
    profile.points.push_back({right_at(static_cast<int>(i), memory.states), best - without});
  }
  return profile;
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
  if (problem.structure.measured()) {
    profile.not_weighed = "outcomes are measured, of which this check knows nothing yet";
    return profile;
  }
  if (problem.structure.timed()) {
    profile.not_weighed = "visits have times, of which this check knows nothing yet";
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
  return profile_of(tree, problem, variants, memory, starts, search);
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
