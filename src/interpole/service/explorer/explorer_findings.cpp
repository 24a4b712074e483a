#include "interpole/service/explorer/explorer_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/explain/policy/bias_words.hpp"
#include "interpole/inference/node_beliefs.hpp"

namespace interpole::service {
namespace {

constexpr std::size_t kMost = 3;
const double kWorthASentence = std::log(3.0);  // evidence from three to one on
constexpr double kSurelyThere = 0.95;          // share of draws that have a boundary

using Sentence = std::optional<std::string>;

// How far apart agent and world are at least, as far as the interval tells.
double least_difference(const BiasFinding& finding) {
  const Estimate& x = finding.difference;
  return x.low <= 0.0 && x.high >= 0.0 ? 0.0 : std::min(std::abs(x.low), std::abs(x.high));
}

// The number that agent and world surely differ in most, if the verdict is a difference at all.
Sentence bias_sentence(const ExplorerFindings& found) {
  if (found.bias == nullptr || found.bias->verdict != BiasVerdict::kDifference) return std::nullopt;
  const BiasFinding* clearest = nullptr;
  for (const BiasFinding& finding : found.bias->audit.findings) {
    if (!finding.flagged) continue;
    if (clearest == nullptr || least_difference(finding) > least_difference(*clearest)) clearest = &finding;
  }
  if (clearest == nullptr) return std::nullopt;
  return "The decision-maker " + explain::sentence_of(*found.structure, *clearest) + ".";
}

Sentence groups_sentence(const ExplorerFindings& found) {
  if (found.groups == nullptr) return std::nullopt;
  const GroupJudgement& judgement = found.groups->judgement;
  if (judgement.verdict != GroupVerdict::kDifference) return std::nullopt;
  if (!judgement.says_policies_differ()) return found.groups->sentences.front();
  const auto& boundaries = found.groups->boundaries;
  const auto widest =
      std::max_element(boundaries.begin(), boundaries.end(),
                       [](const auto& x, const auto& y) { return x.difference.low < y.difference.low; });
  // Without a boundary that surely differs, the verdict is all there is to say.
  if (widest == boundaries.end() || !widest->differs()) return found.groups->sentences.front();
  return "Groups decide differently: " + sentence_of(*found.groups, *widest);
}

// How much a boundary mattered: decisions for either of its actions, by how torn between its two states the
// belief was.
double weight_of(const ExplorerFindings& found, const inference::NodeBeliefs& beliefs,
                 const explain::SideBoundary& b) {
  double weight = 0.0;
  for (int node = 0; node < found.tree->node_count(); ++node) {
    const auto counts = found.tree->counts_at(node);
    const auto belief = beliefs.at(node);
    weight += static_cast<double>(counts[b.before] + counts[b.after]) * belief[b.from] * belief[b.to];
  }
  return weight;
}

// With draws, only boundaries that were learned (a known one is no finding) and that are surely there.
std::vector<explain::SideBoundaryEstimate> candidates(const ExplorerFindings& found) {
  std::vector<explain::SideBoundaryEstimate> list;
  for (const explain::SideBoundaryEstimate& b : *found.boundaries) {
    if (b.position.high - b.position.low > 1e-9 && b.present >= kSurelyThere) list.push_back(b);
  }
  if (!found.boundaries->empty()) return list;
  for (const explain::SideBoundary& b : explain::side_boundaries(*found.structure, found.agent->policy)) {
    list.push_back({b, {b.position, b.position, b.position}, 1.0});
  }
  return list;
}

Sentence boundary_sentence(const ExplorerFindings& found) {
  const Structure& structure = *found.structure;
  const inference::NodeBeliefs beliefs =
      inference::node_beliefs(*found.tree, structure, found.agent->dynamics);
  const explain::SideBoundaryEstimate* main = nullptr;
  double most = 0.0;
  const auto list = candidates(found);
  for (const explain::SideBoundaryEstimate& candidate : list) {
    const double weight = weight_of(found, beliefs, candidate.boundary);
    if (weight <= most) continue;
    most = weight;
    main = &candidate;
  }
  if (main == nullptr) return std::nullopt;
  const explain::SideBoundary& b = main->boundary;
  return fmt::format("\"{}\" gives way to \"{}\" once \"{}\" is believed with {} (the rest \"{}\").",
                     structure.actions[b.before], structure.actions[b.after], structure.states[b.to],
                     found.boundaries->empty() ? fmt::format("{:.0f}%", 100.0 * b.position)
                                               : explain::shown_position(main->position),
                     structure.states[b.from]);
}

Sentence flag_sentence(const ExplorerFindings& found, explain::FlagKind kind, const std::string& reason,
                       const char* what) {
  const auto& share = found.cohorts->rows.front().flags[static_cast<std::size_t>(kind)];
  if (!reason.empty() || !share || share->flagged == 0) return std::nullopt;
  const std::string sure =
      found.certainty > 0.0 ? fmt::format(" ({:.0f}% certain or more)", 100.0 * found.certainty) : "";
  return fmt::format("{} {}{}.", shown_percent(share->share), what, sure);
}

}  // namespace

std::vector<std::string> findings_of(const ExplorerFindings& found) {
  const Sentence sentences[] = {
      bias_sentence(found), groups_sentence(found), boundary_sentence(found),
      flag_sentence(
          found, explain::FlagKind::kBelated, found.rules->no_belated,
          "of patients have a belated diagnosis: a test was left out although it was the most likely "
          "action, and a later one settled the matter"),
      flag_sentence(found, explain::FlagKind::kUninformativeTests, found.rules->no_uninformative,
                    "of tests could not have told anything, whatever their result")};
  std::vector<std::string> findings;
  for (const Sentence& sentence : sentences) {
    if (sentence && findings.size() < kMost) findings.push_back(*sentence);
  }
  return findings;
}

}  // namespace interpole::service
