#include "interpole/explain/audit/archetypes.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/explain/audit/belief_distance.hpp"

namespace interpole::explain {
namespace {

constexpr std::size_t kFewVisits = 4;
constexpr std::size_t kManyVisits = 8;
constexpr double kIllBonus = 100.0;  // more than a readable record can leave out tests

// Records of a readable length come before all others.
double length_bonus(std::size_t visits) {
  return visits >= kFewVisits && visits <= kManyVisits ? 1000.0 : 0.0;
}

// 0: certain of the first state, 1: of the last.
double severity(const std::vector<double>& belief) {
  double sum = 0.0;
  for (std::size_t s = 0; s < belief.size(); ++s) sum += static_cast<double>(s) * belief[s];
  return belief.size() < 2 ? 0.0 : sum / static_cast<double>(belief.size() - 1);
}

double entropy(const std::vector<double>& policy) {
  double sum = 0.0;
  for (const double p : policy) sum -= p > 0.0 ? p * std::log(p) : 0.0;
  return sum;
}

int likeliest(const std::vector<double>& policy) {
  return static_cast<int>(std::max_element(policy.begin(), policy.end()) - policy.begin());
}

}  // namespace

ArchetypeFinder::ArchetypeFinder(const Model& model, const Audit& audit, const AuditRules& rules)

    : model_(model), audit_(audit), rules_(rules), measured_(model.structure, model.agent.dynamics, rules) {}

void ArchetypeFinder::add(std::string_view patient, std::span<const Step> steps,
                          std::span<const double> covariates) {
  covariates_.assign(covariates.begin(), covariates.end());
  const auto path = path_of(steps);
  if (!path || steps.size() < 2) return;
  if (const auto score = typical_score(*path, steps)) offer(Archetype::kTypical, *score, patient, steps);
  if (const auto score = deteriorating_score(*path, steps))
    offer(Archetype::kDeteriorating, *score, patient, steps);
  if (rules_.no_belated.empty()) {
    const RecordAudit record = audit_.of(steps, covariates_);
    if (record.belated) {
      const double sure = record.belated_probability.value_or(1.0);
      const int state = likeliest(path->beliefs[record.confirmed + 1]);
      const double ill = state == 0 ? 0.0 : kIllBonus;
      offer(Archetype::kBelated, ill + static_cast<double>(record.left_out.size()) + sure, patient, steps, {},
            state);
    }
  }
  offer_tests(*path, patient, steps);
}

std::optional<ArchetypeFinder::Path> ArchetypeFinder::path_of(std::span<const Step> steps) const {
  Path path;
  std::vector<double> belief = start_belief(model_.agent.dynamics, covariates_);
  std::vector<double> next(belief.size());
  std::vector<double> kinds;
  if (!model_.agent.policy.other_kinds.empty()) kinds = model_.agent.policy.kind_shares();
  for (std::size_t t = 0; t < steps.size(); ++t) {
    path.beliefs.push_back(belief);
    DecisionContext context = context_after(steps.first(t), covariates_);
    context.kinds = kinds;
    path.policies.push_back(action_probabilities(model_.structure, model_.agent.policy, belief, context));
    if (!kinds.empty()) {
      kinds_after_decision(model_.structure, model_.agent.policy, belief, context, steps[t].action, kinds);
    }
    if (t + 1 == steps.size() && steps[t].observation == kMissing) return path;
    if (!(update_belief(model_.structure, model_.agent.dynamics, steps[t], belief, next) > 0.0))
      return std::nullopt;
    belief = next;
  }
  path.beliefs.push_back(belief);
  return path;
}

void ArchetypeFinder::offer(Archetype kind, double score, std::string_view patient,
                            std::span<const Step> steps, std::optional<int> visit, int state) {
  score += length_bonus(steps.size());
  auto& best = best_[static_cast<std::size_t>(kind)];
  if (best && best->score >= score) return;
  best =
      ArchetypeRecord{{std::string(patient), {steps.begin(), steps.end()}, covariates_}, visit, state, score};
}

std::optional<double> ArchetypeFinder::typical_score(const Path& path, std::span<const Step> steps) const {
  if (likeliest(path.beliefs.back()) != 0) return std::nullopt;
  double excess = 0.0;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const double chance = path.policies[t][steps[t].action];
    if (!(chance > 0.0)) return std::nullopt;
    excess += -std::log(chance) - entropy(path.policies[t]);
  }
  return -std::abs(excess) / static_cast<double>(steps.size());
}

std::optional<double> ArchetypeFinder::deteriorating_score(const Path& path,
                                                           std::span<const Step> steps) const {
  for (std::size_t t = 0; t < steps.size(); ++t) {
    if (likeliest(path.policies[t]) != steps[t].action) return std::nullopt;
    if (t + 1 < path.beliefs.size() && !(severity(path.beliefs[t + 1]) > severity(path.beliefs[t])))
      return std::nullopt;
  }
  return severity(path.beliefs.back()) - severity(path.beliefs.front());
}

// The longest move that another result could have brought.
double ArchetypeFinder::reach(std::span<const double> before, Step step) {
  const Structure& structure = model_.structure;
  if (structure.measured()) return measured_.reach(before, step);
  std::vector<double> otherwise(before.size());
  double most = 0.0;
  for (const int z : rules_.instead[step.action * structure.observations.size() + step.observation]) {
    const double chance =
        update_belief(structure, model_.agent.dynamics, {step.action, z, step.gap}, before, otherwise);
    if (chance > 0.0) most = std::max(most, belief_distance(before, otherwise));
  }
  return most;
}

void ArchetypeFinder::offer_tests(const Path& path, std::string_view patient, std::span<const Step> steps) {
  for (std::size_t t = 0; t + 1 < path.beliefs.size() && t < steps.size(); ++t) {
    if (!rules_.has_result(model_.structure, steps[t])) continue;
    if (belief_distance(path.beliefs[t], path.beliefs[t + 1]) >= audit_.least_move()) continue;
    const double most = reach(path.beliefs[t], steps[t]);
    if (most > audit_.least_move()) offer(Archetype::kValued, most, patient, steps, static_cast<int>(t));
  }
}

}  // namespace interpole::explain
