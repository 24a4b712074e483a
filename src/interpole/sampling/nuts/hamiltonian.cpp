#include "interpole/sampling/nuts/hamiltonian.hpp"

#include <cmath>
#include <limits>

#include "interpole/optimize/all_finite.hpp"

namespace interpole::sampling {
namespace {

constexpr double kAsked = 0.8;  // acceptance of the first step
constexpr double kLongestStep = 1e7;

void add_scaled(std::span<double> x, double scale, std::span<const double> direction) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += scale * direction[i];
}

}  // namespace

PhasePoint::PhasePoint(int size) : momentum(size, 0.0), velocity(size, 0.0) {
  at.position.assign(size, 0.0);
  at.gradient.assign(size, 0.0);
}

bool Hamiltonian::evaluate(EvaluatedPoint& point) const {
  // A step that left the real numbers is not shown to the target, which may not expect it.
  if (!optimize::all_finite(point.position)) return false;
  point.log_density = target_.evaluate(point.position, point.gradient);
  return std::isfinite(point.log_density) && optimize::all_finite(point.gradient);
}

void Hamiltonian::update_energy(PhasePoint& point) const {
  metric_.velocity(point.momentum, point.velocity);
  double kinetic = 0.0;
  for (std::size_t i = 0; i < point.momentum.size(); ++i) kinetic += point.momentum[i] * point.velocity[i];
  const double energy = 0.5 * kinetic - point.at.log_density;
  point.energy = std::isnan(energy) ? std::numeric_limits<double>::infinity() : energy;
}

void Hamiltonian::kick(PhasePoint& point, base::RandomStream& random) const {
  metric_.draw_momentum(random, point.momentum);
  update_energy(point);
}

void Hamiltonian::leapfrog(PhasePoint& point, double step) const {
  add_scaled(point.momentum, 0.5 * step, point.at.gradient);
  metric_.velocity(point.momentum, point.velocity);
  add_scaled(point.at.position, step, point.velocity);
  if (!evaluate(point.at)) {
    point.energy = std::numeric_limits<double>::infinity();
    return;
  }
  add_scaled(point.momentum, 0.5 * step, point.at.gradient);
  update_energy(point);
}

double reasonable_step_size(const Hamiltonian& hamiltonian, const EvaluatedPoint& start, double guess,
                            base::RandomStream& random) {
  if (hamiltonian.size() == 0) return guess;
  PhasePoint point(hamiltonian.size());
  const auto accepts = [&](double step) {
    point.at = start;
    hamiltonian.kick(point, random);
    const double before = point.energy;
    hamiltonian.leapfrog(point, step);
    return before - point.energy > std::log(kAsked);
  };
  double step = guess;
  const bool longer = accepts(step);
  while (accepts(step) == longer) {
    step *= longer ? 2.0 : 0.5;
    if (step > kLongestStep) return std::numeric_limits<double>::infinity();
    if (step < std::numeric_limits<double>::min()) return 0.0;
  }
  return step;
}

}  // namespace interpole::sampling
