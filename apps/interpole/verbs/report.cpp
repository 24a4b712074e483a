#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/explorer/report_task.hpp"
#include "verb.hpp"
#include "verbs/explorer_flags.hpp"

namespace interpole::cli {

void add_report(CLI::App& program, int& exit_code) {
  struct Flags {
    service::ReportRequest request;
    ExplorerFlags explorer;
  };
  auto flags = std::make_shared<Flags>();
  auto* verb = program.add_subcommand("report",
                                      "The explorer with model and data in it: one self-contained HTML file");
  add_explorer_flags(*verb, flags->explorer);
  add_counts(*verb, flags->explorer.counts);
  verb->add_option("--output", flags->request.output, "HTML file to write");
  verb->add_option("--payload", flags->request.payload,
                   "write the explorer's data alone, for other programs (JSON, docs/explorer-data.md)");
  add_seed(*verb, flags->explorer.common);
  add_threads(*verb, flags->explorer.common);
  add_json(*verb, flags->explorer.common);
  add_quiet(*verb, flags->explorer.common);
  verb->footer(
      examples("  interpole report --model model.json --data bias.csv --output report.html\n"
               "  interpole report --model model.json --study adnimerge.toml --data ADNIMERGE.csv --cohort "
               "\"AGE > 75\" --output report.html\n"
               "\nThe report names no patient unless asked to, and loads nothing from anywhere."));
  verb->callback([flags, &exit_code] {
    Console console(flags->explorer.common.quiet);
    service::ReportRequest request = flags->request;
    static_cast<service::ExplorerRequest&>(request) = explorer_request(flags->explorer);
    refuse_shared_output(flags->explorer.common, request.output);
    refuse_shared_output(flags->explorer.common, request.payload);
    service::run_report(request, console);
    exit_code = kOk;
    if (flags->explorer.common.json) {
      return print_json({{"output", request.output}, {"payload", request.payload}});
    }
    if (!request.payload.empty()) console.note(fmt::format("data written to {}", request.payload));
    if (!request.output.empty()) console.note(fmt::format("report written to {}", request.output));
  });
}

}  // namespace interpole::cli
