// Four records that show what the method sees (the paper's Figure 4), found by rule (docs/figures.md):
//
//   typical        ends with most belief in the first state; its decisions are as surprising as the policy
//                  itself expects them to be
//   deteriorating  belief moves towards later states at every visit, by the most in all, and every decision
//                  is the most likely one
//   belated        a belated diagnosis (audit.hpp), if possible of another state than the first; of these the
//                  surest with most tests left out
//   valued         a test that hardly moved the belief, but would have by the most, had it come out otherwise
//
// States are taken to be listed from well to ill. Records of 4 to 8 visits are preferred: they can be read.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "interpole/explain/audit/audit.hpp"
#include "interpole/explain/audit/measured_tests.hpp"

namespace interpole::explain {

enum class Archetype { kTypical, kDeteriorating, kBelated, kValued };
inline constexpr int kArchetypes = 4;

struct ArchetypeRecord : Record {
  std::optional<int> visit;  // of the test whose other outcomes matter
  int state = 0;             // the likeliest one after the visit that confirmed it, or at the end
  double score = 0.0;
};

class ArchetypeFinder {
 public:
  // Keeps references.
  ArchetypeFinder(const Model& model, const Audit& audit, const AuditRules& rules);

  // Of equals the first is kept.
  void add(std::string_view patient, std::span<const Step> steps, std::span<const double> covariates = {});

  // None where no record meets the rule.
  const std::optional<ArchetypeRecord>& best(Archetype kind) const {
    return best_[static_cast<std::size_t>(kind)];
  }

 private:
  struct Path {
    std::vector<std::vector<double>> beliefs;  // before each decision, then after the last outcome
    std::vector<std::vector<double>> policies;
  };
  std::optional<Path> path_of(std::span<const Step> steps) const;
  void offer(Archetype kind, double score, std::string_view patient, std::span<const Step> steps,
             std::optional<int> visit = {}, int state = 0);
  std::optional<double> typical_score(const Path& path, std::span<const Step> steps) const;
  std::optional<double> deteriorating_score(const Path& path, std::span<const Step> steps) const;
  double reach(std::span<const double> before, Step step);
  void offer_tests(const Path& path, std::string_view patient, std::span<const Step> steps);

  std::vector<double> covariates_;  // of the record being added
  const Model& model_;
  const Audit& audit_;
  const AuditRules& rules_;
  MeasuredTests measured_;
  std::array<std::optional<ArchetypeRecord>, kArchetypes> best_;
};

}  // namespace interpole::explain
