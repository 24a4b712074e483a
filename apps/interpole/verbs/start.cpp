#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/start/start_task.hpp"
#include "next_command.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

void print_part(const char* heading, const std::vector<std::string>& sentences) {
  if (sentences.empty()) return;
  show("{}\n", heading);
  for (const std::string& sentence : sentences) show("  {}\n", sentence);
}

void print_start(const service::StartOutcome& outcome) {
  print_part("Assumed", outcome.assumed);
  print_part("Found, provisionally", outcome.found);
  print_part("Beware", outcome.cautions);
  show("Report   {}\nStudy    {}\nModel    {}\n", outcome.report, outcome.study, outcome.model);
}

}  // namespace

void add_start(CLI::App& program, int& exit_code) {
  struct Flags {
    service::StartRequest request;
    Common common;
  };
  auto flags = std::make_shared<Flags>();
  auto* verb = program.add_subcommand("start", "From a table to a provisional report, with nothing to edit");
  verb->add_option("table", flags->request.table,
                   "table: CSV or JSON (also .gz), Parquet, FILE.duckdb or FILE.duckdb#table")
      ->required();
  verb->add_option(
      "--output", flags->request.output,
      "folder for study.toml, model.json and report.html; default: interpole- and the table's name");
  verb->add_flag("--force", flags->request.force, "replace a study that is in the folder");
  verb->add_option("--seconds", flags->request.seconds, "for the search; the best by then is reported")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_common(*verb, flags->common);
  verb->footer(examples(
      "  interpole start visits.csv\n"
      "  interpole start clinic.csv --output clinic\n"
      "\nLooks at the table, drafts a study, fits it, and writes a report to look at before the study "
      "is made right. Where no study can be guessed, the draft holds the questions that remain (exit "
      "code 3)."));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::StartRequest request = flags->request;
    request.seed = flags->common.seed;
    request.threads = flags->common.threads;
    const service::StartOutcome outcome = service::run_start(request, console);
    print_as_asked(flags->common, outcome, [&] { print_start(outcome); });
    flush_output();
    // The study has to be made right before anything is believed.
    if (!flags->common.json) {
      console.note(
          fmt::format("next: look at {}, correct the lines marked DECIDE in {}, then: interpole study "
                      "check {} --data {}",
                      outcome.report, outcome.study, shell_word(outcome.study), shell_word(request.table)));
    }
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
