#include "interpole/explain/checks/fitted_directions.hpp"

#include <cmath>

#include "interpole/learn/posterior/coupled_space.hpp"
#include "interpole/learn/posterior/study_space.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"

namespace interpole::explain {
namespace {

double squared_distance(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

double squared_distance(const Dynamics& x, const Dynamics& y) {
  return squared_distance(x.initial, y.initial) + squared_distance(x.transition, y.transition) +
         squared_distance(x.observation, y.observation);
}

double squared_distance(const Model& model, const AgentWorld& centre) {
  double sum = squared_distance(model.agent.dynamics, centre.agent.dynamics);
  if (model.world && centre.world) sum += squared_distance(*model.world, *centre.world);
  return sum;
}

class PointsOf {
 public:
  PointsOf(const learn::StoredUncertainty& stored, const learn::UncertaintyComponent& component)
      : coupled_(stored.uncertainty.dynamics == DynamicsMode::kCoupled),
        one_(stored.problem, stored.uncertainty.dynamics),
        two_(stored.problem, {component.scales, false}) {}
  AgentWorld at(std::span<const double> y) const {
    return coupled_ ? AgentWorld{two_.agent_point(y), two_.world_point(y)} : AgentWorld{one_.point(y), {}};
  }

 private:
  bool coupled_;
  learn::StudySpace one_;
  learn::CoupledSpace two_;
};

}  // namespace

FittedDirections fitted_directions(const FitResult& fit) {
  FittedDirections directions;
  if (!fit.has_uncertainty()) return directions;
  const learn::StoredUncertainty& stored = *fit.uncertainty;
  const learn::UncertaintyComponent* nearest = nullptr;
  double least = INFINITY;
  for (const auto& component : stored.uncertainty.components) {
    const double distance =
        squared_distance(fit.model, PointsOf(stored, component).at(component.laplace.centre));
    if (distance >= least) continue;
    least = distance;
    nearest = &component;
  }
  if (nearest == nullptr) return directions;
  const PointsOf points(stored, *nearest);
  const learn::Laplace& laplace = nearest->laplace;
  const int n = laplace.size();
  for (int k = 0; k < n; ++k) {
    std::vector<double> up = laplace.centre;
    std::vector<double> down = laplace.centre;
    bool moves = false;
    for (int i = 0; i < n; ++i) {
      const double move = FittedDirections::kStep * laplace.factor[static_cast<std::size_t>(i) * n + k];
      up[i] += move;
      down[i] -= move;
      moves |= move != 0.0;
    }
    if (moves) directions.ends.emplace_back(points.at(up), points.at(down));
  }
  return directions;
}

}  // namespace interpole::explain
