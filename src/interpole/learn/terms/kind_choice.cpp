#include "interpole/learn/terms/kind_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/base/dealing/steps.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/log_posterior.hpp"
#include "interpole/learn/terms/kind_splits.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learn {
namespace {

constexpr double kLargestStep = 1.0;  // of a coordinate, from one kind to where another begins
// Starts are climbed so far, then the highest ones to their tops: which of them leads is clear by then.
constexpr int kFirstIterations = 40;
constexpr std::size_t kFinalists = 2;

// A number of kinds with its mode and evidence, all K! modes counted.
struct KindTrial {
  DecisionProblem problem;
  Parameters at;
  double log_evidence = -INFINITY;
};

double log_modes(int kinds) {
  return std::lgamma(kinds + 1.0);
}

int most_kinds(const inference::Likelihood& likelihood, const DecisionProblem& problem) {
  const std::int64_t records = likelihood.tree().records;
  if (problem.policy.kinds && *problem.policy.kinds > records) {
    throw input_error(
        fmt::format("policy.kinds: {} kinds of decision-makers, but there are {} records; allow fewer kinds, "
                    "or 1 for none",
                    *problem.policy.kinds, records));
  }
  return static_cast<int>(std::min<std::int64_t>(problem.policy.kinds.value_or(kUsualKinds), records));
}

// The problem with the records of one decision-maker told apart from those of another, if the study says so.
DecisionProblem by_decision_maker(DecisionProblem problem) {
  const auto& covariates = problem.known.policy.terms.covariates;
  for (std::size_t i = 0; problem.policy.kinds_by_group && i < covariates.size(); ++i) {
    const bool names_them = covariates[i].name == problem.policy.group && !covariates[i].categories.empty();
    if (names_them) problem.known.policy.decision_maker = static_cast<int>(i);
  }
  return problem;
}

class KindSearcher {
 public:
  KindSearcher(const inference::Likelihood& likelihood, const TermSearch& search)
      : likelihood_(likelihood), search_(search) {}

  // One kind after another, as long as each is worth its price.
  KindTrial run(KindTrial best, const std::vector<KindSplit>& splits, int most) {
    while (best.problem.known.policy.kind_count() < most && !stopped()) {
      KindTrial more = with_one_more(best, splits);
      if (!(more.log_evidence - best.log_evidence > kPriceOfTerm)) break;
      best = std::move(more);
    }
    return best;
  }

  void expand(KindTrial& trial) {
    LogPosterior posterior = posterior_of(trial.problem);
    std::vector<double> y(posterior.size());
    posterior.coordinates({trial.at, {}}, y);
    const Laplace expansion = laplace(posterior, y, search_.lbfgs);
    trial.at = posterior.agent_world(expansion.centre).agent;
    trial.log_evidence = expansion.proper
                             ? expansion.log_evidence + log_modes(trial.problem.known.policy.kind_count())
                             : -INFINITY;
    put_commonest_first(trial.at.policy);
  }

 private:
  LogPosterior posterior_of(const DecisionProblem& problem) const {
    return LogPosterior(likelihood_, problem, StudySpace(problem, search_.dynamics), search_.dynamics,
                        Measure::kCoordinates);
  }
  bool stopped() const { return search_.sink->stop_requested(); }

  // From every start, the highest mode; there the evidence.
  KindTrial with_one_more(const KindTrial& best, const std::vector<KindSplit>& splits) {
    KindTrial trial{best.problem, best.at, -INFINITY};
    add_kind(trial.problem);
    std::vector<Ascent> ascents;
    for (Policy& start : starts_from(best.at.policy, trial.problem, splits)) {
      ascents.push_back({{best.at.dynamics, std::move(start)}, -INFINITY});
    }
    base::Steps steps(*search_.sink, "kinds of decision-makers",
                      static_cast<std::int64_t>(ascents.size() + kFinalists));
    climb(trial.problem, kFirstIterations, ascents, steps);
    std::stable_sort(ascents.begin(), ascents.end(),
                     [](const Ascent& x, const Ascent& y) { return x.height > y.height; });
    ascents.resize(std::min(ascents.size(), kFinalists));
    climb(trial.problem, search_.lbfgs.most_iterations, ascents, steps);
    steps.finish();
    const auto highest = std::max_element(
        ascents.begin(), ascents.end(), [](const Ascent& x, const Ascent& y) { return x.height < y.height; });
    if (stopped() || !std::isfinite(highest->height)) return trial;
    trial.at = highest->at;
    expand(trial);
    return trial;
  }

  struct Ascent {
    Parameters at;
    double height = -INFINITY;
  };

  // Where a point has no height, there is nothing to climb.
  void climb(const DecisionProblem& problem, int iterations, std::vector<Ascent>& ascents,
             base::Steps& steps) {
    optimize::LbfgsOptions options = search_.lbfgs;
    options.most_iterations = std::min(iterations, options.most_iterations);
    base::parallel_tasks(static_cast<int>(ascents.size()), search_.threads, [&](int i) {
      LogPosterior posterior = posterior_of(problem);
      std::vector<double> y(posterior.size());
      posterior.coordinates({ascents[i].at, {}}, y);
      ascents[i].height = optimize::maximise(posterior, y, options, [&] { return stopped(); }).value;
      ascents[i].at = posterior.agent_world(y).agent;
      steps.step();
    });
  }

  // One of the kinds apart into two: `steps` of a split one way and the other. `share`: of the new one in it.
  struct Start {
    std::size_t split;
    double back, forth, share;
  };

  static std::vector<Policy> starts_from(const Policy& policy, const DecisionProblem& problem,
                                         const std::vector<KindSplit>& splits) {
    const model::PolicySpace one(problem.structure,
                                 {problem.known.policy.inverse_temperature, problem.known.policy.means});
    std::vector<Start> plans = {
        {0, -1.0, 1.0, 0.5}, {0, -2.5, 2.5, 0.5}, {0, 0.0, 3.0, 0.2}, {0, 0.0, -3.0, 0.2}};
    if (splits.size() > 1) plans.push_back({1, -1.5, 1.5, 0.5});
    std::vector<Policy> starts;
    for (int kind = 0; kind < policy.kind_count(); ++kind) {
      for (const Start& plan : plans) {
        starts.push_back(split_kind(policy, kind, one, splits[plan.split].direction, plan));
      }
    }
    return starts;
  }

  static Policy split_kind(const Policy& policy, int kind, const model::PolicySpace& space,
                           const std::vector<double>& direction, const Start& plan) {
    std::vector<double> y(space.size());
    space.coordinates(policy.of_kind(kind), y);
    const auto moved = [&](double steps) {
      std::vector<double> there = y;
      for (std::size_t i = 0; i < y.size(); ++i) {
        there[i] += std::clamp(steps * direction[i], -kLargestStep, kLargestStep);
      }
      return space.point(there);
    };
    const Policy back = moved(plan.back);
    const Policy forth = moved(plan.forth);
    const double share = policy.kind_shares()[kind];
    Policy result = policy;
    if (kind == 0) {
      result.inverse_temperature = back.inverse_temperature;
      result.means = back.means;
    } else {
      result.other_kinds[kind - 1] = {share * (1.0 - plan.share), back.inverse_temperature, back.means};
    }
    result.other_kinds.push_back({share * plan.share, forth.inverse_temperature, forth.means});
    return result;
  }

  const inference::Likelihood& likelihood_;
  const TermSearch& search_;
};

double worth(const TermChoice& choice) {
  return choice.log_evidence + choice.log_credit();
}

// The commonest one first.
std::vector<PolicyKind> all_kinds(const Policy& policy) {
  std::vector<PolicyKind> all = {{policy.kind_shares()[0], policy.inverse_temperature, policy.means}};
  all.insert(all.end(), policy.other_kinds.begin(), policy.other_kinds.end());
  return all;
}

void set_kinds(std::vector<PolicyKind> all, Policy& policy) {
  policy.inverse_temperature = all[0].inverse_temperature;
  policy.means = std::move(all[0].means);
  policy.other_kinds.assign(std::make_move_iterator(all.begin() + 1), std::make_move_iterator(all.end()));
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

}  // namespace

void put_commonest_first(Policy& policy) {
  if (policy.other_kinds.empty()) return;
  auto all = all_kinds(policy);
  std::stable_sort(all.begin(), all.end(),
                   [](const PolicyKind& x, const PolicyKind& y) { return x.share > y.share; });
  set_kinds(std::move(all), policy);
}

void match_kinds(const Policy& reference, Policy& policy) {
  if (policy.other_kinds.empty()) return;
  const auto wanted = all_kinds(reference);
  const auto all = all_kinds(policy);
  std::vector<int> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> best = order;
  double least = INFINITY;
  do {
    double apart = 0.0;
    for (std::size_t k = 0; k < all.size(); ++k) apart += distance(wanted[k].means, all[order[k]].means);
    if (apart < least) {
      least = apart;
      best = order;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  std::vector<PolicyKind> matched;
  matched.reserve(best.size());
  for (const int k : best) matched.push_back(all[k]);
  set_kinds(std::move(matched), policy);
}

bool WeighedKinds::searched() const {
  return deviation >= kLeastDeviation;
}

void add_kind(DecisionProblem& problem) {
  Policy& known = problem.known.policy;
  known.other_kinds.push_back({NAN, known.inverse_temperature, known.means});
}

TermChoice with_kinds(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                      const Parameters& start, const TermChoice& terms, const TermSearch& search) {
  TermChoice best = terms;
  best.kinds.most = most_kinds(likelihood, problem);
  if (best.kinds.most < 2) return best;
  const auto splits = kind_splits(likelihood.tree(), by_decision_maker(terms.problem), terms.at);
  if (splits.empty()) return best;
  best.kinds.deviation = splits.front().deviation;
  if (!best.kinds.searched()) return best;
  KindSearcher searcher(likelihood, search);
  const double one_kind = worth(best);
  const auto consider = [&](TermChoice choice) {
    if (choice.problem.known.policy.other_kinds.empty()) return;
    choice.kinds = best.kinds;
    choice.kinds.taken = choice.problem.known.policy.kind_count();
    choice.kinds.log_ratio = worth(choice) - one_kind;
    if (worth(choice) > worth(best)) best = std::move(choice);
  };
  // What explains more by itself comes first: terms beside kinds, or kinds beside the terms that one kind
  // asks for.
  KindTrial alone{by_decision_maker(problem), start, terms.log_evidence};
  if (terms.taken() > 0) searcher.expand(alone);
  alone = searcher.run(std::move(alone), splits, best.kinds.most);
  const int kinds = alone.problem.known.policy.kind_count();
  const bool kinds_first = alone.log_evidence - kPriceOfTerm * (kinds - 1) >= one_kind;
  if (kinds > 1 && kinds_first) {
    consider(choose_terms(likelihood, alone.problem, alone.at, search));
  } else if (terms.taken() > 0) {
    KindTrial beside = searcher.run({by_decision_maker(terms.problem), terms.at, terms.log_evidence}, splits,
                                    best.kinds.most);
    TermChoice choice = terms;
    choice.problem = std::move(beside.problem);
    choice.at = std::move(beside.at);
    choice.log_evidence = beside.log_evidence - log_modes(choice.problem.known.policy.kind_count());
    consider(std::move(choice));
  }
  return best;
}

}  // namespace interpole::learn
