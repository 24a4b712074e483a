#include "interpole/learn/posterior/coupled_curvature.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/optimize/hessian.hpp"
#include "interpole/optimize/watched.hpp"

namespace interpole::learn {
namespace {

// One of the two sums of the log-likelihood, over [policy | dynamics | what starts differ by] or the world's
// dynamics alone, which include the last.
class PartOfLikelihood : public optimize::Objective {
 public:
  PartOfLikelihood(const inference::Likelihood& likelihood, const model::PolicySpace* policy,
                   const model::DynamicsSpace* start, const model::DynamicsSpace& dynamics,
                   inference::LikelihoodTerms terms, Parameters at)
      : likelihood_(likelihood),
        policy_(policy),
        start_(start),
        dynamics_(dynamics),
        terms_(terms),
        workspace_(likelihood.make_workspace()),
        at_(std::move(at)),
        gradient_(Parameters::filled(likelihood.structure(), 0.0)) {}

  int size() const override { return policy_size() + dynamics_.size() + start_size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    if (policy_ != nullptr) policy_->point(x.first(policy_size()), at_.policy);
    dynamics_.point(x.subspan(policy_size(), dynamics_.size()), at_.dynamics);
    if (start_ != nullptr) start_->point_start(x.last(start_size()), at_.dynamics.start);
    const auto value = likelihood_.evaluate(at_, terms_, &gradient_, workspace_);
    if (value.impossible_node) return -INFINITY;
    if (policy_ != nullptr) policy_->pull_back(at_.policy, gradient_.policy, gradient.first(policy_size()));
    dynamics_.pull_back(at_.dynamics, gradient_.dynamics, gradient.subspan(policy_size(), dynamics_.size()));
    if (start_ != nullptr) start_->pull_back_start(gradient_.dynamics.start, gradient.last(start_size()));
    return value.total();
  }

 private:
  int policy_size() const { return policy_ != nullptr ? policy_->size() : 0; }
  int start_size() const { return start_ != nullptr ? start_->start_size() : 0; }

  const inference::Likelihood& likelihood_;
  const model::PolicySpace* policy_;
  const model::DynamicsSpace* start_;
  const model::DynamicsSpace& dynamics_;
  inference::LikelihoodTerms terms_;
  inference::LikelihoodWorkspace workspace_;
  Parameters at_, gradient_;
};

// Where a coordinate of [policy | agent | start] is found among the coupled ones: up to two places, with
// factors.
struct Places {
  int at[2] = {0, 0};
  double factor[2] = {0.0, 0.0};
  int count = 0;
  void add(int place, double by) {
    at[count] = place;
    factor[count++] = by;
  }
};

std::vector<Places> places_of_agent(const CoupledSpace& space) {
  const int policy = space.policy().size();
  std::vector<Places> places(static_cast<std::size_t>(policy) + space.agent().size());
  for (int i = 0; i < policy; ++i) places[i].add(i, 1.0);
  for (const CoupledSpace::Link& link : space.links()) {
    for (int k = 0; k < link.block->size; ++k) {
      const int i = link.block->offset + k;
      if (link.world_offset >= 0) places[policy + i].add(policy + link.world_offset + k, 1.0);
      places[policy + i].add(policy + space.world().size() + i, link.unit);
    }
  }
  const int starts = space.world().start_size();
  for (int i = 0; i < starts; ++i) {
    places.emplace_back().add(policy + space.world().size() - starts + i, 1.0);
  }
  return places;
}

// full += Cᵀ part C
void embed(const std::vector<double>& part, const std::vector<Places>& places, std::size_t n,
           std::vector<double>& full) {
  const std::size_t m = places.size();
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      const double value = part[i * m + j];
      for (int p = 0; p < places[i].count; ++p) {
        for (int q = 0; q < places[j].count; ++q) {
          full[places[i].at[p] * n + places[j].at[q]] += places[i].factor[p] * places[j].factor[q] * value;
        }
      }
    }
  }
}

}  // namespace

std::vector<double> coupled_likelihood_curvature(const inference::Likelihood& likelihood,
                                                 const CoupledSpace& space, std::span<const double> y,
                                                 const std::function<bool()>& stop) {
  const auto n = static_cast<std::size_t>(space.size());
  std::vector<double> full(n * n, 0.0);

  const Parameters agent = space.agent_point(y);
  PartOfLikelihood actions(likelihood, &space.policy(), &space.world(), space.agent(),
                           {.actions = true, .observations = false}, agent);
  const auto policy = space.policy_part(y);
  std::vector<double> x(policy.begin(), policy.end());
  x.resize(actions.size());
  space.agent_coordinates(y, std::span(x).subspan(policy.size(), space.agent().size()));
  std::ranges::copy(space.start_part(y), x.end() - space.world().start_size());
  optimize::Watched watched_actions(actions, stop);
  embed(optimize::hessian_by_differences(watched_actions, x), places_of_agent(space), n, full);

  PartOfLikelihood observations(likelihood, nullptr, nullptr, space.world(),
                                {.actions = false, .observations = true},
                                {space.world_point(y), agent.policy});
  std::vector<Places> of_world(space.world().size());
  for (int i = 0; i < space.world().size(); ++i) of_world[i].add(space.policy().size() + i, 1.0);
  optimize::Watched watched_observations(observations, stop);
  embed(optimize::hessian_by_differences(watched_observations, space.world_part(y)), of_world, n, full);
  return full;
}

}  // namespace interpole::learn
