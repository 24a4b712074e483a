#include "interpole/learners/interpole/averaged_learner.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"
#include "interpole/learn/averaging/posterior_ensemble.hpp"
#include "interpole/learners/interpole/fitted_average.hpp"
#include "interpole/learners/interpole/interpole_learner.hpp"
#include "interpole/learners/learner_options.hpp"

namespace interpole::learners {
namespace {

std::string sentence_of(const learn::PosteriorEnsemble& ensemble) {
  if (!ensemble.averaged()) {
    return fmt::format("the best fit alone: {:.0f} effective draws are too few to average over",
                       ensemble.effective);
  }
  return fmt::format("averaged over {} models ({:.0f} effective draws); agent and world are one with {:.0f}%",
                     ensemble.members.size(), ensemble.effective, 100.0 * ensemble.chance_of_one);
}

class AveragedLearner : public NamedLearner {
 public:
  AveragedLearner()
      : NamedLearner("interpole-averaged",
                     "the same as a whole posterior: predictions averaged over what the data leave open",
                     load_fitted_average) {}

  std::vector<LearnerOption> options() const override {
    const learn::EnsembleOptions defaults;
    std::vector<LearnerOption> all = interpole_learner(DynamicsMode::kCoupled).options();
    all.push_back({"minds", static_cast<double>(defaults.members), "to average over", 2, 1e5, true});
    return all;
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    learn::FitOptions fit_options;
    fit_options.uncertainty = false;  // draws come from the posterior itself
    fit_options.seed = options.seed;
    fit_options.threads = options.threads;
    apply_interpole_options(*this, options, fit_options);
    const learn::FitSummary best = fit_model(name(), tree, problem, fit_options, sink);
    learn::EnsembleOptions ensemble_options{.seed = options.seed, .threads = options.threads};
    ensemble_options.members = OptionValues(*this, options).whole("minds");
    const learn::PosteriorEnsemble ensemble =
        learn::ensemble_around(tree, best.problem, best, ensemble_options, sink);
    std::vector<Model> models;
    models.reserve(ensemble.members.size());
    for (const Parameters& member : ensemble.members) models.push_back({best.problem.structure, member, {}});
    return std::make_unique<FittedAverage>(
        std::move(models), fmt::format("{}; {}", fit_note(best), sentence_of(ensemble)), best.converged());
  }
};

}  // namespace

const Learner& averaged_learner() {
  static const AveragedLearner learner;
  return learner;
}

}  // namespace interpole::learners
