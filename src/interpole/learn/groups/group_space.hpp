// Where a point stands for an agent and a world of each group:
//
//   [policy | world's dynamics | gaps] in common, and each group's deviations
//
// A group's point is one of the coupled space (CoupledSpace) and linear in these coordinates: what is common
// plus its deviations. A deviation is counted in units of min(τ, 1). What a study states as known, and is
// neither 0 nor 1, is known of what groups have in common: a group may still deviate from it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpole/learn/groups/group_scales.hpp"
#include "interpole/learn/posterior/coupled_space.hpp"

namespace interpole::learn {

// The problem of one group by itself: known rows that are neither 0 nor 1 are to be learned.
DecisionProblem problem_of_group(const DecisionProblem& problem);

class GroupSpace {
 public:
  GroupSpace(const DecisionProblem& problem, const CouplingScales& coupling, const GroupScales& scales,
             int groups);
  GroupSpace(const GroupSpace&) = delete;

  int size() const { return common_.size() + groups_ * deviation_count(); }
  int group_count() const { return groups_; }
  int deviation_count() const { return static_cast<int>(deviations_.size()); }  // of each group
  const CoupledSpace& common() const { return common_; }
  const CoupledSpace& own() const { return own_; }  // of one group; gaps in units of 1
  const std::vector<double>& known_part() const { return known_part_; }

  struct Place {
    int at = 0;  // of the group's coordinates
    double factor = 0.0;
  };
  struct Deviation {
    GroupCause cause = GroupCause::kPolicy;
    Field field = Field::kMeans;
    std::vector<Place> places;
    double unit = 1.0;  // min(τ, 1)
    double scale = 1.0;
    std::string name;
  };
  const std::vector<Deviation>& deviations() const { return deviations_; }
  int offset_of(int group) const { return common_.size() + group * deviation_count(); }

  template <class Scalar>
  std::span<Scalar> common_part(std::span<Scalar> y) const {
    return y.first(common_.size());
  }
  void own_coordinates(std::span<const double> y, int group, std::span<double> own) const;
  // d_y += (∂ own/∂ y)ᵀ d_own
  void pull_back(std::span<const double> d_own, int group, std::span<double> d_y) const;
  // `full` (size × size) += (∂ own/∂ y)ᵀ second (∂ own/∂ y)
  void add_curvature(const std::vector<double>& second, int group, std::vector<double>& full) const;

  // The point nearest to these points of the groups (own coordinates, one for each): what they have in common
  // is their average, weighted; deviations are what this space has a place for.
  std::vector<double> near(const std::vector<std::vector<double>>& own,
                           std::span<const double> weights) const;
  // The point of another space of the same problem and coupling, as far as this one has places for it.
  std::vector<double> moved_here(std::span<const double> y, const GroupSpace& there) const;

 private:
  void add_deviations(const GroupScales& scales);

  int groups_;
  DecisionProblem own_problem_;
  CoupledSpace common_;
  CoupledSpace own_;
  std::vector<double> known_part_;  // of own coordinates: what is known of what groups have in common
  struct Entry {
    int y = 0;  // a common coordinate
    Place place;
  };
  std::vector<Entry> common_entries_;  // the first of every common coordinate in their order, then more
  std::vector<Deviation> deviations_;
};

}  // namespace interpole::learn
