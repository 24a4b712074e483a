#include <fmt/format.h>

#include "console.hpp"
#include "option_words.hpp"
#include "verb.hpp"
#include "verbs/audit_print.hpp"

namespace interpole::cli {
namespace {

using AuditFlags = RequestFlags<service::AuditRequest>;

void add_rules(CLI::App& verb, service::AuditRequest& request) {
  verb.add_option("--test", request.options.tests,
                  "an action that is a test; default: actions that measure what another does not")
      ->allow_extra_args(false);
  verb.add_option("--near-certain", request.options.near_certain, "belief that counts as a diagnosis")
      ->capture_default_str();
  verb.add_option("--insignificant", request.options.insignificant,
                  "a move of belief so many standard deviations below the mean counts as no move")
      ->capture_default_str();
  verb.add_option("--false-discoveries", request.options.false_discoveries,
                  "share of wrong ones expected among unlikely records")
      ->capture_default_str();
  verb.add_option(
      "--certainty", request.certainty,
      "a belated or uninformative flag must stand in this share of posterior draws; 0: any (default: "
      "0.9)");
  add_draws(verb, request.draws);
  verb.add_option("--use-draws", request.options.draws, "how many of them")->capture_default_str();
}

}  // namespace

void add_audit(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<AuditFlags>();
  service::AuditRequest& asked = flags->request;
  auto* verb = program.add_subcommand(
      "audit", "Belated diagnoses, uninformative tests and unlikely records, by cohort");
  add_model_and_data(*verb, asked.model, flags->data, asked.study);
  verb->add_option("--cohort,--cohorts", asked.cohorts,
                   "who is in a cohort, as \"age > 75\" or \"sex = F and not carrier\"; default: the study's "
                   "covariates")
      ->allow_extra_args(false);
  add_rules(*verb, asked);
  add_min_cell(*verb, asked.tables.min_cell, "withhold counts from 1 to below this; 0: none");
  add_ledger(*verb, asked.ledger);
  verb->add_option("--csv", asked.csv, "write flags and covariates of every patient; not for publication");
  verb->add_flag("--list", asked.list,
                 "name flagged patients and the visits behind each flag; not for publication");
  add_common(*verb, flags->common);
  verb->footer(examples(
      "  interpole audit --model model.json --study adnimerge.toml --data ADNIMERGE.csv\n"
      "  interpole audit --model model.json --study adnimerge.toml --data ADNIMERGE.csv --cohort "
      "\"AGE > 75\" "
      "--certainty 0.95 --list\n"
      "\nUnder mpirun or srun several processes share the work, with the same result: mpirun -n 4 interpole "
      "audit …"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::AuditRequest request = flags->with_data();
    request.options.seed = flags->common.seed;
    request.options.threads = flags->common.threads;
    service::AuditOutcome outcome = service::run_audit(request, console);
    outcome.source = with_flags(outcome.source);
    print_as_asked(flags->common, outcome, [&] { print_audit(outcome); });
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
