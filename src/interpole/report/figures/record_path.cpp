#include "interpole/report/figures/record_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/belief.hpp"

namespace interpole::report {
namespace {

// Of steps, the whole ones that have passed.
double passed_of(const VisitTime& time, double since) {
  if (time.rule == TimeRule::kGenerators) return since;
  return std::floor(since / time.typical_gap() + 1e-6) * time.typical_gap();
}

}  // namespace

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
    update_belief(model.structure, model.agent.dynamics, {step.action, kMissing, step.gap}, belief, next);
    path.predicted.push_back(next);
    const double chance = update_belief(model.structure, model.agent.dynamics, step, belief, next);
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
    const double chance = update_belief(model.structure, model.agent.dynamics, {step.action, z, step.gap},
                                        path.beliefs[*record.counterfactual], next);
    if (chance > 0.0) beliefs.push_back(next);
  }
  return beliefs;
}

std::vector<double> moments_of(const Structure& structure, const ShownRecord& record,
                               const RecordPath& path) {
  std::vector<double> moments = {0.0};
  for (std::size_t t = 1; t < path.beliefs.size(); ++t) {
    const int gap = record.steps[t - 1].gap;
    const double passed = !structure.timed() ? 1.0 : gap == kNoGap ? 0.0 : structure.gaps.table->at(gap);
    moments.push_back(moments.back() + passed);
  }
  return moments;
}

std::vector<CoursePoint> course_of(const Model& model, const ShownRecord& record, const RecordPath& path,
                                   int parts) {
  const Structure& structure = model.structure;
  const std::vector<double> moments = moments_of(structure, record, path);
  std::vector<CoursePoint> course;
  std::vector<double> between(structure.states.size());
  for (std::size_t t = 0; t < path.beliefs.size(); ++t) {
    course.push_back({moments[t], path.beliefs[t], static_cast<int>(t)});
    if (!structure.timed() || t + 1 == path.beliefs.size() || moments[t + 1] == moments[t]) continue;
    const Step step{record.steps[t].action, kMissing};
    for (int part = 1; part <= parts; ++part) {
      const double since = (moments[t + 1] - moments[t]) * part / parts;
      const auto transition =
          transition_over(structure, model.agent.dynamics, step.action, passed_of(*structure.time, since));
      update_belief(structure, model.agent.dynamics, step, transition, path.beliefs[t], between);
      course.push_back({moments[t] + since, between, -1});
    }
  }
  return course;
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
