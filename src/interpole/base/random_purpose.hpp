// What a random stream is for: the third part of its name, beside seed and index. Every purpose of the
// library stands here, once, so that no two draw the same numbers. The values are part of what a seed means:
// change none.
#pragma once

#include <cstdint>

namespace interpole::base {

enum class RandomPurpose : std::uint64_t {
  kUnnamed = 0,
  kRestart = 1,                 // learn/fit: where a search begins
  kUncertaintyScale = 11,       // learn/uncertainty: σ of the components
  kUncertaintyDraw = 12,        // … draws from them
  kFold = 21,                   // evaluate: which patient is in which fold
  kEnsembleDraw = 22,           // learn/uncertainty: members of the posterior ensemble
  kChainStart = 23,             // learn/draws: where a chain begins
  kBaumWelchStart = 31,         // learners/simple
  kBeliefPolicyStart = 32,      // …
  kRewardChain = 41,            // learners/inverse_rl
  kRewardSearch = 42,           // …
  kGroupDraw = 43,              // learn/groups
  kReplicate = 61,              // explain/audit: replicated decisions
  kRecordOrder = 71,            // service/explorer: the order in which records are shown
  kSimulation = 0x51,           // environments: a simulated record
  kSimulatedCovariates = 0x5A,  // environments: what a policy follows of a patient
  kSimulatedKind = 0x5B,        // environments: of which kind the decision-maker is
  kDecisionMaker = 0x5C,        // environments/agents: their weights
  kAdniPatient = 0x52,          // … of the ADNI-like cohort
  kAdniCells = 0x53,            // …
  kAdniRows = 0x54,             // …
  kStoppingPatient = 0x71,      // evaluate/scores: what both watch
  kStoppingAction = 0x72,       // …
  kStoppingOther = 0x73,        // …
  kBootstrap = 0x81,            // evaluate: intervals of scores
  kBootstrapStopping = 0x82,
  kPairedBootstrap = 0x83,      // … of differences between learners; with the number of the fold
  kInitialWeights = 0x7762,     // learners/recurrent, learners/readable
  kHeldOut = 0x686f6c64,        // …
  kDealtPatients = 0x6465616c,  // learners/features: which patient is in which fold
  // Together with the number of a chain, in the lower half.
  kSampledScale = 22ULL << 32,  // learn/draws: σ given the rest of a draw
  kNuts = 0x4e555453ULL << 32,  // sampling
};

}  // namespace interpole::base
