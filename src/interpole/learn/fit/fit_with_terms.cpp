// A fit whose policy may follow more than belief. First one set of dynamics and belief alone; there the terms
// are weighed; then the fit that was asked for, with those that were taken.
#include <cmath>

#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/fit/world_alone.hpp"

namespace interpole::learn {
namespace {

class TermedFit {
 public:
  TermedFit(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options, Sink& sink,
            base::Checkpoint* checkpoint)
      : tree_(tree), problem_(problem), options_(options), sink_(sink), checkpoint_(checkpoint) {}

  FitSummary run() {
    const FitSummary alone = fit_as_stated(tree_, problem_, one_set(), sink_, checkpoint_, "belief alone, ");
    if (alone.impossible_node || alone.interrupted) return asked_for(problem_, "", nullptr);
    sink_.progress("terms beside belief", 0, 1);
    const inference::Likelihood likelihood(tree_, problem_.structure);
    TermSearch search{options_.policy, one_set().dynamics, options_.lbfgs,
                      [&] { return sink_.stop_requested(); }, options_.threads};
    TermChoice terms = choose_terms(likelihood, problem_, alone.parameters, search);
    sink_.progress("terms beside belief", 1, 1);
    const Parameters* one = options_.dynamics == DynamicsMode::kCoupled ? &terms.at : nullptr;
    FitSummary summary = asked_for(terms.problem, "", one);
    if (summary.scale_choice && terms.taken() > 0 && options_.policy == PolicyUse::kAuto) {
      weigh_belief_alone(alone, terms, summary);
    }
    summary.seconds += alone.seconds;
    summary.evaluations += alone.evaluations;
    summary.terms = std::move(terms);
    return summary;
  }

 private:
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

  // A difference between agent and world may explain what terms did while there was one set of dynamics. Then
  // terms are let go; in any case the difference has to be better than one set of dynamics with its terms.
  void weigh_belief_alone(const FitSummary& alone, TermChoice& terms, FitSummary& summary) const {
    FitSummary without = asked_for(problem_, "coupled, belief alone, ", &alone.parameters);
    if (!without.scale_choice || without.interrupted) return;
    const double with_terms = summary.scale_choice->log_evidence_of_two() - terms.price();
    if (without.scale_choice->log_evidence_of_two() <= with_terms) return;
    without.scale_choice->log_evidence_of_one = std::max(
        without.scale_choice->log_evidence_of_one, summary.scale_choice->log_evidence_of_one - terms.price());
    without.seconds += summary.seconds;
    without.evaluations += summary.evaluations;
    summary = std::move(without);
    for (WeighedTerm& term : terms.weighed) term.taken = false;
  }

  const HistoryTree& tree_;
  const DecisionProblem& problem_;
  const FitOptions& options_;
  Sink& sink_;
  base::Checkpoint* checkpoint_;
};

}  // namespace

FitSummary fit(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options, Sink& sink,
               base::Checkpoint* checkpoint) {
  options.validate();
  if (options.dynamics == DynamicsMode::kShared) require_known_of_both(problem);
  const bool weighs = options.policy != PolicyUse::kBelief && options.optimizer == Optimizer::kLbfgs;
  if (!weighs) return fit_as_stated(tree, problem, options, sink, checkpoint);
  return TermedFit(tree, problem, options, sink, checkpoint).run();
}

}  // namespace interpole::learn
