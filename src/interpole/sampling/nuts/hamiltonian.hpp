// A point with a momentum, moved by the leapfrog integrator as if −log density were a landscape.
#pragma once

#include <span>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/optimize/objective.hpp"
#include "interpole/sampling/nuts/metric.hpp"

namespace interpole::sampling {

// Where a chain stands, with all that was computed there.
struct EvaluatedPoint {
  std::vector<double> position;
  std::vector<double> gradient;  // of the log density
  double log_density = 0.0;
};

struct PhasePoint {
  EvaluatedPoint at;
  std::vector<double> momentum;
  std::vector<double> velocity;  // inverse metric · momentum
  double energy = 0.0;           // −log density + momentum·velocity / 2; +∞ outside the target

  explicit PhasePoint(int size);
};

class Hamiltonian {
 public:
  Hamiltonian(optimize::Objective& target, const Metric& metric) : target_(target), metric_(metric) {}

  int size() const { return metric_.size(); }

  // Evaluates at point.position. False if value or gradient are not finite there.
  bool evaluate(EvaluatedPoint& point) const;

  // Gives an evaluated point a new momentum.
  void kick(PhasePoint& point, base::RandomStream& random) const;

  // One leapfrog step; a negative one goes back in time. Where the log density or its gradient is not finite,
  // the energy is +∞ and the point must not be moved further.
  void leapfrog(PhasePoint& point, double step) const;

 private:
  void update_energy(PhasePoint& point) const;

  optimize::Objective& target_;
  const Metric& metric_;
};

// A step size whose first step is accepted about four times in five: doubled or halved from `guess` until
// that is crossed, with a fresh momentum for each try. 0 if even the smallest step fails, +∞ if no step is
// too long (a flat target).
double reasonable_step_size(const Hamiltonian& hamiltonian, const EvaluatedPoint& start, double guess,
                            base::RandomStream& random);

}  // namespace interpole::sampling
