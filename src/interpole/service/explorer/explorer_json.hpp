// Parts of the explorer's document as JSON (docs/explorer-data.md). What is not finite is null.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpole/bias_audit.hpp"
#include "interpole/data/study/study_words.hpp"
#include "interpole/explain/audit/audit.hpp"
#include "interpole/explain/cohorts/cohorts.hpp"
#include "interpole/explain/policy/side_boundaries.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/learn/shares/shares.hpp"
#include "interpole/service/fit/groups_task.hpp"

namespace interpole::service {

using ExplorerJson = nlohmann::ordered_json;

inline constexpr double kExplorerLevel = 0.95;   // of all intervals
inline constexpr int kExplorerReplicates = 200;  // of patients, for intervals of scores

ExplorerJson finite_json(double x);
ExplorerJson finite_json(const std::optional<double>& x);
// {middle, low, high}
ExplorerJson interval_json(const Estimate& x);
ExplorerJson interval_json(const std::optional<Estimate>& x);

// `individual`: with the terms of the policy that follow covariates of patients.
ExplorerJson explorer_model_json(const Model& model, bool individual);
// At most kShownDraws of them, spread evenly: as many as `explain` takes for its intervals.
inline constexpr int kShownDraws = 200;
ExplorerJson explorer_draws_json(const std::vector<AgentWorld>& draws, const std::string& source,
                                 bool individual);
// {"patient": ["stay", "stays"]}: the usual word, and what is said instead for one and for several.
ExplorerJson explorer_words_json(const std::vector<data::StudyWord>& words);
ExplorerJson explorer_factors_json(const Structure& structure, const OutcomeFactors& factors);
ExplorerJson explorer_boundary_json(const explain::SideBoundary& boundary);
ExplorerJson explorer_boundary_json(const explain::SideBoundaryEstimate& boundary);
// Along sides, with 95% intervals within the side; empty: there are no draws.
std::vector<explain::SideBoundaryEstimate> explorer_boundaries(const Structure& structure,
                                                               const Policy& policy,
                                                               const std::vector<AgentWorld>& draws);
// `estimates`: what the above gave; without draws, boundaries of the policy alone.
ExplorerJson explorer_boundaries_json(const Structure& structure, const Policy& policy,
                                      const std::vector<AgentWorld>& draws,
                                      const std::vector<explain::SideBoundaryEstimate>& estimates);

// Positions in the records given, or why they are not listed.
struct ListedRecords {
  std::vector<std::int64_t> records;
  std::string why_not;
};
ExplorerJson explorer_audit_json(const Structure& structure, const explain::AuditRules& rules,
                                 const AuditOptions& options, double least_move,
                                 const ListedRecords& unlikely,
                                 const std::vector<explain::CohortTestValue>& tests);
// Without rows that say nothing, unless their names are the user's own: a name can give away a rare value.
// `members`: of each cohort, its records by their place in the document, where these may be told; else empty.
ExplorerJson explorer_cohorts_json(const explain::CohortTables& tables, bool named_by_user,
                                   const std::vector<std::vector<std::int64_t>>& members = {});

struct ExplorerBias {
  BiasAudit audit;
  BiasOptions options;
  std::optional<double> log_bayes_factor;
  std::vector<std::string> sentences;
  std::string source;
  BiasVerdict verdict = BiasVerdict::kUndecided;
  std::vector<std::string> reasons{};  // why it is withheld or undecided
  bool sign_weighed = false;           // an unrecorded sign
};
ExplorerJson explorer_bias_json(const Structure& structure, const ExplorerBias& bias);

// Parts in order, the largest first; none if there is nothing to share.
ExplorerJson explorer_shares_json(const learn::Shares& shares);

// `sizes`: of these groups, as they may be shown beside the cohorts.
ExplorerJson explorer_groups_json(const GroupsOutcome& outcome, const std::vector<explain::GroupSize>& sizes);

}  // namespace interpole::service
