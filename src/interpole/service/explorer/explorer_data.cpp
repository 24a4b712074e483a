#include "interpole/service/explorer/explorer_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "interpole/base/stop.hpp"
#include "interpole/data/covariate_source.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/audit/archetypes.hpp"
#include "interpole/explain/cohorts/asked_cohorts.hpp"
#include "interpole/explain/disclosure/disclosure_json.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/service/checked_records.hpp"
#include "interpole/service/explain/shares_task.hpp"
#include "interpole/service/explorer/explorer_beside.hpp"
#include "interpole/service/explorer/explorer_check.hpp"
#include "interpole/service/explorer/explorer_findings.hpp"
#include "interpole/service/explorer/explorer_records.hpp"
#include "interpole/service/explorer/explorer_terms.hpp"
#include "interpole/service/explorer/group_comparisons.hpp"
#include "interpole/service/explorer/shown_outcomes.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_notes.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/publication/publication.hpp"
#include "interpole/service/rare_records.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

using Json = ExplorerJson;

constexpr int kJudgedDraws = 100;  // every second that the page has, which takes as many to judge flags
constexpr std::array kExampleNames = {"typical", "deteriorating", "belated", "valued"};

// None if neither the model file nor the user has any.
learn::PosteriorDraws draws_of(const ExplorerRequest& request, const FitResult& fit) {
  learn::PosteriorDraws draws = learn::posterior_draws_if_any(fit, request.draws, request.seed);
  if (!request.draws.empty() && !request.allow_individual) {
    draws.source = fmt::format("{} posterior draws", draws.draws.size());
  }
  if (request.draws.empty()) {  // the page names flags: all its hints are commands to type
    draws.source = "the normal approximation made by fit (for full posterior draws: sample, then --draws)";
  }
  return draws;
}

// With which it was fitted, if that is said.
std::optional<DynamicsMode> dynamics_of(const FitResult& fit) {
  for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kCoupled, DynamicsMode::kSubjective}) {
    if (fit.provenance.dynamics == name_of(mode)) return mode;
  }
  return std::nullopt;
}

// Of counts, those that they tell apart.
std::vector<std::string> cohort_covariates(const ExplorerRequest& request, const Study& study,
                                           const std::vector<explain::CohortExpression>& cohorts) {
  std::vector<std::string> names = explain::needed_covariates(study, cohorts);
  if (!request.data.counts) return names;
  const auto known = data::covariate_names(study, request.data);
  std::erase_if(names,
                [&](const auto& name) { return std::find(known.begin(), known.end(), name) == known.end(); });
  return names;
}

const std::vector<explain::PublishedCohort> kNothing;

std::optional<explain::Ledger> ledger_of(const ExplorerRequest& request, const AuditOptions& rules) {
  if (request.ledger.empty()) return std::nullopt;
  const PublishedFlags flags{request.model, request.draws, rules};
  return open_ledger({request.ledger, request.study, request.data, request.min_cell}, &flags);
}

// Everything that is computed before it is written down.
class Explorer {
 public:
  // Keeps references.
  Explorer(const ExplorerRequest& request, const FitResult& fit, Sink& sink)
      : request_(request),
        sink_(sink),
        fit_(fit),
        model_(fit.model),
        study_(study_of_model(request.study, request.model, model_.structure)),
        cohorts_(explain::asked_cohorts(request.cohorts, study_, request.data)),
        posterior_(draws_of(request, fit)),
        ledger_(ledger_of(request, audit_options())),
        covariates_(cohort_covariates(
            request, study_, explain::with_published(cohorts_, ledger_ ? ledger_->published() : kNothing))),
        factors_(outcome_factors(study_)),
        rules_(explain::audit_rules(model_.structure, factors_, audit_options())),
        followed_(request.records ? data::followed_covariates(model_.agent)
                                  : covariates_of(model_.agent, study_, request.data, sink)),
        records_(request, study_, covariates_, followed_, sink) {
    if (!request.study.empty()) words_ = explorer_words_json(data::read_study_words(request.study));
    if (request.beside.empty()) return;
    other_ = read_fit(request.beside);
    require_same_structure(request.model, model_.structure, request.beside, other_->model.structure);
    // Measured outcomes and gaps are places in tables that are filled as records are read: one for both.
    other_->model.structure.outcomes = model_.structure.outcomes;
    other_->model.structure.gaps = model_.structure.gaps;
  }

  // All but the comparison of groups, which comes from outside: null, there is none.
  void prepare();
  std::optional<GroupsRequest> groups_to_compare() const;
  std::string json(const GroupsOutcome* groups, std::optional<DynamicsMode> of_other = {}) const;

  ExplorerDocument document() {
    ExplorerDocument document;
    std::optional<GroupsOutcome> groups;
    if (const auto asked = groups_to_compare()) groups = run_groups(*asked, sink_);
    if (ledger_) ledger_->add(explain::published_by(tables_));
    document.json = json(groups ? &*groups : nullptr);
    document.patients = static_cast<std::int64_t>(records_.shown().size());
    document.visits = records_.shown_visits();
    document.sampled = records_.sampled();
    return document;
  }

 private:
  AuditOptions audit_options() const {
    AuditOptions options;
    options.draws = kJudgedDraws;
    if (posterior_.draws.empty()) options.certainty = 0.0;  // nobody knows
    options.seed = request_.seed;
    options.threads = request_.threads;
    return options;
  }

  Error impossible(const HistoryTree& tree, int node, const std::string& whose) const;
  void judge_patients();
  void check_against_records();
  void compare_with_world();
  void count_shares();
  void check_predictions();
  Json groups_json(const GroupsOutcome& groups, std::optional<DynamicsMode> of_other) const;

  const ExplorerRequest& request_;
  Sink& sink_;
  const FitResult& fit_;
  const Model& model_;
  Study study_;
  std::vector<explain::CohortExpression> cohorts_;
  learn::PosteriorDraws posterior_;
  std::optional<explain::Ledger> ledger_;
  std::vector<std::string> covariates_;
  OutcomeFactors factors_;
  explain::AuditRules rules_;
  std::vector<PolicyCovariate> followed_;
  ExplorerRecords records_;

  double least_move_ = 0.0;
  ListedRecords unlikely_;
  Json examples_ = Json::object();
  explain::CohortTables tables_;
  ModelChecks checks_;
  std::optional<ExplorerBias> bias_;
  std::optional<learn::Shares> shares_;
  std::vector<explain::SideBoundaryEstimate> boundaries_;
  Json check_;
  Json words_;
  std::optional<FitResult> other_;
  Json beside_;
};

void Explorer::prepare() {
  warn_of_rare_records(study_, request_.data, sink_);
  judge_patients();
  compare_with_world();
  count_shares();
  boundaries_ = explorer_boundaries(model_.structure, model_.agent.policy, posterior_.draws);
  check_predictions();
  if (other_) beside_ = explorer_beside_json(request_, fit_, *other_, study_, sink_);
}

Error Explorer::impossible(const HistoryTree& tree, int node, const std::string& whose) const {
  if (!request_.records) {
    return impossible_outcome(study_, request_.data, tree, node, whose,
                              "correct the table, or use a model that allows it");
  }
  return input_error(fmt::format("record {}, step {}: {} calls what followed impossible (probability 0)",
                                 tree.first_record[node], tree.depth[node], whose));
}

// The audit of every patient, the tables made of it, and the records that show most. Covariates are left out
// of it even where the policy follows them: a flag of one patient would tell something of theirs.
void Explorer::judge_patients() {
  const explain::Audit audit(records_.tree(), model_, posterior_.draws, rules_, audit_options());
  if (audit.impossible()) {
    throw impossible(records_.tree(), *audit.impossible(), "the model");
  }
  least_move_ = audit.least_move();
  check_against_records();
  explain::withhold_belated(checks_, rules_);
  for (std::int64_t i = 0; i < records_.count(); ++i) {
    base::stop_if_asked(sink_);
    records_.patients().judge(
        i, explain::flags_of(audit.of(records_.steps(i)), audit.imputed(records_.steps(i))));
  }
  explain::ArchetypeFinder finder(model_, audit, rules_);
  const auto shown = records_.shown();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    base::stop_if_asked(sink_);
    if (records_.patients().flags(shown[i]).unlikely)
      unlikely_.records.push_back(static_cast<std::int64_t>(i));
    finder.add(std::to_string(i), records_.steps(shown[i]));
  }
  for (int kind = 0; kind < explain::kArchetypes; ++kind) {
    const auto& best = finder.best(static_cast<explain::Archetype>(kind));
    if (!best) continue;
    std::int64_t record = 0;
    std::from_chars(best->patient.data(), best->patient.data() + best->patient.size(), record);
    examples_[kExampleNames[kind]] = {{"record", record},
                                      {"visit", best->visit ? Json(*best->visit) : Json(nullptr)}};
  }
  if (request_.cohorts.empty()) cohorts_ = explain::default_cohorts(records_.patients(), covariates_);
  tables_ =
      explain::cohort_tables(records_.patients(), cohorts_,
                             {request_.min_cell, kExplorerLevel, ledger_ ? ledger_->published() : kNothing});
  // What is withheld as a count is not given as a list.
  const auto& counted = tables_.rows.front().flags[static_cast<std::size_t>(explain::FlagKind::kUnlikely)];
  if (counted || request_.allow_individual) return;
  unlikely_ = {
      {}, fmt::format("how many there are is withheld: fewer than {}, or all but as few", request_.min_cell)};
}

// On records told apart by all covariates that the study names; else by those that the policy follows.
void Explorer::check_against_records() {
  ModelCheckOptions options;
  options.threads = request_.threads;
  if (request_.records || (study_.policy.context.empty() && study_.policy.group.empty())) {
    checks_ = check_on_files(fit_, records_.tree_in_context(), options, request_.data);
    return;
  }
  const CheckedRecords records =
      read_checked_records(study_, request_.data, model_, RecordClasses::kTogether, quiet_sink());
  options.covariates = records.covariates;
  checks_ = check_on_files(fit_, records.tree, options, request_.data);
}

void Explorer::compare_with_world() {
  if (!model_.world || posterior_.draws.empty() || !posterior_.draws.front().world) return;
  const BiasOptions options;
  bias_.emplace();
  AgentWorldComparison found =
      compare_agent_and_world(fit_, posterior_.draws, &records_.tree_in_context(), options, &checks_);
  bias_->audit = std::move(found.audit);
  bias_->options = options;
  bias_->log_bayes_factor = fit_.quality.log_bayes_factor;
  bias_->sentences = std::move(found.sentences);
  bias_->source = posterior_.source;
  bias_->verdict = found.verdict;
  bias_->reasons = std::move(found.reasons);
  bias_->sign_weighed = checks_.sign.has_value();
}

// A page is worth having without them: where they cannot be told, the reason is.
void Explorer::count_shares() {
  if (!request_.shares || request_.records) return;
  if (const std::string why_not = why_no_shares(fit_); !why_not.empty()) {
    return sink_.warn(fmt::format("the page has no shares: {}", why_not));
  }
  shares_ =
      shares_on_files({request_.model, request_.data, request_.seed, request_.threads}, fit_, study_, sink_);
}

std::optional<GroupsRequest> Explorer::groups_to_compare() const {
  if (!request_.groups || !study_.mapping || study_.mapping->group.empty()) return std::nullopt;
  const auto& sizes = records_.group_sizes();
  const auto least = std::max<std::int64_t>(1, request_.min_cell);
  const auto large = std::count_if(sizes.begin() + 1, sizes.end(), [&](auto n) { return n >= least; });
  if (large < 2) return std::nullopt;  // no two could be told apart
  GroupsRequest asked;
  asked.study = request_.study;
  asked.data = request_.data;
  asked.min_cell = static_cast<int>(least);
  asked.level = kExplorerLevel;
  asked.options.fit.policy = PolicyUse::kAuto;
  asked.options.fit.seed = request_.seed;
  asked.options.fit.threads = request_.threads;
  asked.options.fit.dynamics = dynamics_of(fit_).value_or(DynamicsMode::kCoupled);
  return asked;
}

void Explorer::check_predictions() {
  evaluate::EvaluationOptions options;
  options.bootstrap = {kExplorerReplicates, kExplorerLevel, request_.seed, request_.threads};
  const evaluate::Evaluation result =
      evaluate::evaluate_model(records_.tree_in_context(), model_, nullptr, options);
  if (result.impossible) {
    throw impossible(records_.tree_in_context(), result.impossible->node, result.impossible->whose);
  }
  check_ = explorer_check_json(fit_, checks_, result, request_.min_cell, request_.allow_individual);
  if (!request_.comparison.empty()) check_["comparison"] = explorer_comparison_json(request_.comparison);
}

Json Explorer::groups_json(const GroupsOutcome& groups, std::optional<DynamicsMode> of_other) const {
  Json json = explorer_groups_json(groups, tables_.groups);
  if (of_other) {
    json["notes"].push_back(fmt::format(
        "This comparison was made with {} dynamics. With those of the model shown here, groups have not been "
        "compared.",
        name_of(*of_other)));
  }
  return json;
}

// `of_other`: groups were compared with these dynamics, not with the model's.
std::string Explorer::json(const GroupsOutcome* groups, std::optional<DynamicsMode> of_other) const {
  const Structure& structure = model_.structure;
  const HistoryTree& tree = records_.tree();
  const std::int64_t min_cell = request_.min_cell;
  const std::string& name = request_.title.empty() ? study_.name : request_.title;
  const ExplorerFindings found{&structure,
                               &model_.agent,
                               &boundaries_,
                               &tree,
                               bias_ ? &*bias_ : nullptr,
                               of_other ? nullptr : groups,
                               &tables_,
                               &rules_,
                               audit_options().certainty};
  Json json = {
      {"format", "interpole-explorer"},
      {"version", 1},
      {"program", fmt::format("interpole {}", version())},
      {"title", name.empty() ? "Decisions and beliefs" : name},
      {"made_by", request_.made_by},
      {"refit", request_.refit},
      {"can_refit", request_.can_refit},
      {"individual", request_.allow_individual},
      {"min_cell", min_cell},
      {"counts",
       {{"patients", explain::count_json(tree.records, min_cell)},
        {"decisions", explain::count_json(tree.decisions, min_cell)},
        {"histories", explain::count_json(tree.node_count(), min_cell)}}},
      {"facts", facts_of(fit_, request_.allow_individual)},
      {"warnings", fit_.quality.warnings},
      {"findings", findings_of(found)},
      {"model", explorer_model_json(model_, request_.allow_individual)},
      {"draws", posterior_.draws.empty()
                    ? Json(nullptr)
                    : explorer_draws_json(posterior_.draws, posterior_.source, request_.allow_individual)},
      {"factors", explorer_factors_json(structure, factors_)},
      {"records", records_.json(structure, groups != nullptr ? &groups->place : nullptr)},
      {"examples", examples_},
      {"boundaries", explorer_boundaries_json(structure, model_.agent.policy, posterior_.draws, boundaries_)},
      {"audit", explorer_audit_json(structure, rules_, audit_options(), least_move_, unlikely_,
                                    explain::test_values(tree, model_, rules_.tests(), min_cell))},
      {"bias", bias_ ? explorer_bias_json(structure, *bias_) : Json(nullptr)},
      {"shares", shares_ ? explorer_shares_json(*shares_) : Json(nullptr)},
      {"cohorts",
       explorer_cohorts_json(tables_, !request_.cohorts.empty(),
                             request_.allow_individual ? records_.members(cohorts_)
                                                       : std::vector<std::vector<std::int64_t>>())},
      {"groups", groups != nullptr ? groups_json(*groups, of_other) : Json(nullptr)},
      {"check", check_}};
  if (structure.measured())
    json["model"]["measured"]["values"] =
        measured_values_json(structure, records_.shown_outcomes(), request_.allow_individual);
  if (!model_.agent.policy.terms.none() || !model_.agent.policy.other_kinds.empty() ||
      !model_.agent.dynamics.start.empty()) {
    json["terms"] = explorer_terms_json(structure, model_.agent, posterior_.draws, request_.allow_individual);
  }
  if (other_) json["beside"] = beside_;
  if (!words_.empty()) json["words"] = words_;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void ExplorerRequest::validate() const {
  explain::CohortOptions{min_cell, kExplorerLevel}.validate();
  if (data.counts && allow_individual)
    throw usage_error("option allow-individual: counts name no patients; leave it out");
  if (allow_individual && !ledger.empty())
    throw usage_error(
        "option allow-individual: what names patients is not for publication; leave out option ledger");
  if (most_visits < 1) throw usage_error(fmt::format("option most-visits: {} is less than 1", most_visits));
}

ExplorerDocument explorer_document(const ExplorerRequest& request, Sink& sink) {
  request.validate();
  return explorer_document(request, read_fit(request.model), sink);
}

ExplorerDocument explorer_document(const ExplorerRequest& request, const FitResult& fit, Sink& sink) {
  request.validate();
  Explorer explorer(request, fit, sink);
  explorer.prepare();
  return explorer.document();
}

std::string explorer_json(const ExplorerRequest& request, Sink& sink) {
  return explorer_document(request, sink).json;
}

void show_explorer(const ExplorerRequest& request, const FitResult& fit, GroupComparisons& comparisons,
                   const std::function<void(std::string json)>& show, Sink& sink) {
  request.validate();
  Explorer explorer(request, fit, sink);
  explorer.prepare();
  base::stop_if_asked(sink);
  const auto asked = explorer.groups_to_compare();
  if (!asked) return show(explorer.json(nullptr));
  comparisons.forget_other_files(*asked);
  const DynamicsMode dynamics = asked->options.fit.dynamics;
  const GroupsOutcome* groups = comparisons.with(dynamics);
  const auto older = comparisons.latest();
  if (groups == nullptr && older) show(explorer.json(comparisons.with(*older), older));
  try {
    if (groups == nullptr) groups = &comparisons.make(*asked, sink);
  } catch (const Error& error) {
    if (!older) throw;
    return sink.warn(
        fmt::format("groups have not been compared with {} dynamics: {}", name_of(dynamics), error.what()));
  }
  show(explorer.json(groups));
}

}  // namespace interpole::service
