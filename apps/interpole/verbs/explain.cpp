#include <fmt/format.h>

#include "console.hpp"
#include "interpole/error.hpp"
#include "option_words.hpp"
#include "streams.hpp"
#include "verb.hpp"
#include "verbs/explain_print.hpp"

namespace interpole::cli {
namespace {

struct ExplainFlags : RequestFlags<service::ExplainRequest> {
  std::string csv;
  std::string visit;
};

void write_table(const ExplainFlags& flags, const service::ExplainRequest& request, Console& console) {
  const auto written = service::run_explain_table(request, flags.csv, console);
  if (flags.csv == "-") return;
  console.note(fmt::format("{} decisions of {} patients explained in {}", written.decisions, written.patients,
                           flags.csv));
}

void explain_patient(const ExplainFlags& flags, const service::ExplainRequest& request, Console& console) {
  service::ExplainOutcome outcome = service::run_explain(request, console);
  outcome.source = with_flags(outcome.source);
  if (flags.common.json) {
    show("{}\n", service::to_json(outcome));
    return;
  }
  const VisitExplanation* visit = flags.visit.empty() ? nullptr : &service::visit_named(outcome, flags.visit);
  print_explanation(outcome);
  if (visit != nullptr) print_counterfactuals(outcome, *visit);
}

}  // namespace

void add_explain(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<ExplainFlags>();
  auto* verb =
      program.add_subcommand("explain", "Explain the decisions about one patient, visit by visit, or of all");
  add_model_and_data(*verb, flags->request.model, flags->data, flags->request.study);
  verb->add_option("--patient", flags->request.patient,
                   "the patient's id; without it, all, as a table (--csv)");
  verb->add_option("--visit", flags->visit, "show what could have come of this visit");
  verb->add_option("--csv", flags->csv, "write a table, one row for each decision; - is standard output");
  add_draws(*verb, flags->request.draws);
  add_seed(*verb, flags->common);
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole explain --model model.json --data bias.csv --patient p000017\n"
               "  interpole explain --model model.json --study adnimerge.toml --data ADNIMERGE.csv --patient "
               "21 --visit m06\n"
               "  interpole explain --model model.json --data bias.csv --csv explained.csv"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::ExplainRequest request = flags->with_data();
    request.seed = flags->common.seed;
    if (request.patient.empty() && flags->csv.empty()) {
      throw usage_error("explain: say who, by --patient ID, or where the table of all goes, by --csv FILE");
    }
    if (!flags->csv.empty()) write_table(*flags, request, console);
    if (!request.patient.empty() && flags->csv != "-") explain_patient(*flags, request, console);
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
