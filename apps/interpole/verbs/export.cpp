#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/plan/export_task.hpp"
#include "verb.hpp"

namespace interpole::cli {

void add_export(CLI::App& program, int& exit_code) {
  struct Flags {
    service::ExportRequest request;
    Common common;
  };
  auto flags = std::make_shared<Flags>();
  auto* verb = program.add_subcommand("export", "A model's dynamics as a file that other programs read");
  verb->add_option("--model", flags->request.model, "model file (JSON)")->required();
  verb->add_option("--format", flags->request.format, "pomdp: Cassandra's format, read by most POMDP solvers")
      ->capture_default_str();
  verb->add_option("--output", flags->request.output, "file to write; - is standard output")->required();
  verb->add_option("--rewards", flags->request.rewards,
                   "JSON: a list of rewards by state for each action, or a learner file of po-irl or "
                   "off-po-irl; default: zero");
  verb->add_option("--dynamics", flags->request.dynamics, "whose: agent or world")->capture_default_str();
  verb->add_option("--discount", flags->request.discount, "of rewards to come")->capture_default_str();
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole export --model model.json --format pomdp --output model.pomdp\n"
               "  interpole export --model model.json --rewards rewards.json --discount 0.95 --output -"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    refuse_shared_output(flags->common, flags->request.output);
    service::run_export(flags->request, console);
    if (flags->common.json) {
      print_json({{"format", flags->request.format}, {"output", flags->request.output}});
    } else if (flags->request.output != "-")
      console.note(fmt::format("written to {}", flags->request.output));
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
