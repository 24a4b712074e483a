#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "console.hpp"
#include "interpole/service/explain/bias_task.hpp"
#include "option_words.hpp"
#include "streams.hpp"
#include "table.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

using BiasFlags = RequestFlags<service::BiasRequest>;

// One character for every two per cent; what takes away is drawn lighter.
std::string share_bar(double share) {
  std::string bar;
  for (long i = std::lround(50.0 * std::abs(share)); i > 0; --i) bar += share < 0.0 ? "░" : "█";
  return bar;
}

void print_shares(const learn::Shares& shares) {
  show("\n");
  const auto rows = explain::share_rows(shares);
  std::size_t width = 0;
  for (const explain::ShareRow& row : rows) width = std::max(width, row.words.size());
  if (!rows.empty()) show("What makes decisions foreseeable\n\n");
  for (const explain::ShareRow& row : rows) {
    const std::string share = explain::share_text(row.share);
    show("{:<{}}  {}{}  {}\n", row.words, width,
         std::string(5 - std::min<std::size_t>(5, width_of(share)), ' '), share, share_bar(row.share));
  }
  if (!rows.empty()) show("\n");
  for (const std::string& sentence : explain::share_sentences(shares)) show("{}\n", sentence);
}

void print_bias(const service::BiasOutcome& outcome, const BiasOptions& options) {
  for (const std::string& sentence : outcome.found.sentences) show("{}\n", sentence);
  std::vector<std::vector<std::string>> table = {{"chance of (%)", "agent", "world", "difference",
                                                  fmt::format("P(> {:g})", 100.0 * options.margin), ""}};
  // What is measured has units of its own; the margin is then a share of how far values are spread.
  std::vector<std::vector<std::string>> measured = {
      {"measured", "agent", "world", "difference", fmt::format("P(> {:g} spreads)", options.margin), ""}};
  for (const BiasFinding& finding : outcome.found.audit.findings) {
    if (finding.measured) {
      measured.push_back({finding.name, number_interval(finding.agent), number_interval(finding.world),
                          number_interval(finding.difference), fmt::format("{:.3f}", finding.exceeds),
                          finding.flagged ? "*" : ""});
      continue;
    }
    table.push_back({finding.name, percent_interval(finding.agent), percent_interval(finding.world),
                     percent_interval(finding.difference), fmt::format("{:.3f}", finding.exceeds),
                     finding.flagged ? "*" : ""});
  }
  show("\n");
  print_table(table);
  if (measured.size() > 1) {
    show("\n");
    print_table(measured);
  }
  show(
      "* stands out: the interval of the difference leaves zero out, and of all that stand out at most "
      "{:.0f}% "
      "are expected to differ by less than {:g} points\n",
      100.0 * options.false_discoveries, 100.0 * options.margin);
  if (outcome.found.audit.cost) {
    show("\n");
    table = {{"action taken in (%)", "as it is", "with the world's dynamics"}};
    for (std::size_t a = 0; a < outcome.found.audit.cost->actions.size(); ++a) {
      const auto& action = outcome.found.audit.cost->actions[a];
      table.push_back(
          {outcome.structure.actions[a], percent_interval(action.now), percent_interval(action.then)});
    }
    print_table(table);
  }
  if (outcome.shares) print_shares(*outcome.shares);
  show("\nIntervals hold {:g}%; they come from {}.\n", 100.0 * options.level, outcome.source);
}

}  // namespace

void add_bias(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<BiasFlags>();
  auto* verb =
      program.add_subcommand("bias", "Where the decision-maker's picture of the world differs from it");
  add_model_and_data(*verb, flags->request.model, flags->data, flags->request.study,
                     "model file fitted with coupled dynamics");
  add_counts(*verb, flags->counts);
  add_draws(*verb, flags->request.draws);
  verb->add_option("--margin", flags->request.options.margin, "a difference in probability that matters")
      ->capture_default_str();
  verb->add_option("--level", flags->request.options.level, "of the intervals")->capture_default_str();
  verb->add_flag(
      "--shares", flags->request.shares,
      "how much of what makes decisions foreseeable belief, a distorted picture, habit, time, context, "
      "group and the like account for: fits every combination to half of the records (as a picture: "
      "interpole plot shares)");
  add_seed(*verb, flags->common);
  add_threads(*verb, flags->common);
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole bias --model model.json --data bias.csv\n"
               "  interpole bias --model model.json --data bias.csv --draws draws.csv --margin 0.1 --json\n"
               "  interpole bias --model model.json --data bias.csv --shares"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::BiasRequest request = flags->with_data();
    request.seed = flags->common.seed;
    request.threads = flags->common.threads;
    service::BiasOutcome outcome = service::run_bias(request, console);
    outcome.source = with_flags(outcome.source);
    print_as_asked(flags->common, outcome, [&] { print_bias(outcome, request.options); });
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
