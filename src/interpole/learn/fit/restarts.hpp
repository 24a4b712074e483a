// Searches from many starts.
//
// What is climbed first is the density of coordinates, whose tops are where the posterior has its mass. The
// density of probabilities, whose top is the estimate, has a top of its own in many a corner where some
// probability is zero: searches that climb it seldom end at one place (docs/decisions/0026-two-densities.md).
// From every different end the density of probabilities is climbed then.
#pragma once

#include <string>
#include <vector>

#include "interpole/learn/fit/fit.hpp"

namespace interpole::learn {

inline constexpr int kWave = 4;  // restarts at a time, until the best was found often enough

// Null if none is finite.
const Attempt* best_of(const std::vector<Attempt>& attempts);     // by the log-posterior
const Attempt* highest_of(const std::vector<Attempt>& attempts);  // by the density that was climbed

class Restarts {
 public:
  // Keeps references to all. `one`: where a search with one set of dynamics ended, may be null.
  Restarts(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options, Sink& sink,
           base::Checkpoint* checkpoint, std::string phase, const Parameters* one);

  // As many as the options say. Their heights are of the density that was climbed.
  std::vector<Attempt> search(const CouplingScales& scales);
  // On to the tops of the density of probabilities, from where each of these ended. `choice`: of the scales.
  // σ of rows supposes that states are named as there; where they are the better explanation, the best search
  // goes on from where the choice ended.
  std::vector<Attempt> finish(const std::vector<Attempt>& attempts, const CouplingScales& scales,
                              const ScaleChoice* choice);
  // σ by the evidence, from where the best search ended.
  ScaleChoice choose(const AgentWorld& best) const;

  const inference::Likelihood& likelihood() const { return likelihood_; }

 private:
  // What is climbed in which stage; its name is part of a checkpoint.
  struct Stage {
    std::string name;
    Measure measure;
    CouplingScales scales;
    optimize::LbfgsOptions lbfgs;
  };
  template <class StartOf>
  void climb_some(const Stage& stage, int count, int most, const StartOf& start_of,
                  std::vector<Attempt>& attempts);
  std::string packed(const Attempt& attempt) const;
  Attempt unpacked(const std::string& bytes, const std::string& name) const;
  AgentWorld start(int restart) const;
  AgentWorld best_of_draws(DynamicsMode mode, base::RandomStream& random) const;
  bool found_often_enough(const std::vector<Attempt>& attempts) const;

  std::optional<std::string> recall(const std::string& name) const;
  template <class Text>
  void remember(const std::string& name, const Text& text) const;
  std::string place_of(const std::string& name) const;
  template <class Start>
  Attempt recall_or_climb(const std::string& name, const Stage& stage, const Start& start) const;
  Attempt climb(const Stage& stage, const AgentWorld& start) const;
  double value_of(Measure measure, const CouplingScales& scales, Attempt& attempt) const;
  void require_found(const Attempt& attempt, double found, const std::string& place) const;

  const DecisionProblem& problem_;
  const FitOptions& options_;
  Sink& sink_;
  base::Checkpoint* checkpoint_;
  std::string phase_;
  const Parameters* one_;
  int nodes_;
  inference::Likelihood likelihood_;
  mutable TiltNormalisers normalisers_;
};

}  // namespace interpole::learn
