#include <fmt/format.h>

#include "console.hpp"
#include "interpole/error.hpp"
#include "interpole/service/fit/sample_task.hpp"
#include "option_words.hpp"
#include "streams.hpp"
#include "table.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

struct SampleFlags : RequestFlags<service::SampleRequest> {
  std::string dynamics = "coupled";
  std::string metric;
  std::string coupling;
  std::string policy = "auto";
  bool strict = false;
};

service::SampleRequest request_of(const SampleFlags& flags) {
  service::SampleRequest request = flags.with_data();
  learn::SampleOptions& options = request.options;
  options.dynamics = dynamics_mode_named(flags.dynamics);
  options.policy = policy_use_named(flags.policy);
  if (!flags.coupling.empty()) options.scales = learn::CouplingScales::all(coupling_named(flags.coupling));
  if (!flags.metric.empty()) options.metric = learn::metric_named(flags.metric);
  options.seed = flags.common.seed;
  options.threads = flags.common.threads;
  if (request.output == "-" && flags.common.json) {
    throw usage_error("--output -: draws and --json cannot both go to standard output; name a file");
  }
  return request;
}

void print_quantities(const learn::SampleQuality& quality) {
  std::vector<std::vector<std::string>> table = {
      {"quantity", "mean", "90% interval", "R-hat", "effective draws"}};
  for (const learn::QuantitySummary& quantity : quality.quantities) {
    if (quantity.name == "log_posterior") continue;
    const auto& diagnostics = quantity.diagnostics;
    table.push_back({quantity.name, fmt::format("{:.4f}", quantity.mean),
                     fmt::format("{:.4f} to {:.4f}", quantity.q05, quantity.q95),
                     shown_number(diagnostics.r_hat, 3), shown_number(diagnostics.ess_bulk, 0)});
  }
  print_table(table);
}

void print_summary(const service::SampleOutcome& outcome, const service::SampleRequest& request) {
  const learn::SampleSummary& summary = outcome.summary;
  const learn::SampleQuality& quality = summary.quality;
  print_quantities(quality);
  show("\n");
  Rows rows = {{"data", outcome.data.shown()},
               {"draws", fmt::format("{} in {} chain{} of {} free parameters ({} metric), {:.2f} s",
                                     summary.draw_count(), summary.chains.size(),
                                     summary.chains.size() == 1 ? "" : "s", summary.coordinates,
                                     learn::name_of(summary.metric), summary.seconds)},
               {"worst", fmt::format("R-hat {}, effective draws {} (centre), {} (tails)",
                                     shown_number(quality.largest_r_hat(), 3),
                                     shown_number(quality.least_ess_bulk(), 0),
                                     shown_number(quality.least_ess_tail(), 0))},
               {"verdict", quality.doubts.empty() ? "nothing is known against these draws"
                                                  : "do not trust these draws yet: see the warnings"},
               {"state names", summary.fit.labels.sentence},
               {"output", request.output}};
  if (!request.arviz.empty()) rows.push_back({"for ArviZ", request.arviz});
  print_rows(rows);
}

void run(const SampleFlags& flags, int& exit_code) {
  Console console(flags.common.quiet);
  keep_results_when_stopped();
  const service::SampleRequest request = request_of(flags);
  service::SampleOutcome outcome = service::run_sample(request, console);
  for (std::string& warning : outcome.warnings) warning = with_flags(warning);
  if (flags.common.json) {
    show("{}\n", service::to_json(outcome));
  } else if (!flags.common.quiet && request.output != "-") {
    print_summary(outcome, request);
  }
  exit_code = kOk;
  if (outcome.summary.interrupted) {
    std::string sentence = fmt::format("interrupted; the {} draws there are were written to {}",
                                       outcome.summary.draw_count(), request.output);
    if (!request.checkpoint.empty()) {
      sentence += fmt::format("; the same command goes on from {}", request.checkpoint);
    }
    console.warn(sentence);
    exit_code = kInterrupted;
  } else if (flags.strict && !outcome.summary.quality.doubts.empty()) {
    exit_code = kNotConverged;
  }
}

void add_sampler_options(CLI::App& verb, SampleFlags& flags) {
  learn::SampleOptions& options = flags.request.options;
  verb.add_option("--draws", options.draws, "draws kept of each chain")->capture_default_str();
  verb.add_option("--chains", options.chains, "chains from different starts; their agreement is the test")
      ->capture_default_str();
  verb.add_option("--warm-up", options.warm_up, "iterations of each chain that tune the sampler; not kept")
      ->capture_default_str();
  verb.add_option(
      "--metric", flags.metric,
      "what the sampler learns of the posterior's shape: dense (with correlations; default up to 50 "
      "free parameters) or diagonal");
  verb.add_option("--target-accept", options.target_accept,
                  "nearer to 1: shorter steps, fewer divergences, slower")
      ->capture_default_str();
}

}  // namespace

void add_sample(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<SampleFlags>();
  auto* verb = program.add_subcommand("sample", "Draw from the posterior: how sure is every number?");
  add_study_and_data(*verb, flags->request.study, flags->data);
  add_counts(*verb, flags->counts);
  verb->add_option("--output", flags->request.output, "draws to write (CSV, one row per draw)")->required();
  verb->add_option("--arviz", flags->request.arviz,
                   "draws for Python's ArviZ as well (JSON for az.from_json)");
  verb->add_option("--dynamics", flags->dynamics,
                   "coupled: the world's dynamics and the agent's, tied as far as the data say; shared: one "
                   "set for both (the paper); subjective: the agent's alone, observations are not explained")
      ->capture_default_str();
  verb->add_option(
      "--coupling", flags->coupling,
      "how far apart agent and world may be (standard deviation in log-ratios); default: drawn too");
  verb->add_option("--policy", flags->policy,
                   "what decisions may follow beside beliefs: auto, belief or full, as in fit")
      ->capture_default_str();
  add_sampler_options(*verb, *flags);
  verb->add_option("--restarts", flags->request.options.restarts, "searches of the fit that comes first")
      ->check(CLI::PositiveNumber);
  add_min_cell(*verb, flags->request.min_cell, kFewestOfACategory);
  add_checkpoint(*verb, flags->request.checkpoint, flags->request.checkpoint_seconds);
  verb->add_flag("--strict", flags->strict, "exit with code 4 if the diagnostics warn");
  add_common(*verb, flags->common);
  verb->footer(examples(
      "  interpole sample --study studies/bias.toml --data bias.csv --output draws.csv\n"
      "  interpole sample --study studies/bias.toml --data bias.csv --output draws.csv --dynamics shared "
      "--draws 4000 --arviz draws.json\n"
      "  interpole sample --study study.toml --data visits.csv --output draws.csv --checkpoint "
      "run.checkpoint\n"
      "\nCtrl-C stops the chains and keeps the draws there are.\nUnder mpirun or srun several processes "
      "share "
      "the work, with the same result: mpirun -n 4 interpole sample …"));
  verb->callback([flags, &exit_code] { run(*flags, exit_code); });
}

}  // namespace interpole::cli
