#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/evaluate/compare_task.hpp"
#include "streams.hpp"
#include "table.hpp"
#include "verb.hpp"
#include "verbs/fit_learner.hpp"

namespace interpole::cli {
namespace {

using CompareFlags = RequestFlags<service::CompareRequest>;

std::string shown(const evaluate::ScoreOverFolds& score) {
  if (!score.mean) return "–";
  if (!score.reach) return shown_number(score.mean);
  return fmt::format("{:.4f} ± {:.4f}", *score.mean, *score.reach);
}

std::string shown(const evaluate::Interval& interval) {
  return fmt::format("[{:+.4f}, {:+.4f}]", interval.low, interval.high);
}

std::string shown(const evaluate::Difference& difference) {
  if (!difference.mean) return "–";
  if (!difference.interval) return fmt::format("{:+.4f}", *difference.mean);
  return fmt::format("{:+.4f} {}", *difference.mean, shown(*difference.interval));
}

std::string over_folds(const evaluate::Difference& difference) {
  return difference.over_folds ? shown(*difference.over_folds) : "–";
}

void print_pairs(const evaluate::PairedComparison& paired) {
  std::vector<std::vector<std::string>> table = {
      {"less " + paired.reference, "log-loss [95%]", "over folds", "AUROC [95%]", "over folds"}};
  for (const evaluate::PairedRow& row : paired.rows) {
    table.push_back({row.learner, shown(row.log_loss), over_folds(row.log_loss), shown(row.auroc),
                     over_folds(row.auroc)});
  }
  show("\n");
  print_table(table);
  show(
      "\nDifferences on the same patients, mean over folds; 95% intervals by drawing patients anew {} times, "
      "fits as they are,\nand over folds, paired, by Student's t, where fits differ too.\n"
      "A log-loss above zero is worse than {}, an AUROC above zero better.\n",
      paired.replicates, paired.reference);
}

void print_comparison(const service::CompareOutcome& outcome) {
  std::vector<std::vector<std::string>> table = {
      {"learner", "log-loss", "Brier", "AUROC", "AUPRC", "calibration", "first steps", "fit seconds", ""}};
  for (const evaluate::LearnerScores& row : outcome.result.learners) {
    const std::string doubt = row.failure.empty() ? row.doubt : "could not learn";
    table.push_back({row.learner, shown(row.log_loss), shown(row.brier), shown(row.auroc), shown(row.auprc),
                     shown(row.calibration_error), shown(row.first_steps),
                     row.failure.empty() ? fmt::format("{:.2f}", row.seconds) : "–", doubt});
  }
  print_table(table);
  show(
      "\n{} patients, {} decisions, {} folds. Mean over folds ± half of its 95% interval (Student's t), on "
      "patients left out of\nthe fit; a patient's first decision is not scored. AUROC and AUPRC: higher is "
      "better; all others: lower. Calibration:\nexpected calibration error. First steps: total variation "
      "between what the learner leads to in its first steps and what\nwas recorded.\n",
      outcome.patients, outcome.decisions, outcome.folds);
  if (outcome.result.paired) print_pairs(*outcome.result.paired);
  for (const std::string& sentence : outcome.sentences) show("\nNote: {}.\n", sentence);
}

void run(const CompareFlags& flags, int& exit_code) {
  Console console(flags.common.quiet);
  keep_results_when_stopped();
  service::CompareRequest request = flags.with_data();
  request.options.seed = flags.common.seed;
  request.options.threads = flags.common.threads;
  const service::CompareOutcome outcome = service::run_compare(request, console);
  print_as_asked(flags.common, outcome, [&] { print_comparison(outcome); });
  if (outcome.result.interrupted) console.warn("interrupted; learners that were not finished are left out");
  exit_code = outcome.result.interrupted ? kInterrupted : kOk;
}

}  // namespace

void add_compare(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<CompareFlags>();
  auto* verb = program.add_subcommand("compare", "Cross-validate all learners on the same records");
  add_study_and_data(*verb, flags->request.study, flags->data);
  add_counts(*verb, flags->counts);
  verb->add_option("--folds", flags->request.folds, "parts into which patients are dealt")
      ->capture_default_str();
  verb->add_option("--learners,--learner", flags->request.learners, "only these, as a,b,c; default: all")
      ->delimiter(',');
  verb->add_option("--against", flags->request.options.reference,
                   "learner that differences are taken from; default: the one with the least log-loss");
  add_min_cell(*verb, flags->request.min_cell, kFewestOfACategory);
  verb->add_option("--csv", flags->request.csv, "write the table to this file too");
  add_common(*verb, flags->common);
  verb->footer(
      examples(
          "  interpole compare --study studies/diag.toml --data diag.csv --folds 5\n"
          "  interpole compare --study studies/bias.toml --data bias.csv --learners interpole,po-mb-il,bc "
          "--csv table.csv\n") +
      "\n" + learners_help() +
      "\nCtrl-C stops and keeps the rows that are finished.\nUnder mpirun or srun several processes "
      "share the work, with the same result: mpirun -n 4 interpole compare …");
  verb->callback([flags, &exit_code] { run(*flags, exit_code); });
}

}  // namespace interpole::cli
