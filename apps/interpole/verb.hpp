// A verb adds its subcommand to the program. The callback it sets does the work and stores the exit code.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/service/publication/disclosure_preset.hpp"

namespace interpole::cli {

enum ExitCode : int {
  kOk = 0,
  kRuntimeFailure = 1,
  kUsage = 2,
  kBadInput = 3,
  kNotConverged = 4,
  kInterrupted = 130,
};

// Flags that mean the same for every verb.
struct Common {
  bool quiet = false;
  bool json = false;
  int threads = 0;
  std::uint64_t seed = 1;
};

// What a verb that reads data is told: the request of its task, the words of --data, and the flags above.
template <class Request>
struct RequestFlags {
  Request request;
  std::vector<std::string> data;
  std::string counts;
  Common common;

  Request with_data() const {
    Request whole = request;
    whole.data = data_files();
    return whole;
  }
  DataFiles data_files() const { return counts.empty() ? parse_data_files(data) : counts_file(counts); }
};

// What a task came to: one JSON document with --json, or else as `print` prints it.
template <class Outcome, class Print>
void print_as_asked(const Common& common, const Outcome& outcome, const Print& print) {
  if (common.json) {
    fmt::print("{}\n", to_json(outcome));  // the service's own
  } else {
    print();
  }
}

// --min-cell, and --disclosure in place of it.
template <class Count>
void add_min_cell(CLI::App& verb, Count& min_cell, const char* help) {
  CLI::Option* own = verb.add_option("--min-cell", min_cell, help)->capture_default_str();
  verb.add_option_function<std::string>(
          "--disclosure",
          [&min_cell](const std::string& rule) {
            min_cell = static_cast<Count>(service::min_cell_of_preset(rule));
          },
          "--min-cell by whose rule it is: cms (11), nhs (8), ohdsi (5) or datashield (3)")
      ->excludes(own);
}

// What --min-cell means to verbs that learn.
inline constexpr char kFewestOfACategory[] =
    "learn nothing of categories of a covariate with fewer records, which a file would name; 0: of all";

// --ledger, for verbs whose tables are published.
void add_ledger(CLI::App& verb, std::string& ledger);

// One JSON document on standard output, for verbs whose result is a file.
void print_json(const nlohmann::ordered_json& document);
// Usage error if that and the file would both go to standard output.
void refuse_shared_output(const Common& common, const std::string& output);

// The verb's examples, shown at the end of its --help.
std::string examples(const std::string& lines);

void add_simulate(CLI::App& program, int& exit_code);
void add_fit(CLI::App& program, int& exit_code);
void add_evaluate(CLI::App& program, int& exit_code);
void add_compare(CLI::App& program, int& exit_code);
void add_reproduce(CLI::App& program, int& exit_code);
void add_beliefs(CLI::App& program, int& exit_code);
void add_bias(CLI::App& program, int& exit_code);
void add_check(CLI::App& program, int& exit_code);
void add_explain(CLI::App& program, int& exit_code);
void add_audit(CLI::App& program, int& exit_code);
void add_sample(CLI::App& program, int& exit_code);
void add_groups(CLI::App& program, int& exit_code);
void add_plan(CLI::App& program, int& exit_code);
void add_export(CLI::App& program, int& exit_code);
void add_plot(CLI::App& program, int& exit_code);
void add_report(CLI::App& program, int& exit_code);
void add_serve(CLI::App& program, int& exit_code);
void add_study(CLI::App& program, int& exit_code);
void add_start(CLI::App& program, int& exit_code);
void add_write_up(CLI::App& program, int& exit_code);
// help, completion and manual, which know all the others: added last.
void add_handbook(CLI::App& program, int& exit_code);

// --data, once for a visits table, or once for each table of a study that maps tables of its own.
void add_data(CLI::App& verb, std::vector<std::string>& data);
// --counts, which may take the place of --data (added before).
void add_counts(CLI::App& verb, std::string& counts);
// --study, for verbs that need it only where the data are not a visits table.
void add_optional_study(CLI::App& verb, std::string& study);

// What verbs that learn begin with: --study and --data.
void add_study_and_data(CLI::App& verb, std::string& study, std::vector<std::string>& data,
                        const char* help = "study file (TOML)");
// What verbs that look at a model begin with: --model, --data and --study where it is needed.
void add_model_and_data(CLI::App& verb, std::string& model, std::vector<std::string>& data,
                        std::string& study, const char* help = "model file (JSON)");
// --draws, which take the place of the approximation in the model file.
void add_draws(CLI::App& verb, std::string& draws);

// --quiet, and where a verb has them --json, --threads, --seed.
void add_quiet(CLI::App& verb, Common& common);
void add_json(CLI::App& verb, Common& common);
void add_threads(CLI::App& verb, Common& common);
void add_seed(CLI::App& verb, Common& common);
void add_common(CLI::App& verb, Common& common);  // all four

// --checkpoint and --checkpoint-seconds, for what takes long enough to be killed.
void add_checkpoint(CLI::App& verb, std::string& file, double& seconds);

// The value of --coupling. Usage error.
double coupling_named(const std::string& text);

}  // namespace interpole::cli
