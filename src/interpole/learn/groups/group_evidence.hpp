// The evidence of groups that differ by some τ, from one expansion of everything else: the density of the
// deviations is normal, so that with the rest taken as a parabola the integral is exact for every τ
// (docs/mathematics/groups.md).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "interpole/learn/groups/grouped_posterior.hpp"

namespace interpole::learn {

// Options whose weights sum to one: τ on a grid, and for rows every choice of kinds among those that can
// deviate.
std::vector<ScaleOption> scale_options(const GroupSpace& space, GroupCause cause);
// The one in which everything deviates with a τ near this.
const ScaleOption& widest_option(const std::vector<ScaleOption>& options, double scale);
void set_scales(GroupScales& scales, GroupCause cause, const ScaleOption& option);

class GroupExpansion {
 public:
  // At y of a posterior whose deviations are all that are to be looked at.
  GroupExpansion(GroupedPosterior& posterior, std::span<const double> y);

  // log of the evidence with these τ; deviations without τ are zero. `proper`: set to false if the curvature
  // was not that of a maximum (it was then floored).
  double log_evidence(const GroupScales& scales, bool* proper = nullptr) const;

 private:
  int common_ = 0;
  int groups_ = 0;
  std::vector<GroupSpace::Deviation> deviations_;
  // The parabola value + slope·(u − at) − ½ (u − at)·bend·(u − at), deviations u in their natural units.
  Eigen::MatrixXd bend_;
  Eigen::VectorXd at_, slope_;
  double value_ = 0.0;
};

}  // namespace interpole::learn
