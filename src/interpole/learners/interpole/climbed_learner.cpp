#include "interpole/learners/interpole/climbed_learner.hpp"

#include "interpole/error.hpp"
#include "interpole/learn/result/fitted_again.hpp"
#include "interpole/learners/interpole/fitted_model.hpp"
#include "interpole/learners/interpole/interpole_learner.hpp"

namespace interpole::learners {
namespace {

class ClimbedLearner : public NamedLearner {
 public:
  ClimbedLearner(const FitResult& fit, Priors priors)
      : NamedLearner("this model", "the model as it is, climbed again on the records it is given",
                     load_fitted_model),
        fit_(fit),
        priors_(std::move(priors)) {}

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& /*problem*/,
                                     const LearnerOptions& options, Sink& sink) const override {
    const auto again = learn::climbed_again(fit_, priors_, tree, options.threads, sink);
    if (!again)
      throw input_error("the model does not say how sure it is and cannot be fitted to fewer records");
    if (again->climb.stop == optimize::OptimizeSummary::Stop::kInterrupted) throw interrupted_learner(name());
    return std::make_unique<FittedModel>(
        Model{fit_.model.structure, again->agent_world.agent, again->agent_world.world},
        optimize::describe(again->climb.stop), again->climb.converged);
  }

 private:
  const FitResult& fit_;
  Priors priors_;
};

}  // namespace

std::unique_ptr<Learner> climbed_learner(const FitResult& fit, const Priors& priors) {
  return std::make_unique<ClimbedLearner>(fit, priors);
}

}  // namespace interpole::learners
