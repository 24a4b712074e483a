#include "interpole/explain/audit/measured_tests.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/explain/audit/belief_distance.hpp"
#include "interpole/explain/record/measured_branches.hpp"
#include "interpole/model/measured/outcome_weights.hpp"

namespace interpole::explain {

const model::OutcomeChances& MeasuredTests::chances(int action, const std::vector<int>& varying) {
  const auto [place, is_new] = known_.try_emplace({action, varying});
  if (is_new) place->second = model::outcome_chances(structure_, dynamics_, action, varying);
  return place->second;
}

template <class Visit>
void MeasuredTests::each_move(std::span<const double> before, Step step, const Visit& visit) {
  const std::size_t S = before.size();
  const auto values = structure_.outcomes.table->at(step.observation);
  std::vector<int> varying;
  values_.assign(values.begin(), values.end());
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (std::isnan(values[f]) || !rules_.is_own(step.action, static_cast<int>(f))) continue;
    varying.push_back(static_cast<int>(f));
    values_[f] = NAN;
  }
  predicted_.resize(S);
  next_.resize(S);
  const Step unseen{step.action, kMissing, step.gap};
  update_belief(structure_, dynamics_, unseen, transitions_.of(unseen), before, predicted_);
  model::outcome_weights(structure_, dynamics_, step.action, values_, next_);
  double seen = 0.0;
  for (std::size_t s = 0; s < S; ++s) seen += predicted_[s] *= next_[s];
  if (!(seen > 0.0)) return;
  for (double& b : predicted_) b /= seen;
  bool enough = false;
  chances(step.action, varying).each(predicted_, [&](double share, std::span<const double> weights, int) {
    if (enough) return;
    double total = 0.0;
    for (std::size_t s = 0; s < S; ++s) total += next_[s] = predicted_[s] * weights[s];
    if (!(total > 0.0)) return;
    for (double& b : next_) b /= total;
    enough = visit(share, belief_distance(before, next_));
  });
}

double MeasuredTests::share_moved(std::span<const double> before, Step step, double least, double enough) {
  double moved = 0.0;
  each_move(before, step, [&](double share, double move) {
    if (move >= least) moved += share;
    return moved > enough;
  });
  return moved;
}

double MeasuredTests::reach(std::span<const double> before, Step step) {
  std::vector<std::pair<double, double>> moves;  // and their shares
  each_move(before, step, [&](double share, double move) {
    moves.emplace_back(move, share);
    return false;
  });
  std::sort(moves.rbegin(), moves.rend());
  double beyond = 0.0;
  for (const auto& [move, share] : moves) {
    beyond += share;
    if (beyond > kSeldom) return move;
  }
  return 0.0;
}

}  // namespace interpole::explain
