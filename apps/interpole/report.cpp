#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/report_task.hpp"
#include "verb.hpp"

namespace interpole::cli {

void add_report(CLI::App& program, int& exit_code) {
  struct Flags {
    ReportRequest request;
    std::vector<std::string> data;
    Common common;
  };
  auto flags = std::make_shared<Flags>();
  auto* verb =
      program.add_subcommand("report", "One self-contained HTML file: decision map and belief paths");
  verb->add_option("--model", flags->request.model, "model file (JSON)")->required();
  add_data(*verb, flags->data);
  add_optional_study(*verb, flags->request.study);
  verb->add_option("--output", flags->request.output, "HTML file to write")->required();
  verb->add_option("--title", flags->request.title, "title of the report (default: the data file's name)");
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole report --model model.json --data bias.csv --output report.html\n"
               "\nThe report holds no patient identifiers and loads nothing from anywhere."));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    ReportRequest request = flags->request;
    request.data = parse_data_files(flags->data);
    run_report(request, console);
    console.note(fmt::format("report written to {}", flags->request.output));
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
