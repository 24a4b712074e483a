#include <fmt/format.h>

#include <algorithm>

#include "console.hpp"
#include "interpole/service/evaluate/reproduce_table.hpp"
#include "interpole/service/evaluate/reproduce_task.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

using ReproduceFlags = RequestFlags<service::ReproduceRequest>;

// Where the time went, longest first.
std::string shown_seconds(const service::ReproduceOutcome& outcome) {
  std::vector<std::pair<double, std::string>> parts;
  double all = 0.0;
  for (const service::ReproducedRow& row : outcome.rows) {
    parts.emplace_back(row.seconds, row.row.name);
    all += row.seconds;
  }
  std::sort(parts.rbegin(), parts.rend());
  std::string text = fmt::format("fits took {:.0f} s of processor time", all);
  for (std::size_t i = 0; i < std::min<std::size_t>(3, parts.size()); ++i) {
    text += fmt::format("{}{} {:.0f}", i == 0 ? ": " : ", ", parts[i].second, parts[i].first);
  }
  return text;
}

void run(const ReproduceFlags& flags, int& exit_code) {
  Console console(flags.common.quiet);
  keep_results_when_stopped();
  service::ReproduceRequest request = flags.with_data();
  request.seed = flags.common.seed;
  request.threads = flags.common.threads;
  const service::ReproduceOutcome outcome = service::run_reproduce(request, console);
  show("{}", flags.common.json ? service::to_json(outcome) + "\n" : service::reproduced_text(outcome));
  console.note(shown_seconds(outcome));
  if (!outcome.files.empty()) {
    console.note(fmt::format("{} files in {}", outcome.files.size(), request.output));
  }
  if (outcome.interrupted) {
    console.warn(request.output.empty()
                     ? "interrupted; with --output the finished fits would have been kept"
                     : "interrupted; the same command goes on from the fits that are finished");
  }
  exit_code = outcome.interrupted ? kInterrupted : kOk;
}

}  // namespace

void add_reproduce(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<ReproduceFlags>();
  service::ReproduceRequest& request = flags->request;
  auto* verb = program.add_subcommand("reproduce", "The paper's tables, beside what we find");
  verb->add_option("table", request.table, "diag (Table 3), bias (Table 4) or adni (Table 2)")->required();
  verb->add_option("--datasets", request.datasets, "how many data sets")->default_str("10; adni: 5");
  verb->add_option("--patients", request.patients, "patients of a simulated data set")
      ->default_str("100; bias: 1000; adni: 1737, of whom the study keeps about 1626");
  verb->add_option("--learner,--learners", request.learners,
                   "only this one; once for each, or a,b,c; default: all but r-bc-paper")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option(
      "--output", request.output,
      "folder for table.txt, .json, .csv, .tex, runs.csv and figure5.svg; also keeps finished fits, "
      "from which the same command goes on");
  verb->add_option("--data", flags->data, "of adni: your table, as ADNI or TADPOLE distribute it")
      ->allow_extra_args(false);
  verb->add_option("--study", request.study, "of adni: the study file for it (studies/adni)");
  verb->add_option("--folds", request.folds, "of adni: parts into which patients are dealt")
      ->default_str("5");
  add_common(*verb, flags->common);
  verb->footer(
      examples("  interpole reproduce diag --output diag\n"
               "  interpole reproduce bias --datasets 2 --learner interpole,po-mb-il\n"
               "  interpole reproduce adni --study studies/adni/adnimerge.toml --data ADNIMERGE.csv "
               "--output adni") +
      "\nData set i is simulated with seed + i − 1. Rows are the learners of interpole compare, and "
      "po-irl-paper,\n"
      "off-po-irl-paper (the paper's chains) and r-bc-paper (the paper's rule to stop; slow).\n"
      "Ctrl-C stops and keeps what is finished.\nUnder mpirun or srun several processes share the work, with "
      "the same result: mpirun -n 4 interpole reproduce …");
  verb->callback([flags, &exit_code] { run(*flags, exit_code); });
}

}  // namespace interpole::cli
