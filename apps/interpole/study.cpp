#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/study_task.hpp"
#include "study_print.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

struct CheckFlags {
  StudyCheckRequest request;
  std::vector<std::string> data;
  Common common;
};

void run_check(const CheckFlags& flags, int& exit_code) {
  Console console(flags.common.quiet);
  StudyCheckRequest request = flags.request;
  request.data = parse_data_files(flags.data);
  const StudyCheck check = run_study_check(request, console);
  if (flags.common.json) {
    fmt::print("{}\n", to_json(check));
  } else {
    print_check(check);
    std::fflush(stdout);
    for (const std::string& warning : check.warnings) console.warn(warning);
  }
  exit_code = check.summary && check.summary->patients == 0 ? kBadInput : kOk;
}

void add_check(CLI::App& study, int& exit_code) {
  auto flags = std::make_shared<CheckFlags>();
  auto* verb =
      study.add_subcommand("check", "Does a study fit its data: what is kept, what is left out and why");
  verb->add_option("study", flags->request.study, "study file (TOML)")->required();
  verb->add_option("--data", flags->data,
                   "FILE, or name=FILE for each table of the study; without it the study alone is checked")
      ->allow_extra_args(false);
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(examples(
      "  interpole study check studies/adni/adnimerge.toml --data ADNIMERGE.csv\n"
      "  interpole study check joined.toml --data visits=visits.csv --data patients=patients.parquet --json\n"
      "\nExit code 3 if no record is left. No patient is named in what is printed."));
  verb->callback([flags, &exit_code] { run_check(*flags, exit_code); });
}

}  // namespace

void add_study(CLI::App& program, int& exit_code) {
  auto* study = program.add_subcommand("study", "Work on study files");
  study->require_subcommand(1);
  add_check(*study, exit_code);
}

}  // namespace interpole::cli
