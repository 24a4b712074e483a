#include "verbs/explorer_flags.hpp"

namespace interpole::cli {

void add_explorer_flags(CLI::App& verb, ExplorerFlags& flags) {
  service::ExplorerRequest& asked = flags.request;
  add_model_and_data(verb, asked.model, flags.data, asked.study);
  verb.add_option("--title", asked.title, "title of the page (default: the study's name)");
  add_draws(verb, asked.draws);
  verb.add_option("--cohort,--cohorts", asked.cohorts,
                  "who is in a cohort, as \"age > 75\"; default: the study's covariates")
      ->allow_extra_args(false);
  verb.add_option("--compare", asked.comparison, "what interpole compare --json printed");
  verb.add_option(
      "--beside", asked.beside,
      "a second model file of the same structure: maps, boundaries, scores and patients side by side");
  verb.add_flag("--without-groups", flags.without_groups,
                "do not compare the study's groups, which takes a while if there are many");
  verb.add_flag("--shares", asked.shares,
                "show how much of what makes decisions foreseeable belief, habit and the rest account for, "
                "which takes a while if the policy has many terms");
  verb.add_option("--most-visits", asked.most_visits, "of more, show a random part of the patients")
      ->capture_default_str();
  verb.add_flag("--allow-individual", asked.allow_individual,
                "show identifiers, visits' names and groups of patients; not for publication");
  add_min_cell(verb, asked.min_cell, "withhold counts from 1 to below this; 0: none");
  add_ledger(verb, asked.ledger);
}

service::ExplorerRequest explorer_request(const ExplorerFlags& flags) {
  service::ExplorerRequest request = flags.with_data();
  request.seed = flags.common.seed;
  request.threads = flags.common.threads;
  request.groups = !flags.without_groups;
  return request;
}

}  // namespace interpole::cli
