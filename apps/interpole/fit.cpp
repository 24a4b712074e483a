#include <fmt/format.h>

#include <cstdlib>

#include "console.hpp"
#include "interpole/base/error.hpp"
#include "interpole/service/fit_task.hpp"
#include "interpole/service/summary_json.hpp"
#include "table.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

struct Flags {
  FitRequest request;
  std::vector<std::string> data;
  Common common;
  std::string dynamics;
  std::string optimizer = "lbfgs";
  std::string monitor = "expected";
  std::string algorithm = "interpole";
  std::string coupling;
  int most_iterations = 0;
  bool strict = false;
};

double coupling_named(const std::string& text) {
  char* end = nullptr;
  const double sigma = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(sigma >= 0.0)) {
    throw usage_error(fmt::format(
        "--coupling: \"{}\" is not a number from 0 to inf; leave it out to let the data choose", text));
  }
  return sigma;
}

FitRequest request_of(const Flags& flags) {
  FitRequest request = flags.request;
  request.data = parse_data_files(flags.data);
  FitOptions& options = request.options;
  if (flags.algorithm != "interpole") {
    throw usage_error(fmt::format("--algorithm: \"{}\" is not known; choose interpole", flags.algorithm));
  }
  options.optimizer = optimizer_named(flags.optimizer);
  options.dynamics =
      options.optimizer == Optimizer::kAlgorithm1 ? DynamicsMode::kShared : DynamicsMode::kCoupled;
  if (!flags.dynamics.empty()) options.dynamics = dynamics_mode_named(flags.dynamics);
  if (!flags.coupling.empty()) options.scales = CouplingScales::all(coupling_named(flags.coupling));
  if (flags.monitor != "expected" && flags.monitor != "exact") {
    throw usage_error(fmt::format("--monitor: \"{}\" is not known; choose expected or exact", flags.monitor));
  }
  options.monitor = flags.monitor == "exact" ? Monitor::kExact : Monitor::kExpected;
  if (flags.most_iterations != 0)
    options.lbfgs.most_iterations = options.adam.most_iterations = flags.most_iterations;
  options.seed = flags.common.seed;
  options.threads = flags.common.threads;
  return request;
}

std::string shown_modes(const FitSummary& summary) {
  const std::size_t modes = summary.modes.size();
  std::string text = fmt::format("{} of {} restarts agree on the best explanation",
                                 summary.modes[0].members.size(), summary.restarts.size());
  if (modes > 1) {
    const Mode& next = summary.modes[1];
    text += fmt::format(
        "; {} other{} found, the next {:.2f} nats worse (beliefs differ by {:.1f}%, policy by {:.1f}%)",
        modes - 1, modes > 2 ? "s" : "", summary.log_posterior - next.log_posterior,
        100.0 * next.from_best.belief, 100.0 * next.from_best.policy);
  }
  return text;
}

void print_summary(const FitOutcome& outcome, const std::string& output) {
  const FitSummary& summary = outcome.summary;
  const auto& likelihood = summary.log_likelihood;
  print_rows(
      {{"data", fmt::format("{} patients, {} decisions, {} distinct histories", outcome.patients,
                            outcome.decisions, outcome.histories)},
       {"log-posterior", fmt::format("{:.4f}", summary.log_posterior)},
       {"log-likelihood", fmt::format("{:.4f} (actions {:.4f}, observations {:.4f})", likelihood.total(),
                                      likelihood.actions, likelihood.observations)},
       {"learned", fmt::format("{} free parameters", summary.parameters_learned)},
       {"search", fmt::format("{} ({} evaluations, {:.3f} s)",
                              summary.interrupted ? "interrupted" : describe(summary.best().stop),
                              summary.evaluations, summary.seconds)},
       {"restarts", shown_modes(summary)},
       {"state names", summary.labels.sentence},
       {"model", output}});
}

void run(const Flags& flags, int& exit_code) {
  Console console(flags.common.quiet);
  const FitRequest request = request_of(flags);
  const FitOutcome outcome = run_fit(request, console);
  if (flags.common.json) {
    fmt::print("{}\n", to_json(outcome));
  } else if (!flags.common.quiet) {
    print_summary(outcome, request.output);
  }
  if (outcome.summary.interrupted) {
    console.warn(fmt::format("interrupted; the best of what was done is in {}", request.output));
    exit_code = kInterrupted;
  } else if (flags.strict && !outcome.summary.converged()) {
    exit_code = kNotConverged;
  } else {
    exit_code = kOk;
  }
}

}  // namespace

void add_fit(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  auto* verb = program.add_subcommand("fit", "Learn beliefs and decision boundaries from records");
  verb->add_option("--study", flags->request.study, "study file (TOML)")->required();
  add_data(*verb, flags->data);
  verb->add_option("--output", flags->request.output, "model file to write (JSON)")->required();
  verb->add_option(
      "--dynamics", flags->dynamics,
      "coupled (default): the world's dynamics explain what was seen, the agent's what was done, "
      "as far apart as the data say; shared: one set of dynamics for both (the paper; default "
      "for algorithm1); subjective: the agent's alone, observations are not explained");
  verb->add_option("--coupling", flags->coupling,
                   "how far apart agent and world may be (standard deviation in log-ratios; 0: one, inf: "
                   "free); default: by the evidence");
  verb->add_option("--algorithm", flags->algorithm, "learner: interpole")->capture_default_str();
  verb->add_option("--optimizer", flags->optimizer, "lbfgs, or algorithm1: the paper's, as printed")
      ->capture_default_str();
  verb->add_option("--monitor", flags->monitor,
                   "what algorithm1 watches: expected (as the authors) or exact (the log-posterior)")
      ->capture_default_str();
  verb->add_option("--restarts", flags->request.options.restarts,
                   "searches from different starts; the best is kept")
      ->capture_default_str();
  verb->add_option("--most-iterations", flags->most_iterations, "give up a search after so many iterations")
      ->check(CLI::PositiveNumber);
  verb->add_flag("--strict", flags->strict, "exit with code 4 if the best search did not converge");
  add_seed(*verb, flags->common);
  add_threads(*verb, flags->common);
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole fit --study studies/bias.toml --data bias.csv --output model.json\n"
               "  interpole fit --study studies/bias.toml --data bias.csv --output model.json --dynamics "
               "subjective --json\n"
               "\nCtrl-C stops the search and keeps the best so far."));
  verb->callback([flags, &exit_code] { run(*flags, exit_code); });
}

}  // namespace interpole::cli
