#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/explain/beliefs_task.hpp"
#include "verb.hpp"

namespace interpole::cli {

void add_beliefs(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<RequestFlags<service::BeliefsRequest>>();
  auto* verb = program.add_subcommand(
      "beliefs", "What was believed, and how likely each action was, before each decision");
  add_model_and_data(*verb, flags->request.model, flags->data, flags->request.study);
  verb->add_option("--output", flags->request.output, "table to write (CSV); - is standard output")
      ->default_str("-");
  verb->add_option(
          "--at", flags->request.at,
          "beliefs at these times after a record's first visit, in the model's unit, also between visits")
      ->delimiter(',');
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole beliefs --model model.json --data bias.csv --output beliefs.csv\n"
               "  interpole beliefs --model clinic.json --data clinic.csv --at 0,7,14,28"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::BeliefsRequest request = flags->with_data();
    if (request.output.empty()) request.output = "-";
    refuse_shared_output(flags->common, request.output);
    const auto outcome = service::run_beliefs(request, console);
    if (flags->common.json) {
      nlohmann::ordered_json json = {{"patients", outcome.patients}, {"decisions", outcome.decisions}};
      if (!request.at.empty()) json["rows"] = outcome.rows;
      json["output"] = request.output;
      print_json(json);
    } else if (request.output != "-" && !request.at.empty()) {
      console.note(fmt::format("beliefs of {} patients at {} times written to {}", outcome.patients,
                               request.at.size(), request.output));
    } else if (request.output != "-") {
      console.note(fmt::format("beliefs before {} decisions of {} patients written to {}", outcome.decisions,
                               outcome.patients, request.output));
    }
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
