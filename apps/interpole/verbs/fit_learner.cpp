#include "verbs/fit_learner.hpp"

#include <fmt/format.h>

#include "console.hpp"
#include "interpole/error.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "streams.hpp"
#include "table.hpp"

namespace interpole::cli {
namespace {

void print_summary(const service::LearnerFitOutcome& outcome, const std::string& output) {
  const evaluate::Evaluation& evaluation = outcome.evaluation;
  print_rows({{"learner", outcome.algorithm},
              {"data", outcome.data.shown()},
              {"fit", fmt::format("{} ({:.3f} s)", outcome.fit_note, outcome.seconds)},
              {"on these data", fmt::format("log-likelihood of actions {}, AUROC {}",
                                            shown_number(evaluation.log_likelihood.actions),
                                            shown_number(evaluation.matching.auroc))},
              {outcome.is_model ? "model" : "learner file", output}});
  if (!outcome.words.empty()) show("\n{}", outcome.words);
}

}  // namespace

std::string learners_help() {
  std::string text = "Learners (--algorithm), and what --learner-option can set:\n";
  for (const learners::Learner* learner : learners::all_learners()) {
    text += fmt::format("  {:<22}{}\n", learner->name(), learner->description());
    for (const learners::LearnerOption& option : learner->options()) {
      text += fmt::format("  {:<22}  {}={:g}: {}\n", "", option.name, option.value, option.help);
    }
  }
  return text;
}

learners::LearnerOptions learner_options_of(const std::vector<std::string>& settings, const Common& common) {
  learners::LearnerOptions options{common.seed, common.threads, {}};
  for (const std::string& setting : settings) options.set.push_back(learners::parse_learner_option(setting));
  return options;
}

void refuse_interpole_flags(const CLI::App& verb, const std::string& algorithm) {
  for (const char* flag : {"--dynamics", "--coupling", "--optimizer", "--monitor", "--restarts",
                           "--most-iterations", "--states", "--folds", "--checkpoint"}) {
    if (verb.count(flag) == 0) continue;
    throw usage_error(fmt::format(
        "{}: a flag of --algorithm interpole; {} is set by --learner-option name=value (see interpole fit "
        "--help)",
        flag, algorithm));
  }
}

int fit_learner(const service::LearnerFitRequest& request, const Common& common, bool strict) {
  if (request.output.empty()) throw usage_error("--output is required: the file to write");
  Console console(common.quiet);
  keep_results_when_stopped();
  const service::LearnerFitOutcome outcome = service::run_learner_fit(request, console);
  if (common.json) {
    show("{}\n", service::to_json(outcome));
  } else if (!common.quiet) {
    print_summary(outcome, request.output);
  }
  if (outcome.interrupted) {
    console.warn("interrupted; the best so far was written");
    return kInterrupted;
  }
  return strict && !outcome.converged ? kNotConverged : kOk;
}

}  // namespace interpole::cli
