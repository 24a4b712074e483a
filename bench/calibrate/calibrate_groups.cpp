// Two sites, compared as a user would: how often is a difference seen where there is none, and how often is
// what differs named? Run by `make calibrate`.
//
//   build/calibrate_groups [--sets 20] [--patients 500] [--seed 1] [--seeds 1] [--policy auto] [--details 0]
//   [--threads 0] [CONDITION …]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "arguments.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/service/fit/group_verdict.hpp"
#include "sites.hpp"

namespace interpole {
namespace {

struct Options {
  int sets = 20;
  int patients = 500;
  int seeds = 1;
  int threads = 0;
  std::uint64_t seed = 1;
  PolicyUse policy = PolicyUse::kAuto;
  bool details = false;
};

struct Outcome {
  std::vector<std::string> said;  // by seed: "difference: policy"
  double seconds = 0.0;
  std::string details;
};

Outcome outcome_of(const SiteCondition& condition, const Options& options, std::uint64_t seed) {
  const SitePair sites = condition.sites(options.patients, seed);
  Outcome outcome;
  const auto begin = std::chrono::steady_clock::now();
  for (int s = 0; s < options.seeds; ++s) {
    learn::GroupOptions group_options;
    group_options.fit.threads = 1;
    group_options.fit.seed = static_cast<std::uint64_t>(s) + 1;
    group_options.fit.policy = options.policy;
    group_options.draws = 16;
    const auto fit = learn::fit_groups(sites.all, sites.trees, sites.problem, group_options, quiet_sink());
    const auto found = service::judge_groups(fit, {"north", "south"}, sites.trees, 1);
    outcome.said.push_back(service::name_of(found.verdict) +
                           (found.verdict == service::GroupVerdict::kWithheld
                                ? (found.unrecorded.empty() ? "" : ": unrecorded")
                                : ": " + found.cause));
    if (!options.details) continue;
    outcome.details += fmt::format("  {:<24}", outcome.said.back());
    for (const auto& h : fit.hypotheses) {
      outcome.details += fmt::format(
          " {}{}{}{:.1f}{}", h.what.patients ? (h.what.patients_known ? "W" : "w") : "",
          h.what.picture ? "A" : "", h.what.policy ? "P" : "",
          h.log_evidence - (h.what.none() ? 0.0 : fit.hypotheses[0].log_evidence), h.proper ? "" : "!");
    }
    outcome.details += fmt::format(" σ {:.2f} {:.2f} {:.2f}", fit.common.scales.initial,
                                   fit.common.scales.transition, fit.common.scales.observation);
    for (const auto& sign : fit.signs)
      outcome.details += fmt::format(" sign {:.2f} {:.1f}", sign.right, sign.log_ratio);
    for (const auto& reason : found.reasons) outcome.details += "\n      " + reason;
    outcome.details += "\n";
  }
  outcome.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / options.seeds;
  return outcome;
}

void run(const SiteCondition& condition, const Options& options) {
  std::vector<Outcome> outcomes(options.sets);
  base::parallel_tasks(options.sets, options.threads, [&](int i) {
    outcomes[i] = outcome_of(condition, options, 1000 * options.seed + static_cast<std::uint64_t>(i));
  });
  std::map<std::string, int> said;
  int same = 0;
  double seconds = 0.0;
  for (const Outcome& outcome : outcomes) {
    ++said[outcome.said.front()];
    same += std::all_of(outcome.said.begin(), outcome.said.end(),
                        [&](const std::string& s) { return s == outcome.said.front(); })
                ? 1
                : 0;
    seconds += outcome.seconds;
    fmt::print("{}", outcome.details);
  }
  fmt::print("{:<28} {:>4} {:>8.2f} {:>5}  ", condition.name, options.sets, seconds / options.sets, same);
  for (const auto& [what, count] : said) fmt::print("{} {}  ", what, count);
  fmt::print("\n");
  std::fflush(stdout);
}

Options options_of(const Arguments& arguments) {
  Options options;
  options.sets = arguments.number("--sets", options.sets);
  options.patients = arguments.number("--patients", options.patients);
  options.seed = arguments.number("--seed", options.seed);
  options.seeds = arguments.number("--seeds", options.seeds);
  options.threads = arguments.number("--threads", options.threads);
  options.policy = policy_use_named(arguments.text("--policy", "auto"));
  options.details = arguments.number("--details", 0) != 0;
  return options;
}

void run_all(int argc, char** argv) {
  const Arguments arguments(
      argc, argv, {"--sets", "--patients", "--seed", "--seeds", "--policy", "--details", "--threads"});
  fmt::print("{:<28} {:>4} {:>8} {:>5}  {}\n", "sites", "sets", "seconds", "same", "said");
  for (const SiteCondition& condition : kSiteConditions) {
    if (arguments.wants(condition.name)) run(condition, options_of(arguments));
  }
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::run_all(argc, argv); });
}
