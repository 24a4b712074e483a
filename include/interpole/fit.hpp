// Learning in memory: from records to a model that says how sure it is, what to doubt, and where it came
// from. The model file (docs/model-file.md) holds the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/agent_world.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/problem.hpp"
#include "interpole/records.hpp"
#include "interpole/sink.hpp"

namespace interpole {

namespace learn {
struct StoredUncertainty;  // internal: the posterior near its mode
}

struct FitOptions {
  DynamicsMode dynamics = DynamicsMode::kCoupled;
  std::optional<double> coupling;  // σ: how far apart agent and world may be. Nothing: by the evidence
  int restarts =
      0;  // searches from different starts. 0: until few better ends can be left to find, 40 at most
  std::uint64_t seed = 1;
  int threads = 0;                      // 0: all cores. Changes how fast, never what
  int most_iterations = 2000;           // of a search
  PolicyUse policy = PolicyUse::kAuto;  // what decisions may follow beside beliefs
  bool uncertainty = true;              // expand the posterior around the best fit
  void validate() const;                // throws a usage error
};

// What a fit says of itself. A model file need not say anything; what is not said is empty.
struct FitQuality {
  // One of the distinct explanations that restarts ended in, best first.
  struct Mode {
    double log_posterior = 0.0;
    int restarts = 0;              // that ended here
    double belief_distance = 0.0;  // from the best one: ½ Σ |b − b'|, averaged over decisions
    double policy_distance = 0.0;  // ½ Σ |π − π'|
  };
  // A combination of parameters about which the data say (almost) nothing.
  struct DecidedByPrior {
    double information = 0.0;           // share of what is known that comes from the data
    std::vector<std::string> involved;  // observation[monitor,diseased]
    std::vector<std::string> in_words;
  };

  std::optional<bool> converged;
  std::string stop_reason;
  int parameters_learned = 0;
  int restarts = 0;
  int modes_found = 0;
  std::vector<Mode> modes;
  bool names_ambiguous = false;                // states may have each other's names
  std::string label_note;                      // how states got their names
  std::optional<bool> curvature_of_a_maximum;  // where the posterior was expanded
  std::optional<bool> policy_identified;
  std::string policy_note;                 // what decisions cannot tell about the policy
  std::optional<double> log_bayes_factor;  // that agent and world differ, against that they are one
  // A row of the agent's dynamics, and the chance that it is not the world's.
  struct WrongRow {
    std::string row;  // observation[monitor,diseased]
    double probability = 0.0;
    double log_evidence_ratio = 0.0;  // with that row wrong over with it right
  };
  std::vector<WrongRow> wrong_rows;  // every row that was learned; empty: only kinds of rows were compared
  std::vector<DecidedByPrior> decided_by_prior;
  std::string fit_note;               // of another learner that is a model
  std::vector<std::string> warnings;  // what to doubt, in words
  std::string json;                   // all of it, as the model file has it
};

// Where a fit came from, as far as known.
struct Provenance {
  std::string program, version;
  std::string study, data;  // names of files
  std::string algorithm;    // if not INTERPOLE itself
  std::string dynamics;
  int restarts = 0;
  std::uint64_t seed = 0;
  std::string json;    // all of it, as the model file has it
  std::string file;    // the model file it was read from; empty: it was fitted here
  std::string sha256;  // of that file
};

// So many draws give intervals steady to a percent or two of their width.
inline constexpr int kUsualDraws = 2000;

struct FitResult {
  Model model;  // with the world, of coupled dynamics
  FitQuality quality;
  Provenance provenance;
  std::shared_ptr<const learn::StoredUncertainty> uncertainty;  // null: it does not say how sure it is

  bool has_uncertainty() const { return uncertainty != nullptr; }
  // Draws from the normal approximation of the posterior. Throws an input error if there is none.
  std::vector<AgentWorld> draws(int count, std::uint64_t seed) const;
};

// Learns from records. Not converging is a result (`quality`), not an error. Throws an input error if a
// record does not fit the problem, or if the problem's known values call an outcome impossible;
// Error(kInterrupted) if the sink asks to stop before there is anything to keep. The same seed gives the same
// result.
FitResult fit(const DecisionProblem& problem, std::span<const Record> records, const FitOptions& options = {},
              Sink& sink = quiet_sink());
FitResult fit(const DecisionProblem& problem, const HistoryTree& tree, const FitOptions& options = {},
              Sink& sink = quiet_sink());

// The tree of records of this structure, told apart by their covariates, if they have any; `start_by`: by
// place, those with which starting beliefs may differ. Throws an input error naming the record that does not
// fit.
HistoryTree tree_of_records(const Structure& structure, std::span<const Record> records,
                            RecordClasses classes = RecordClasses::kTogether,
                            const std::vector<int>& start_by = {});

// A model file with all that is in it, read and parsed once. Throws an input error naming the file, the JSON
// path and the value if anything is amiss (as read_model in model_file.hpp).
FitResult read_fit(const std::string& path);
FitResult parse_fit(const std::string& text, const std::string& where);
std::string format_fit(const FitResult& fit);  // the text of its model file
void write_fit(const std::string& path, const FitResult& fit);

}  // namespace interpole
