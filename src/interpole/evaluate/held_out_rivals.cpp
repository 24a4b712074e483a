#include "interpole/evaluate/held_out_rivals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/error.hpp"
#include "interpole/evaluate/cross_validation.hpp"
#include "interpole/learners/interpole/climbed_learner.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "interpole/learners/simple/majority.hpp"

namespace interpole::evaluate {
namespace {

std::string known_as(const std::string& learner) {
  if (learner == "r-bc") return "A recurrent network that believes nothing (r-bc)";
  if (learner == "logistic") return "Logistic regression on what was done and seen before (logistic)";
  if (learner == "previous-action") return "Whoever knows the last action alone (previous-action)";
  return fmt::format("The learner {}", learner);
}

std::string sentence_of(const Rival& rival) {
  const std::string who = known_as(rival.learner);
  if (!rival.failure.empty()) return fmt::format("{} was not compared: {}", who, rival.failure);
  if (!rival.log_loss.mean || !rival.log_loss.interval) return who + " could not be compared.";
  const auto [low, high] = *rival.log_loss.interval;
  const std::string by = fmt::format("log-loss {:+.4f} [{:+.4f}, {:+.4f}]", *rival.log_loss.mean, low, high);
  if (low > 0.0)
    return fmt::format("{} foresees decisions on held-out records worse than the model ({}).", who, by);
  if (high >= 0.0)
    return fmt::format("{} foresees decisions on held-out records as well as the model does ({}).", who, by);
  const std::string share =
      rival.gain_share
          ? fmt::format("by {:.0f}% of what the model gains over knowing how common each action is, ",
                        100.0 * *rival.gain_share)
          : "";
  return fmt::format("{} foresees decisions on held-out records better than the model: {}{}.", who, share,
                     by);
}

Rival rival_of(const LearnerScores& scores, const CrossValidation& result, std::optional<double> gain) {
  Rival rival;
  rival.learner = scores.learner;
  rival.failure = scores.failure;
  if (result.paired) {
    const auto row = std::ranges::find(result.paired->rows, scores.learner, &PairedRow::learner);
    if (row != result.paired->rows.end()) {
      rival.log_loss = row->log_loss;
      rival.auroc = row->auroc;
    }
  }
  if (rival.log_loss.mean && gain && *gain > 0.0) rival.gain_share = -*rival.log_loss.mean / *gain;
  const bool beyond_chance = rival.log_loss.interval && rival.log_loss.interval->high < 0.0;
  // Without a gain the model knows no more than how common each action is: any rival then knows more.
  rival.clearly_better = beyond_chance && rival.gain_share.value_or(1.0) > kWorthMentioning;
  rival.sentence = sentence_of(rival);
  return rival;
}

const LearnerScores& row_of(const CrossValidation& result, const std::string& name) {
  return *std::ranges::find(result.learners, name, &LearnerScores::learner);
}

}  // namespace

bool HeldOutRivals::failed() const {
  return std::ranges::any_of(rivals, &Rival::clearly_better);
}

HeldOutRivals compare_with_rivals(const FitResult& fit, const FoldTrees& trees,
                                  const DecisionProblem& problem, const HeldOutOptions& options, Sink& sink) {
  HeldOutRivals found;
  found.folds = static_cast<int>(trees.train.size());
  const auto model = learners::climbed_learner(fit, problem.priors);
  std::vector<const learners::Learner*> rivals;
  for (const std::string& name : options.rivals) rivals.push_back(&learners::learner_named(name));
  std::vector<const learners::Learner*> all = {model.get(), &learners::majority_learner()};
  all.insert(all.end(), rivals.begin(), rivals.end());
  CrossValidationOptions how;
  how.seed = options.seed;
  how.threads = options.threads;
  how.reference = model->name();
  const CrossValidation result = cross_validate(trees, problem, all, how, sink);
  if (result.interrupted) throw Error(ErrorKind::kInterrupted, "stopped before rivals were compared");
  const LearnerScores& own = row_of(result, model->name());
  found.not_compared = own.failure;
  if (!own.failure.empty()) return found;
  found.log_loss = own.log_loss.mean;
  found.majority = row_of(result, learners::majority_learner().name()).log_loss.mean;
  std::optional<double> gain;
  if (found.log_loss && found.majority) gain = *found.majority - *found.log_loss;
  for (const learners::Learner* rival : rivals) {
    found.rivals.push_back(rival_of(row_of(result, rival->name()), result, gain));
  }
  return found;
}

}  // namespace interpole::evaluate
