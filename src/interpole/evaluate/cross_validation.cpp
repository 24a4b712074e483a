#include "interpole/evaluate/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "interpole/base/dealing/deal_tasks.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/scores/action_matching.hpp"
#include "interpole/evaluate/scores/first_steps.hpp"
#include "interpole/evaluate/scores/student_t.hpp"
#include "interpole/evaluate/stop_only.hpp"
#include "interpole/learn/fit/nothing_finite.hpp"
#include "interpole/learners/learner_options.hpp"

namespace interpole::evaluate {
namespace {

// One learner fitted to all folds but one.
struct FoldFit {
  FoldScores scores;
  std::vector<double> policies;  // [node·A + a] of the test tree
};

FoldFit score_fold(const HistoryTree& train, const HistoryTree& test, const DecisionProblem& problem,
                   const learners::Learner& learner, const CrossValidationOptions& options, Sink& sink) {
  FoldFit fit;
  FoldScores& scores = fit.scores;
  learners::require_known_outcomes(learner, problem.structure);
  const auto begin = std::chrono::steady_clock::now();
  const auto fitted = learner.fit(train, problem, {options.seed, options.threads, {}}, sink);
  scores.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (fitted->interrupted()) throw Error(ErrorKind::kInterrupted, "stopped");
  scores.doubt = fitted->doubt();
  fit.policies = fitted->policies(test);
  const ActionMatching matching = score_actions(test, problem.structure, fit.policies);
  scores.log_loss = matching.log_loss;
  scores.brier = matching.brier;
  scores.auroc = matching.auroc;
  scores.auprc = matching.auprc;
  scores.calibration_error = matching.calibration_error;
  scores.first_steps = first_steps_variation(train, test, problem.structure, *fitted);
  return fit;
}

using Score = std::optional<double> FoldScores::*;
constexpr Score kScores[] = {
    &FoldScores::log_loss,          &FoldScores::brier,      &FoldScores::auroc, &FoldScores::auprc,
    &FoldScores::calibration_error, &FoldScores::first_steps};

std::string packed(const FoldFit& fit) {
  base::PacketWriter out;
  for (const Score score : kScores) {
    out.add((fit.scores.*score).has_value()).add((fit.scores.*score).value_or(0.0));
  }
  out.add(fit.scores.seconds).add(std::string_view(fit.scores.doubt)).add(std::span(fit.policies));
  return out.take();
}

FoldFit unpacked(base::PacketReader& in) {
  FoldFit fit;
  for (const Score score : kScores) {
    const bool defined = in.get<bool>();
    const auto value = in.get<double>();
    if (defined) fit.scores.*score = value;
  }
  fit.scores.seconds = in.get<double>();
  fit.scores.doubt = in.text();
  fit.policies = in.numbers();
  return fit;
}

// Fits of all learners and folds, each made by one of the ranks; on one process, each when it is asked for.
class FoldFits {
 public:
  FoldFits(const FoldTrees& trees, const DecisionProblem& problem,
           const std::vector<const learners::Learner*>& learners, const CrossValidationOptions& options,
           Sink& sink)
      : trees_(trees),
        problem_(problem),
        learners_(learners),
        options_(options),
        sink_(sink),
        stop_only_(sink) {
    sink_.progress("fits", 0, total());
    if (base::ranks().size() > 1) deal();
  }

  // Throws what the learner threw, or Error(kInterrupted).
  FoldFit take(std::size_t learner, std::size_t fold) {
    if (base::ranks().size() == 1) {
      base::stop_if_asked(sink_, "stopped");
      FoldFit fit = made(learner, fold);
      sink_.progress("fits", ++done_, total());
      return fit;
    }
    const std::string& packet = dealt_[learner * folds() + fold];
    if (packet.empty()) throw Error(ErrorKind::kInterrupted, "stopped");
    base::PacketReader in(packet);
    switch (static_cast<Outcome>(in.get<int>())) {
      case Outcome::kNothingFinite:
        throw learn::NothingFinite(problem_);
      case Outcome::kRefused:
        throw input_error(in.text());
      default:
        return unpacked(in);
    }
  }

 private:
  enum Outcome : int { kFitted, kRefused, kNothingFinite };

  std::size_t folds() const { return trees_.train.size(); }
  std::int64_t total() const { return static_cast<std::int64_t>(learners_.size() * folds()); }

  FoldFit made(std::size_t learner, std::size_t fold) {
    return score_fold(trees_.train[fold], trees_.test[fold], problem_, *learners_[learner], options_,
                      stop_only_);
  }

  void deal() {
    dealt_.resize(total());
    const auto fit = [&](int task) {
      dealt_[task] = packed_fit(task / folds(), task % folds());
      sink_.progress("fits", ++done_, total());
    };
    // Threads go into the fits, as on one process.
    base::deal_tasks(static_cast<int>(dealt_.size()), 1, fit,
                     {[&](int task) { return dealt_[task]; },
                      [&](int task, const std::string& bytes) {
                        dealt_[task] = bytes;
                        sink_.progress("fits", ++done_, total());
                      }});
  }

  std::string packed_fit(std::size_t learner, std::size_t fold) {
    if (sink_.stop_requested()) return "";
    try {
      return base::PacketWriter().add(static_cast<int>(kFitted)).take() + packed(made(learner, fold));
    } catch (const learn::NothingFinite&) {
      return base::PacketWriter().add(static_cast<int>(kNothingFinite)).take();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kInterrupted) return "";
      if (error.kind() != ErrorKind::kInput) throw;
      return base::PacketWriter().add(static_cast<int>(kRefused)).add(std::string_view(error.what())).take();
    }
  }

  const FoldTrees& trees_;
  const DecisionProblem& problem_;
  const std::vector<const learners::Learner*>& learners_;
  const CrossValidationOptions& options_;
  Sink& sink_;
  StopOnly stop_only_;
  std::vector<std::string> dealt_;  // [learner·folds + fold]
  std::atomic<std::int64_t> done_ = 0;
};

// `most`: what the score can be at all; none can be below zero.
ScoreOverFolds over_folds(const std::vector<FoldScores>& folds, Score score, double most = 1.0) {
  std::vector<double> values;
  for (const FoldScores& fold : folds) {
    if (fold.*score) values.push_back(*(fold.*score));
  }
  ScoreOverFolds result;
  result.folds = static_cast<int>(values.size());
  if (values.empty()) return result;
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double x : values) sum += x;
  result.mean = sum / count;
  if (values.size() < 2) return result;
  double squares = 0.0;
  for (const double x : values) squares += (x - *result.mean) * (x - *result.mean);
  result.standard_error = std::sqrt(squares / (count - 1.0) / count);
  result.reach = reach_of_mean(*result.standard_error, result.folds);
  result.interval =
      Interval{std::max(0.0, *result.mean - *result.reach), std::min(most, *result.mean + *result.reach)};
  return result;
}

void summarise(LearnerScores& row) {
  row.log_loss = over_folds(row.folds, &FoldScores::log_loss, INFINITY);
  row.brier = over_folds(row.folds, &FoldScores::brier, 2.0);
  row.auroc = over_folds(row.folds, &FoldScores::auroc);
  row.auprc = over_folds(row.folds, &FoldScores::auprc);
  row.calibration_error = over_folds(row.folds, &FoldScores::calibration_error);
  row.first_steps = over_folds(row.folds, &FoldScores::first_steps);
  int doubtful = 0;
  for (const FoldScores& fold : row.folds) {
    row.seconds += fold.seconds;
    if (fold.doubt.empty()) continue;
    if (row.doubt.empty()) row.doubt = fold.doubt;
    ++doubtful;
  }
  row.converged = doubtful == 0;
  if (doubtful > 0) row.doubt += fmt::format(" in {} of {} fits", doubtful, row.folds.size());
}

// The one asked for, if it has predictions; else the one with the least log-loss. Empty: there is none.
std::string reference_of(const std::vector<LearnerScores>& rows, const std::string& asked_for) {
  const LearnerScores* best = nullptr;
  for (const LearnerScores& row : rows) {
    if (!row.log_loss.mean) continue;
    if (row.learner == asked_for) return asked_for;
    if (best == nullptr || *row.log_loss.mean < *best->log_loss.mean) best = &row;
  }
  return best != nullptr ? best->learner : "";
}

void add_pairs(const FoldTrees& trees, const Structure& structure, const std::vector<FoldPolicies>& predicted,
               const CrossValidationOptions& options, CrossValidation& result) {
  const std::string reference = reference_of(result.learners, options.reference);
  if (predicted.size() < 2 || reference.empty()) return;
  result.paired =
      compare_in_pairs(trees.test, structure, predicted, reference,
                       {.replicates = options.replicates, .seed = options.seed, .threads = options.threads});
}

void require_known_reference(const std::vector<const learners::Learner*>& learners, const std::string& name) {
  if (name.empty()) return;
  for (const learners::Learner* learner : learners) {
    if (learner->name() == name) return;
  }
  throw usage_error(fmt::format(
      "option against: \"{}\" is not among the learners that are compared; name one of them", name));
}

}  // namespace

CrossValidation cross_validate(const FoldTrees& trees, const DecisionProblem& problem,
                               const std::vector<const learners::Learner*>& learners,
                               const CrossValidationOptions& options, Sink& sink) {
  require_known_reference(learners, options.reference);
  std::vector<FoldPolicies> predicted;
  CrossValidation result;
  FoldFits fits(trees, problem, learners, options, sink);
  for (std::size_t i = 0; i < learners.size(); ++i) {
    LearnerScores row;
    row.learner = learners[i]->name();
    FoldPolicies of_learner{row.learner, {}};
    try {
      for (std::size_t fold = 0; fold < trees.train.size(); ++fold) {
        FoldFit fit = fits.take(i, fold);
        row.folds.push_back(std::move(fit.scores));
        of_learner.policies.push_back(std::move(fit.policies));
      }
      summarise(row);
      predicted.push_back(std::move(of_learner));
    } catch (const learn::NothingFinite&) {
      throw;  // the problem's fault, not the learner's
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kInterrupted) {
        result.interrupted = true;
        break;
      }
      if (error.kind() != ErrorKind::kInput) throw;
      row = {};
      row.learner = learners[i]->name();
      row.failure = error.what();
    }
    result.learners.push_back(std::move(row));
  }
  // Interrupted: of those that were finished.
  add_pairs(trees, problem.structure, predicted, options, result);
  return result;
}

}  // namespace interpole::evaluate
