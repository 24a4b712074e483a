#include "interpole/report/figures/record_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/number_text.hpp"
#include "interpole/belief.hpp"

namespace interpole::report {

RecordPath path_of(const Model& model, const ShownRecord& record) {
  RecordPath path;
  const int steps = static_cast<int>(record.steps.size());
  std::vector<double> belief = start_belief(model.agent.dynamics, record.covariates);
  std::vector<double> next(belief.size());
  for (int t = 0; t < steps; ++t) {
    path.beliefs.push_back(belief);
    if (t == kMostVisits) break;
    const Step& step = record.steps[t];
    path.actions.push_back(step.action);
    ++path.decisions;
    if (model.structure.is_terminal(step.action) || (t + 1 == steps && step.observation == kMissing)) break;
    update_belief(model.structure, model.agent.dynamics, step.action, kMissing, belief, next);
    path.predicted.push_back(next);
    const double chance =
        update_belief(model.structure, model.agent.dynamics, step.action, step.observation, belief, next);
    if (!(chance > 0.0)) {
      path.predicted.pop_back();
      break;
    }
    belief = next;
    if (t + 1 == steps) path.beliefs.push_back(belief);
  }
  path.left_out = steps - path.decisions;
  return path;
}

std::vector<std::vector<double>> other_outcomes(const Model& model, const ShownRecord& record,
                                                const RecordPath& path) {
  std::vector<std::vector<double>> beliefs;
  if (!record.counterfactual || *record.counterfactual >= path.decisions) return beliefs;
  const Step& step = record.steps[*record.counterfactual];
  std::vector<double> next(model.structure.states.size());
  for (const int z : record.other_outcomes) {
    if (z == step.observation) continue;
    const double chance = update_belief(model.structure, model.agent.dynamics, step.action, z,
                                        path.beliefs[*record.counterfactual], next);
    if (chance > 0.0) beliefs.push_back(next);
  }
  return beliefs;
}

std::string path_words(const Model& model, const ShownRecord& record, const RecordPath& path) {
  const auto most = [&](const std::vector<double>& belief) {
    const auto state = std::max_element(belief.begin(), belief.end()) - belief.begin();
    return fmt::format("{} {}", base::percent(belief[state]), model.structure.states[state]);
  };
  return fmt::format("{}: {}, from {} to {}.", record.name, base::counted(path.decisions, "visit"),
                     most(path.beliefs.front()), most(path.beliefs.back()));
}

std::string left_out_words(const ShownRecord& record, const RecordPath& path) {
  if (path.left_out == 0) return "";
  return fmt::format("{}: the last {} not drawn. ", record.name,
                     path.left_out == 1 ? "visit is" : base::grouped(path.left_out) + " visits are");
}

}  // namespace interpole::report
