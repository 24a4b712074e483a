#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/explain/check_task.hpp"
#include "streams.hpp"
#include "table.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

using ModelCheckFlags = RequestFlags<service::CheckRequest>;

// Shares and changes in percent, correlations as they are.
std::string shown(const ModelCheck& check, double x) {
  const bool correlation = check.unit == ModelCheck::Unit::kCorrelation;
  std::string text = correlation ? fmt::format("{:.3f}", x) : fmt::format("{:.1f}", 100.0 * x);
  if (text == "-0.0" || text == "-0.000") text.erase(0, 1);
  return correlation ? text : text + "%";
}

void print_as_one(const ModelChecks& as_one) {
  const auto failed = as_one.failed();
  show("With agent and world as one, {} of {} checks fail{}\n", failed.size(), as_one.checks.size(),
       failed.empty() ? "." : ":");
  for (const ModelCheck* check : failed) show("  {}\n", check->sentence);
}

void print_held_out(const evaluate::HeldOutRivals& held_out) {
  if (!held_out.not_compared.empty()) {
    fmt::print("Not compared on held-out records: {}\n", held_out.not_compared);
    return;
  }
  fmt::print("{}\n", held_out.failed()
                         ? "The records hold something that decisions follow and the model has no place for:"
                         : "Held out:");
  for (const evaluate::Rival& rival : held_out.rivals) fmt::print("  {}\n", rival.sentence);
}

void print_checks(const service::CheckOutcome& outcome) {
  const auto failed = outcome.found.failed();
  show("{} of {} checks failed{}\n", failed.size(), outcome.found.checks.size(),
       failed.empty() ? ": the model reproduces what was looked at."
                      : "; what the model says of beliefs is not to be believed as it is:");
  for (const ModelCheck* check : failed) show("  {}\n", check->sentence);
  std::vector<std::vector<std::string>> table = {
      {"check", "differs most", "observed", "expected", "interval", "p", ""}};
  for (const ModelCheck& check : outcome.found.checks) {
    table.push_back({check.name, check.most.words, shown(check, check.most.observed),
                     shown(check, check.most.expected),
                     fmt::format("[{}, {}]", shown(check, check.most.low), shown(check, check.most.high)),
                     fmt::format("{:.2g}", check.p_value), check.failed ? "failed" : ""});
  }
  show("\n");
  print_table(table);
  show(
      "p: of all numbers of a check together, if the model is right. A check fails where p is small for one "
      "of "
      "{}.\n",
      outcome.found.checks.size());
  if (outcome.as_one) print_as_one(*outcome.as_one);
  if (outcome.held_out) print_held_out(*outcome.held_out);
}

}  // namespace

void add_check(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<ModelCheckFlags>();
  auto* verb = program.add_subcommand("check", "Whether a model reproduces what it was not fitted to");
  add_model_and_data(*verb, flags->request.model, flags->data, flags->request.study);
  add_counts(*verb, flags->counts);
  verb->add_option("--false-alarms", flags->request.options.false_alarms,
                   "nominal chance that any check fails although the model is right")
      ->capture_default_str();
  verb->add_option("--level", flags->request.options.level, "of the intervals")->capture_default_str();
  verb->add_option(
          "--folds", flags->request.folds,
          "folds of records held out, to compare with learners that know nothing of beliefs; 0: not compared")
      ->capture_default_str();
  add_seed(*verb, flags->common);
  add_threads(*verb, flags->common);
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole check --model model.json --data bias.csv\n"
               "  interpole check --model model.json --data visits.csv --study study.toml --json"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::CheckRequest request = flags->with_data();
    request.options.threads = flags->common.threads;
    request.seed = flags->common.seed;
    const service::CheckOutcome outcome = service::run_check(request, console);
    print_as_asked(flags->common, outcome, [&] { print_checks(outcome); });
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
