#include "interpole/learn/uncertainty/scale_search.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/base/dealing/steps.hpp"
#include "interpole/learn/posterior/log_sum.hpp"

namespace interpole::learn {
namespace {

constexpr int kScaleGridPoints = 12;
constexpr double kScaleOfSearches = 0.3;  // that of the searches before
constexpr std::size_t kStride = 2;        // of the grid's points that are looked at with the data
// Nats below the best, prior included: a σ that cannot matter is not looked at with the data.
constexpr double kHopeless = 15.0;
constexpr double kLeftToClimb = 15.0;  // … and by so much it may be higher than a short climb says
constexpr double kOtherMode = 0.1;     // nats: σ = 0 has a better mode than the one that was followed

// One σ for each kind of row.
class DenseSearch {
 public:
  DenseSearch(ModeFollower& follower, const Sink& sink, base::Steps& steps, ScaleChoice& best)
      : follower_(follower), sink_(sink), steps_(steps), best_(best) {}

  // The same σ for all kinds, from the grid's point nearest to the scale of the searches outwards.
  void profile_common(const AgentWorld& start) {
    const ScaleGrid grid = scale_grid(kScaleGridPoints);
    best_.common = {grid.sigma, grid.log_weight, std::vector<double>(grid.sigma.size(), -INFINITY)};
    const std::size_t first = nearest(grid.sigma, kScaleOfSearches);
    const CoupledMode middle = follower_.search(CouplingScales::all(grid.sigma[first]), start);
    take(first, middle);
    steps_.step();
    narrow_ = walk(first, -1, middle);
    walk(first, 1, middle);
  }

  // From another mode of σ = 0: the evidence of each σ is that of the better one.
  void profile_from(const CoupledMode& one) { walk(-1, 1, one); }

  const CoupledMode& narrowest() const { return narrow_; }
  const CoupledMode& best() const { return best_mode_; }

  // Each kind by itself, the others at their best. The data are looked at where the others were and where the
  // best is found.
  void profile_kinds(const std::vector<Field>& fields) {
    CouplingScales scales = best_mode_.scales;
    for (const Field field : fields) {
      ScaleProfile profile = best_.common;
      for (std::size_t j = 0; fields.size() > 1 && j < profile.sigma.size() && !stopped(); ++j) {
        scales.of(field) = profile.sigma[j];
        const NearbyMode mode = follower_.nearby(scales, best_mode_, floor());
        profile.log_evidence[j] = mode.proper ? mode.log_evidence : -INFINITY;
        steps_.step();
      }
      scales.of(field) = top_of(profile);
      best_.kinds.push_back({field, std::move(profile)});
    }
    if (stopped()) return;
    consider(follower_.follow(scales, best_mode_));
  }

 private:
  bool stopped() const { return sink_.stop_requested(); }
  double floor() const { return best_.log_evidence - kHopeless - kLeftToClimb; }

  static std::size_t nearest(const std::vector<double>& sigma, double to) {
    const auto closer = [&](double x, double y) {
      return std::abs(std::log(x / to)) < std::abs(std::log(y / to));
    };
    return static_cast<std::size_t>(std::min_element(sigma.begin(), sigma.end(), closer) - sigma.begin());
  }

  void consider(CoupledMode mode) {
    if (mode.log_evidence() <= best_.log_evidence) return;
    best_.scales = mode.scales;
    best_.log_evidence = mode.log_evidence();
    best_.agent_world = mode.at;
    best_mode_ = std::move(mode);
  }

  void take(std::size_t j, const CoupledMode& mode) {
    best_.common.log_evidence[j] = std::max(best_.common.log_evidence[j], mode.log_evidence());
    consider(mode);
  }

  // Along the grid, each mode leading to the next; points in between by the expansion before them. Returns
  // the last mode.
  CoupledMode walk(std::ptrdiff_t from, int direction, CoupledMode at) {
    ScaleProfile& profile = best_.common;
    const auto size = static_cast<std::ptrdiff_t>(profile.sigma.size());
    for (std::ptrdiff_t j = from + direction, steps = 1; j >= 0 && j < size && !stopped();
         j += direction, ++steps) {
      steps_.step();
      const auto scales = CouplingScales::all(profile.sigma[j]);
      const NearbyMode near = follower_.nearby(scales, at, floor());
      const bool look = steps % kStride == 0 || !near.proper;
      const bool hopeless =
          near.proper && profile.log_prior[j] + near.log_evidence < best_.log_evidence - kHopeless;
      if (!look || hopeless) {
        profile.log_evidence[j] = std::max(profile.log_evidence[j], near.log_evidence);
        continue;
      }
      at = follower_.follow(scales, at);
      take(j, at);
    }
    return at;
  }

  // σ at the top of the parabola through the highest point of a profile and its neighbours.
  static double top_of(const ScaleProfile& profile) {
    const auto& f = profile.log_evidence;
    const auto top = static_cast<std::size_t>(std::max_element(f.begin(), f.end()) - f.begin());
    if (top == 0 || top + 1 == f.size()) return profile.sigma[top];
    const double bend = f[top - 1] - 2.0 * f[top] + f[top + 1];
    if (!(bend < 0.0) || !std::isfinite(bend)) return profile.sigma[top];
    const double step = 0.5 * (f[top - 1] - f[top + 1]) / bend;
    return profile.sigma[top] * std::exp(step * std::log(profile.sigma[1] / profile.sigma[0]));
  }

  ModeFollower& follower_;
  const Sink& sink_;
  base::Steps& steps_;
  ScaleChoice& best_;
  CoupledMode best_mode_, narrow_;
};

std::vector<Field> free_fields(const DecisionProblem& problem) {
  const model::DynamicsSpace space(problem.structure, problem.known.dynamics, problem.ties);
  std::vector<Field> fields;
  for (const Field field : kCoupledFields) {
    const bool free = std::any_of(space.blocks().begin(), space.blocks().end(),
                                  [&](const model::ParameterBlock& block) { return block.field == field; });
    if (free) fields.push_back(field);
  }
  return fields;
}

// Every point of the common grid and of each kind's own, and the rows that may be wrong.
std::int64_t steps_foreseen(const DecisionProblem& problem, std::size_t fields) {
  const std::size_t grids = fields > 1 ? 1 + fields : 1;
  return static_cast<std::int64_t>(grids * kScaleGridPoints + looks_at_rows(problem));
}

// Some rows are the better explanation than all of them or none.
void take_rows(const RowSearchResult& rows, ScaleChoice& choice) {
  choice.sparse = rows.hypotheses;
  if (rows.hypotheses.empty() || choice.log_bayes_factor() <= 0.0 || choice.chance_of_dense() >= 0.5) return;
  choice.scales.rows = rows.best.scales.rows;
  choice.log_evidence = rows.best.log_evidence();
  choice.agent_world = rows.best.at;
}

}  // namespace

ScaleChoice choose_scales(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                          const AgentWorld& start, const optimize::LbfgsOptions& options, Sink& sink,
                          const Parameters* one) {
  ScaleChoice choice;
  choice.log_evidence = -INFINITY;
  const auto fields = free_fields(problem);
  base::Steps steps(sink, "coupling", steps_foreseen(problem, fields.size()));
  ModeFollower follower(likelihood, problem, options);
  DenseSearch dense(follower, sink, steps, choice);
  dense.profile_common(start);
  CoupledMode together = follower.follow({}, dense.narrowest());
  if (one != nullptr && !sink.stop_requested()) {
    CoupledMode other = follower.search({}, {*one, {}});
    const bool better = other.log_evidence() > together.log_evidence() + kOtherMode;
    if (better) {
      dense.profile_from(other);
      together = std::move(other);
    }
  }
  choice.log_evidence_of_one = together.log_evidence();
  dense.profile_kinds(fields);
  if (!sink.stop_requested()) take_rows(search_rows(follower, problem, together, sink, steps), choice);
  steps.finish();
  choice.evaluations = follower.expansions();
  return choice;
}

}  // namespace interpole::learn
