#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/explain/plot_task.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

using PlotFlags = RequestFlags<service::PlotRequest>;

void add_flags(CLI::App& verb, PlotFlags& flags) {
  service::PlotRequest& request = flags.request;
  verb.add_option(
          "kind", request.kind,
          "policy: which action at which belief; trajectory: patients on the decision map; figure4: "
          "four telling patients; beliefs: belief over time; tree: a decision tree with learned "
          "thresholds; bias: agent and world side by side; shares: what makes decisions foreseeable "
          "(fits every combination of parts to half of the records); densities: what is measured in each "
          "state")
      ->required();
  verb.add_option("--model", request.model, "model file (JSON)")->required();
  verb.add_option("--data", flags.data,
                  "visits table, or what the study maps: FILE, or name=FILE for each table; not needed for "
                  "tree, bias and densities")
      ->allow_extra_args(false);
  add_optional_study(verb, request.study);
  add_draws(verb, request.draws);
  verb.add_option("--output", request.output, "file to write: .svg or .pdf; - is SVG to standard output")
      ->required();
  verb.add_option("--patient", request.patients,
                  "patient to show, once for each; default: four found by rule (docs/figures.md)")
      ->allow_extra_args(false);
  verb.add_flag("--show-ids", request.show_ids, "write identifiers into the figure instead of \"Patient A\"");
  verb.add_option("--test", request.tests, "action that is a test, for figure4; default: by what it measures")
      ->allow_extra_args(false);
  verb.add_option("--level", request.level, "of bands and intervals")->capture_default_str();
  verb.add_option("--draw-count", request.draw_count, "use at most so many draws")->capture_default_str();
  add_min_cell(verb, request.min_cell, "withhold counts below this");
  verb.add_option("--margin", request.margin, "a difference in probability that matters, for bias")
      ->capture_default_str();
}

}  // namespace

void add_plot(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<PlotFlags>();
  auto* verb = program.add_subcommand("plot", "One figure, as SVG or PDF");
  add_flags(*verb, *flags);
  add_seed(*verb, flags->common);
  add_threads(*verb, flags->common);
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(examples(
      "  interpole plot policy --model model.json --data bias.csv --output policy.svg\n"
      "  interpole plot trajectory --model model.json --data bias.csv --patient 17 --output path.pdf\n"
      "  interpole plot tree --model tree.json --output tree.svg\n"
      "  interpole plot shares --model model.json --data bias.csv --output shares.svg"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::PlotRequest request = flags->request;
    if (!flags->data.empty()) request.data = parse_data_files(flags->data);
    request.seed = flags->common.seed;
    request.threads = flags->common.threads;
    refuse_shared_output(flags->common, request.output);
    service::run_plot(request, console);
    if (flags->common.json) {
      print_json({{"kind", request.kind}, {"output", request.output}});
    } else if (request.output != "-")
      console.note(fmt::format("figure written to {}", request.output));
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
