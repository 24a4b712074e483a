#include "interpole/learn/groups/group_space.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/model/coordinates.hpp"

namespace interpole::learn {
namespace {

// Rows that are known whole, without the entries that are 0 or 1.
void free_rows(std::vector<double>& known, int length) {
  if (length == 0) return;
  for (std::size_t begin = 0; begin + length <= known.size(); begin += length) {
    const auto row = std::span(known).subspan(begin, length);
    const auto inside = [](double x) { return x > 0.0 && x < 1.0; };
    if (std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); })) continue;
    if (std::count_if(row.begin(), row.end(), inside) < 2) continue;
    for (double& x : row) x = inside(x) ? NAN : x;
  }
}

void free_rows(const Structure& structure, Dynamics& known) {
  free_rows(known.initial, structure.state_count());
  free_rows(known.transition, structure.state_count());
  if (structure.measured()) {  // each parameter of a factor by itself
    std::fill(known.observation.begin(), known.observation.end(), NAN);
    return;
  }
  free_rows(known.observation, structure.observation_columns());
}

const model::ParameterBlock* same_block(const model::DynamicsSpace& space,
                                        const model::ParameterBlock& block) {
  for (const auto& other : space.blocks()) {
    if (other.field == block.field && other.entries == block.entries) return &other;
  }
  return nullptr;
}

// Coordinates of a row of the known values.
std::vector<double> coordinates_of(const Dynamics& known, const model::ParameterBlock& block) {
  std::vector<double> row;
  for (const int i : block.entries) row.push_back(model::field_of(known, block.field)[i]);
  std::vector<double> y(block.size, 0.0);
  if (std::none_of(row.begin(), row.end(), [](double x) { return std::isnan(x); })) {
    model::block_coordinates(block, row, y);
  }
  return y;
}

}  // namespace

DecisionProblem problem_of_group(const DecisionProblem& problem) {
  DecisionProblem own = problem;
  free_rows(own.structure, own.known.dynamics);
  if (own.world) free_rows(own.structure, *own.world);
  own.labels.reset();  // states have the names that all records together gave them
  return own;
}

GroupSpace::GroupSpace(const DecisionProblem& problem, const CouplingScales& coupling,
                       const GroupScales& scales, int groups)
    : groups_(groups),
      own_problem_(problem_of_group(problem)),
      common_(problem, {coupling, false}),
      own_(own_problem_, {CouplingScales::all(1.0), false}),
      known_part_(own_.size(), 0.0) {
  const int policies = common_.policy().size();
  const int worlds = own_.world().size();
  const auto add_entry = [&](Place place) {
    common_entries_.push_back({static_cast<int>(common_entries_.size()), place});
  };
  for (int i = 0; i < policies; ++i) add_entry({i, 1.0});
  const auto place_rows = [&](const model::DynamicsSpace& from, const model::DynamicsSpace& to, int offset) {
    for (const auto& block : from.blocks()) {
      const auto* own = same_block(to, block);
      for (int k = 0; k < block.size; ++k) add_entry({offset + own->offset + k, 1.0});
    }
  };
  place_rows(common_.world(), own_.world(), policies);
  place_rows(common_.agent(), own_.agent(), policies + worlds);
  for (const auto& link : common_.links()) {
    for (int i = link.block->offset; i < link.block->offset + link.block->size; ++i) {
      common_entries_[policies + common_.world().size() + i].place.factor = link.unit;
    }
  }
  // Rows that are known in common: the world's where they are, the agent's as far as they differ from those.
  for (const auto& block : own_.world().blocks()) {
    if (same_block(common_.world(), block) != nullptr) continue;
    const auto y = coordinates_of(problem.known_world(), block);
    for (int k = 0; k < block.size; ++k) known_part_[policies + block.offset + k] = y[k];
  }
  for (const auto& block : own_.agent().blocks()) {
    if (same_block(common_.agent(), block) != nullptr) continue;
    const auto agent = coordinates_of(problem.known.dynamics, block);
    const auto world = coordinates_of(problem.known_world(), block);
    const auto* learned = same_block(common_.world(), block);
    for (int k = 0; k < block.size; ++k) {
      const int gap = policies + worlds + block.offset + k;
      known_part_[gap] = agent[k] - world[k];
      // The agent's row is known and the world's is not: the gap makes up for what the world's is.
      if (learned != nullptr) common_entries_.push_back({policies + learned->offset + k, {gap, -1.0}});
    }
  }
  add_deviations(scales);
}

void GroupSpace::add_deviations(const GroupScales& scales) {
  const int policies = own_.policy().size();
  const int worlds = own_.world().size();
  const auto add = [&](GroupCause cause, Field field, std::vector<Place> places, double scale,
                       const std::string& name) {
    if (scale == 0.0) return;
    deviations_.push_back({cause, field, std::move(places), std::min(scale, 1.0), scale, name});
  };
  for (const auto& block : own_.world().blocks()) {
    for (int k = 0; k < block.size; ++k) {
      std::vector<Place> places = {{policies + block.offset + k, 1.0}};
      const auto* agent = same_block(own_.agent(), block);
      if (!scales.patients_known && agent != nullptr)
        places.push_back({policies + worlds + agent->offset + k, -1.0});
      add(GroupCause::kPatients, block.field, places, scales.patients.of(block.field), block.name);
    }
  }
  for (const auto& block : own_.agent().blocks()) {
    for (int k = 0; k < block.size; ++k) {
      add(GroupCause::kPicture, block.field, {{policies + worlds + block.offset + k, 1.0}},
          scales.picture.of(block.field), block.name);
    }
  }
  const auto& blocks = own_.policy().blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].field != Field::kMeans) continue;
    for (int k = 0; k < blocks[b].size; ++k) {
      std::vector<Place> places = {{blocks[b].offset + k, 1.0}};
      for (std::size_t other = b; other < own_.policy().kind_blocks().size(); other += blocks.size()) {
        places.push_back({own_.policy().kind_blocks()[other].offset + k, 1.0});
      }
      add(GroupCause::kPolicy, Field::kMeans, places, scales.policy, blocks[b].name);
    }
  }
}

void GroupSpace::own_coordinates(std::span<const double> y, int group, std::span<double> own) const {
  std::copy(known_part_.begin(), known_part_.end(), own.begin());
  for (const auto& [i, place] : common_entries_) own[place.at] += place.factor * y[i];
  const auto deviations = y.subspan(offset_of(group), deviations_.size());
  for (std::size_t d = 0; d < deviations_.size(); ++d) {
    for (const Place& place : deviations_[d].places) {
      own[place.at] += deviations_[d].unit * place.factor * deviations[d];
    }
  }
}

void GroupSpace::pull_back(std::span<const double> d_own, int group, std::span<double> d_y) const {
  for (const auto& [i, place] : common_entries_) d_y[i] += place.factor * d_own[place.at];
  const auto deviations = d_y.subspan(offset_of(group), deviations_.size());
  for (std::size_t d = 0; d < deviations_.size(); ++d) {
    for (const Place& place : deviations_[d].places) {
      deviations[d] += deviations_[d].unit * place.factor * d_own[place.at];
    }
  }
}

void GroupSpace::add_curvature(const std::vector<double>& second, int group,
                               std::vector<double>& full) const {
  const auto m = static_cast<std::size_t>(own_.size());
  const auto n = static_cast<std::size_t>(size());
  std::vector<Entry> entries = common_entries_;
  for (int d = 0; d < deviation_count(); ++d) {
    for (const Place& place : deviations_[d].places) {
      entries.push_back({offset_of(group) + d, {place.at, deviations_[d].unit * place.factor}});
    }
  }
  for (const auto& [i, x] : entries) {
    for (const auto& [j, z] : entries) full[i * n + j] += x.factor * z.factor * second[x.at * m + z.at];
  }
}

std::vector<double> GroupSpace::near(const std::vector<std::vector<double>>& own,
                                     std::span<const double> weights) const {
  std::vector<double> y(size(), 0.0);
  std::vector<double> average(own_.size(), 0.0);
  for (std::size_t g = 0; g < own.size(); ++g) {
    for (std::size_t i = 0; i < average.size(); ++i) average[i] += weights[g] * own[g][i];
  }
  for (int i = 0; i < common_.size(); ++i) {
    const Place& place = common_entries_[i].place;
    y[i] = place.factor > 0.0 ? average[place.at] / place.factor : 0.0;
  }
  std::vector<double> common(own_.size());
  for (int g = 0; g < groups_; ++g) {
    own_coordinates(y, g, common);
    for (std::size_t d = 0; d < deviations_.size(); ++d) {
      const int at = deviations_[d].places.front().at;
      y[offset_of(g) + d] = (own[g][at] - common[at]) / deviations_[d].unit;
    }
  }
  return y;
}

std::vector<double> GroupSpace::moved_here(std::span<const double> y, const GroupSpace& there) const {
  std::vector<double> result(size(), 0.0);
  std::copy_n(y.begin(), common_.size(), result.begin());
  for (std::size_t d = 0; d < deviations_.size(); ++d) {
    const auto same =
        std::find_if(there.deviations_.begin(), there.deviations_.end(), [&](const Deviation& x) {
          return x.cause == deviations_[d].cause && x.places.front().at == deviations_[d].places.front().at;
        });
    if (same == there.deviations_.end()) continue;
    const auto from = static_cast<std::size_t>(same - there.deviations_.begin());
    for (int g = 0; g < groups_; ++g) {
      result[offset_of(g) + d] = y[there.offset_of(g) + from] * same->unit / deviations_[d].unit;
    }
  }
  return result;
}

}  // namespace interpole::learn
