#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/fit/groups_task.hpp"
#include "streams.hpp"
#include "table.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

struct GroupsFlags : RequestFlags<service::GroupsRequest> {
  std::string dynamics = "coupled";
  std::string policy = "auto";
};

// What may differ, beside the evidence for it.
void print_evidence(const service::GroupsOutcome& outcome) {
  const auto& hypotheses = outcome.fit.hypotheses;
  const std::vector<double> chances = outcome.fit.chances();
  std::vector<std::vector<std::string>> table = {
      {"what differs", "log evidence over nothing", "probability (%)"}};
  for (std::size_t h = 0; h < hypotheses.size(); ++h) {
    table.push_back({service::name_of(hypotheses[h].what),
                     fmt::format("{:.1f}", hypotheses[h].log_evidence - hypotheses.front().log_evidence),
                     fmt::format("{:.1f}", 100.0 * chances[h])});
  }
  show("\n");
  print_table(table);
}

void print_outcome(const service::GroupsOutcome& outcome, double level) {
  for (const std::string& sentence : outcome.sentences) show("{}\n", sentence);
  print_evidence(outcome);
  for (const service::BoundaryByGroup& boundary : outcome.boundaries) {
    const explain::SideBoundary& b = boundary.boundary;
    const auto& structure = outcome.structure;
    show("\n{} gives way to {}, all but {} and {} ruled out\n", structure.actions[b.before],
         structure.actions[b.after], structure.states[b.from], structure.states[b.to]);
    std::vector<std::vector<std::string>> table = {
        {"group", "patients", fmt::format("at belief in {} (%)", structure.states[b.to])}};
    for (std::size_t g = 0; g < outcome.groups.size(); ++g) {
      table.push_back({outcome.groups[g],
                       outcome.sizes[g].patients ? std::to_string(*outcome.sizes[g].patients) : "withheld",
                       percent_interval(boundary.positions[g])});
    }
    table.push_back(
        {fmt::format("{} less {}", outcome.groups[boundary.highest], outcome.groups[boundary.lowest]), "",
         percent_interval(boundary.difference)});
    print_table(table);
  }
  show("\nIntervals hold {:g}%. Groups borrow from each other as far as the records say they are alike.\n",
       100.0 * level);
}

}  // namespace

void add_groups(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<GroupsFlags>();
  auto* verb = program.add_subcommand("groups",
                                      "Do sites or clinicians differ: in patients, in beliefs or in policy?");
  add_study_and_data(*verb, flags->request.study, flags->data, "study file that names a [group]");
  verb->add_option("--dynamics", flags->dynamics,
                   "coupled, shared or subjective: of what groups have in common")
      ->capture_default_str();
  verb->add_option("--restarts", flags->request.options.fit.restarts, "of the fit to all groups together")
      ->check(CLI::PositiveNumber);
  verb->add_option(
          "--policy", flags->policy,
          "what decisions may follow beside beliefs, in all groups alike: auto (habit, time, lapses, as "
          "the evidence asks), belief or full")
      ->capture_default_str();
  add_min_cell(*verb, flags->request.min_cell, "groups with fewer patients are put together");
  add_ledger(*verb, flags->request.ledger);
  verb->get_option("--min-cell")->check(CLI::PositiveNumber);
  verb->add_option("--level", flags->request.level, "of the intervals")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 0.999));
  add_common(*verb, flags->common);
  verb->footer(examples(
      "  interpole simulate diag --patients 300 --seed 1 --boundary 0.7 --output north.csv\n"
      "  interpole simulate diag --patients 300 --seed 2 --boundary 0.9 --output south.csv\n"
      "  interpole groups --study studies/two-sites.toml --data north=north.csv --data south=south.csv"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::GroupsRequest request = flags->with_data();
    request.options.fit.dynamics = dynamics_mode_named(flags->dynamics);
    request.options.fit.policy = policy_use_named(flags->policy);
    request.options.fit.seed = flags->common.seed;
    request.options.fit.threads = flags->common.threads;
    const service::GroupsOutcome outcome = service::run_groups(request, console);
    print_as_asked(flags->common, outcome, [&] { print_outcome(outcome, request.level); });
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
