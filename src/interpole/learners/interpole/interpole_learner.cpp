#include "interpole/learners/interpole/interpole_learner.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"
#include "interpole/learners/interpole/fitted_model.hpp"
#include "interpole/learners/learner_options.hpp"

namespace interpole::learners {
namespace {

class InterpoleLearner : public NamedLearner {
 public:
  InterpoleLearner(DynamicsMode mode, std::string name, std::string description,
                   PolicyUse policy = PolicyUse::kBelief)
      : NamedLearner(std::move(name), std::move(description), load_fitted_model),
        mode_(mode),
        policy_(policy) {}

  std::vector<LearnerOption> options() const override {
    const learn::FitOptions defaults;
    return {{"restarts", static_cast<double>(defaults.restarts),
             "searches from different starts; 0: until the best was found three times", 0, 1e6, true},
            {"most-iterations", static_cast<double>(defaults.lbfgs.most_iterations),
             "give up a search after so many iterations", 1, 1e9, true}};
  }

  // The policy is left to whoever searches: `fit` has an option for it.
  bool configure_search(const LearnerOptions& options, learn::FitOptions& fit) const override {
    fit.dynamics = mode_;
    apply_interpole_options(*this, options, fit);
    return true;
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    learn::FitOptions fit_options;
    configure_search(options, fit_options);
    fit_options.policy = policy_;
    fit_options.seed = options.seed;
    fit_options.threads = options.threads;
    fit_options.uncertainty = false;  // policies need none, and it takes longer than the fit
    const learn::FitSummary summary = fit_model(name(), tree, problem, fit_options, sink);
    // The structure as it was fitted: with the gap in which rates were learned.
    return std::make_unique<FittedModel>(Model{summary.problem.structure, summary.parameters, summary.world},
                                         fit_note(summary), summary.converged());
  }

 private:
  DynamicsMode mode_;
  PolicyUse policy_;
};

}  // namespace

const Learner& interpole_learner(DynamicsMode mode) {
  static const InterpoleLearner coupled(
      DynamicsMode::kCoupled, "interpole",
      "beliefs and decision boundaries; agent and world as far apart as the data say");
  static const InterpoleLearner shared(
      DynamicsMode::kShared, "interpole-shared",
      "the same with one set of dynamics for agent and world, as in the paper");
  static const InterpoleLearner subjective(DynamicsMode::kSubjective, "interpole-subjective",
                                           "the same from actions alone; what was observed is not explained");
  return mode == DynamicsMode::kCoupled ? coupled : mode == DynamicsMode::kShared ? shared : subjective;
}

const Learner& interpole_terms_learner() {
  static const InterpoleLearner learner(
      DynamicsMode::kCoupled, "interpole-terms",
      "coupled; decisions may also follow habit, time and covariates, if the evidence says so",
      PolicyUse::kAuto);
  return learner;
}

void apply_interpole_options(const Learner& learner, const LearnerOptions& options, learn::FitOptions& fit) {
  const OptionValues values(learner, options);
  for (const auto& [name, value] : options.set) {
    if (name == "restarts") fit.restarts = values.whole(name);
    if (name == "most-iterations") fit.lbfgs.most_iterations = values.whole(name);
  }
}

learn::FitSummary fit_model(const std::string& learner, const HistoryTree& tree,
                            const DecisionProblem& problem, const learn::FitOptions& options, Sink& sink) {
  learn::FitSummary summary = learn::fit(tree, problem, options, sink);
  if (summary.interrupted) throw interrupted_learner(learner);
  if (summary.impossible_node) throw impossible_data();
  return summary;
}

std::string fit_note(const learn::FitSummary& fit) {
  const optimize::OptimizeSummary& best = fit.best();
  return fmt::format("{} after {} iterations; {} of {} restarts agree; {}", describe(best.stop),
                     best.iterations, fit.modes[0].members.size(), fit.restarts.size(), fit.labels.sentence);
}

}  // namespace interpole::learners
