#include "verb.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "interpole/error.hpp"
#include "streams.hpp"

namespace interpole::cli {

void print_json(const nlohmann::ordered_json& document) {
  show("{}\n", document.dump(2));
}

void refuse_shared_output(const Common& common, const std::string& output) {
  if (!common.json || output != "-") return;
  throw usage_error("--json and --output - would share standard output; give a file");
}

std::string examples(const std::string& lines) {
  return "Examples:\n" + lines;
}

void add_data(CLI::App& verb, std::vector<std::string>& data) {
  verb.add_option(
          "--data", data,
          "visits table (CSV, JSON, Parquet, DuckDB), or what the study maps: FILE, or name=FILE for "
          "each table; "
          "FILE.duckdb#table for one of several tables; again, or with a pattern such as 'visits-*.csv', "
          "for the parts of one table")
      ->required()
      ->allow_extra_args(false);
}

void add_counts(CLI::App& verb, std::string& counts) {
  CLI::Option* data = verb.get_option("--data");
  CLI::Option* own = verb.add_option(
      "--counts", counts,
      "in place of --data: counts of alike records (CSV, Parquet), made in a warehouse by the query that "
      "interpole study sql prints");
  own->excludes(data);
  data->required(false);
  // One of them, as --data by itself would be asked for.
  verb.parse_complete_callback([data, own] {
    if (data->count() + own->count() == 0) throw CLI::RequiredError("--data or --counts");
  });
}

void add_optional_study(CLI::App& verb, std::string& study) {
  verb.add_option("--study", study, "study file (TOML); needed if the data are not a visits table");
}

void add_study_and_data(CLI::App& verb, std::string& study, std::vector<std::string>& data,
                        const char* help) {
  verb.add_option("--study", study, help)->required();
  add_data(verb, data);
}

void add_model_and_data(CLI::App& verb, std::string& model, std::vector<std::string>& data,
                        std::string& study, const char* help) {
  verb.add_option("--model", model, help)->required();
  add_data(verb, data);
  add_optional_study(verb, study);
}

void add_draws(CLI::App& verb, std::string& draws) {
  verb.add_option("--draws", draws,
                  "posterior draws from interpole sample; default: the approximation in the model file");
}

void add_ledger(CLI::App& verb, std::string& ledger) {
  verb.add_option(
      "--ledger", ledger,
      "file that remembers what was published of these data: what is published beside it is kept safe "
      "together with it, or refused");
}

void add_quiet(CLI::App& verb, Common& common) {
  verb.add_flag("--quiet", common.quiet, "say nothing on stderr but errors");
}

void add_json(CLI::App& verb, Common& common) {
  verb.add_flag("--json", common.json, "print one JSON document instead of a table");
}

void add_threads(CLI::App& verb, Common& common) {
  verb.add_option("--threads", common.threads, "threads; 0 means all cores. Never changes the result")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

void add_seed(CLI::App& verb, Common& common) {
  verb.add_option("--seed", common.seed, "seed of all random numbers; the same seed gives the same result")
      ->capture_default_str();
}

void add_common(CLI::App& verb, Common& common) {
  add_seed(verb, common);
  add_threads(verb, common);
  add_json(verb, common);
  add_quiet(verb, common);
}

void add_checkpoint(CLI::App& verb, std::string& file, double& seconds) {
  verb.add_option(
      "--checkpoint", file,
      "keep what is done so far in this file; after a kill, the same command goes on from it to the "
      "same result. Removed at the end");
  verb.add_option("--checkpoint-seconds", seconds, "how often it is written")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

double coupling_named(const std::string& text) {
  char* end = nullptr;
  const double sigma = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(sigma >= 0.0)) {
    throw usage_error(fmt::format(
        "--coupling: \"{}\" is not a number from 0 to inf; leave it out to let the data choose", text));
  }
  return sigma;
}

}  // namespace interpole::cli
