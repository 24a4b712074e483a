#include "interpole/learners/simple/po_mb_il.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/error.hpp"
#include "interpole/learn/fit/labels.hpp"
#include "interpole/learners/interpole/fitted_model.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/simple/baum_welch.hpp"
#include "interpole/learners/simple/belief_policy.hpp"

namespace interpole::learners {
namespace {

// Where names cannot be told from the dynamics, so many namings are tried against the decisions.
constexpr std::size_t kMostNamingsOfStates = 24;

struct Named {
  Dynamics dynamics;
  BeliefPolicy policy;
  std::string sentence;
};

// Observations know nothing of the policy's known values and starts, so Baum-Welch may hand over the states
// under any names that its own known values allow. If study and data do not settle the names, those are kept
// under which the decisions are explained best.
Named name_and_decide(const HistoryTree& tree, const DecisionProblem& problem, const Dynamics& learned,
                      const BeliefPolicyOptions& options, Sink& sink) {
  DecisionProblem nameless = problem;
  nameless.known.policy = Policy::filled(problem.structure, NAN);
  const Parameters parameters = {learned, Policy::filled(problem.structure, 0.0)};
  const learn::LabelReport report = learn::find_labels(tree, nameless, parameters);
  std::vector<std::vector<int>> namings = {report.order};
  if (report.ambiguous && report.order.empty()) {
    auto allowed = learn::allowed_relabellings(nameless);
    if (allowed.size() <= kMostNamingsOfStates) namings = std::move(allowed);
  }
  Named best;
  for (const std::vector<int>& order : namings) {
    Dynamics dynamics = order.empty() ? learned : permute_states(problem.structure, learned, order);
    BeliefPolicy policy = fit_belief_policy(tree, problem, dynamics, options, sink);
    const Named named{std::move(dynamics), std::move(policy), report.sentence};
    if (best.sentence.empty() || named.policy.optimize.value > best.policy.optimize.value) best = named;
    if (named.policy.interrupted) {
      best.policy.interrupted = true;
      return best;
    }
  }
  return best;
}

class PoMbIlLearner : public NamedLearner {
 public:
  PoMbIlLearner()
      : NamedLearner(
            "po-mb-il",
            "dynamics from observations alone (Baum-Welch), then boundaries on the beliefs they give",
            load_fitted_model) {}

  std::vector<LearnerOption> options() const override {
    const BaumWelchOptions defaults;
    return {
        {"restarts", static_cast<double>(defaults.restarts), "searches from different starts", 1, 1e6, true},
        {"most-iterations", static_cast<double>(defaults.most_iterations),
         "of Baum-Welch: give up after so many", 1, 1e9, true},
        {"tolerance", defaults.tolerance,
         "of Baum-Welch: stop when an iteration gains less than this share of the log-posterior", 0, 1},
        {"pseudo-count", defaults.pseudo_count,
         "added to every expected count, so that what was never seen stays possible", 0, 1e6}};
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    const BaumWelchRun world = baum_welch(tree, problem,
                                          {.restarts = values.whole("restarts"),
                                           .most_iterations = values.whole("most-iterations"),
                                           .tolerance = values.number("tolerance"),
                                           .pseudo_count = values.number("pseudo-count"),
                                           .seed = options.seed,
                                           .threads = options.threads},
                                          sink);
    if (world.interrupted) throw interrupted_learner(name());
    if (world.impossible_node) throw impossible_data();
    const Named result = name_and_decide(
        tree, problem, world.dynamics,
        {.restarts = values.whole("restarts"), .seed = options.seed, .threads = options.threads, .lbfgs = {}},
        sink);
    if (result.policy.interrupted) throw interrupted_learner(name());
    const optimize::OptimizeSummary& policy = result.policy.optimize;
    return std::make_unique<FittedModel>(
        Model{problem.structure, {result.dynamics, result.policy.policy}, {}},
        fmt::format("Baum-Welch {} after {} iterations (log-likelihood of observations {:.4f}); policy: {} "
                    "after {}; {}",
                    world.converged ? "converged" : "gave up", world.iterations(), world.log_likelihood,
                    describe(policy.stop), policy.iterations, result.sentence),
        world.converged && policy.converged);
  }
};

}  // namespace

const Learner& po_mb_il_learner() {
  static const PoMbIlLearner learner;
  return learner;
}

}  // namespace interpole::learners
