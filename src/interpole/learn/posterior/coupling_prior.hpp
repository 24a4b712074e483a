// The prior of the gaps between agent and world: for each kind of row, or each row, a normal density with a
// given σ, or for each kind the mixture over a grid of σ with its prior (σ integrated out).
#pragma once

#include "interpole/learn/posterior/coupled_space.hpp"

namespace interpole::learn {

class CouplingPrior {
 public:
  // Keeps references to problem and space. `normalisers`: of other priors of this problem; null: its own.
  CouplingPrior(const DecisionProblem& problem, const CoupledSpace& space, const Coupling& coupling,
                TiltNormalisers* normalisers = nullptr);

  // log p(gaps, agent's tilt | world's coordinates). `agent` is the agent's point. Adds the derivative by the
  // gaps to d_gaps and that by the agent's coordinates to d_agent.
  double evaluate(std::span<const double> gaps, const Dynamics& agent, std::span<double> d_gaps,
                  std::span<double> d_agent) const;

  // How likely each σ of the grid is for this kind of row, given the gaps. Sums to one.
  struct ScaleWeights {
    std::vector<double> sigma;
    std::vector<double> weight;
  };
  ScaleWeights scale_weights(Field field, std::span<const double> gaps, const Dynamics& agent) const;

 private:
  struct Component {
    double ratio = 1.0;  // σ in units of the gap
    double sigma = 0.0;
    double tilt = 0.0;        // the weight of the study's prior on the agent
    double log_weight = 0.0;  // prior of σ and normalisers
  };
  struct Kind {  // rows of one σ
    Field field = Field::kInitial;
    std::vector<const CoupledSpace::Link*> links;
    std::vector<Component> components;
    int size = 0;  // coordinates
  };
  static std::vector<Kind> kinds_of(const CoupledSpace& space, bool row_by_row);
  // log p by component.
  std::vector<double> by_component(const Kind& kind, std::span<const double> gaps, double tilt) const;
  // Σ log Dirichlet(θ_a) over the rows of a kind.
  double log_dirichlet(const Kind& kind, const Dynamics& agent) const;
  void add_dirichlet_gradient(const Kind& kind, const Dynamics& agent, double weight,
                              std::span<double> d_agent) const;

  const DecisionProblem& problem_;
  std::vector<Kind> kinds_;
};

}  // namespace interpole::learn
