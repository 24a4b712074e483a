// interpole: explains decisions made under uncertainty. This file lists the verbs and turns errors into exit
// codes.

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include "console.hpp"
#include "handbook/suggestions.hpp"
#include "interpole/base/abandoned.hpp"
#include "interpole/error.hpp"
#include "interpole/version.hpp"
#include "joined_ranks.hpp"
#include "next_command.hpp"
#include "option_numbers.hpp"
#include "option_words.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace {

using interpole::ErrorKind;

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return interpole::cli::kUsage;
    case ErrorKind::kInput:
      return interpole::cli::kBadInput;
    case ErrorKind::kInterrupted:
      return interpole::cli::kInterrupted;
    default:
      return interpole::cli::kRuntimeFailure;
  }
}

using End = interpole::cli::JoinedRanks::End;

End complaint(const std::string& message, int exit_code) {
  return {exit_code, message};
}

void complain(const std::string& message) {
  interpole::cli::print_error(interpole::cli::use_colour() ? "\033[31merror:\033[0m " : "error: ", message);
}

End print_help(CLI::App& program, const CLI::ParseError& asked) {
  const int exit_code = program.exit(asked);
  try {
    interpole::cli::flush_output();
  } catch (const interpole::Error& error) {
    return complaint(error.what(), exit_code_of(error.kind()));
  }
  return {exit_code, ""};
}

End run(interpole::cli::JoinedRanks& ranks, int argc, char** argv) {
  namespace cli = interpole::cli;
  CLI::App program(
      "Explains decisions made under uncertainty: what was believed before each decision, and where the "
      "decision boundaries lie.",
      "interpole");
  program.set_version_flag("--version", std::string("interpole ") + interpole::version());
  program.require_subcommand(0, 1);
  program.footer(
      "Exit codes: 0 ok, 1 runtime failure, 2 usage, 3 bad data, study or model file, 4 did not converge "
      "(--strict), 130 interrupted.\n`interpole VERB --help` has examples.");
  int exit_code = cli::kOk;
  cli::add_start(program, exit_code);
  cli::add_simulate(program, exit_code);
  cli::add_fit(program, exit_code);
  cli::add_evaluate(program, exit_code);
  cli::add_compare(program, exit_code);
  cli::add_reproduce(program, exit_code);
  cli::add_beliefs(program, exit_code);
  cli::add_explain(program, exit_code);
  cli::add_audit(program, exit_code);
  cli::add_bias(program, exit_code);
  cli::add_check(program, exit_code);
  cli::add_sample(program, exit_code);
  cli::add_groups(program, exit_code);
  cli::add_plan(program, exit_code);
  cli::add_export(program, exit_code);
  cli::add_plot(program, exit_code);
  cli::add_report(program, exit_code);
  cli::add_serve(program, exit_code);
  cli::add_write_up(program, exit_code);
  cli::add_study(program, exit_code);
  cli::add_handbook(program, exit_code);
  cli::know_flags(program);
  cli::check_numbers(program);
  try {
    ranks.require_alike(argc, argv);
    program.parse(argc, argv);
    cli::flush_output();
    if (exit_code == cli::kOk) cli::say_next_command(program);
    if (program.get_subcommands().empty()) {
      return complaint(
          "say what to do: interpole start, simulate, fit, evaluate, compare, reproduce, beliefs, explain, "
          "audit, bias, check, sample, groups, plan, export, plot, report, serve, write-up or study (see "
          "interpole --help)",
          cli::kUsage);
    }
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return print_help(program, error);
    return complaint(
        fmt::format("{}{} (see interpole {}--help)", error.what(),
                    cli::suggestion_for(program, {argv + 1, argv + argc}),
                    program.get_subcommands().empty() ? "" : program.get_subcommands()[0]->get_name() + " "),
        cli::kUsage);
  } catch (const interpole::Error& error) {
    return complaint(cli::with_flags(error.what()), exit_code_of(error.kind()));
  } catch (const std::bad_alloc&) {
    return complaint("out of memory; use fewer patients or a machine with more memory", cli::kRuntimeFailure);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return complaint(cli::output_failed(error.what()), cli::kRuntimeFailure);
    return complaint(error.what(), cli::kRuntimeFailure);
  }
  return {exit_code, ""};
}

int run_and_part(int argc, char** argv) {
  try {
    interpole::cli::JoinedRanks ranks(argc, argv);
    const End own = run(ranks, argc, argv);
    const End end = ranks.part(own.exit_code, own.message);
    if (!end.message.empty()) complain(end.message);
    return end.exit_code;
  } catch (const interpole::Error& error) {
    complain(error.what());
    return exit_code_of(error.kind());
  }
}

// Says what is left to say without asking for memory.
int last_words() {
  std::fputs("error: out of memory before the work began; use a machine with more memory\n", stderr);
  return interpole::cli::kRuntimeFailure;
}

// Where nobody can catch it (a destructor, the end of the program), memory that ran out ends the program in
// words.
void end_without_memory() {
  try {
    if (const auto current = std::current_exception()) std::rethrow_exception(current);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory; use fewer patients or a machine with more memory\n", stderr);
    std::_Exit(interpole::cli::kRuntimeFailure);
  } catch (...) {
    std::abort();
  }
  std::abort();
}

int run_guarded(int argc, char** argv) {
  std::set_terminate(end_without_memory);
  try {
    interpole::cli::keep_streams_apart();
    interpole::cli::listen_for_interrupts();
    return run_and_part(argc, argv);
  } catch (const std::bad_alloc&) {
    return last_words();
  } catch (const std::system_error&) {  // no thread could be started
    return last_words();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int exit_code = run_guarded(argc, argv);
  if (interpole::base::has_abandoned_threads()) std::_Exit(exit_code);
  return exit_code;
}
