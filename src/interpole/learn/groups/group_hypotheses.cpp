#include "interpole/learn/groups/group_hypotheses.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpole/base/parallel.hpp"
#include "interpole/learn/groups/group_evidence.hpp"
#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learn {
namespace {

constexpr double kUnknownPatients = 0.1;
constexpr double kFirstScaleOfGroups = 0.3;
constexpr int kMostRounds = 4;     // of choosing τ and going on with it
constexpr double kSameEnd = 0.01;  // nats: two starts that ended at one place
constexpr GroupCause kCauses[] = {GroupCause::kPatients, GroupCause::kPicture, GroupCause::kPolicy};

// Everything that the hypothesis lets deviate.
GroupScales widest(const GroupHypothesis& what) {
  GroupScales scales;
  if (what.patients) scales.patients = CouplingScales::all(kFirstScaleOfGroups);
  if (what.picture) scales.picture = CouplingScales::all(kFirstScaleOfGroups);
  if (what.policy) scales.policy = kFirstScaleOfGroups;
  scales.patients_known = what.patients_known;
  return scales;
}

double log_prior_of(const GroupHypothesis& what) {
  if (what.none()) return std::log(0.5);
  const double subsets = (1 << kGroupCauses) - 1;
  // Patients that differ, known to those who decide or (seldom) not, are one way to differ.
  const double known = what.patients_known ? 1.0 - kUnknownPatients : kUnknownPatients;
  const double share = what.patients && !what.picture ? known : 1.0;
  return std::log(0.5 * share / subsets);
}

// The evidence of all options of a cause, the other causes' τ as they are.
void look_around(const GroupExpansion& expansion, const GroupScales& scales, WeighedHypothesis::OfCause& of) {
  GroupScales at = scales;
  for (std::size_t i = 0; i < of.options.size(); ++i) {
    set_scales(at, of.cause, of.options[i]);
    of.log_evidence[i] = expansion.log_evidence(at);
  }
}

std::vector<double> with_prior(const WeighedHypothesis::OfCause& of) {
  std::vector<double> logs = of.log_evidence;
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] += of.options[i].log_weight;
  return logs;
}

// The prior of these τ.
double log_weight_of(const GroupScales& scales, const std::vector<WeighedHypothesis::OfCause>& causes) {
  double sum = 0.0;
  for (const auto& of : causes) {
    for (const ScaleOption& option : of.options) {
      GroupScales with = scales;
      set_scales(with, of.cause, option);
      if (with == scales) sum += option.log_weight;
    }
  }
  return sum;
}

// The best τ of each cause, the others at their best.
GroupScales best_scales(const GroupExpansion& expansion, GroupScales scales,
                        std::vector<WeighedHypothesis::OfCause>& causes) {
  const int sweeps = causes.size() > 1 ? 2 : 1;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (auto& of : causes) {
      look_around(expansion, scales, of);
      const auto logs = with_prior(of);
      set_scales(scales, of.cause, of.options[std::max_element(logs.begin(), logs.end()) - logs.begin()]);
    }
  }
  return scales;
}

}  // namespace

bool GroupHypothesis::has(GroupCause cause) const {
  if (cause == GroupCause::kPatients) return patients;
  return cause == GroupCause::kPicture ? picture : policy;
}

std::vector<GroupHypothesis> group_hypotheses(bool policy_alone) {
  if (policy_alone) return {{}, {.policy = true}};
  return {{},
          {.patients = true},
          {.patients = true, .patients_known = false},
          {.picture = true},
          {.policy = true},
          {.patients = true, .picture = true},
          {.patients = true, .policy = true},
          {.patients = true, .policy = true, .patients_known = false},
          {.picture = true, .policy = true},
          {.patients = true, .picture = true, .policy = true}};
}

HypothesisSearch::HypothesisSearch(const std::vector<const inference::Likelihood*>& likelihoods,
                                   const DecisionProblem& problem, const CouplingScales& coupling,
                                   const optimize::LbfgsOptions& options, std::vector<AgentWorld> common,
                                   std::vector<std::vector<double>> own)
    : likelihoods_(likelihoods),
      problem_(problem),
      coupling_(coupling),
      options_(options),
      common_(std::move(common)),
      own_(std::move(own)) {
  double records = 0.0;
  for (const auto* likelihood : likelihoods_) records += static_cast<double>(likelihood->tree().records);
  for (const auto* likelihood : likelihoods_) {
    weights_.push_back(static_cast<double>(likelihood->tree().records) / records);
  }
}

std::unique_ptr<GroupedPosterior> HypothesisSearch::posterior(const GroupScales& scales,
                                                              Measure measure) const {
  return std::make_unique<GroupedPosterior>(likelihoods_, problem_, coupling_, scales, measure);
}

std::vector<double> HypothesisSearch::mode_from(const WeighedHypothesis& from, GroupedPosterior& at) const {
  const GroupSpace there(problem_, coupling_, from.scales, static_cast<int>(likelihoods_.size()));
  std::vector<double> y = at.space().moved_here(from.mode, there);
  optimize::maximise(at, y, options_);
  return y;
}

WeighedHypothesis HypothesisSearch::climb(const GroupHypothesis& what, GroupedPosterior& wide,
                                          std::span<const double> start) const {
  WeighedHypothesis result{what, log_prior_of(what), -INFINITY, {}, {}, true, {}};
  result.scales.patients_known = what.patients_known;
  for (const GroupCause cause : kCauses) {
    if (!what.has(cause)) continue;
    auto options = scale_options(wide.space(), cause);
    const std::size_t count = options.size();
    set_scales(result.scales, cause, widest_option(options, kFirstScaleOfGroups));
    result.causes.push_back({cause, std::move(options), std::vector<double>(count, -INFINITY)});
  }
  const auto first = posterior(result.scales);
  result.mode = first->space().moved_here(start, wide.space());
  optimize::maximise(*first, result.mode, options_);
  std::vector<double> in_wide = wide.space().moved_here(result.mode, first->space());
  GroupExpansion expansion(wide, in_wide);
  double height =
      expansion.log_evidence(result.scales, &result.proper) + log_weight_of(result.scales, result.causes);
  for (int round = 0; round < kMostRounds && !what.none(); ++round) {
    const GroupScales scales = best_scales(expansion, result.scales, result.causes);
    if (scales == result.scales) break;
    // What the parabola promises has to be there.
    const auto narrow = posterior(scales);
    std::vector<double> mode = narrow->space().moved_here(in_wide, wide.space());
    optimize::maximise(*narrow, mode, options_);
    std::vector<double> moved = wide.space().moved_here(mode, narrow->space());
    GroupExpansion there(wide, moved);
    bool proper = true;
    const double found = there.log_evidence(scales, &proper) + log_weight_of(scales, result.causes);
    if (!(found > height)) break;
    height = found;
    expansion = std::move(there);
    in_wide = std::move(moved);
    result.mode = std::move(mode);
    result.scales = scales;
    result.proper = proper;
  }
  const double best = height - log_weight_of(result.scales, result.causes);
  result.log_evidence = best;
  for (auto& of : result.causes) {  // as if τ of one cause told nothing of another's
    look_around(expansion, result.scales, of);
    // Other τ are no better: where the parabola says so, it is wrong.
    const double top = best + log_weight_of(result.scales, {of});
    for (std::size_t i = 0; i < of.options.size(); ++i) {
      of.log_evidence[i] = std::min(of.log_evidence[i], top - of.options[i].log_weight);
    }
    result.log_evidence += log_sum(with_prior(of)) - best;
  }
  return result;
}

WeighedHypothesis HypothesisSearch::weigh_one(const GroupHypothesis& what,
                                              const std::vector<WeighedHypothesis>& simpler) const {
  const auto wide = posterior(widest(what));
  std::vector<std::vector<double>> starts;
  for (const AgentWorld& common : common_) {
    starts.emplace_back(wide->size());
    wide->coordinates(common, starts.back());
  }
  if (!what.none() && !own_.empty()) starts.push_back(wide->space().near(own_, weights_));
  const WeighedHypothesis* best_of_simpler = nullptr;
  for (const WeighedHypothesis& other : simpler) {
    const bool within = !((other.what.patients && !what.patients) || (other.what.picture && !what.picture) ||
                          (other.what.policy && !what.policy));
    if (!within || other.what.none() || other.what.causes() >= what.causes()) continue;
    if (best_of_simpler == nullptr || other.log_evidence > best_of_simpler->log_evidence)
      best_of_simpler = &other;
  }
  if (best_of_simpler != nullptr) {
    const GroupSpace there(problem_, coupling_, best_of_simpler->scales,
                           static_cast<int>(likelihoods_.size()));
    starts.push_back(wide->space().moved_here(best_of_simpler->mode, there));
  }
  std::vector<double> heights;
  std::vector<double> gradient(wide->size());
  WeighedHypothesis best;
  best.log_evidence = -INFINITY;
  for (std::vector<double>& start : starts) {
    optimize::maximise(*wide, start, options_);
    const double height = wide->evaluate(start, gradient);
    if (std::any_of(heights.begin(), heights.end(),
                    [&](double other) { return std::abs(other - height) < kSameEnd; })) {
      continue;
    }
    heights.push_back(height);
    WeighedHypothesis found = climb(what, *wide, start);
    if (best.mode.empty() || found.log_evidence > best.log_evidence) best = std::move(found);
  }
  return best;
}

std::vector<WeighedHypothesis> HypothesisSearch::weigh(int threads, const std::function<void()>& done) const {
  const auto all = group_hypotheses(own_.empty());
  std::vector<WeighedHypothesis> result(all.size());
  // Those with one cause first: the others start from their ends too. In this order for any number of
  // threads.
  for (int causes = 0; causes <= kGroupCauses; ++causes) {
    std::vector<std::size_t> now;
    std::vector<WeighedHypothesis> simpler;
    for (std::size_t h = 0; h < all.size(); ++h) {
      if (all[h].causes() == causes) now.push_back(h);
      if (all[h].causes() < causes) simpler.push_back(result[h]);
    }
    base::parallel_tasks(static_cast<int>(now.size()), threads, [&](int i) {
      result[now[i]] = weigh_one(all[now[i]], simpler);
      done();
    });
  }
  return result;
}

}  // namespace interpole::learn
