#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/evaluate/evaluate_task.hpp"
#include "interpole/service/evaluation_json.hpp"
#include "streams.hpp"
#include "table.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

using EvaluateFlags = RequestFlags<service::EvaluateRequest>;

// " (0.71 to 0.74)", or nothing.
std::string shown_interval(const std::optional<evaluate::Interval>& x, double scale = 1.0, int digits = 4) {
  if (!x) return "";
  return fmt::format(" ({:.{}f} to {:.{}f})", scale * x->low, digits, scale * x->high, digits);
}

std::string shown_mismatch(const std::optional<double>& x, const std::optional<evaluate::Interval>& interval,
                           const char* otherwise) {
  if (!x) return otherwise;
  return fmt::format("{:.3f}{} ×10⁻³ per decision", 1e3 * *x, shown_interval(interval, 1e3, 3));
}

std::string shown_scores(const std::optional<double>& brier, const std::optional<double>& auroc,
                         const std::optional<double>& auprc, const std::optional<double>& calibration_error,
                         const evaluate::ScoreIntervals& intervals) {
  return fmt::format("Brier {}{}, AUROC {}{}, AUPRC {}{}, calibration error {}{}", shown_number(brier),
                     shown_interval(intervals.brier), shown_number(auroc), shown_interval(intervals.auroc),
                     shown_number(auprc), shown_interval(intervals.auprc), shown_number(calibration_error),
                     shown_interval(intervals.calibration_error));
}

void add_truth_rows(const evaluate::Evaluation& evaluation, const evaluate::EvaluationIntervals& intervals,
                    Rows& rows) {
  if (evaluation.mismatch) {
    rows.push_back(
        {"belief mismatch", shown_mismatch(evaluation.mismatch->belief, intervals.belief_mismatch,
                                           evaluation.mismatch->infinite_beliefs > 0
                                               ? "infinite (the fit rules out what the truth allows)"
                                               : "– (this learner has no beliefs)")});
    rows.push_back({"policy mismatch", shown_mismatch(evaluation.mismatch->policy, intervals.policy_mismatch,
                                                      "infinite (the fit rules out what the truth allows)")});
  }
  if (!evaluation.stopping_time) return;
  const auto& stopping = *evaluation.stopping_time;
  rows.push_back(
      {"stopping-time error",
       stopping.independent
           ? fmt::format("{:.3f}{} steps with independent draws (the paper's), {:.3f}{} with common draws",
                         *stopping.independent, shown_interval(intervals.stopping_time_independent, 1.0, 3),
                         stopping.common.value_or(0.0),
                         shown_interval(intervals.stopping_time_common, 1.0, 3))
           : stopping.undefined_because});
}

void print_evaluation(const evaluate::Evaluation& evaluation) {
  const auto& likelihood = evaluation.log_likelihood;
  const evaluate::ActionMatching& matching = evaluation.matching;
  evaluate::EvaluationIntervals intervals = evaluation.intervals.value_or(evaluate::EvaluationIntervals{});
  intervals.actions.resize(matching.actions.size());
  Rows rows = {
      {"data", fmt::format("{} patients, {} decisions", evaluation.patients, evaluation.decisions)},
      {"log-likelihood",
       likelihood.total ? fmt::format("{:.4f} (actions {:.4f}, observations {:.4f})", *likelihood.total,
                                      likelihood.actions.value_or(0.0), likelihood.observations.value_or(0.0))
                        : fmt::format("of actions {}", shown_number(likelihood.actions))},
      {"predicting actions",
       fmt::format("log-loss {}{}, {} ({} decisions after each patient's first)",
                   shown_number(matching.log_loss), shown_interval(intervals.all.log_loss),
                   shown_scores(matching.brier, matching.auroc, matching.auprc, matching.calibration_error,
                                intervals.all),
                   matching.decisions)}};
  for (std::size_t a = 0; a < matching.actions.size(); ++a) {
    const evaluate::ActionScores& scores = matching.actions[a];
    rows.push_back(
        {"  " + scores.action, fmt::format("{} (taken {} times)",
                                           shown_scores(scores.brier, scores.auroc, scores.auprc,
                                                        scores.calibration_error, intervals.actions[a]),
                                           scores.decisions)});
  }
  add_truth_rows(evaluation, intervals, rows);
  if (evaluation.intervals) {
    rows.push_back({"in parentheses", fmt::format("{:g}% intervals, by resampling patients {} times",
                                                  100.0 * intervals.level, intervals.replicates)});
  }
  print_rows(rows);
}

}  // namespace

void add_evaluate(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<EvaluateFlags>();
  flags->request.options.bootstrap.replicates = 200;
  auto* verb =
      program.add_subcommand("evaluate", "Score a model on records, and against the truth where it is known");
  add_model_and_data(*verb, flags->request.model, flags->data, flags->request.study,
                     "model file, or file of any other learner (JSON)");
  add_counts(*verb, flags->counts);
  verb->add_option("--truth", flags->request.truth,
                   "model file of the true agent and world (from simulate --truth)");
  verb->add_option(
      "--visits", flags->request.visits,
      "write a CSV with the policy at every decision and what it rests on, where the learner can say");
  verb->add_option("--bootstrap", flags->request.options.bootstrap.replicates,
                   "resample patients so many times for 95% intervals; 0: no intervals")
      ->capture_default_str();
  add_common(*verb, flags->common);
  verb->footer(
      examples("  interpole evaluate --model model.json --data bias.csv\n"
               "  interpole evaluate --model model.json --data bias.csv --truth truth.json --json"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::EvaluateRequest request = flags->with_data();
    request.options.stopping_time.seed = flags->common.seed;
    request.options.bootstrap.seed = flags->common.seed;
    request.options.bootstrap.threads = flags->common.threads;
    const evaluate::Evaluation evaluation = service::run_evaluate(request, console);
    if (flags->common.json) {
      show("{}\n", service::to_json(evaluation));
    } else {
      print_evaluation(evaluation);
    }
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
