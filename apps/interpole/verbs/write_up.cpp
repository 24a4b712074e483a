#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/write_up/write_up_task.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace interpole::cli {

void add_write_up(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<RequestFlags<service::WriteUpRequest>>();
  auto* verb =
      program.add_subcommand("write-up", "Methods, results and attrition of a fit, as text to begin with");
  add_model_and_data(*verb, flags->request.model, flags->data, flags->request.study);
  verb->add_option("--output", flags->request.output, "text to write (Markdown)")->required();
  add_min_cell(*verb, flags->request.min_cell, "withhold counts from 1 to below this; 0: none");
  add_common(*verb, flags->common);
  verb->footer(examples(
      "  interpole write-up --model model.json --study study.toml --data visits.csv --output write-up.md\n"
      "\nEvery number is from the model file or computed from the data. AUTHOR marks what remains yours, in "
      "the text and in the item tables of RECORD and TRIPOD+AI."));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::WriteUpRequest request = flags->with_data();
    request.seed = flags->common.seed;
    request.threads = flags->common.threads;
    refuse_shared_output(flags->common, request.output);
    const service::WriteUpOutcome outcome = service::run_write_up(request, console);
    if (flags->common.json) {
      show("{}\n", service::to_json(outcome, request));
    } else if (request.output != "-") {
      console.note(
          fmt::format("text written to {}; {} places marked AUTHOR are yours", request.output, outcome.open));
    }
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
