#include "interpole/learn/groups/groups.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "interpole/base/parallel.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/groups/group_evidence.hpp"
#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/learn/uncertainty/laplace.hpp"

namespace interpole::learn {
namespace {

// Numbers in which groups could deviate, all together: beyond this only whether policies differ is asked, or
// it would take hours.
constexpr int kMostDeviations = 1500;
constexpr int kComponents = 8;
constexpr double kOwnScale = 0.3;  // how far agent and world may be apart in one group by itself
// What was seen and not recorded changes decisions, not patients: where surely no more than patients differ,
// nobody asks for it.
constexpr double kSurelyNoSign = 0.75;
constexpr const char* kGroupsStopped = "stopped before the groups were compared";

// The scales that stand for a way of explaining with one or two sets of dynamics.
CouplingScales scales_of(const FitOptions& options, const FitSummary& summary) {
  if (options.dynamics == DynamicsMode::kShared) return {};
  if (options.dynamics == DynamicsMode::kSubjective) {
    return CouplingScales::all(std::numeric_limits<double>::infinity());
  }
  return summary.scales;
}

// One group by itself, from what all have in common.
FitSummary fit_alone(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options,
                     const Parameters& start, Sink& sink) {
  FitOptions alone = options;
  alone.dynamics = DynamicsMode::kCoupled;
  alone.scales = CouplingScales::all(kOwnScale);
  alone.restarts = 1;
  alone.threads = 1;
  return fit_as_stated(tree, problem, alone, sink, nullptr, "", &start);
}

// An option of every cause, as likely as the evidence makes it.
GroupScales drawn_scales(const WeighedHypothesis& hypothesis, double quantile, base::RandomStream& random) {
  GroupScales scales = hypothesis.scales;
  for (const auto& of : hypothesis.causes) {
    std::vector<double> logs = of.log_evidence;
    for (std::size_t i = 0; i < logs.size(); ++i) logs[i] += of.options[i].log_weight;
    const double total = log_sum(logs);
    double left = of.cause == GroupCause::kPolicy ? quantile : random.uniform();
    for (std::size_t i = 0; i < logs.size(); ++i) {
      left -= std::exp(logs[i] - total);
      if (left > 0.0 && i + 1 < logs.size()) continue;
      set_scales(scales, of.cause, of.options[i]);
      break;
    }
  }
  return scales;
}

// Draws of every group's agent and world under a hypothesis, τ uncertain too.
struct GroupDraws {
  std::vector<std::vector<AgentWorld>> draws;  // [draw][group]
  bool proper = true;
};

GroupDraws draws_of(const HypothesisSearch& search, const WeighedHypothesis& hypothesis,
                    const std::vector<std::vector<double>>& gauge, int groups, const GroupOptions& options,
                    std::uint64_t stream, Sink& sink) {
  GroupDraws result;
  result.draws.resize(options.draws);
  std::vector<char> proper(kComponents, 0);
  base::parallel_tasks(kComponents, options.fit.threads, [&](int c) {
    base::stop_if_asked(sink, kGroupsStopped);
    base::RandomStream of_scales(options.fit.seed, stream * kComponents + c, base::RandomPurpose::kGroupDraw);
    const auto posterior = search.posterior(drawn_scales(hypothesis, (c + 0.5) / kComponents, of_scales));
    const auto centre = search.mode_from(hypothesis, *posterior);
    Laplace expansion = laplace_at(*posterior, centre, posterior->second_derivatives(centre, {}));
    proper[c] = expansion.proper ? 1 : 0;
    expansion.hold(posterior->in_every_policy(gauge));
    for (int i = c; i < options.draws; i += kComponents) {
      base::RandomStream random(options.fit.seed,
                                1000 + stream * options.draws + static_cast<std::uint64_t>(i),
                                base::RandomPurpose::kGroupDraw);
      const auto y = expansion.draw(random);
      for (int g = 0; g < groups; ++g) result.draws[i].push_back(posterior->of_group(y, g));
    }
  });
  result.proper = std::all_of(proper.begin(), proper.end(), [](char good) { return good != 0; });
  return result;
}

std::vector<double> weighed(const std::vector<WeighedHypothesis>& hypotheses) {
  std::vector<double> logs;
  logs.reserve(hypotheses.size());
  for (const auto& hypothesis : hypotheses) logs.push_back(hypothesis.log_prior + hypothesis.log_evidence);
  return logs;
}

}  // namespace

double GroupFit::log_bayes_factor() const {
  if (hypotheses.empty()) return 0.0;
  std::vector<double> logs = weighed(hypotheses);
  const double of_none = logs.front();
  logs.erase(logs.begin());
  return log_sum(logs) - of_none;  // both have half the prior
}

std::vector<double> GroupFit::chances() const {
  std::vector<double> logs = weighed(hypotheses);
  const double total = log_sum(logs);
  for (double& x : logs) x = std::exp(x - total);
  return logs;
}

double GroupFit::chance_of(GroupCause cause) const {
  const std::vector<double> of = chances();
  double sum = 0.0;
  for (std::size_t h = 0; h < of.size(); ++h) sum += hypotheses[h].what.has(cause) ? of[h] : 0.0;
  return std::min(sum, 1.0);
}

double GroupFit::chance_of_patients_or_nothing() const {
  const std::vector<double> of = chances();
  double sum = 0.0;
  for (std::size_t h = 0; h < of.size(); ++h) {
    sum += hypotheses[h].what.picture || hypotheses[h].what.policy ? 0.0 : of[h];
  }
  return sum;
}

const WeighedHypothesis& GroupFit::likeliest() const {
  const std::vector<double> logs = weighed(hypotheses);
  return hypotheses[std::max_element(logs.begin(), logs.end()) - logs.begin()];
}

const WeighedHypothesis& GroupFit::likeliest_with(GroupCause cause) const {
  std::vector<double> logs = weighed(hypotheses);
  for (std::size_t h = 0; h < logs.size(); ++h) {
    if (!hypotheses[h].what.has(cause)) logs[h] = -INFINITY;
  }
  return hypotheses[std::max_element(logs.begin(), logs.end()) - logs.begin()];
}

GroupFit fit_groups(const HistoryTree& all, const std::vector<HistoryTree>& groups,
                    const DecisionProblem& problem, const GroupOptions& options, Sink& sink) {
  if (groups.size() < 2) throw input_error("there is one group only; comparing needs at least two");
  const int count = static_cast<int>(groups.size());
  GroupFit result;
  DecisionProblem asked = problem;
  asked.policy.group.clear();
  asked.policy.context.clear();  // groups are given without their covariates
  asked.starts = {};
  asked.policy.kinds = 1;
  FitOptions fit_options = options.fit;
  fit_options.uncertainty = false;
  result.common = fit(all, asked, fit_options, sink);
  if (result.common.impossible_node) return result;
  const DecisionProblem& used = result.common.problem;
  const CouplingScales coupling = scales_of(options.fit, result.common);

  const GroupSpace space(used, coupling, GroupScales::none(), count);
  result.policy_alone = count * space.own().size() > kMostDeviations;
  const int by_themselves = result.policy_alone ? 0 : count;
  sink.progress("groups by themselves", 0, by_themselves);
  const DecisionProblem own_problem = problem_of_group(used);
  std::atomic<std::int64_t> done = 0;
  result.own.resize(by_themselves);
  base::parallel_tasks(by_themselves, options.fit.threads, [&](int g) {
    base::stop_if_asked(sink, kGroupsStopped);
    result.own[g] = fit_alone(groups[g], own_problem, options.fit, result.common.parameters, quiet_sink());
    sink.progress("groups by themselves", ++done, by_themselves);
  });

  std::vector<inference::Likelihood> likelihoods;
  likelihoods.reserve(groups.size());
  for (const HistoryTree& tree : groups) likelihoods.emplace_back(tree, used.structure);
  std::vector<const inference::Likelihood*> pointers;
  pointers.reserve(likelihoods.size());
  for (const inference::Likelihood& likelihood : likelihoods) pointers.push_back(&likelihood);
  std::vector<std::vector<double>> own;
  for (const FitSummary& alone : result.own) {
    own.emplace_back(space.own().size());
    space.own().coordinates({alone.parameters, alone.world}, own.back());
  }
  const HypothesisSearch search(pointers, used, coupling, options.fit.lbfgs,
                                {{result.common.parameters, result.common.world}}, own);
  const auto hypotheses = static_cast<std::int64_t>(group_hypotheses(result.policy_alone).size());
  sink.progress("what differs between groups", 0, hypotheses);
  done = 0;
  result.hypotheses = search.weigh(options.fit.threads, [&] {
    base::stop_if_asked(sink, kGroupsStopped);
    sink.progress("what differs between groups", ++done, hypotheses);
  });

  if (!result.policy_alone && result.chance_of_patients_or_nothing() < kSurelyNoSign) {
    result.signs.resize(groups.size());
    done = 0;
    sink.progress("signs that are not recorded", 0, count);
    base::parallel_tasks(count, options.fit.threads, [&](int g) {
      base::stop_if_asked(sink, kGroupsStopped);
      result.signs[g] = weigh_group_sign(groups[g], result.own[g], options.fit.lbfgs);
      sink.progress("signs that are not recorded", ++done, count);
    });
  }

  const auto gauge = policy_identifiability(all, used, result.common.parameters).directions;
  const WeighedHypothesis& with_policy = result.likeliest_with(GroupCause::kPolicy);
  const auto at_best = search.posterior(with_policy.scales, Measure::kNatural);
  const auto mode = search.mode_from(with_policy, *at_best);
  for (int g = 0; g < count; ++g) result.policies.push_back(at_best->of_group(mode, g).agent.policy);
  const WeighedHypothesis& likeliest = result.likeliest();
  GroupDraws of_policy = draws_of(search, with_policy, gauge, count, options, 0, sink);
  result.proper = of_policy.proper && likeliest.proper && result.hypotheses.front().proper;
  for (const auto& draw : of_policy.draws) {
    result.policy_draws.emplace_back();
    for (const AgentWorld& group : draw) result.policy_draws.back().push_back(group.agent.policy);
  }
  if (&likeliest == &with_policy) {
    result.draws = std::move(of_policy.draws);
  } else {
    GroupDraws found = draws_of(search, likeliest, gauge, count, options, 1, sink);
    result.proper &= found.proper;
    result.draws = std::move(found.draws);
  }
  return result;
}

}  // namespace interpole::learn
