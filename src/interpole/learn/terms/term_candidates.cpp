#include "interpole/learn/terms/term_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "interpole/model/policy_terms.hpp"
#include "interpole/model/start/start_terms.hpp"

namespace interpole::learn {
namespace {

using Use = PolicyRequest::Use;
using Shape = TermCandidate::Shape;

constexpr std::int64_t kFewestDecisions = 20;  // at a step, to have a level of its own
constexpr int kMostSteps = 24;                 // with a level of their own
constexpr double kShareAtFirst = 0.1;          // where shares begin

std::vector<std::int64_t> decisions_by_step(const HistoryTree& tree) {
  std::vector<std::int64_t> decisions;
  for (int node = 0; node < tree.node_count(); ++node) {
    const auto step = static_cast<std::size_t>(tree.depth[node]);
    if (step >= decisions.size()) decisions.resize(step + 1, 0);
    decisions[step] += tree.decisions_at(node);
  }
  while (!decisions.empty() && decisions.back() == 0) decisions.pop_back();
  return decisions;
}

// Steps with a level of their own; the last one is shared by all later ones.
int step_levels(const std::vector<std::int64_t>& decisions) {
  std::int64_t left = 0;
  for (const std::int64_t n : decisions) left += n;
  int levels = 0;
  for (const std::int64_t n : decisions) {
    if (levels == kMostSteps || left < kFewestDecisions) break;
    left -= n;
    ++levels;
  }
  return levels;
}

bool results_go_missing(const HistoryTree& tree) {
  return std::any_of(tree.groups.begin(), tree.groups.end(), [&](const HistoryTree::Group& group) {
    if (group.observation != kMissing) return false;
    for (int node = group.begin; node < group.end; ++node) {
      if (tree.decisions_at(node) > 0) return true;
    }
    return false;
  });
}

bool varies(const HistoryTree& tree, std::size_t covariate) {
  std::set<double> values;
  for (std::size_t i = covariate; i < tree.classes.covariates.size(); i += tree.classes.covariate_count) {
    if (!std::isnan(tree.classes.covariates[i])) values.insert(tree.classes.covariates[i]);
  }
  return values.size() > 1;
}

bool is_listed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Collector {
 public:
  Collector(const HistoryTree& tree, const DecisionProblem& problem) : tree_(tree), problem_(problem) {}

  std::vector<TermCandidate> all() {
    const PolicyRequest& request = problem_.policy;
    const Structure& structure = problem_.structure;
    const auto decisions = decisions_by_step(tree_);
    const auto lasting = std::count(structure.terminal.begin(), structure.terminal.end(), 0);
    if (decisions.size() > 1 && lasting > 0) add("inertia", Shape::kInertia, request.habit);
    add("lapse", Shape::kLapse, request.lapse);
    if (decisions.size() > 1 && lasting > 1) add("habit", TermKind::kHabit, request.habit);
    const int levels = request.period > 0 ? request.period : step_levels(decisions);
    if (levels > 1) add("time", TermKind::kTime, request.time, -1, levels);
    if (results_go_missing(tree_)) add("missing", TermKind::kResultMissing, request.missing);
    add_covariates(request);
    add_starts();
    return std::move(candidates_);
  }

 private:
  void add_covariates(const PolicyRequest& request) {
    const auto& covariates = problem_.known.policy.terms.covariates;
    for (std::size_t i = 0; i < covariates.size(); ++i) {
      if (!varies(tree_, i) || is_of_starts_alone(covariates[i].name)) continue;
      const auto kind = covariates[i].name == request.group ? TermKind::kGroup : TermKind::kContext;
      add(covariates[i].name, kind, Use::kByEvidence, static_cast<int>(i));
    }
  }

  bool is_of_starts_alone(const std::string& name) const {
    const PolicyRequest& request = problem_.policy;
    return is_listed(problem_.starts.by, name) && !is_listed(request.context, name) && name != request.group;
  }

  void add_starts() {
    const auto& covariates = problem_.known.policy.terms.covariates;
    for (std::size_t i = 0; i < covariates.size(); ++i) {
      if (!is_listed(problem_.starts.by, covariates[i].name) || !varies(tree_, i)) continue;
      TermCandidate candidate{"start by " + covariates[i].name,
                              Shape::kStart,
                              {},
                              problem_.starts.always ? Use::kAlways : Use::kByEvidence};
      candidate.start = model::start_term_filled(problem_.structure, covariates, static_cast<int>(i), NAN);
      candidates_.push_back(std::move(candidate));
    }
  }

  void add(const std::string& name, Shape shape, Use use) {
    if (use != Use::kNever) candidates_.push_back({name, shape, {}, use, {}});
  }

  void add(const std::string& name, TermKind kind, Use use, int covariate = -1, int levels = 0) {
    if (use == Use::kNever) return;
    candidates_.push_back(
        {name,
         Shape::kAdditive,
         model::term_filled(problem_.structure, problem_.known.policy.terms, kind, NAN, covariate, levels,
                            kind == TermKind::kTime ? problem_.policy.period : 0),
         use,
         {}});
  }

  const HistoryTree& tree_;
  const DecisionProblem& problem_;
  std::vector<TermCandidate> candidates_;
};

bool same_term(const PolicyTerm& x, const PolicyTerm& y) {
  return x.kind == y.kind && x.covariate == y.covariate;
}

}  // namespace

std::vector<TermCandidate> term_candidates(const HistoryTree& tree, const DecisionProblem& problem) {
  return Collector(tree, problem).all();
}

int place_of_term(const TermCandidate& candidate, const DecisionProblem& problem) {
  const auto& starts = problem.known.dynamics.start;
  for (std::size_t i = 0; i < starts.size() && candidate.shape == Shape::kStart; ++i) {
    if (starts[i].covariate == candidate.start.covariate) return static_cast<int>(i);
  }
  const auto& terms = problem.known.policy.terms.additive;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (candidate.shape == Shape::kAdditive && same_term(terms[i], candidate.term))
      return static_cast<int>(i);
  }
  return -1;
}

double& scale_of_term(const TermCandidate& candidate, DecisionProblem& problem) {
  Priors& priors = problem.priors;
  return (candidate.shape == Shape::kStart ? priors.start_scales
                                           : priors.term_scales)[place_of_term(candidate, problem)];
}

double scale_of_term(const TermCandidate& candidate, const DecisionProblem& problem) {
  return scale_of_term(candidate, const_cast<DecisionProblem&>(problem));
}

void add_term(const TermCandidate& candidate, double scale, DecisionProblem& problem) {
  if (candidate.shape == Shape::kStart) {
    auto& starts = problem.known.dynamics.start;
    problem.priors.start_scales.resize(starts.size(), 1.0);
    problem.priors.start_scales.push_back(scale);
    starts.push_back(candidate.start);
    if (problem.world) problem.world->start = starts;
    return;
  }
  PolicyTerms& terms = problem.known.policy.terms;
  if (candidate.shape == Shape::kInertia) terms.inertia = NAN;
  if (candidate.shape == Shape::kLapse) terms.lapse = NAN;
  if (candidate.shape != Shape::kAdditive) return;
  problem.priors.term_scales.resize(terms.additive.size(), 1.0);
  terms.additive.push_back(candidate.term);
  problem.priors.term_scales.push_back(scale);
}

void remove_term(const TermCandidate& candidate, DecisionProblem& problem) {
  PolicyTerms& terms = problem.known.policy.terms;
  if (candidate.shape == Shape::kInertia) terms.inertia = 0.0;
  if (candidate.shape == Shape::kLapse) terms.lapse = 0.0;
  const int place = place_of_term(candidate, problem);
  if (place < 0) return;
  if (candidate.shape == Shape::kStart) {
    auto& starts = problem.known.dynamics.start;
    starts.erase(starts.begin() + place);
    problem.priors.start_scales.erase(problem.priors.start_scales.begin() + place);
    if (problem.world) problem.world->start = starts;
    return;
  }
  terms.additive.erase(terms.additive.begin() + place);
  problem.priors.term_scales.erase(problem.priors.term_scales.begin() + place);
}

Parameters with_terms_of(const DecisionProblem& problem, const Parameters& point) {
  Parameters result = point;
  const PolicyTerms& known = problem.known.policy.terms;
  PolicyTerms& terms = result.policy.terms;
  const auto share = [](double wanted, double had) {
    return !std::isnan(wanted) ? wanted : had > 0.0 ? had : kShareAtFirst;
  };
  terms = known;
  terms.inertia = share(known.inertia, point.policy.terms.inertia);
  terms.lapse = share(known.lapse, point.policy.terms.lapse);
  for (PolicyTerm& term : terms.additive) {
    std::fill(term.weights.begin(), term.weights.end(), 0.0);
    for (const PolicyTerm& had : point.policy.terms.additive) {
      if (same_term(term, had) && term.weights.size() == had.weights.size()) term.weights = had.weights;
    }
  }
  result.dynamics.start = problem.known.dynamics.start;
  for (StartTerm& term : result.dynamics.start) {
    std::fill(term.weights.begin(), term.weights.end(), 0.0);
    for (const StartTerm& had : point.dynamics.start) {
      if (model::same_start(term, had)) term.weights = had.weights;
    }
  }
  return result;
}

}  // namespace interpole::learn
