#include "verb.hpp"

namespace interpole::cli {

std::string examples(const std::string& lines) {
  return "Examples:\n" + lines;
}

void add_data(CLI::App& verb, std::vector<std::string>& data) {
  verb.add_option(
          "--data", data,
          "visits table (CSV, CSV.gz, Parquet), or what the study maps: FILE, or name=FILE for each table")
      ->required()
      ->allow_extra_args(false);
}

void add_optional_study(CLI::App& verb, std::string& study) {
  verb.add_option("--study", study, "study file (TOML); needed if the data are not a visits table");
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

}  // namespace interpole::cli
