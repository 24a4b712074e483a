#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/study/study_init.hpp"
#include "interpole/service/study/study_sql_task.hpp"
#include "interpole/service/study/study_task.hpp"
#include "streams.hpp"
#include "verb.hpp"
#include "verbs/study_print.hpp"

namespace interpole::cli {
namespace {

using CheckFlags = RequestFlags<service::StudyCheckRequest>;

void run_check(const CheckFlags& flags, int& exit_code) {
  Console console(flags.common.quiet);
  service::StudyCheckRequest request = flags.with_data();
  const service::StudyCheck check = service::run_study_check(request, console);
  if (flags.common.json) {
    show("{}\n", service::to_json(check));
  } else {
    print_check(check);
    flush_output();
    for (const std::string& warning : check.warnings) console.warn(warning);
  }
  exit_code = check.summary && check.summary->patients == 0 ? kBadInput : kOk;
}

void add_study_check(CLI::App& study, int& exit_code) {
  auto flags = std::make_shared<CheckFlags>();
  auto* verb =
      study.add_subcommand("check", "Does a study fit its data: what is kept, what is left out and why");
  verb->add_option("study", flags->request.study, "study file (TOML)")->required();
  verb->add_option(
          "--data", flags->data,
          "FILE, or name=FILE for each table of the study (FILE.duckdb#table for one of several); without "
          "it the study alone is checked")
      ->allow_extra_args(false);
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(examples(
      "  interpole study check studies/adni/adnimerge.toml --data ADNIMERGE.csv\n"
      "  interpole study check joined.toml --data visits=visits.csv --data patients=patients.parquet --json\n"
      "  interpole study check joined.toml --data clinic.duckdb\n"
      "\nExit code 3 if no record is left. No patient is named in what is printed."));
  verb->callback([flags, &exit_code] { run_check(*flags, exit_code); });
}

struct InitFlags {
  service::StudyInitRequest request;
  Common common;
};

void run_init(const InitFlags& flags, int& exit_code) {
  Console console(flags.common.quiet);
  const service::StudyInitRequest& request = flags.request;
  refuse_shared_output(flags.common, request.output);
  const service::StudyInitOutcome outcome = service::run_study_init(request, console);
  if (flags.common.json) {
    print_json({{"output", request.output},
                {"visits_table", outcome.visits_table},
                {"decisions", outcome.decisions}});
  } else if (request.output != "-") {
    console.note(fmt::format(
        "{}: a draft for {}; {} places marked DECIDE are yours; then: interpole study check {} --data {}",
        request.output, outcome.visits_table ? "this visits table" : "a table of your own", outcome.decisions,
        request.output, request.table));
  }
  exit_code = kOk;
}

void add_init(CLI::App& study, int& exit_code) {
  auto flags = std::make_shared<InitFlags>();
  auto* verb = study.add_subcommand("init", "Look at a table and write a commented first draft of a study");
  verb->add_option("table", flags->request.table,
                   "table: CSV or JSON (also .gz), Parquet, FILE.duckdb or FILE.duckdb#table")
      ->required();
  verb->add_option("--output", flags->request.output, "study to write (TOML); - is standard output")
      ->capture_default_str();
  verb->add_flag("--force", flags->request.force, "replace the output if it exists");
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole study init visits.csv\n"
               "  interpole study init ADNIMERGE.csv --output adni.toml\n"
               "\nEvery guess says why it was made. No value that fewer than 11 patients share is shown."));
  verb->callback([flags, &exit_code] { run_init(*flags, exit_code); });
}

void add_sql(CLI::App& study, int& exit_code) {
  struct Flags {
    service::StudySqlRequest request;
    Common common;
  };
  auto flags = std::make_shared<Flags>();
  service::StudySqlRequest* request = &flags->request;
  auto* verb = study.add_subcommand(
      "sql", "Print one query that counts a study's distinct records in a warehouse, for --counts");
  verb->add_option("study", request->study, "study file (TOML)")->required();
  verb->add_option("--dialect", request->dialect,
                   "duckdb, postgres, spark, bigquery, snowflake, trino or clickhouse")
      ->required();
  verb->add_option(
      "--table", request->table,
      "the warehouse's table or view, as schema.table; default: visits, or what the study names");
  add_min_cell(*verb, request->min_cell,
               "leave out sequences of fewer records, and count them; 0: none is left out");
  verb->add_option("--output", request->output, "file to write (SQL); - is standard output")
      ->capture_default_str();
  verb->footer(examples(
      "  interpole study sql studies/diag.toml --dialect postgres --table clinic.visits --output count.sql\n"
      "  psql --csv -f count.sql > counts.csv\n"
      "  interpole fit --study studies/diag.toml --counts counts.csv --output model.json\n"
      "  interpole study sql studies/adni/adnimerge.toml --dialect duckdb --min-cell 11\n"
      "\nCounts of long histories identify people: a sequence that one patient has is that patient's "
      "history."));
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->callback([flags, &exit_code] {
    service::StudySqlRequest asked = flags->request;
    if (flags->common.json && asked.output == "-") asked.output.clear();
    const std::string sql = service::run_study_sql(asked);
    if (flags->common.json) print_json({{"output", asked.output}, {"dialect", asked.dialect}, {"sql", sql}});
    exit_code = kOk;
  });
}

}  // namespace

void add_study(CLI::App& program, int& exit_code) {
  auto* study = program.add_subcommand("study", "Work on study files");
  study->require_subcommand(1);
  add_study_check(*study, exit_code);
  add_init(*study, exit_code);
  add_sql(*study, exit_code);
}

}  // namespace interpole::cli
