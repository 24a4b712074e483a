#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "console.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/policy/bias_words.hpp"
#include "interpole/model/parameter_words.hpp"
#include "interpole/service/fit/fit_task.hpp"
#include "interpole/service/fit/states_task.hpp"
#include "interpole/service/fit/summary_json.hpp"
#include "streams.hpp"
#include "table.hpp"
#include "verb.hpp"
#include "verbs/fit_learner.hpp"

namespace interpole::cli {
namespace {

struct FitFlags : RequestFlags<service::FitRequest> {
  std::string dynamics;
  std::string optimizer = "lbfgs";
  std::string policy = "auto";
  std::string monitor = "expected";
  std::string algorithm = "interpole";
  std::vector<std::string> learner_options;
  std::string states;
  int folds = 5;
  std::string coupling;
  int most_iterations = 0;
  bool strict = false;
};

service::FitRequest request_of(const FitFlags& flags) {
  service::FitRequest request = flags.with_data();
  learn::FitOptions& options = request.options;
  service::algorithm_named(flags.algorithm)
      .configure_search(learner_options_of(flags.learner_options, flags.common), options);
  options.optimizer = learn::optimizer_named(flags.optimizer);
  options.policy = policy_use_named(flags.policy);
  if (flags.algorithm == "interpole" && options.optimizer == learn::Optimizer::kAlgorithm1) {
    options.dynamics = DynamicsMode::kShared;
  }
  if (!flags.dynamics.empty()) {
    const DynamicsMode asked = dynamics_mode_named(flags.dynamics);
    if (flags.algorithm != "interpole" && asked != options.dynamics) {
      throw usage_error(fmt::format("--dynamics {}: --algorithm {} says otherwise; leave one of them out",
                                    flags.dynamics, flags.algorithm));
    }
    options.dynamics = asked;
  }
  if (!flags.coupling.empty()) options.scales = learn::CouplingScales::all(coupling_named(flags.coupling));
  if (flags.monitor != "expected" && flags.monitor != "exact") {
    throw usage_error(fmt::format("--monitor: \"{}\" is not known; choose expected or exact", flags.monitor));
  }
  options.monitor = flags.monitor == "exact" ? learn::Monitor::kExact : learn::Monitor::kExpected;
  if (flags.most_iterations != 0)
    options.lbfgs.most_iterations = options.adam.most_iterations = flags.most_iterations;
  options.seed = flags.common.seed;
  options.threads = flags.common.threads;
  return request;
}

std::string shown_modes(const learn::FitSummary& summary) {
  const std::size_t modes = summary.modes.size();
  std::string text = fmt::format("{} of {} restarts agree on the best explanation",
                                 summary.modes[0].members.size(), summary.restarts.size());
  if (modes > 1) {
    const learn::Mode& next = summary.modes[1];
    text += fmt::format(
        "; {} other{} found, the next {:.2f} nats worse (beliefs differ by {:.1f}%, policy by {:.1f}%)",
        modes - 1, modes > 2 ? "s" : "", summary.log_posterior - next.log_posterior,
        100.0 * next.from_best.belief, 100.0 * next.from_best.policy);
  }
  return text;
}

// As `bias` says it, and how far apart they may be.
void add_coupling(const service::FitOutcome& outcome, Rows& rows) {
  const std::string what = "agent and world";
  const learn::FitSummary& summary = outcome.summary;
  if (!summary.scale_choice) {
    return rows.push_back({what, fmt::format("coupling given: {:g}", summary.scales.observation)});
  }
  std::string scales;
  for (const auto& kind : summary.scale_choice->kinds) {
    const char* name = kind.field == Field::kInitial      ? "initial belief"
                       : kind.field == Field::kTransition ? "transitions"
                                                          : "observations";
    scales += fmt::format("{}{} {:.2g}", scales.empty() ? "" : ", ", name, summary.scales.of(kind.field));
  }
  if (scales.empty()) return rows.push_back({what, "nothing of either is learned"});
  const auto words = explain::verdict_words(explain::judge_difference(outcome.result, outcome.checks));
  rows.push_back({what, fmt::format("{}; coupling: {}", words.front(), scales)});
  if (words.size() > 1) rows.push_back({"", words[1]});
  if (words.size() > 2) {
    rows.push_back({"", fmt::format("… and {} more reason{}; see interpole bias", words.size() - 2,
                                    words.size() > 3 ? "s" : "")});
  }
}

std::string shown_weak(const Structure& structure, const learn::Uncertainty& uncertainty) {
  std::vector<std::string> names;
  for (const learn::WeakDirection& weak : uncertainty.weak) {
    names.insert(names.end(), weak.involved.begin(), weak.involved.end());
  }
  std::vector<std::string> words = model::parameter_words(structure, names);
  constexpr std::size_t kShown = 3;
  const std::size_t more = words.size() > kShown ? words.size() - kShown : 0;
  words.resize(words.size() - more);
  return fmt::format("{}{}", fmt::join(words, "; "), more > 0 ? fmt::format("; and {} more", more) : "");
}

std::string shown_terms(const learn::TermChoice& choice) {
  std::vector<std::string> taken, left;
  for (const learn::WeighedTerm& term : choice.weighed) {
    (term.taken ? taken : left).push_back(term.candidate.name);
  }
  if (choice.kinds.taken > 1) taken.push_back(fmt::format("{} kinds of decision-makers", choice.kinds.taken));
  const std::string weighed = left.empty() ? "" : fmt::format("; not needed: {}", fmt::join(left, ", "));
  return taken.empty() ? fmt::format("nothing the records ask for{}", weighed)
                       : fmt::format("{}{}", fmt::join(taken, ", "), weighed);
}

void add_checks(const ModelChecks& checks, Rows& rows) {
  if (checks.checks.empty()) return;
  const auto failed = checks.failed();
  rows.push_back({"checks", failed.empty() ? fmt::format("all {} as the model expects", checks.checks.size())
                                           : fmt::format("{} of {} failed; see interpole check",
                                                         failed.size(), checks.checks.size())});
  const auto worst = std::min_element(failed.begin(), failed.end(),
                                      [](const auto* x, const auto* y) { return x->p_value < y->p_value; });
  if (worst != failed.end()) rows.push_back({"", (*worst)->sentence});
}

void print_summary(const service::FitOutcome& outcome, const std::string& output) {
  const learn::FitSummary& summary = outcome.summary;
  const auto& likelihood = summary.log_likelihood;
  Rows rows = {
      {"data", outcome.data.shown()},
      {"log-posterior", fmt::format("{:.4f}", summary.log_posterior)},
      {"log-likelihood", fmt::format("{:.4f} (actions {:.4f}, observations {:.4f})", likelihood.total(),
                                     likelihood.actions, likelihood.observations)},
      {"learned", fmt::format("{} free parameters", summary.parameters_learned)},
      {"search", fmt::format("{} ({} evaluations, {:.3f} s)",
                             summary.interrupted ? "interrupted" : describe(summary.best().stop),
                             summary.evaluations, summary.seconds)},
      {"restarts", shown_modes(summary)},
      {"state names", summary.labels.sentence},
  };
  if (summary.terms) rows.push_back({"beside belief", shown_terms(*summary.terms)});
  for (const std::string& sentence : outcome.term_sentences) rows.push_back({"", sentence});
  if (summary.world) add_coupling(outcome, rows);
  if (summary.uncertainty && !summary.uncertainty->weak.empty()) {
    rows.push_back({"left to the prior", shown_weak(outcome.result.model.structure, *summary.uncertainty)});
  }
  if (outcome.intervals) {
    for (const auto& boundary : outcome.intervals->boundaries) {
      rows.push_back(
          {"boundary", sentence_of(outcome.result.model.structure, boundary, outcome.intervals->shifted)});
    }
  }
  add_checks(outcome.checks, rows);
  rows.push_back({"model", output});
  print_rows(rows);
}

void print_counts(const evaluate::StateCounts& counts) {
  std::vector<std::vector<std::string>> table = {
      {"states", "learned", "held-out log-likelihood per decision", "log-evidence", "modes", ""}};
  for (const evaluate::StateCountScore& score : counts.scores) {
    std::string doubt = score.converged ? "" : "did not converge";
    if (score.converged && !score.evidence_is_sure) doubt = "evidence is not to be trusted";
    table.push_back({fmt::format("{}", score.states), fmt::format("{}", score.parameters),
                     fmt::format("{:.4f} ± {:.4f}", score.held_out, score.held_out_error),
                     fmt::format("{:.2f}", score.log_evidence), fmt::format("{}", score.modes), doubt});
  }
  print_table(table);
  show(
      "\nHigher is better in both columns. Nothing was chosen and no model written: state the states in the "
      "study, and fit it.\n");
  if (!counts.left_out.empty()) {
    show("The states compared are unnamed; not taken over from the study: {}.\n",
         fmt::join(counts.left_out, ", "));
  }
}

void compare_states(const FitFlags& flags) {
  Console console(flags.common.quiet);
  keep_results_when_stopped();
  const service::FitRequest fit = request_of(flags);
  if (!fit.checkpoint.empty()) {
    throw usage_error("--checkpoint: comparing numbers of states keeps none; remove it");
  }
  service::StatesRequest request{fit.study, fit.data, 0, 0, flags.folds, fit.options};
  service::parse_state_range(flags.states, request.fewest, request.most);
  const evaluate::StateCounts counts = service::run_states(request, console);
  if (flags.common.json) {
    show("{}\n", service::to_json(counts));
  } else {
    print_counts(counts);
  }
}

void run(const CLI::App& verb, const FitFlags& flags, int& exit_code) {
  const learners::LearnerOptions learner_options = learner_options_of(flags.learner_options, flags.common);
  learn::FitOptions unused;
  if (!service::algorithm_named(flags.algorithm).configure_search(learner_options, unused)) {
    refuse_interpole_flags(verb, flags.algorithm);
    exit_code = fit_learner({flags.request.study, flags.data_files(), flags.request.output, flags.algorithm,
                             learner_options, flags.request.min_cell},
                            flags.common, flags.strict);
    return;
  }
  if (!flags.states.empty()) {
    compare_states(flags);
    exit_code = kOk;
    return;
  }
  if (flags.request.output.empty()) throw usage_error("--output is required: the model file to write");
  Console console(flags.common.quiet);
  keep_results_when_stopped();
  const service::FitRequest request = request_of(flags);
  const service::FitOutcome outcome = service::run_fit(request, console);
  if (flags.common.json) {
    show("{}\n", service::to_json(outcome));
  } else if (!flags.common.quiet) {
    print_summary(outcome, request.output);
  }
  if (outcome.summary.interrupted) {
    std::string sentence = fmt::format("interrupted; the best of what was done is in {}", request.output);
    if (!request.checkpoint.empty()) {
      sentence += fmt::format("; the same command goes on from {}", request.checkpoint);
    }
    console.warn(sentence);
    exit_code = kInterrupted;
  } else if (flags.strict && !outcome.summary.converged()) {
    exit_code = kNotConverged;
  } else {
    exit_code = kOk;
  }
}

}  // namespace

void add_fit(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<FitFlags>();
  auto* verb = program.add_subcommand("fit", "Learn beliefs and decision boundaries from records");
  add_study_and_data(*verb, flags->request.study, flags->data);
  add_counts(*verb, flags->counts);
  verb->add_option("--output", flags->request.output, "model file (or learner file) to write (JSON)");
  verb->add_option(
      "--dynamics", flags->dynamics,
      "coupled (default): the world's dynamics explain what was seen, the agent's what was done, "
      "as far apart as the data say; shared: one set of dynamics for both (the paper; default "
      "for algorithm1); subjective: the agent's alone, observations are not explained");
  verb->add_option("--coupling", flags->coupling,
                   "how far apart agent and world may be (standard deviation in log-ratios; 0: one, inf: "
                   "free); default: by the evidence");
  verb->add_option("--algorithm", flags->algorithm, "learner; all are listed below")->capture_default_str();
  verb->add_option("--learner-option", flags->learner_options,
                   "name=value, once for each option of the learner that is set")
      ->allow_extra_args(false);
  verb->add_option("--optimizer", flags->optimizer, "lbfgs, or algorithm1: the paper's, as printed")
      ->capture_default_str();
  verb->add_option("--monitor", flags->monitor,
                   "what algorithm1 watches: expected (as the authors) or exact (the log-posterior)")
      ->capture_default_str();
  verb->add_option("--restarts", flags->request.options.restarts,
                   "searches from different starts; the best is kept. Default: until few better ends can be "
                   "left to find, at most 40")
      ->check(CLI::PositiveNumber);
  verb->add_option(
          "--policy", flags->policy,
          "what decisions may follow beside beliefs: auto (what the evidence asks for: habit, time, lapses, "
          "covariates of the study), belief (nothing: the paper's policy) or full (everything there is)")
      ->capture_default_str();
  verb->add_option("--most-iterations", flags->most_iterations, "give up a search after so many iterations")
      ->check(CLI::PositiveNumber);
  verb->add_option(
      "--states", flags->states,
      "compare numbers of states, as 2..5, by held-out decisions and by evidence; writes no model");
  verb->add_option("--folds", flags->folds, "of --states: parts into which patients are dealt")
      ->capture_default_str();
  add_min_cell(*verb, flags->request.min_cell, kFewestOfACategory);
  add_checkpoint(*verb, flags->request.checkpoint, flags->request.checkpoint_seconds);
  verb->add_flag("--strict", flags->strict, "exit with code 4 if the best search did not converge");
  add_common(*verb, flags->common);
  verb->footer(examples(
      "  interpole fit --study studies/bias.toml --data bias.csv --output model.json\n"
      "  interpole fit --study studies/bias.toml --data bias.csv --output model.json --dynamics "
      "subjective --json\n"
      "  interpole fit --study studies/bias.toml --counts counts.csv --output model.json\n"
      "  interpole fit --study studies/bias.toml --data bias.csv --states 2..4\n"
      "  interpole fit --study studies/bias.toml --data bias.csv --output bc.json --algorithm bc\n\n" +
      learners_help() +
      "\nCtrl-C stops the search and keeps the best so far.\nUnder mpirun or srun several processes share "
      "the work, with the same result: mpirun -n 4 interpole fit …"));
  verb->callback([flags, verb, &exit_code] { run(*verb, *flags, exit_code); });
}

}  // namespace interpole::cli
