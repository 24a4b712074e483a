#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "browser.hpp"
#include "console.hpp"
#include "interpole/service/serve/serve_task.hpp"
#include "streams.hpp"
#include "verb.hpp"
#include "verbs/explorer_flags.hpp"

namespace interpole::cli {
namespace {

struct ServeFlags {
  service::ServeRequest request;
  ExplorerFlags explorer;
  bool no_browser = false;
};

void run(const ServeFlags& flags) {
  Console console(flags.explorer.common.quiet);
  std::optional<BrowserStart> browser;  // its file must be there until the browser has read it
  service::ServeRequest request = flags.request;
  request.explorer = explorer_request(flags.explorer);
  request.ready = [&](const std::string& address) {
    if (flags.explorer.common.json) {
      print_json({{"address", address}});
    } else {
      show("{}\n", address);
    }
    flush_output();
    console.note("The address holds a key: whoever knows it can see the data. Ctrl-C ends the session.");
    if (!flags.no_browser && there_is_a_display()) browser.emplace(address);
  };
  service::run_serve(request, console);
}

}  // namespace

void add_serve(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<ServeFlags>();
  auto* verb = program.add_subcommand("serve", "The explorer in the browser, live, on this machine alone");
  add_explorer_flags(*verb, flags->explorer);
  verb->get_option("--model")->required(false);
  verb->get_option("--data")->required(false);
  verb->add_option("--table", flags->request.table,
                   "build a study from this table in the browser, fit it and look at it; without --model and "
                   "--table the page asks for a table");
  verb->add_option("--port", flags->request.port, "port on 127.0.0.1; 0: one that is free")
      ->capture_default_str();
  verb->add_flag("--no-browser", flags->no_browser, "only print the address");
  add_seed(*verb, flags->explorer.common);
  add_threads(*verb, flags->explorer.common);
  add_json(*verb, flags->explorer.common);
  add_quiet(*verb, flags->explorer.common);
  verb->footer(examples(
      "  interpole serve --model model.json --data bias.csv\n"
      "  interpole serve --table visits.csv\n"
      "  interpole serve --model model.json --study studies/bias.toml --data bias.csv "
      "--no-browser\n"
      "\nWith --study, the page can fit again. With --table, it builds the study first, column by column. "
      "Nothing on disk is changed by either: study and report are saved from the page."));
  verb->callback([flags, &exit_code] {
    run(*flags);
    exit_code = kOk;  // Ctrl-C is how a session ends
  });
}

}  // namespace interpole::cli
