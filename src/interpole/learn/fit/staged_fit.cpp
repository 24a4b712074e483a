// A fit in stages. First one set of dynamics and belief alone: fewer numbers and fewer tops, so that its end
// is found more surely and is where other searches begin. There the terms are weighed, if the policy may
// follow more than belief; then the fit that was asked for, with those that were taken.
#include <cmath>
#include <optional>

#include "interpole/base/ranks/ranks.hpp"
#include "interpole/learn/fit/factor_units.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/fit/restarts.hpp"
#include "interpole/learn/fit/world_alone.hpp"
#include "interpole/learn/terms/kind_choice.hpp"

namespace interpole::learn {
namespace {

// Nats by which a first search may miss the best explanation that more of them would find.
constexpr double kReachOfMoreSearches = 20.0;

class StagedFit {
 public:
  StagedFit(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options, Sink& sink,
            base::Checkpoint* checkpoint)
      : tree_(tree), problem_(problem), options_(options), sink_(sink), checkpoint_(checkpoint) {}

  FitSummary run() {
    const FitSummary alone = fit_as_stated(tree_, problem_, one_set(), sink_, checkpoint_, "belief alone, ");
    if (alone.impossible_node || alone.interrupted) return asked_for(problem_, "", nullptr);
    FitSummary summary = options_.policy == PolicyUse::kBelief ? asked_for(problem_, "", &alone.parameters)
                                                               : with_terms(alone);
    summary.seconds += alone.seconds;
    summary.evaluations += alone.evaluations;
    return summary;
  }

 private:
  // With kinds of decision-makers where they are worth it, and without them if there are terms.
  struct Chosen {
    TermChoice terms;
    std::optional<TermChoice> one_kind;
  };
  Chosen chosen_terms(const FitSummary& alone) const {
    const base::RankScope scope(base::together(inference::worth_sharing(tree_)));
    const inference::Likelihood likelihood(tree_, problem_.structure, inference::Kernel::kVector,
                                           base::rank_context().together ? options_.threads : 1);
    const TermSearch search{options_.policy, one_set().dynamics, options_.lbfgs, &sink_, options_.threads};
    TermChoice terms = choose_terms(likelihood, problem_, alone.parameters, search);
    std::optional<TermChoice> one_kind;
    if (terms.taken() > 0) one_kind = terms;
    terms = with_kinds(likelihood, problem_, alone.parameters, terms, search);
    return {std::move(terms), std::move(one_kind)};
  }

  FitSummary with_terms(const FitSummary& alone) const {
    auto [terms, one_kind] = chosen_terms(alone);
    FitSummary summary = asked_for(terms.problem, "", &terms.at);
    if (summary.scale_choice && options_.policy == PolicyUse::kAuto) {
      if (terms.kinds.taken > 1 && one_kind) weigh_one_kind(*one_kind, terms, summary);
      if (terms.taken() > 0 || terms.kinds.taken > 1) weigh_belief_alone(alone, terms, summary);
    }
    summary.terms = std::move(terms);
    return summary;
  }

  FitOptions one_set() const {
    FitOptions options = options_;
    options.uncertainty = false;
    options.scales.reset();
    if (options.dynamics == DynamicsMode::kCoupled) options.dynamics = DynamicsMode::kShared;
    return options;
  }

  FitSummary asked_for(const DecisionProblem& problem, const std::string& phase,
                       const Parameters* one) const {
    return fit_as_stated(tree_, problem, options_, sink_, checkpoint_, phase, one);
  }

  // A difference between agent and world may explain what terms and kinds did while there was one set of
  // dynamics. Then they are let go; in any case the difference has to be better than one set of dynamics with
  // its terms and kinds.
  void weigh_belief_alone(const FitSummary& alone, TermChoice& terms, FitSummary& summary) const {
    if (!take_if_better(problem_, alone.parameters, "coupled, belief alone, ", 0.0, terms, summary)) return;
    for (WeighedTerm& term : terms.weighed) term.taken = false;
    terms.kinds.taken = 1;
  }

  void weigh_one_kind(const TermChoice& one_kind, TermChoice& terms, FitSummary& summary) const {
    const double credit = one_kind.log_credit();
    if (!take_if_better(one_kind.problem, one_kind.at, "coupled, one kind, ", credit, terms, summary)) return;
    const WeighedKinds kinds = terms.kinds;
    terms = one_kind;
    terms.kinds = kinds;
    terms.kinds.taken = 1;
  }

  // The other fit instead of this one, if its evidence is higher. `at`: its end with one set of dynamics;
  // `credit`: of its terms. One search tells whether the others are worth their time.
  bool take_if_better(const DecisionProblem& problem, const Parameters& at, const std::string& phase,
                      double credit, const TermChoice& terms, FitSummary& summary) const {
    const double now = summary.scale_choice->log_evidence_of_two() + terms.log_credit();
    FitOptions first_look = options_;
    first_look.restarts = 1;
    first_look.uncertainty = false;
    const FitSummary look =
        fit_as_stated(tree_, problem, first_look, sink_, checkpoint_, phase + "first look, ", &at);
    summary.seconds += look.seconds;
    summary.evaluations += look.evaluations;
    if (!look.scale_choice || look.interrupted) return false;
    if (look.scale_choice->log_evidence_of_two() + credit + kReachOfMoreSearches <= now) return false;
    FitSummary other = asked_for(problem, phase, &at);
    if (!other.scale_choice || other.interrupted) return false;
    if (other.scale_choice->log_evidence_of_two() + credit <= now) return false;
    other.scale_choice->log_evidence_of_one =
        std::max(other.scale_choice->log_evidence_of_one,
                 summary.scale_choice->log_evidence_of_one + terms.log_credit() - credit);
    other.seconds += summary.seconds;
    other.evaluations += summary.evaluations;
    summary = std::move(other);
    return true;
  }

  const HistoryTree& tree_;
  const DecisionProblem& problem_;
  const FitOptions& options_;
  Sink& sink_;
  base::Checkpoint* checkpoint_;
};

}  // namespace

FitSummary fit(const HistoryTree& tree, const DecisionProblem& given, const FitOptions& options, Sink& sink,
               base::Checkpoint* checkpoint) {
  const DecisionProblem problem = with_typical_gap(with_factor_units(given, tree), tree);
  options.validate();
  // More ranks than searches to deal to them work together on each search, if that is worth it.
  const int searches = options.restarts == kUntilFound ? kWave : options.restarts;
  const base::RankScope scope(
      base::together(base::ranks().size() > searches && inference::worth_sharing(tree)));
  if (problem.structure.measured() && options.optimizer == Optimizer::kAlgorithm1) {
    throw usage_error(
        "option optimizer algorithm1: the paper's algorithm knows outcomes from a list, not measured ones; "
        "leave it out");
  }
  if (problem.structure.timed() && options.optimizer == Optimizer::kAlgorithm1) {
    throw usage_error(
        "option optimizer algorithm1: the paper's algorithm takes one visit like another, and visits have "
        "times; "
        "leave it out");
  }
  if (options.dynamics == DynamicsMode::kShared) require_known_of_both(problem);
  const bool in_stages =
      options.policy != PolicyUse::kBelief || (options.dynamics == DynamicsMode::kCoupled && !options.scales);
  if (!in_stages || options.optimizer != Optimizer::kLbfgs) {
    return fit_as_stated(tree, problem, options, sink, checkpoint);
  }
  return StagedFit(tree, problem, options, sink, checkpoint).run();
}

}  // namespace interpole::learn
